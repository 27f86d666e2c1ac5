import * as v from 'valibot';
import { checked, shown, text } from './decode.ts';
import { operationBuilders } from './operation-builders.ts';
import { envelope, type Mounted, secret, type Wrappable, written } from './secrets-parts.ts';
import { wrapSchema } from './secrets-tokens.ts';

const { get, list, post, remove } = operationBuilders('secrets');

/** The roles of an auth method: `mount` is below `auth/`, `kind` what the type calls them: `role`, `users`. */
interface RoleList extends Mounted {
  kind: string;
}

interface Role extends RoleList {
  name: string;
}

/** A role of an auth method `approle`. */
interface AppRole extends Mounted {
  name: string;
}

/** The body of a new secret ID; durations as texts. */
export interface SecretIdRequest {
  /** An object as JSON text. */
  metadata?: string;
  ttl?: string;
  num_uses?: number;
  cidr_list?: readonly string[];
  token_bound_cidrs?: readonly string[];
}

interface Accessor extends AppRole {
  secret_id_accessor: string;
}

const newSecretIdSchema = v.looseObject({
  secret_id: v.string(),
  secret_id_accessor: v.string(),
  /** Lifetime in seconds; 0: unlimited. */
  secret_id_ttl: v.optional(v.number()),
  /** The number of uses; 0: unlimited. */
  secret_id_num_uses: v.optional(v.number()),
});
/** A secret ID that was created. */
export type NewSecretId = v.InferOutput<typeof newSecretIdSchema>;

const secretIdSchema = v.looseObject({
  ...shown<{ cidr_list?: string[] | null; token_bound_cidrs?: string[] | null }>(),
  secret_id_accessor: text,
  /** Initial lifetime in seconds; 0: unlimited. */
  secret_id_ttl: v.optional(v.number()),
  /** Remaining uses; 0: unlimited. */
  secret_id_num_uses: v.optional(v.number()),
  /** RFC 3339. */
  creation_time: text,
  /** RFC 3339; the year 1: never. */
  expiration_time: text,
  metadata: v.nullish(v.record(v.string(), v.string())),
});

const keys = checked(secret({ keys: v.nullable(v.array(v.string())) }));

const listPath = '/v1/auth/{+mount}/{kind}';
const rolePath = `${listPath}/{name}`;
const appRolePath = '/v1/auth/{+mount}/role/{name}';

/** Roles of auth methods, and secret IDs (docs/protocol/secrets.md#logins). */
export const authOperations = {
  listAuthRoles: list<RoleList>('list roles', listPath)(keys),
  readAuthRole: get<Role>('read role', rolePath)(checked(secret({}))),
  writeAuthRole: post<Role & { readonly [field: string]: unknown }>('write role', rolePath)(written),
  deleteAuthRole: remove<Role>('delete role', rolePath)(written),

  readRoleId: get<AppRole>(
    'read role ID',
    `${appRolePath}/role-id`,
  )(checked(secret({ /** The role ID; not a secret. */ role_id: v.string() }))),
  // Whether a secret ID whose response was lost was created cannot be verified.
  createSecretId: post<AppRole & SecretIdRequest & Wrappable>(
    'create secret ID',
    `${appRolePath}/secret-id`,
    { retry: 'once', headers: { 'Wrap-TTL': 'wrapTtl' } },
  )(
    checked(
      v.looseObject({ ...envelope, data: v.nullish(newSecretIdSchema), wrap_info: v.nullish(wrapSchema) }),
    ),
  ),
  listSecretIds: list<AppRole>('list secret IDs', `${appRolePath}/secret-id`)(keys),
  lookUpSecretId: post<Accessor>('look up secret ID', `${appRolePath}/secret-id-accessor/lookup`, {
    accepts: [200],
    retry: 'read',
  })(checked(v.looseObject({ ...envelope, data: secretIdSchema }))),
  destroySecretId: post<Accessor>('destroy secret ID', `${appRolePath}/secret-id-accessor/destroy`)(written),
} as const;

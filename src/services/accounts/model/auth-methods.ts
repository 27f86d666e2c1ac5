import * as s from '../../core/schema/types.ts';
import type { Storage } from '../../core/store/storage.ts';
import type { RowOf } from '../../core/store/table.ts';
import { resourceTable } from './change-log.ts';
import {
  actions,
  attributesOf,
  collectionActions,
  labels,
  readOnlyId,
  scopeInfo,
  times,
  updateOf,
} from './fields.ts';
import { globalScope, scopes } from './scopes.ts';
import { nameLookups } from './unique-names.ts';

export const methodType = s.oneOf(['password', 'oidc', 'ldap']);
export type MethodType = s.Stored<typeof methodType>;

const text = s.optional(s.string());
const texts = s.optional(s.list(s.string()));
const flag = s.optional(s.boolean());
const positive = s.integer(undefined, { minimum: 1 });
const required = 'This is a required field.';
const readOnly = 'Field is read only.';
const setByService = s.responseOnly(text, readOnly);
/** Secrets of identity providers and directories, and options of a check; the service never calls them. */
const notStored = s.requestOnly(s.optional(s.json('Accepted, and not stored.')));
const inactive = s.string(undefined, { default: 'inactive' });

export const methodAttributes = {
  password: {
    min_login_name_length: s.integer(undefined, { minimum: 1, default: 3 }),
    min_password_length: s.integer(undefined, { minimum: 1, default: 8 }),
  },
  oidc: {
    state: s.responseOnly(inactive, readOnly),
    issuer: s.required(s.string('Required for type oidc.'), required),
    ...s.each(['client_id', 'api_url_prefix'], text),
    max_age: s.optional(positive),
    ...s.each(['signing_algorithms', 'idp_ca_certs', 'allowed_audiences'], texts),
    ...s.each(['claims_scopes', 'account_claim_maps', 'prompts'], texts),
    ...s.each(['client_secret', 'disable_discovered_config_validation', 'dry_run'], notStored),
    ...s.each(['client_secret_hmac', 'callback_url'], setByService),
  },
  ldap: {
    state: inactive,
    urls: s.required(s.list(s.string(), 'Required for type ldap.'), required),
    ...s.each(['start_tls', 'insecure_tls', 'discover_dn', 'anon_group_search'], flag),
    ...s.each(['enable_groups', 'use_token_groups'], flag),
    ...s.each(['upn_domain', 'user_dn', 'user_attr', 'user_filter'], text),
    ...s.each(['group_dn', 'group_attr', 'group_filter', 'bind_dn'], text),
    ...s.each(['client_certificate', 'dereference_aliases'], text),
    maximum_page_size: s.optional(positive),
    ...s.each(['certificates', 'account_attribute_maps'], texts),
    ...s.each(['bind_password', 'client_certificate_key'], notStored),
    ...s.each(['bind_password_hmac', 'client_certificate_key_hmac'], setByService),
  },
};

const attributes = s.named(
  'AuthMethodAttributes',
  s.object(
    s.partial({ ...methodAttributes.password, ...methodAttributes.oidc, ...methodAttributes.ldap }),
    'The attributes of the type, which callers without a token do not see. Null in a request: the default.',
  ),
);

/** An auth method; types oidc and ldap cannot be used. */
export const authMethodSchema = s.named(
  'AuthMethod',
  s.object({
    id: readOnlyId,
    scope_id: s.required(s.string('`global` or an organization.')),
    scope: scopeInfo,
    ...labels,
    ...s.partial(times),
    type: s.required(methodType),
    attributes: s.optional(attributesOf(attributes)),
    is_primary: s.responseOnly(
      s.omitEmpty(s.boolean('Whether it is the primary auth method of its scope.')),
      'This field is read only.',
    ),
    authorized_actions: actions,
    authorized_collection_actions: collectionActions,
  }),
);

export const authMethodUpdate = updateOf('AuthMethod', {
  type: s.described('Must match the auth method.', methodType),
  ...labels,
  attributes: s.nullable(attributesOf(attributes)),
  is_primary: authMethodSchema.fields.is_primary,
});

export const authMethods = resourceTable(
  'auth-methods/',
  { ...labels, type: methodType, scope: s.string(), attributes },
  ({ scope }) => methodCollection(scope),
).with({ lookups: (method) => nameLookups(methodCollection(method.scope), method) });
export type AuthMethod = RowOf<typeof authMethods>;

/** Prefixes of IDs (docs/protocol/accounts.md#logins-and-ids). */
export const methodPrefixes: Readonly<Record<MethodType, string>> = {
  password: 'ampw_',
  oidc: 'amoidc_',
  ldap: 'amldap_',
};

/** The type of an auth method by its ID. */
export function methodTypeOf(id: string): MethodType | undefined {
  const types = Object.entries(methodPrefixes) as [MethodType, string][];
  return types.find(([, prefix]) => id.startsWith(prefix))?.[0];
}

export const methodCollection = (scope: string): string => `auth-methods/${scope}`;

/** The seeded auth method, with the ID of the product's dev mode. */
export const seededMethodId = 'ampw_1234567890';

/** The primary auth method of a scope: only its accounts get a user with their first login. */
export function primaryMethodOf(storage: Storage, scope: string): string | undefined {
  const { primary = scope === globalScope ? seededMethodId : null } = scopes.get(storage, scope) ?? {};
  return primary ?? undefined;
}

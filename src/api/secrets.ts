import * as v from 'valibot';
import type { Auth, Health, ListedKeys, OpenApi, SealStatus } from '../wire/responses/secrets.ts';
import type { Client } from './client.ts';
import { checked, flag, objectOrText, pairs, shown, text, texts } from './decode.ts';
import { operationBuilders } from './operation-builders.ts';
import { authOperations } from './secrets-auth.ts';
import { kvOperations } from './secrets-kv.ts';
import { mountOperations } from './secrets-mounts.ts';
import {
  type Anywhere,
  envelope,
  type Mounted,
  type Queried,
  secret,
  type Wrappable,
  written,
} from './secrets-parts.ts';
import { sshOperations } from './secrets-ssh.ts';
import { sysOperations } from './secrets-sys.ts';
import { tokenOperations } from './secrets-tokens.ts';

const { get, list, patch, post, remove } = operationBuilders('secrets');

/** Operations for which `isServiceWide` is true. */
const serviceWide = { token: 'none', namespace: 'none' } as const;
const preflight = { preflight: true } as const;

const health = v.looseObject({
  ...shown<Health>(),
  initialized: v.boolean(),
  sealed: v.boolean(),
  version: text,
});
const sealStatus = v.looseObject({
  ...shown<SealStatus>(),
  sealed: v.boolean(),
  initialized: flag,
  /** The number of unseal keys that are required. */
  t: v.number(),
  /** The number of unseal keys. */
  n: v.number(),
  /** The number of unseal keys that were given. */
  progress: v.number(),
  nonce: text,
});
const initialized = v.looseObject({ initialized: v.boolean() });
const initialization = v.looseObject({
  /** The unseal keys in hexadecimal. */
  keys: v.array(v.string()),
  keys_base64: texts,
  root_token: v.string(),
});
const help = v.looseObject({
  ...shown<{ see_also?: string[] | null }>(),
  /** The help as text. */
  help: v.string(),
  /** The help as a document of OpenAPI. */
  openapi: v.nullish(v.looseObject(shown<OpenApi>())),
});
const login = v.looseObject({
  ...envelope,
  auth: v.looseObject({
    ...shown<Auth>({
      accessor: text,
      policies: texts,
    }),
    /** The token. */
    client_token: v.string(),
    /** Lifetime in seconds; 0: unlimited. */
    lease_duration: v.number(),
    num_uses: v.optional(v.number()),
    metadata: pairs,
  }),
});

/** Whether a login whose response was lost created a token cannot be verified. */
const logIn = <Input extends Mounted>(path: string) =>
  post<Input>('log in', path, { token: 'none', retry: 'once' })(checked(login));

const anyPath = '/v1/{+path}';
const search = { search: 'search' } as const;
const wrap = { headers: { 'Wrap-TTL': 'wrapTtl' } } as const;
const content = { body: 'content', contentType: 'application/json', anyFields: true, ...wrap } as const;
const merge = { ...content, contentType: 'application/merge-patch+json' } as const;
type Written = Anywhere & Wrappable & { content: string };

/** The same operations, each with the type of its engine. */
const ofEngine = <Table extends Readonly<Record<string, object>>>(engine: 'ssh', table: Table): Table =>
  Object.fromEntries(Object.entries(table).map(([name, row]) => [name, { ...row, engine }])) as Table;

/** The operations of the secrets service (docs/protocol/secrets.md#requests). */
export const secretsOperations = {
  ...ofEngine('ssh', sshOperations),
  ...kvOperations,
  ...mountOperations,
  ...sysOperations,
  ...tokenOperations,
  ...authOperations,

  // The state of the service, leases, and the own token.
  health: get<object>('read health', '/v1/sys/health', {
    ...serviceWide,
    accepts: [200, 429, 472, 473, 501, 503],
  })(checked(health)),
  sealStatus: get<object>('read seal status', '/v1/sys/seal-status', serviceWide)(checked(sealStatus)),
  checkSeal: get<object>('read seal status', '/v1/sys/seal-status', { ...serviceWide, ...preflight })(
    checked(sealStatus),
  ),
  checkInitialized: get<object>('read initialization status', '/v1/sys/init', {
    ...serviceWide,
    ...preflight,
  })(checked(initialized)),
  initialize: post<{ secret_shares: number; secret_threshold: number }>(
    'initialize the secrets service',
    '/v1/sys/init',
    { ...serviceWide, retry: 'once' },
  )(checked(initialization)),
  unseal: post<{ key?: string; reset?: boolean }>('unseal the secrets service', '/v1/sys/unseal', {
    ...serviceWide,
    secretKeys: true,
  })(checked(sealStatus)),
  seal: post<object>('seal the secrets service', '/v1/sys/seal', { namespace: 'none', body: undefined })(
    written,
  ),
  revokeSelf: post<object>('revoke own token', '/v1/auth/token/revoke-self', { body: undefined })(written),

  // Any path (docs/protocol/secrets.md#requests).
  read: get<Queried & Wrappable>('read', anyPath, { ...search, ...wrap })(objectOrText),
  readServiceWide: get<Queried>('read', anyPath, { ...search, ...serviceWide })(objectOrText),
  write: post<Written>('write', anyPath, content)(written),
  writeSecret: post<Written>('write', anyPath, { ...content, secretBody: 'assumed' })(written),
  writeServiceWide: post<Written>('write', anyPath, { ...content, ...serviceWide, secretBody: true })(
    written,
  ),
  patch: patch<Written>('patch', anyPath, merge)(written),
  patchSecret: patch<Written>('patch', anyPath, { ...merge, secretBody: 'assumed' })(written),
  list: list<Queried>(
    'list',
    anyPath,
    search,
  )(checked(secret({ ...shown<ListedKeys>(), keys: v.nullable(v.array(v.string())) }))),
  remove: remove<Anywhere>('delete', anyPath)(written),
  help: get<Anywhere>('read help', anyPath, { fixedQuery: [['help', '1']] })(checked(help)),

  // Logins; `mount` is below `auth/` (docs/protocol/secrets.md#logins).
  loginUserpass: logIn<Mounted & { username: string; password: string }>(
    '/v1/auth/{+mount}/login/{username}',
  ),
  loginApprole: logIn<Mounted & { role_id: string; secret_id?: string }>('/v1/auth/{+mount}/login'),
  loginJwt: logIn<Mounted & { role?: string; jwt: string }>('/v1/auth/{+mount}/login'),
  loginCert: logIn<Mounted & { name?: string }>('/v1/auth/{+mount}/login'),
  // The URL has no effect until a user logs in with it.
  makeOidcUrl: post<Mounted & { role?: string; redirect_uri: string; client_nonce: string }>(
    'create authorization URL',
    '/v1/auth/{+mount}/oidc/auth_url',
    { token: 'none', retry: 'repeat' },
  )(checked(secret({ auth_url: v.string() }))),
  finishOidcLogin: get<Mounted & { state: string; code: string; client_nonce: string }>(
    'finish login',
    '/v1/auth/{+mount}/oidc/callback',
    { token: 'none', query: ['state', 'code', 'client_nonce'], retry: 'once' },
  )(checked(login)),
} as const;

export type SecretsClient = Client<typeof secretsOperations>;

import * as v from 'valibot';
import type { Client } from './client.ts';
import { checked, objectOrText } from './decode.ts';
import { op } from './operation.ts';
import { kvOperations } from './secrets-kv.ts';
import {
  type Anywhere,
  done,
  type Mounted,
  type Queried,
  secret,
  warnings,
  written,
} from './secrets-parts.ts';
import { sshOperations } from './secrets-ssh.ts';

const write = {
  name: 'write',
  service: 'secrets',
  method: 'POST',
  path: '/v1/{+path}',
  body: 'content',
  contentType: 'application/json',
  accepts: done,
  retry: 'write',
  decode: written,
} as const;

const read = {
  name: 'read',
  service: 'secrets',
  method: 'GET',
  path: '/v1/{+path}',
  search: 'search',
  accepts: [200],
  retry: 'read',
  decode: objectOrText,
} as const;

/** What `isServiceWide` is true of. */
const serviceWide = { token: 'none', namespace: 'none' } as const;

/** A login: no one can tell afterwards whether a token was made. */
const login = {
  name: 'log in',
  service: 'secrets',
  method: 'POST',
  body: 'json',
  token: 'none',
  accepts: [200],
  retry: 'once',
  decode: checked(
    v.looseObject({
      auth: v.looseObject({
        client_token: v.string(),
        accessor: v.optional(v.string()),
        policies: v.optional(v.nullable(v.array(v.string()))),
        lease_duration: v.number(),
        num_uses: v.optional(v.number()),
        metadata: v.optional(v.nullable(v.record(v.string(), v.string()))),
      }),
      warnings,
    }),
  ),
} as const;

/** The same operations, each with the type of its engine. */
const ofEngine = <Table extends Readonly<Record<string, object>>>(engine: 'ssh', table: Table): Table =>
  Object.fromEntries(Object.entries(table).map(([name, row]) => [name, { ...row, engine }])) as Table;

/** The operations of the secrets service (docs/protocol/secrets.md#requests). */
export const secretsOperations = {
  ...ofEngine('ssh', sshOperations),
  ...kvOperations,

  // The service as a whole, leases, and the own token.
  health: op<object>()({
    name: 'read health',
    service: 'secrets',
    method: 'GET',
    path: '/v1/sys/health',
    ...serviceWide,
    accepts: [200, 429, 472, 473, 501, 503],
    retry: 'read',
    decode: checked(
      v.looseObject({ initialized: v.boolean(), sealed: v.boolean(), version: v.optional(v.string()) }),
    ),
  }),
  revokeLease: op<{ lease_id: string }>()({
    name: 'revoke lease',
    service: 'secrets',
    method: 'POST',
    path: '/v1/sys/leases/revoke',
    body: 'json',
    accepts: done,
    retry: 'repeat',
    decode: written,
  }),
  lookupSelf: op<object>()({
    name: 'look up own token',
    service: 'secrets',
    method: 'GET',
    path: '/v1/auth/token/lookup-self',
    accepts: [200],
    retry: 'read',
    decode: checked(
      secret({
        id: v.optional(v.string()),
        display_name: v.optional(v.string()),
        expire_time: v.optional(v.nullable(v.string())),
        policies: v.optional(v.nullable(v.array(v.string()))),
      }),
    ),
  }),
  sealStatus: op<object>()({
    name: 'read seal status',
    service: 'secrets',
    method: 'GET',
    path: '/v1/sys/seal-status',
    ...serviceWide,
    accepts: [200],
    retry: 'read',
    decode: checked(
      v.looseObject({ sealed: v.boolean(), t: v.number(), n: v.number(), progress: v.number() }),
    ),
  }),

  // Any path (docs/protocol/secrets.md#requests).
  read: op<Queried>()(read),
  readServiceWide: op<Queried>()({ ...read, ...serviceWide }),
  write: op<Anywhere & { content: string }>()(write),
  writeSecret: op<Anywhere & { content: string }>()({ ...write, secretBody: 'assumed' }),
  writeServiceWide: op<Anywhere & { content: string }>()({ ...write, ...serviceWide, secretBody: true }),
  list: op<Queried>()({
    name: 'list',
    service: 'secrets',
    method: 'LIST',
    path: '/v1/{+path}',
    search: 'search',
    accepts: [200],
    retry: 'read',
    decode: checked(secret({ keys: v.nullable(v.array(v.string())) })),
  }),
  remove: op<Anywhere>()({
    name: 'delete',
    service: 'secrets',
    method: 'DELETE',
    path: '/v1/{+path}',
    accepts: done,
    retry: 'write',
    decode: written,
  }),
  help: op<Anywhere>()({
    name: 'read help',
    service: 'secrets',
    method: 'GET',
    path: '/v1/{+path}',
    fixedQuery: [['help', '1']],
    accepts: [200],
    retry: 'read',
    decode: checked(v.looseObject({ help: v.string(), openapi: v.optional(v.nullable(v.looseObject({}))) })),
  }),

  // Logins; `mount` is below `auth/` (docs/protocol/secrets.md#logins).
  loginUserpass: op<Mounted & { username: string; password: string }>()({
    ...login,
    path: '/v1/auth/{+mount}/login/{username}',
  }),
  loginApprole: op<Mounted & { role_id: string; secret_id?: string }>()({
    ...login,
    path: '/v1/auth/{+mount}/login',
  }),
  loginJwt: op<Mounted & { role?: string; jwt: string }>()({
    ...login,
    path: '/v1/auth/{+mount}/login',
  }),
  revokeSelf: op<object>()({
    name: 'revoke own token',
    service: 'secrets',
    method: 'POST',
    path: '/v1/auth/token/revoke-self',
    accepts: done,
    retry: 'write',
    decode: written,
  }),
} as const;

export type SecretsClient = Client<typeof secretsOperations>;

import type { FaultClass } from './faults.ts';

/**
 * `read` changes nothing. `repeat` may be sent again without harm, such as signing a key. `write` is sent at most
 * once. `local` reaches no service.
 */
export type RowKind = 'read' | 'repeat' | 'write' | 'local';

/** `unreached`: nothing was sent. `sent`: the connection ended at once, when bytes may have left. */
export type Class = FaultClass | 'unreached' | 'sent';

/** The exit codes that a command may have after each class of faults. */
export type Codes = Readonly<Record<Class, readonly number[]>>;

export interface Row {
  readonly kind: RowKind;
  readonly codes: Codes;
  /** More exit codes where the service says 404: what the command reads is not there. */
  readonly absent?: readonly number[];
  /** A write without a response is settled by a read: 7 where that shows that nothing was written. */
  readonly readsBack?: true;
}

/** A read fails; nothing is ever unknown. */
const reads: Codes = {
  unreached: [7],
  sent: [7],
  lost: [7],
  broken: [1],
  foreign: [1],
  // 7: a redirect within the origin is followed, and the connection ends.
  redirect: [1, 7],
  gateway: [1, 7, 8],
  // Empty: by the status, see `rejections`.
  rejected: [],
  harmless: [0],
};

/** 0 only after the state was read back. */
const writes: Codes = {
  unreached: [7],
  sent: [7, 9],
  lost: [0, 9],
  broken: [0, 9],
  foreign: [0, 9],
  // It is not followed, and the service may have applied the write before.
  redirect: [0, 9],
  gateway: [0, 9],
  rejected: [],
  harmless: [0],
};

/** 7 only after the object was read back and is unchanged: then it may be run again. */
const applies: Codes = {
  ...writes,
  lost: [0, 7, 9],
  broken: [0, 7, 9],
  foreign: [0, 7, 9],
  redirect: [0, 7, 9],
  gateway: [0, 7, 9],
};

/** A report or a text that takes any text of the service. */
const texts: Codes = { ...reads, foreign: [0, 1] };

/** Reports what it finds, also where that is nothing. */
const reports: Codes = {
  unreached: [0, 7],
  sent: [0, 7],
  lost: [0, 1, 7],
  broken: [0, 1],
  foreign: [0, 1],
  redirect: [0, 1],
  gateway: [0, 1, 7, 8],
  rejected: [0, 1, 4, 5, 8],
  harmless: [0],
};

/** Waits until a service is available; here the time is up after the first read. */
const waits: Codes = {
  unreached: [8],
  sent: [8],
  lost: [8],
  broken: [1],
  foreign: [1, 8],
  redirect: [1, 8],
  gateway: [8],
  rejected: [0, 1, 2, 3, 4, 5, 8],
  harmless: [0],
};

/** Connects with the certificate that exists where it could not be renewed, and says so. */
const connects: Codes = {
  unreached: [0],
  sent: [0],
  lost: [0],
  broken: [0],
  foreign: [0],
  redirect: [0],
  gateway: [0],
  rejected: [0],
  harmless: [0],
};

/** A read of the address, which may fail as every read, then a write that may be sent again. */
const uploads: Codes = {
  ...reads,
  lost: [0, 7, 9],
  broken: [0, 1, 9],
  foreign: [0, 1, 9],
  redirect: [0, 1, 7, 9],
  gateway: [0, 1, 7, 8, 9],
};

/**
 * Calls that may be sent again, of which the last one, the release, may fail: the lock expires. 8: the response is that
 * of a lock that another process holds. 9: the session or the write that locks the variable may have taken effect.
 */
const locks: Codes = {
  unreached: [0, 7],
  sent: [0, 7, 9],
  lost: [0, 7, 9],
  broken: [0, 1, 9],
  foreign: [0, 1, 9],
  redirect: [0, 1, 7, 9],
  gateway: [0, 1, 7, 8, 9],
  rejected: [0, 1, 2, 3, 4, 5, 8],
  harmless: [0],
};

/** Goes on where the role cannot be read: signing needs no permission for that. */
const logins: Codes = { ...reads, rejected: [0, 1, 2, 3, 4, 5, 8] };

/** Forgets the token in any case, and ends with 9 where it was not revoked. */
const logouts: Codes = { ...writes, unreached: [9], sent: [9], rejected: [9] };

const rows = (kind: RowKind, codes: Codes, ...commands: readonly string[]): [string, Row][] =>
  commands.map((command) => [command, { kind, codes }]);

/** Objects that are not there are differences. */
const plan: Row = { kind: 'read', codes: reads, absent: [10] };

/** The exit codes for the error statuses of a service. */
export const rejections: Readonly<Record<number, readonly number[]>> = {
  400: [1],
  401: [4],
  403: [4, 5],
  404: [1, 2, 3],
  405: [1],
  422: [1],
  429: [8],
  500: [1],
};

export const table: ReadonlyMap<string, Row> = new Map([
  ['plan', plan],
  ['diff', plan],
  ['apply', { kind: 'write', codes: applies, readsBack: true }],
  ...rows(
    ...(['read', reads] as const),
    'export',
    ...['run', 'ci export', 'ssh lookup', 'ssh explain', 'ssh ca get', 'ssh ca public-key', 'ssh trust'],
    ...['ssh issuer list', 'ssh issuer get', 'ssh role list', 'ssh role get', 'ssh zero-address get'],
    ...['kv get', 'kv list', 'kv metadata get', 'kv config get'],
    ...['secrets read', 'secrets list', 'secrets status', 'secrets mount list', 'secrets mount get'],
    ...['secrets auth list', 'secrets auth get', 'secrets policy list', 'secrets policy get'],
    ...['secrets token self', 'secrets token lookup', 'secrets token capabilities'],
    ...['secrets lease list', 'secrets lease lookup', 'secrets namespace list'],
    ...['registry kv get', 'registry kv list', 'registry kv export'],
    ...['registry config list', 'registry config get', 'registry service list', 'registry service get'],
    ...['registry node list', 'registry node get'],
    ...['registry session list', 'registry session get'],
    ...['acl policy list', 'acl policy get', 'acl token list', 'acl token get', 'acl token self'],
    ...['acl role list', 'acl role get', 'acl auth-method list', 'acl auth-method get'],
    ...['acl binding-rule list', 'acl binding-rule get', 'acl binding-rule test'],
    ...['acl templated-policy list', 'acl templated-policy get', 'acl templated-policy preview'],
    ...['acl explain', 'acl can'],
    ...['acl replication', 'query list', 'query get', 'query exec', 'query explain'],
    ...['chain get', 'discovery-chain get', 'box search', 'box get', 'box version get', 'box download'],
    ...['box provider get', 'box token check', 'box org get', 'namespace list', 'namespace get'],
    'box list',
    ...['var list', 'var get', 'var diff', 'var export', 'account list', 'account get'],
    ...['account auth-method list', 'account auth-method get'],
  ),
  // 2: the current token has no ID.
  ...rows(
    ...(['read', { ...reads, unreached: [2, 7], sent: [2, 7] }] as const),
    ...['account token list', 'account token get'],
  ),
  ...rows(...(['read', logins] as const), 'ssh connect'),
  ...rows(
    ...(['read', waits] as const),
    ...['wait service', 'wait key', 'wait var', 'wait kv', 'wait secrets'],
  ),
  ...rows(
    ...(['read', { ...waits, broken: [0, 8], foreign: [0, 8], redirect: [0, 8] }] as const),
    'wait status',
  ),
  ...rows(...(['read', reports] as const), 'status'),
  ...rows(...(['read', texts] as const), 'secrets help', 'acl translate-rules', 'api'),
  ...rows(...(['write', logouts] as const), 'secrets logout', 'acl logout', 'account logout'),
  // The last request of an upload may be sent again.
  ...rows(...(['repeat', uploads] as const), 'box upload'),
  ...rows(...(['repeat', connects] as const), 'ssh proxy'),
  ...rows(...(['repeat', locks] as const), 'registry lock', 'var lock'),
  ...rows(
    ...(['repeat', reads] as const),
    ...['ssh sign', 'acl oidc auth-url', 'secrets token renew', 'secrets token keep-alive'],
    ...['secrets lease renew', 'secrets lease revoke'],
  ),
  ...rows(
    ...(['write', writes] as const),
    ...['ssh issue', 'ssh creds', 'ssh verify', 'ssh ca create', 'ssh ca delete', 'ssh ca recover'],
    ...['ssh issuer import', 'ssh issuer use', 'ssh issuer delete'],
    ...['ssh role put', 'ssh role delete', 'ssh zero-address put', 'ssh zero-address delete', 'ssh tidy'],
    ...['kv put', 'kv patch', 'kv edit', 'kv delete', 'kv undelete', 'kv rollback', 'kv destroy'],
    ...['kv metadata put', 'kv metadata delete', 'kv config put'],
    ...['secrets write', 'secrets delete', 'secrets login', 'secrets init', 'secrets unseal', 'secrets seal'],
    ...['secrets mount enable', 'secrets mount tune', 'secrets mount move', 'secrets mount disable'],
    ...['secrets policy put', 'secrets policy delete', 'secrets token create', 'secrets token revoke'],
    ...['secrets patch', 'secrets unwrap', 'secrets namespace create', 'secrets namespace delete'],
    ...['secrets auth enable', 'secrets auth tune', 'secrets auth move', 'secrets auth disable'],
    ...['acl bootstrap', 'acl login', 'acl oidc callback', 'acl policy put', 'acl policy delete'],
    ...['acl token create', 'acl token update', 'acl token clone', 'acl token delete'],
    ...['acl role put', 'acl role delete', 'acl auth-method put', 'acl auth-method delete'],
    ...['acl binding-rule create', 'acl binding-rule update', 'acl binding-rule delete'],
    ...['query create', 'query update', 'query put', 'query delete', 'query edit', 'txn apply'],
    ...['registry kv put', 'registry kv delete', 'registry kv import'],
    ...['registry session create', 'registry session delete'],
    ...['registry config put', 'registry config delete'],
    ...['registry service register', 'registry service deregister'],
    ...['box create', 'box update', 'box delete', 'box version create', 'box version update'],
    ...['box version delete', 'box publish', 'box release', 'box revoke', 'box org create'],
    ...['box provider create', 'box provider update', 'box provider delete'],
    ...['box token create', 'box token delete', 'box request-code', 'namespace put', 'namespace delete'],
    ...['var put', 'var edit', 'var import', 'var delete'],
    ...['account create', 'account update', 'account delete', 'account change-password'],
    ...['account set-password', 'account login', 'account token delete'],
  ),
  ...rows(
    ...(['local', reads] as const),
    ...[
      'quickstart',
      'dev',
      'dev run',
      'completion',
      'schema',
      'txn check',
      'validate',
      'secrets policy check',
      'ssh config',
      'ssh inspect',
    ],
    ...['profile list', 'profile get', 'profile put', 'profile use', 'profile delete', 'profile import'],
    ...['alias list', 'alias get', 'alias set', 'alias delete', 'plugin list'],
  ),
]);

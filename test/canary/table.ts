import type { CanaryName } from './scan.ts';

/**
 * Where a secret may appear besides the requests that need it. `stdout`: the result, in every format. `data`: the
 * result in the formats for programs and in tables, not in text. `out`: a new file of mode 0600 that the command line
 * names. `credentials`: the file of stored tokens. `draft`: the private file that an editor is given, and the one that
 * keeps the text after an error. `child`: the environment of the command that is run. `memory`: its private files in
 * memory.
 */
export type Place = 'stdout' | 'data' | 'out' | 'credentials' | 'draft' | 'child' | 'memory';

/** The secrets that a command handles, and where each may appear. */
export type Row = { readonly [Name in CanaryName]?: readonly Place[] };

/** Handled by every command that calls a service, and shown by none. */
export const everywhere: readonly CanaryName[] = [
  'token',
  'HTTP authentication',
  'proxy password',
  'address password',
  'client key',
];

const rows = (row: Row, ...commands: readonly string[]): [string, Row][] =>
  commands.map((command) => [command, row]);

const nowhere: readonly Place[] = [];
/** With `--no-store` the token is the result. */
const login: readonly Place[] = ['credentials', 'stdout'];

export const table: ReadonlyMap<string, Row> = new Map([
  ...rows({ issued: ['child', 'stdout'] }, 'quickstart', 'dev run'),
  ...rows({ issued: ['stdout', 'credentials'], password: ['stdout'], 'unseal key': ['stdout'] }, 'dev'),
  ...rows({ value: ['child', 'memory'], item: ['child', 'memory'] }, 'run'),
  ...rows({ value: ['out'], item: ['out'] }, 'ci export'),
  ...rows({ item: ['child'] }, 'var lock'),

  ...rows({ 'private key': ['out', 'data'] }, 'ssh issue'),
  ...rows({ 'private key': nowhere }, 'ssh ca create', 'ssh issuer import', 'ssh inspect'),
  ...rows({ 'one-time password': ['stdout'] }, 'ssh creds'),
  ...rows({ 'one-time password': nowhere }, 'ssh verify', 'ssh connect'),
  ...rows(
    {},
    ...['ssh sign', 'ssh lookup', 'ssh config', 'ssh proxy', 'ssh trust', 'ssh explain'],
    ...['ssh ca get', 'ssh ca public-key', 'ssh ca delete', 'ssh ca recover'],
    ...['ssh issuer list', 'ssh issuer get', 'ssh issuer use', 'ssh issuer delete'],
    ...['ssh role list', 'ssh role get', 'ssh role put', 'ssh role delete'],
    ...['ssh zero-address get', 'ssh zero-address put', 'ssh zero-address delete', 'ssh tidy'],
  ),

  ...rows({ value: ['stdout'] }, 'kv get'),
  ...rows({ value: ['data'] }, 'wait kv'),
  ...rows({}, 'wait secrets', 'wait service', 'wait status'),
  ...rows({ value: nowhere }, 'kv put', 'kv patch', 'kv rollback'),
  ...rows({ value: ['draft'] }, 'kv edit'),
  ...rows(
    {},
    ...['kv list', 'kv delete', 'kv undelete', 'kv destroy', 'kv config get', 'kv config put'],
    ...['kv metadata get', 'kv metadata put', 'kv metadata delete'],
  ),

  ...rows({ value: ['stdout'], token: ['stdout'] }, 'secrets read'),
  ...rows(
    { value: nowhere, password: nowhere, issued: ['stdout'], 'secret ID': ['stdout'] },
    'secrets write',
  ),
  ...rows({ issued: login, password: nowhere, 'secret ID': nowhere, JWT: nowhere }, 'secrets login'),
  ...rows({ issued: nowhere }, 'secrets logout', 'acl logout'),
  ...rows({ issued: ['stdout'] }, 'secrets token create', 'secrets unwrap'),
  ...rows({ issued: nowhere }, 'secrets token lookup', 'secrets token renew', 'secrets token revoke'),
  ...rows({ token: ['stdout'] }, 'secrets token self'),
  ...rows({ value: nowhere }, 'secrets patch'),
  ...rows({ 'unseal key': ['stdout'], issued: ['stdout'] }, 'secrets init'),
  ...rows({ 'unseal key': nowhere }, 'secrets unseal'),
  ...rows(
    {},
    ...['secrets list', 'secrets delete', 'secrets help', 'secrets status', 'secrets seal', 'status'],
    ...['secrets mount list', 'secrets mount get', 'secrets mount enable', 'secrets mount tune'],
    ...['secrets policy list', 'secrets policy get', 'secrets policy put', 'secrets policy delete'],
    ...['secrets policy check', 'secrets token capabilities', 'secrets lease list', 'secrets lease lookup'],
    ...['secrets lease renew', 'secrets lease revoke', 'secrets namespace list', 'secrets namespace create'],
    ...['secrets namespace delete', 'secrets token keep-alive'],
    ...['secrets mount move', 'secrets mount disable', 'secrets auth list', 'secrets auth get'],
    ...['secrets auth enable', 'secrets auth tune', 'secrets auth move', 'secrets auth disable'],
  ),

  ...rows({ issued: ['stdout', 'credentials'] }, 'acl bootstrap'),
  ...rows({ issued: login, JWT: nowhere }, 'acl login'),
  ...rows({ 'client nonce': nowhere }, 'acl oidc auth-url'),
  ...rows({ issued: ['stdout'], code: nowhere, 'client nonce': nowhere }, 'acl oidc callback'),
  ...rows({}, 'acl replication', 'acl translate-rules'),
  ...rows({ issued: ['stdout'] }, ...['acl token create', 'acl token clone', 'acl token get']),
  ...rows({ issued: nowhere }, 'acl token list', 'acl token update', 'acl token delete', 'acl explain'),
  ...rows({ password: nowhere }, 'acl auth-method put', 'acl auth-method get'),
  ...rows(
    {},
    ...['acl policy list', 'acl policy get', 'acl policy put', 'acl policy delete'],
    ...['acl token self', 'acl can'],
    ...['acl role list', 'acl role get', 'acl role put', 'acl role delete'],
    ...['acl auth-method list', 'acl auth-method delete'],
    ...['acl binding-rule list', 'acl binding-rule get', 'acl binding-rule create'],
    ...['acl binding-rule update', 'acl binding-rule delete', 'acl binding-rule test'],
    ...['acl templated-policy list', 'acl templated-policy get', 'acl templated-policy preview'],
  ),
  ...rows(
    { 'query token': nowhere },
    ...['query get', 'query list', 'query create', 'query update', 'query put', 'query edit'],
  ),
  ...rows({}, 'query delete', 'query exec', 'query explain', 'chain get', 'discovery-chain get'),
  ...rows({ 'registry value': ['stdout'] }, 'txn apply'),
  ...rows({ 'registry value': nowhere }, 'txn check'),
  ...rows({ 'registry value': ['stdout'] }, 'registry kv get'),
  ...rows({ 'registry value': ['data'] }, 'wait key'),
  ...rows({ 'registry value': ['stdout', 'out'] }, 'registry kv export'),
  ...rows({ 'registry value': nowhere }, 'registry kv put', 'registry kv import'),
  ...rows(
    {},
    ...['registry session list', 'registry session get', 'registry session create'],
    ...['registry session delete', 'registry lock'],
  ),
  ...rows({}, 'registry kv list', 'registry kv delete'),
  ...rows(
    {},
    ...['registry service list', 'registry service get', 'registry service register'],
    ...['registry service deregister', 'registry node list', 'registry node get'],
    ...['registry config list', 'registry config get', 'registry config put', 'registry config delete'],
  ),

  ...rows({ issued: login, password: nowhere, code: nowhere }, 'box token create'),
  ...rows({ password: nowhere }, 'box request-code'),
  ...rows({}, 'box token delete', 'box token check'),
  ...rows(
    {},
    ...['box list', 'box search', 'box get', 'box create', 'box update', 'box delete', 'box org get'],
    'box org create',
    ...['box version get', 'box version create', 'box version update', 'box version delete'],
    ...['box provider get', 'box provider create', 'box provider update', 'box provider delete'],
    ...['box upload', 'box publish', 'box download', 'box release', 'box revoke'],
  ),

  ...rows({ item: ['stdout'] }, 'var get'),
  ...rows({ item: ['data'] }, 'wait var'),
  ...rows({ item: ['draft'] }, 'var edit'),
  ...rows({ item: ['out'] }, 'var export'),
  ...rows({ item: nowhere }, 'var put', 'var diff', 'var import', 'var delete'),
  ...rows({}, 'var list', 'namespace list', 'namespace get', 'namespace put', 'namespace delete'),

  ...rows({ password: nowhere }, 'account create', 'account set-password'),
  ...rows({ password: nowhere, 'new password': nowhere }, 'account change-password'),
  ...rows({ issued: login, password: nowhere, 'token ID': nowhere }, 'account login'),
  ...rows({}, 'account auth-method list', 'account auth-method get'),
  ...rows({}, 'account token list', 'account token get', 'account token delete'),
  ...rows({}, 'account logout', 'account list', 'account get', 'account update', 'account delete'),

  ...rows({ issued: ['credentials'] }, 'profile put'),
  ...rows({ issued: nowhere }, 'profile list', 'profile get', 'profile use', 'profile delete'),
  ...rows({}, 'profile import', 'completion', 'schema'),
  ...rows({}, 'alias list', 'alias get', 'alias set', 'alias delete', 'plugin list'),
  ...rows({ item: nowhere }, 'export', 'validate'),
  ...rows({ item: nowhere, value: nowhere, 'registry value': nowhere }, 'plan', 'diff'),
  ...rows({ item: nowhere, value: nowhere, 'registry value': nowhere, password: nowhere }, 'apply'),
  ...rows({ value: ['stdout'], item: ['stdout'], 'registry value': ['stdout'] }, 'api'),
]);

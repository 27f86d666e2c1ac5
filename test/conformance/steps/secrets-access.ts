import { type Step, stepsOf } from '../step.ts';

const { read, write, after, prepare, cleanup } = stepsOf('secrets');

const policy = '\'path "secret/*" { capabilities = ["read", "list"] }\'';

const policies: readonly Step[] = [
  read('secrets policy list', 'secrets policy list --select contains(@,`"default"`)'),
  read('secrets policy list: without a token', 'secrets policy list', { code: 4, as: 'anonymous' }),
  read('secrets policy get', 'secrets policy get default --select name'),
  read('secrets policy get: missing', 'secrets policy get {run}-missing', { code: 3 }),
  write('secrets policy put', `secrets policy put {run} ${policy}`),
  write('secrets policy put: unchanged', `secrets policy put {run} ${policy}`),
  write('secrets policy put: update', 'secrets policy put {run} -', {
    stdin: 'path "secret/*" {\n  policy = "write"\n}\n',
  }),
  write('secrets policy put: invalid', `secrets policy put {run} 'path "x" { capabilities = ["reed"] }'`, {
    code: 2,
  }),
  write(
    'secrets policy put: rejected',
    `secrets policy put {run} 'path "x" { capabilities = ["reed"] }' --no-check`,
    { code: 1 },
  ),
  write('secrets policy put: root', `secrets policy put root ${policy}`, { code: 1 }),
  write('secrets policy put: forbidden', `secrets policy put {run}-f ${policy}`, { code: 5, as: 'limited' }),
  write('secrets policy delete: default', 'secrets policy delete default --yes', { code: 1 }),
  write('secrets policy delete', 'secrets policy delete {run} --yes'),
  write('secrets policy delete: missing', 'secrets policy delete {run} --yes', { code: 3 }),
  cleanup('secrets: remove the policy', 'secrets policy delete {run} --yes'),
];

const tokens: readonly Step[] = [
  read('secrets token self: without a token', 'secrets token self', { code: 4, as: 'anonymous' }),
  read('secrets token self: with an invalid token', 'secrets token self', { code: 4, as: 'invalid' }),
  read('secrets token lookup: missing accessor', 'secrets token lookup --accessor {run}', { code: 3 }),
  read('secrets token lookup: missing', 'secrets token lookup -', { code: 3, stdin: 's.{run}' }),
  read('secrets token capabilities', 'secrets token capabilities sys/mounts secret/data/x'),
  read('secrets token capabilities: missing', 'secrets token capabilities x --accessor {run}', { code: 3 }),
  write(
    'secrets token create',
    'secrets token create --policy default --ttl 1h --explicit-max-ttl 2h --use-limit 100 --display-name ci --metadata a=b',
    { save: { created: 'client_token', createdAccessor: 'accessor' }, secrets: ['created'] },
  ),
  write(
    'secrets token create: orphan',
    'secrets token create --policy default --ttl 10m --period 10m --orphan --no-default-policy',
    { save: { orphan: 'client_token' }, secrets: ['orphan'] },
  ),
  write('secrets token create: batch', 'secrets token create --policy default --ttl 1m --type batch', {
    save: { batch: 'client_token' },
    secrets: ['batch'],
  }),
  write('secrets token create: no such role', 'secrets token create --role {run}-missing', { code: 3 }),
  write('secrets token create: forbidden', 'secrets token create --policy default', {
    code: 5,
    as: 'limited',
  }),
  prepare('secrets: token role', 'secrets write auth/token/roles/{run} allowed_policies=default orphan=true'),
  write('secrets token create: role', 'secrets token create --role {run} --policy default --ttl 1m', {
    save: { ofRole: 'client_token' },
    secrets: ['ofRole'],
  }),
  cleanup('secrets: remove the token role', 'secrets delete auth/token/roles/{run} --yes'),
  after('secrets token self', 'secrets token self', { token: '{created}' }),
  after('secrets token lookup', 'secrets token lookup -', { stdin: '{created}' }),
  after('secrets token lookup: accessor', 'secrets token lookup --accessor {createdAccessor}'),
  after(
    'secrets token capabilities: accessor',
    'secrets token capabilities sys/mounts --accessor {createdAccessor}',
  ),
  after('secrets token capabilities: token', 'secrets token capabilities sys/mounts --token env://T', {
    env: { T: '{created}' },
  }),
  write('secrets token renew', 'secrets token renew --increment 30m', { token: '{created}' }),
  write('secrets token renew: token', 'secrets token renew - --increment 30m', { stdin: '{created}' }),
  write('secrets token renew: accessor', 'secrets token renew --accessor {createdAccessor}'),
  write('secrets token renew: missing', 'secrets token renew --accessor {run}', { code: 3 }),
  write('secrets token renew: batch', 'secrets token renew', { code: 1, token: '{batch}' }),
  write('secrets token keep-alive', 'secrets token keep-alive -- true', { text: true, token: '{created}' }),
  write('secrets token revoke', 'secrets token revoke --accessor {createdAccessor} --yes'),
  write('secrets token revoke: missing', 'secrets token revoke --accessor {createdAccessor} --yes', {
    code: 3,
  }),
  write('secrets token revoke: orphans', 'secrets token revoke - --mode orphan --yes', { stdin: '{orphan}' }),
  write('secrets token revoke: missing token', 'secrets token revoke - --yes', {
    code: 3,
    stdin: '{orphan}',
  }),
  write('secrets token revoke: self', 'secrets token revoke --self --yes', { token: '{ofRole}' }),
];

const roles: readonly Step[] = [
  read('secrets token list', 'secrets token list'),
  read('secrets token list: forbidden', 'secrets token list', { code: 5, as: 'limited' }),
  prepare('secrets: approle with roles', 'secrets auth enable approle --path {run}-r'),
  after('secrets auth role list: empty', 'secrets auth role list {run}-r'),
  write('secrets auth role put', 'secrets auth role put {run}-r ci --token-policies default --token-ttl 10m'),
  write(
    'secrets auth role put: update',
    'secrets auth role put {run}-r ci --token-ttl 20m --secret-id-ttl 1h',
  ),
  write('secrets auth role put: unchanged', 'secrets auth role put {run}-r ci --token-ttl 20m'),
  write('secrets auth role put: unset', 'secrets auth role put {run}-r ci --unset secret-id-ttl'),
  write('secrets auth role put: other type', 'secrets auth role put {run}-r ci --bound-audiences x', {
    code: 2,
  }),
  write(
    'secrets auth role put: rejected',
    'secrets auth role put {run}-r ci --token-ttl 2h --token-max-ttl 1h',
    {
      code: 1,
    },
  ),
  write('secrets auth role put: role ID', 'secrets auth role put {run}-r ci --role-id {run}-id'),
  write('secrets auth role put: forbidden', 'secrets auth role put {run}-r ci --token-ttl 1m', {
    code: 5,
    as: 'limited',
  }),
  after('secrets auth role list', 'secrets auth role list {run}-r'),
  after('secrets auth role list: missing method', 'secrets auth role list {run}-none', { code: 3 }),
  after('secrets auth role get', 'secrets auth role get {run}-r ci'),
  after('secrets auth role get: missing', 'secrets auth role get {run}-r none', { code: 3 }),
  after('secrets auth role id', 'secrets auth role id {run}-r ci'),
  after('secrets auth role id: missing', 'secrets auth role id {run}-r none', { code: 3 }),
  after('secrets auth role secret-id list: empty', 'secrets auth role secret-id list {run}-r ci'),
  write('secrets auth role secret-id create', 'secrets auth role secret-id create {run}-r ci', {
    save: { wrappedSecretId: 'token' },
    secrets: ['wrappedSecretId'],
  }),
  write('secrets unwrap: secret ID', 'secrets unwrap -', {
    stdin: '{wrappedSecretId}',
    as: 'anonymous',
    save: { secretId: 'data.secret_id', secretIdAccessor: 'data.secret_id_accessor' },
    secrets: ['secretId'],
  }),
  write(
    'secrets auth role secret-id create: without wrapping',
    'secrets auth role secret-id create {run}-r ci --no-wrap --use-limit 3 --metadata a=b',
    { save: { plainSecretId: 'secret_id' }, secrets: ['plainSecretId'] },
  ),
  write(
    'secrets auth role secret-id create: missing role',
    'secrets auth role secret-id create {run}-r none',
    {
      code: 3,
    },
  ),
  after('secrets auth role secret-id list', 'secrets auth role secret-id list {run}-r ci --select length(@)'),
  after('secrets auth role secret-id list: missing role', 'secrets auth role secret-id list {run}-r none', {
    code: 3,
  }),
  write(
    'secrets auth role secret-id destroy',
    'secrets auth role secret-id destroy {run}-r ci {secretIdAccessor} --yes',
  ),
  write(
    'secrets auth role secret-id destroy: missing',
    'secrets auth role secret-id destroy {run}-r ci {secretIdAccessor} --yes',
    { code: 3 },
  ),
  write('secrets auth role delete', 'secrets auth role delete {run}-r ci --yes'),
  write('secrets auth role delete: missing', 'secrets auth role delete {run}-r ci --yes', { code: 3 }),
  cleanup('secrets: remove approle with roles', 'secrets auth disable {run}-r --yes'),
  prepare('secrets: userpass with users', 'secrets auth enable userpass --path {run}-u'),
  write('secrets auth role put: user', 'secrets auth role put {run}-u bob --password env://P', {
    env: { P: 'correct-horse-battery' },
  }),
  write(
    'secrets auth role put: policies of a user',
    'secrets auth role put {run}-u bob --token-policies default',
  ),
  after('secrets auth role get: user', 'secrets auth role get {run}-u bob'),
  cleanup('secrets: remove userpass with users', 'secrets auth disable {run}-u --yes'),
  write(
    'secrets auth role put: token role',
    'secrets auth role put token {run}-t --orphan --token-period 1h',
  ),
  write('secrets auth role put: token role, update', 'secrets auth role put token {run}-t --renewable false'),
  after('secrets auth role get: token role', 'secrets auth role get token {run}-t'),
  write('secrets auth role delete: token role', 'secrets auth role delete token {run}-t --yes'),
  cleanup('secrets: remove the other token role', 'secrets auth role delete token {run}-t --yes'),
];

/** On a service without raft storage. */
const snapshots: readonly Step[] = [
  read('secrets snapshot save: without raft storage', 'secrets snapshot save a.snap', { code: 1 }),
  read('secrets snapshot save: forbidden', 'secrets snapshot save a.snap', { code: 5, as: 'limited' }),
  read('secrets snapshot restore: no file', 'secrets snapshot restore a.snap --yes', { code: 2 }),
];

const wrapping: readonly Step[] = [
  write('secrets token create: wrapped', 'secrets token create --policy default --ttl 1m --wrap-ttl 1m', {
    save: { wrapping: 'token' },
    secrets: ['wrapping'],
  }),
  write('secrets unwrap', 'secrets unwrap -', { stdin: '{wrapping}', as: 'anonymous' }),
  write('secrets unwrap: used', 'secrets unwrap -', { code: 3, stdin: '{wrapping}', as: 'anonymous' }),
  write('secrets read: wrapped', 'secrets read sys/policies/acl/default --wrap-ttl 1m'),
  write('secrets write: wrapped', 'secrets write sys/wrapping/wrap a=b --wrap-ttl 1m'),
];

const leases: readonly Step[] = [
  read('secrets lease lookup: missing', 'secrets lease lookup {run}/x', { code: 3 }),
  read('secrets lease list: empty', 'secrets lease list {run}-missing'),
  prepare('secrets: engine with leases', 'secrets mount enable ssh --path {run}-l'),
  prepare(
    'secrets: role with leases',
    'ssh role put otp --key-type otp --default-user ubuntu --cidr-list 10.0.0.0/8 --mount {run}-l',
  ),
  prepare('secrets: a lease', 'secrets write {run}-l/creds/otp ip=10.1.2.3', { save: { lease: 'lease_id' } }),
  prepare('secrets: another lease', 'secrets write {run}-l/creds/otp ip=10.1.2.4'),
  write('secrets creds', 'secrets creds {run}-l/otp ip=10.1.2.5', {
    save: { oneTimePassword: 'data.key' },
    secrets: ['oneTimePassword'],
  }),
  write('secrets creds: full path', 'secrets creds {run}-l/creds/otp ip=10.1.2.5'),
  write('secrets creds: missing role', 'secrets creds {run}-l/missing ip=10.1.2.5', { code: 3 }),
  write('secrets creds: missing parameter', 'secrets creds {run}-l/otp', { code: 1 }),
  write('secrets creds: missing mount', 'secrets creds {run}-missing/otp', { code: 3 }),
  write('secrets creds: forbidden', 'secrets creds {run}-l/creds/otp ip=10.1.2.5', {
    code: 5,
    as: 'limited',
  }),
  write('run: credentials', "run --creds '{run}-l/otp ip=10.1.2.6' -- true", { text: true }),
  write('run: missing credentials', "run --creds '{run}-l/missing ip=10.1.2.6' -- true", {
    text: true,
    code: 3,
  }),
  after('secrets lease list', 'secrets lease list {run}-l/creds/otp --select length(@)'),
  after('secrets lease lookup', 'secrets lease lookup {lease}'),
  write('secrets lease renew: not renewable', 'secrets lease renew {lease} --increment 1h', { code: 1 }),
  write('secrets lease renew: missing', 'secrets lease renew {run}/x', { code: 3 }),
  write('secrets lease revoke', 'secrets lease revoke {lease} --sync --yes'),
  write('secrets lease revoke: missing', 'secrets lease revoke {lease} --yes', { code: 3 }),
  write('secrets lease revoke: prefix', 'secrets lease revoke {run}-l --prefix --sync --yes'),
  write('secrets lease revoke: missing prefix', 'secrets lease revoke {run}-l --prefix --yes', { code: 3 }),
  prepare('secrets: a third lease', 'secrets write {run}-l/creds/otp ip=10.1.2.4'),
  write('secrets lease revoke: force', 'secrets lease revoke {run}-l --prefix --force --yes'),
  cleanup('secrets: remove the engine with leases', 'secrets mount disable {run}-l --yes'),
];

const namespaces: readonly Step[] = [
  write('secrets namespace create', 'secrets namespace create {run}-n --custom-metadata a=b'),
  write('secrets namespace create: exists', 'secrets namespace create {run}-n', { code: 6 }),
  write('secrets namespace create: below', 'secrets namespace create sub -n {run}-n'),
  after('secrets namespace list', 'secrets namespace list -n {run}-n'),
  after('secrets namespace list: recursive', 'secrets namespace list -n {run}-n --recursive'),
  after('secrets namespace get', 'secrets namespace get {run}-n'),
  write(
    'secrets namespace update',
    'secrets namespace update {run}-n --custom-metadata c=d --remove-custom-metadata a',
  ),
  write('secrets patch', 'secrets patch sys/namespaces/{run}-n --in -', {
    stdin: '{"custom_metadata":{"c":"d"}}',
  }),
  write('secrets patch: unsupported', 'secrets patch sys/mounts/{run} a=b', { code: 1 }),
  write('secrets namespace delete: with namespaces', 'secrets namespace delete {run}-n --yes', { code: 6 }),
  write('secrets namespace delete', 'secrets namespace delete sub -n {run}-n --yes'),
  write('secrets namespace delete: missing', 'secrets namespace delete sub -n {run}-n --yes', { code: 3 }),
  cleanup('secrets: remove the other namespace', 'secrets namespace delete {run}-n --yes'),
];

/** Policies, tokens, wrapped responses, leases and namespaces. */
export const accessSteps: readonly Step[] = [
  ...policies,
  ...tokens,
  ...roles,
  ...snapshots,
  ...wrapping,
  ...leases,
  ...namespaces,
];

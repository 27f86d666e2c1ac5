import { type Step, stepsOf } from '../step.ts';
import { accessSteps } from './secrets-access.ts';
import { mountSteps } from './secrets-mounts.ts';
import { publicKey } from './shared.ts';
import { secretsStateSteps } from './state.ts';

const { read, write, after, prepare, cleanup } = stepsOf('secrets');

const key = { 'key.pub': publicKey };
const ssh = '--mount {run}-ssh';
const record = '--record secrets:{run}-kv/signed';

const reads: readonly Step[] = [
  read('status: secrets', 'status'),
  read('status: secrets, without a token', 'status', { as: 'anonymous' }),
  read('status: secrets, with an invalid token', 'status', { as: 'invalid' }),
  read('status --check: secrets', 'status --check'),
  read('status --check: secrets, with an invalid token', 'status --check', { code: 4, as: 'invalid' }),
  read('secrets status', 'secrets status'),
  read('secrets status: without a token', 'secrets status', { as: 'anonymous' }),
  read('wait secrets', 'wait secrets unsealed --timeout 0', { as: 'anonymous' }),
  read('secrets read: own token', 'secrets read auth/token/lookup-self'),
  read('secrets read: health, without a token', 'secrets read sys/health', { as: 'anonymous' }),
  read('secrets read: missing', 'secrets read {run}-missing/x', { code: 3 }),
  read('secrets read: without a token', 'secrets read auth/token/lookup-self', { code: 4, as: 'anonymous' }),
  read('secrets read: with an invalid token', 'secrets read auth/token/lookup-self', {
    code: 4,
    as: 'invalid',
  }),
  read('secrets list', 'secrets list sys/policies/acl'),
  read('secrets list: missing', 'secrets list {run}-missing/x', { code: 3 }),
  read('ssh role get: no such mount', 'ssh role get x --mount {run}-missing', { code: 3 }),
  read('kv get: no such mount', 'kv get {run}-missing/x', { code: 3 }),
  read('api: secrets', 'api secrets GET sys/health'),
];

/** On OpenBao, where a mount has several issuers, and on the embedded service, where it has one CA. */
const issuers = (suffix: string, options: { readonly only: readonly string[]; readonly code?: number }) => [
  after(`ssh issuer list${suffix}`, `ssh issuer list ${ssh}`, options),
  write(`ssh issuer import${suffix}`, `ssh issuer import {run} --key-type ed25519 ${ssh}`, options),
  after(`ssh issuer get${suffix}`, `ssh issuer get {run} ${ssh}`, options),
  write(`ssh issuer use${suffix}`, `ssh issuer use default --yes ${ssh}`, options),
  write(`ssh issuer delete${suffix}`, `ssh issuer delete {run} --yes ${ssh}`, options),
];

/** A rotation: with issuers on OpenBao, with two mounts on the embedded service. */
const rotation: readonly Step[] = [
  after('ssh ca rotate status: none', `ssh ca rotate status ${ssh}`),
  after('ssh ca rotate trust: none', `ssh ca rotate trust ${ssh}`, { code: 6 }),
  write('ssh ca rotate start', `ssh ca rotate start ${ssh}`),
  write('ssh ca rotate start: in progress', `ssh ca rotate start ${ssh}`, { code: 6 }),
  after('ssh ca rotate trust', `ssh ca rotate trust ${ssh}`),
  after('ssh trust: rotation', `ssh trust ${ssh} --hosts *.example.com --dry-run`, { text: true }),
  write('ssh ca rotate switch', `ssh ca rotate switch --yes ${ssh}`),
  after('ssh ca rotate status', `ssh ca rotate status ${ssh}`),
  write('ssh ca rotate retire: too early', `ssh ca rotate retire --yes ${ssh}`, { code: 6 }),
  write('ssh ca rotate rollback', `ssh ca rotate rollback --yes ${ssh}`),
  write('ssh ca rotate switch: again', `ssh ca rotate switch --yes ${ssh}`),
  write('ssh ca rotate retire', `ssh ca rotate retire --force --yes ${ssh}`),
];

/** Commands that ask sshd about a configuration in the working directory. */
const sshd = { program: 'sshd', only: ['lanyard'] } as const;

const authority: readonly Step[] = [
  write('secrets write: mount of type ssh', 'secrets write sys/mounts/{run}-ssh type=ssh'),
  after('ssh ca get: no CA', `ssh ca get ${ssh}`, { code: 3 }),
  after('ssh ca public-key: no CA', `ssh ca public-key ${ssh}`, { code: 3, as: 'anonymous' }),
  after('ssh trust: no CA', `ssh trust ${ssh} --hosts *.example.com --dry-run`, {
    code: 3,
    as: 'anonymous',
    text: true,
  }),
  write('ssh ca create', `ssh ca create --key-type ed25519 ${ssh}`),
  write('ssh ca create: exists', `ssh ca create --key-type ed25519 ${ssh}`, { code: 6 }),
  after('ssh ca get', `ssh ca get ${ssh}`),
  after('ssh ca get: no such snapshot', `ssh ca get --snapshot {run} ${ssh}`, { code: 3 }),
  after('ssh ca public-key', `ssh ca public-key ${ssh}`, { as: 'anonymous' }),
  after('ssh trust', `ssh trust ${ssh} --hosts *.example.com --dry-run`, { as: 'anonymous', text: true }),
  write(
    'ssh host enroll',
    'ssh host enroll --user-ca {run}-ssh --no-timer --no-reload --sshd-config sshd_config',
    {
      ...sshd,
      files: { sshd_config: 'HostKey ssh_host_ed25519_key\n' },
    },
  ),
  after('ssh host status', 'ssh host status --sshd-config sshd_config', sshd),
  write('ssh host renew', 'ssh host renew --sshd-config sshd_config', sshd),
  cleanup('ssh host remove', 'ssh host remove --sshd-config sshd_config --yes', sshd),
  ...rotation,
  ...issuers('', { only: ['openbao'] }),
  ...issuers(': one CA', { only: ['lanyard'], code: 1 }),
  write('ssh ca recover: no such snapshot', `ssh ca recover --snapshot {run} --yes ${ssh}`, { code: 3 }),
];

const roles: readonly Step[] = [
  write(
    'ssh role put',
    `ssh role put deploy --allow-user-certificates --allowed-users ubuntu,admin --default-user ubuntu --default-extension permit-pty --ttl 30m --max-ttl 1h ${ssh}`,
  ),
  write(
    'ssh role put: one-time passwords',
    `ssh role put otp --key-type otp --default-user ubuntu --cidr-list 10.0.0.0/8 ${ssh}`,
  ),
  write('ssh role put: unset', `ssh role put deploy --unset max-ttl --ttl 20m ${ssh}`),
  write('ssh role put: update', `ssh role put deploy --max-ttl 1h --ttl 30m ${ssh}`),
  write('ssh role put: forbidden', `ssh role put x --allow-user-certificates --replace ${ssh}`, {
    code: 5,
    as: 'limited',
  }),
  after('ssh role list', `ssh role list ${ssh}`),
  after('ssh role get', `ssh role get deploy ${ssh}`),
  after('ssh role get: one-time passwords', `ssh role get otp ${ssh}`),
  after('ssh role get: missing', `ssh role get missing ${ssh}`, { code: 3 }),
  after('ssh explain', `ssh explain deploy --principals ubuntu ${ssh}`),
  after('ssh explain: would not sign', `ssh explain deploy --principals root ${ssh}`, { code: 1 }),
  write('ssh sign', `ssh sign deploy --key key.pub --out - --principals ubuntu ${ssh}`, { files: key }),
  write('ssh sign: if needed', `ssh sign deploy --key key.pub --if-needed --principals ubuntu ${ssh}`, {
    files: key,
  }),
  write('ssh renew', 'ssh renew key-cert.pub --all', { files: key }),
  write('ssh sign: batch', `ssh sign deploy --batch key.pub --principals ubuntu ${ssh}`, { files: key }),
  write(
    'ssh sign: principal that is not allowed',
    `ssh sign deploy --key key.pub --out - --principals root ${ssh}`,
    { code: 1, files: key },
  ),
  write(
    'ssh sign: longer than the role allows',
    `ssh sign deploy --key key.pub --out - --principals ubuntu --ttl 48h ${ssh}`,
    { code: 1, files: key },
  ),
  write('ssh sign: no such role', `ssh sign missing --key key.pub --out - --principals root ${ssh}`, {
    code: 3,
    files: key,
  }),
  write('ssh sign: forbidden', `ssh sign deploy --key key.pub --out - --principals ubuntu ${ssh}`, {
    code: 5,
    as: 'limited',
    files: key,
  }),
  write('ssh issue', `ssh issue deploy --key-type ed25519 --principals ubuntu --out issued ${ssh}`),
  write('ssh creds', `ssh creds otp --ip 10.1.2.3 ${ssh}`, { save: { otp: 'data.key' }, secrets: ['otp'] }),
  write('ssh creds: address that is not allowed', `ssh creds otp --ip 192.0.2.1 ${ssh}`, { code: 1 }),
  after('ssh lookup', `ssh lookup 10.1.2.3 ${ssh}`),
  write('ssh verify', `ssh verify env://OTP ${ssh}`, { as: 'anonymous', env: { OTP: '{otp}' } }),
  write('ssh verify: used', `ssh verify env://OTP ${ssh}`, {
    code: 5,
    as: 'anonymous',
    env: { OTP: '{otp}' },
  }),
  write('ssh zero-address put', `ssh zero-address put otp ${ssh}`),
  after('ssh zero-address get', `ssh zero-address get ${ssh}`),
  write('ssh zero-address delete', `ssh zero-address delete --yes ${ssh}`),
  after('ssh connect', `ssh connect ubuntu@127.0.0.1 --role deploy --dry-run ${ssh} -- -F none`, {
    program: 'ssh',
    env: { SSH_AUTH_SOCK: '' },
  }),
  after(
    'ssh connect: no such role',
    `ssh connect ubuntu@127.0.0.1 --role missing --dry-run ${ssh} -- -F none`,
    { code: 3, program: 'ssh', env: { SSH_AUTH_SOCK: '' } },
  ),
  after('ssh doctor', `ssh doctor ubuntu@127.0.0.1 --role missing ${ssh} -- -F none -p 1`, {
    code: 1,
    program: 'ssh',
    env: { SSH_AUTH_SOCK: '' },
  }),
  write('ssh proxy', `ssh proxy {host} {port} --role deploy --key proxied.pub --principals ubuntu ${ssh}`, {
    text: true,
    files: { 'proxied.pub': publicKey },
    env: { SSH_AUTH_SOCK: '' },
  }),
  write('ssh tidy', `ssh tidy --yes ${ssh}`),
];

const kv: readonly Step[] = [
  prepare('kv: mount of version 2', 'secrets write sys/mounts/{run}-kv --in -', {
    stdin: '{"type":"kv","options":{"version":"2"}}',
  }),
  prepare('kv: mount of version 1', 'secrets write sys/mounts/{run}-kv1 --in -', {
    stdin: '{"type":"kv","options":{"version":"1"}}',
  }),
  write('kv put', 'kv put {run}-kv/app/db user=app color=blue'),
  write('kv put: check-and-set', 'kv put {run}-kv/app/db user=app color=red --cas 1'),
  write('kv put: check-and-set fails', 'kv put {run}-kv/app/db user=app --cas 0', { code: 6 }),
  write('kv put: forbidden', 'kv put {run}-kv/app/db user=app', { code: 5, as: 'limited' }),
  after('kv get', 'kv get {run}-kv/app/db'),
  after('render', 'render -', { stdin: '{{ ("{run}-kv/app/db" | kv).user }}' }),
  after('wait kv', 'wait kv {run}-kv/app/db --for data.user --timeout 0'),
  after('wait kv: missing', 'wait kv {run}-kv/missing --timeout 0', { code: 8 }),
  after('kv get: version', 'kv get {run}-kv/app/db --version 1'),
  after('kv get: no such version', 'kv get {run}-kv/app/db --version 9', { code: 3 }),
  after('kv get: missing', 'kv get {run}-kv/missing', { code: 3 }),
  after('kv get: without a token', 'kv get {run}-kv/app/db', { code: 4, as: 'anonymous' }),
  write('kv patch', 'kv patch {run}-kv/app/db color=green'),
  write('kv patch: missing', 'kv patch {run}-kv/missing color=green', { code: 3 }),
  write('kv patch: check-and-set fails', 'kv patch {run}-kv/app/db color=green --cas 1', { code: 6 }),
  write('kv edit', 'kv edit {run}-kv/app/db', { env: { EDITOR: 'sed -i s/green/yellow/' } }),
  after('kv list', 'kv list {run}-kv'),
  after('kv list: recursive', 'kv list {run}-kv --recursive'),
  after('kv list: empty', 'kv list {run}-kv/missing'),
  write(
    'kv metadata put',
    'kv metadata put {run}-kv/app/db --max-versions 5 --custom-metadata owner=conformance',
  ),
  write('kv metadata put: unset', 'kv metadata put {run}-kv/app/db --unset custom-metadata,max-versions'),
  write(
    'kv metadata put: again',
    'kv metadata put {run}-kv/app/db --max-versions 5 --custom-metadata owner=conformance',
  ),
  after('kv metadata get', 'kv metadata get {run}-kv/app/db'),
  after('kv metadata get: missing', 'kv metadata get {run}-kv/missing', { code: 3 }),
  write('kv config put', 'kv config put {run}-kv --max-versions 7'),
  write('kv config put: unset', 'kv config put {run}-kv --unset max-versions'),
  after('kv config get', 'kv config get {run}-kv'),
  after('run: secret', 'run --kv {run}-kv/app/db -- true', { text: true }),
  after('run: missing secret', 'run --kv {run}-kv/missing -- true', { text: true, code: 3 }),
  after(
    'ci export',
    "ci export --ci github --kv '{run}-kv/app/db user' --read '{run}-kv/data/app/db color | PAINT'",
    { files: { outputs: '' }, env: { GITHUB_OUTPUT: 'outputs' } },
  ),
  after(
    'ci export: missing secret',
    'ci export --ci gitlab --kv {run}-kv/missing --file exported.env --force',
    { code: 3 },
  ),
  write('kv delete', 'kv delete {run}-kv/app/db --yes'),
  after('kv get: deleted', 'kv get {run}-kv/app/db', { code: 3 }),
  write('kv undelete', 'kv undelete {run}-kv/app/db --versions 4'),
  write('kv delete: versions', 'kv delete {run}-kv/app/db --versions 2,3 --yes'),
  write('kv destroy', 'kv destroy {run}-kv/app/db --versions 1 --yes'),
  after('kv get: destroyed', 'kv get {run}-kv/app/db --version 1', { code: 3 }),
  write('kv rollback: destroyed', 'kv rollback {run}-kv/app/db --version 1', { code: 3 }),
  write('kv rollback: deleted', 'kv rollback {run}-kv/app/db --version 2', { code: 3 }),
  write('kv rollback: no such version', 'kv rollback {run}-kv/app/db --version 9', { code: 3 }),
  write('kv rollback: forbidden', 'kv rollback {run}-kv/app/db --version 4', { code: 5, as: 'limited' }),
  write('kv put: before a rollback', 'kv put {run}-kv/app/db user=app color=white'),
  write('kv rollback', 'kv rollback {run}-kv/app/db --version 4'),
  after('kv get: after a rollback', 'kv get {run}-kv/app/db'),
  write('kv rollback: version 1', 'kv rollback {run}-kv1/app --version 1', { code: 2 }),
  write('kv patch: removal', 'kv patch {run}-kv/app/db --remove color'),
  write('kv patch: read and write', 'kv patch {run}-kv/app/db color=pink --method rw'),
  write(
    'kv metadata patch',
    'kv metadata patch {run}-kv/app/db --custom-metadata a=1 --remove-custom-metadata owner',
  ),
  write('kv metadata patch: missing', 'kv metadata patch {run}-kv/missing --max-versions 2', { code: 3 }),
  write(
    'kv metadata patch: read and write',
    'kv metadata patch {run}-kv/app/db --max-versions 6 --method rw',
  ),
  write('kv copy', 'kv copy {run}-kv/app/db {run}-kv/app/copy'),
  write('kv copy: again', 'kv copy {run}-kv/app/db {run}-kv/app/copy'),
  write('kv copy: to version 1', 'kv copy {run}-kv/app/db {run}-kv1/copy'),
  write('kv copy: exists', 'kv copy {run}-kv1/copy {run}-kv/app/db --recursive', { code: 3 }),
  write('kv copy: all versions', 'kv copy {run}-kv/app/db {run}-kv/app/all --all-versions'),
  write('kv copy: forbidden', 'kv copy {run}-kv/app/db {run}-kv/app/x', { code: 5, as: 'limited' }),
  write('kv copy: directory', 'kv copy {run}-kv/app {run}-kv/dir --recursive'),
  after('kv diff', 'kv diff {run}-kv/app {run}-kv/dir --recursive'),
  after('kv diff: versions', 'kv diff {run}-kv/app/db --version 4 --with-version 5', { code: 10 }),
  after('kv search', 'kv search color {run}-kv'),
  after('kv export', 'kv export {run}-kv/app --plain'),
  write('kv import', 'kv import - {run}-kv/back', {
    stdin: '{"format":"lanyard-kv/1","path":"x","secrets":[{"path":"a","data":{"k":"v"}}]}',
  }),
  write('kv move', 'kv move {run}-kv/dir {run}-kv1/dir --recursive --yes'),
  write('kv delete: the copy of version 1', 'kv delete {run}-kv1/copy --yes'),
  write('kv metadata delete', 'kv metadata delete {run}-kv/app/db --yes'),
  write('kv put: version 1', 'kv put {run}-kv1/app user=app'),
  after('kv get: version 1', 'kv get {run}-kv1/app'),
  after('kv get: missing in version 1', 'kv get {run}-kv1/missing', { code: 3 }),
  after('kv list: version 1', 'kv list {run}-kv1'),
  after('kv metadata get: version 1', 'kv metadata get {run}-kv1/app', { code: 2 }),
  write('kv delete: version 1', 'kv delete {run}-kv1/app --yes'),
  prepare('ssh sign: record', `ssh sign deploy --key key.pub --out - ${record} ${ssh}`, { files: key }),
  after('ssh history', `ssh history ${record}`),
  after('ssh history: no entries', 'ssh history --record secrets:{run}-kv/none'),
  prepare('ssh record prune: an old entry', 'kv put {run}-kv/signed/2020-01-01/000000.000Z-1 entry=-', {
    stdin:
      '{"time":"2020-01-01T00:00:00Z","mount":"ssh","role":"deploy","serial":"1","validBefore":"2020-01-02T00:00:00Z"}',
  }),
  write('ssh record prune', `ssh record prune --before 30d ${record} --yes`),
];

const paths: readonly Step[] = [
  write(
    'secrets write',
    'secrets write {run}-ssh/roles/hosts key_type=ca allow_host_certificates=true allowed_domains=example.com',
  ),
  write('secrets write: invalid', 'secrets write {run}-ssh/roles/x key_type=none', { code: 1 }),
  write('secrets write: forbidden', 'secrets write {run}-ssh/roles/x key_type=ca', {
    code: 5,
    as: 'limited',
  }),
  after('secrets read', 'secrets read {run}-ssh/roles/hosts'),
  after('secrets list: roles', 'secrets list {run}-ssh/roles'),
  write('ssh role copy', `ssh role copy deploy copy ${ssh}`),
  write('ssh role copy: target exists', `ssh role copy deploy copy ${ssh}`, { code: 6 }),
  write('ssh role edit', `ssh role edit copy ${ssh}`, {
    env: { EDITOR: "sed -i '/- admin/d'" },
  }),
  after('secrets help', 'secrets help {run}-ssh/roles/hosts'),
  after('secrets help: OpenAPI', 'secrets help {run}-ssh/roles/hosts --openapi', { text: true }),
  write('secrets delete', 'secrets delete {run}-ssh/roles/hosts --yes'),
  write('secrets delete: forbidden', 'secrets delete {run}-ssh/roles/deploy --yes', {
    code: 5,
    as: 'limited',
  }),
];

const password = { PASSWORD: '{password}', WRONG: '{run}-wrong' };

const logins: readonly Step[] = [
  prepare('secrets: userpass', 'secrets write sys/auth/{run}-userpass type=userpass'),
  prepare('secrets: user', 'secrets write auth/{run}-userpass/users/bob password=- token_policies=default', {
    stdin: '{password}',
  }),
  write(
    'secrets login: userpass',
    'secrets login --method userpass --path {run}-userpass --username bob --password env://PASSWORD',
    { as: 'login', env: password },
  ),
  after('secrets read: with the stored token', 'secrets read auth/token/lookup-self', { as: 'login' }),
  write('login', 'login secrets', { as: 'login', env: { ...password } }),
  write('logout', 'logout secrets --yes', { as: 'login' }),
  write(
    'secrets login: userpass again',
    'secrets login --method userpass --path {run}-userpass --username bob --password env://PASSWORD',
    { as: 'login', env: password },
  ),
  write('secrets logout', 'secrets logout --yes', { as: 'login' }),
  after('secrets read: after the logout', 'secrets read auth/token/lookup-self', { code: 4, as: 'login' }),
  write(
    'secrets login: wrong password',
    'secrets login --method userpass --path {run}-userpass --username bob --password env://WRONG --no-store',
    { code: 4, as: 'anonymous', env: password },
  ),
  prepare('secrets: approle', 'secrets write sys/auth/{run}-approle type=approle'),
  prepare('secrets: role of approle', 'secrets write auth/{run}-approle/role/ci token_policies=default'),
  prepare('secrets: role ID', 'secrets read auth/{run}-approle/role/ci/role-id', {
    save: { roleId: 'data.role_id' },
  }),
  prepare('secrets: secret ID', 'secrets write auth/{run}-approle/role/ci/secret-id', {
    save: { secretId: 'data.secret_id' },
    secrets: ['secretId'],
  }),
  write(
    'secrets login: approle',
    'secrets login --method approle --path {run}-approle --role-id {roleId} --secret-id env://SECRET_ID --no-store',
    {
      as: 'anonymous',
      env: { SECRET_ID: '{secretId}' },
      save: { approleToken: 'token' },
      secrets: ['approleToken'],
    },
  ),
  write(
    'secrets login: wrong secret ID',
    'secrets login --method approle --path {run}-approle --role-id {roleId} --secret-id env://WRONG --no-store',
    { code: 4, as: 'anonymous', env: password },
  ),
  prepare('secrets: jwt', 'secrets write sys/auth/{run}-jwt type=jwt'),
  prepare('secrets: keys of jwt', 'secrets write auth/{run}-jwt/config jwt_validation_pubkeys=@issuer.pem', {
    files: { 'issuer.pem': '{issuerKey}' },
  }),
  prepare('secrets: role of jwt', 'secrets write auth/{run}-jwt/role/ci --in -', {
    stdin:
      '{"role_type":"jwt","bound_audiences":["conformance"],"user_claim":"sub","token_policies":["default"]}',
  }),
  write(
    'secrets login: jwt',
    'secrets login --method jwt --path {run}-jwt --role ci --jwt env://JWT --no-store',
    { as: 'anonymous', env: { JWT: '{jwt}' }, save: { jwtToken: 'token' }, secrets: ['jwtToken'] },
  ),
  write(
    'secrets login: invalid jwt',
    'secrets login --method jwt --path {run}-jwt --role ci --jwt env://JWT --no-store',
    { code: 4, as: 'anonymous', env: { JWT: 'invalid.invalid.invalid' } },
  ),
  write(
    'secrets login: jwt, no such role',
    'secrets login --method jwt --path {run}-jwt --role {run}-missing --jwt env://JWT --no-store',
    { code: 3, as: 'anonymous', env: { JWT: '{jwt}' } },
  ),
  write(
    'secrets login: ldap, no such method',
    'secrets login --method ldap --path {run}-missing --username bob --password env://PASSWORD --no-store',
    { code: 5, as: 'anonymous', env: password },
  ),
  write(
    'secrets login: kubernetes, no such method',
    'secrets login --method kubernetes --path {run}-missing --role ci --jwt env://JWT --no-store',
    { code: 5, as: 'anonymous', env: { JWT: '{jwt}' } },
  ),
  write(
    'secrets login: oidc, no such method',
    'secrets login --method oidc --path {run}-missing --callback-port 0 --no-store',
    { code: 5, as: 'anonymous' },
  ),
  write('secrets login: token', 'secrets login --token env://TOKEN', {
    as: 'login',
    env: { TOKEN: '{approleToken}' },
  }),
  write('secrets logout: token', 'secrets logout --yes', { as: 'login' }),
  prepare('secrets: another token', 'secrets write auth/token/create policies=default ttl=1h', {
    save: { goneToken: 'auth.client_token' },
    secrets: ['goneToken'],
  }),
  prepare('secrets: store the other token', 'secrets login --token env://TOKEN', {
    as: 'login',
    env: { TOKEN: '{goneToken}' },
  }),
  prepare('secrets: revoke the other token', 'secrets write auth/token/revoke token=-', {
    stdin: '{goneToken}',
  }),
  write('secrets logout: token is gone', 'secrets logout --yes', { as: 'login' }),
  write('secrets login: invalid token', 'secrets login --token env://WRONG', {
    code: 4,
    as: 'login',
    env: password,
  }),
];

const seal: readonly Step[] = [
  write('secrets init: initialized', 'secrets init', { code: 6, as: 'anonymous' }),
  write('secrets unseal: unsealed', 'secrets unseal env://KEY', { as: 'anonymous', env: { KEY: 'aabb' } }),
  write('secrets seal: forbidden', 'secrets seal --yes', { code: 5, as: 'limited' }),
];

const namespaces: readonly Step[] = [
  prepare('secrets: namespace', 'secrets write sys/namespaces/{run}'),
  after('secrets status: in a namespace', 'secrets status --namespace {run}'),
  after('secrets list: in a namespace', 'secrets list sys/policies/acl --namespace {run}'),
  after('ssh ca public-key: in a namespace', `ssh ca public-key ${ssh} --namespace {run}`, {
    code: 5,
    as: 'anonymous',
  }),
  after('kv get: in a namespace', 'kv get {run}-kv1/app --namespace {run}', { code: 3 }),
];

const removals: readonly Step[] = [
  write('ssh role delete', `ssh role delete deploy --yes ${ssh}`),
  after('ssh role get: deleted', `ssh role get deploy ${ssh}`, { code: 3 }),
  write('ssh ca delete', `ssh ca delete --yes ${ssh}`),
  write('ssh ca create: managed key', `ssh ca create --managed-key-name {run} ${ssh}`, { code: 1 }),
  cleanup('secrets: remove the namespace', 'secrets delete sys/namespaces/{run} --yes'),
  cleanup('secrets: revoke the limited token', 'secrets write auth/token/revoke token=-', {
    stdin: '{limitedToken}',
  }),
  cleanup('secrets: remove ssh', 'secrets delete sys/mounts/{run}-ssh --yes'),
  cleanup('secrets: remove kv', 'secrets delete sys/mounts/{run}-kv --yes'),
  cleanup('secrets: remove kv1', 'secrets delete sys/mounts/{run}-kv1 --yes'),
  cleanup('secrets: remove userpass', 'secrets delete sys/auth/{run}-userpass --yes'),
  cleanup('secrets: remove approle', 'secrets delete sys/auth/{run}-approle --yes'),
  cleanup('secrets: remove jwt', 'secrets delete sys/auth/{run}-jwt --yes'),
];

/** A token that may do nothing but look at itself. */
const limited: Step = prepare(
  'secrets: limited token',
  'secrets write auth/token/create policies=default ttl=1h',
  { save: { limitedToken: 'auth.client_token' }, secrets: ['limitedToken'] },
);

export const secretsSteps: readonly Step[] = [
  ...reads,
  limited,
  ...mountSteps,
  ...accessSteps,
  ...authority,
  ...roles,
  ...kv,
  ...paths,
  ...logins,
  ...seal,
  ...namespaces,
  ...secretsStateSteps,
  ...removals,
];

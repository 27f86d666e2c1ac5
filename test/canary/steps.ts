import { type Step, stepsOf } from '../conformance/step.ts';
import { type Document, setFiles } from '../conformance/steps/state.ts';
import { values } from './values.ts';

const json = (value: unknown): string => JSON.stringify(value);

/** Values in the texts of steps are filled in by the run; in JSON they are written here. */
const files = { 'value.txt': '{value}', 'other.txt': '{otherValue}', 'item.txt': '{item}' };
const passwords = { PASSWORD: '{userPassword}', NEW: '{newPassword}' };

/** Plans and applies a set with secrets, and its next version. */
function setSteps(
  service: 'secrets' | 'registry' | 'scheduler',
  { record, first, next }: Readonly<Record<'first' | 'next', Document>> & { readonly record: string },
  [one, other]: readonly [string, string],
): readonly Step[] {
  const { write, after } = stepsOf(service);
  const options = { files: setFiles(record, [first]), env: { ONE: one, OTHER: other } };
  const changed = { ...options, files: setFiles(record, [next]) };
  const words = 'state --adopt';
  return [
    after(`canary: plan ${service}`, `plan ${words}`, { ...options, code: 10 }),
    after(`canary: plan ${service}, saved`, `plan ${words} --out state.plan --force`, {
      ...options,
      code: 10,
    }),
    write(`canary: apply ${service}, dry run`, `apply ${words} --dry-run`, { ...options, code: 10 }),
    write(`canary: apply ${service}`, `apply ${words} --yes`, options),
    after(`canary: plan ${service}, applied`, `plan ${words}`, options),
    after(`canary: plan ${service}, changed`, `plan ${words}`, { ...changed, code: 10 }),
    after(`canary: diff ${service}, changed`, `diff ${words}`, { ...changed, code: 10 }),
    write(`canary: apply ${service}, changed`, `apply ${words} --yes`, changed),
  ];
}

const references = { one: { valueFrom: 'env://ONE' }, other: { valueFrom: 'env://OTHER' } };
/** The same names with other values, one of them in the file. */
const swapped = (literal: string) => ({ one: references.other, other: literal });

const secretOf = (data: object): Document => ({
  kind: 'secrets.kv',
  metadata: { mount: '{run}-ckv', name: 'state', allowLiteral: true },
  spec: { data },
});
const keyOf = (value: object): Document => ({
  kind: 'registry.key',
  metadata: { name: '{run}/canary/state' },
  spec: { value },
});
const variableOf = (Items: object): Document => ({
  kind: 'scheduler.variable',
  metadata: { namespace: 'default', name: '{run}/state', allowLiteral: true },
  spec: { Items },
});

const secrets = stepsOf('secrets');
const ssh = '--mount {run}-cssh';

const secretsSteps: readonly Step[] = [
  secrets.prepare('canary: kv', 'secrets write sys/mounts/{run}-ckv --in -', {
    stdin: '{"type":"kv","options":{"version":"2"}}',
  }),
  secrets.prepare('canary: kv 1', 'secrets write sys/mounts/{run}-ckv1 --in -', {
    stdin: '{"type":"kv","options":{"version":"1"}}',
  }),
  secrets.write('canary: kv put', 'kv put {run}-ckv/app user=app direct={value} pass=@value.txt more=-', {
    files,
    stdin: '{otherValue}',
  }),
  secrets.after('canary: kv get', 'kv get {run}-ckv/app'),
  ...setSteps(
    'secrets',
    {
      record: 'file:.canary-record.json',
      first: secretOf(references),
      next: secretOf(swapped(values.value)),
    },
    ['{value}', '{otherValue}'],
  ),
  secrets.after('canary: wait kv', 'wait kv {run}-ckv/app --timeout 0'),
  secrets.after('canary: wait kv, expired', 'wait kv {run}-ckv/app --for absent --timeout 0', { code: 8 }),
  secrets.write('canary: kv patch', 'kv patch {run}-ckv/app pass=@value.txt', { files }),
  secrets.write(
    'canary: kv put with check-and-set',
    'kv put {run}-ckv/app user=app pass=@value.txt --cas 2',
    { files },
  ),
  secrets.write('canary: kv edit', 'kv edit {run}-ckv/app', { env: { EDITOR: 'sed -i s/app/apq/' } }),
  secrets.write('canary: kv rollback', 'kv rollback {run}-ckv/app --version 1'),
  secrets.after('canary: run', 'run --kv {run}-ckv/app -- true', { text: true }),
  secrets.after('canary: run with files', 'run --kv {run}-ckv/app --files -- true', { text: true }),
  secrets.after('canary: kv export', 'kv export {run}-ckv --plain'),
  secrets.after('canary: kv export to a file', 'kv export {run}-ckv exported.json --plain --force'),
  secrets.after('canary: render', 'render -', { stdin: '{{ ("{run}-ckv/app" | kv).pass }}' }),
  secrets.after('canary: render to a file', 'render app.liquid:app.txt', {
    files: { 'app.liquid': '{{ ("{run}-ckv/app" | kv).pass }}' },
  }),
  secrets.after('canary: ci export', 'ci export --ci gitlab --kv {run}-ckv/app --file exported.env --force'),
  secrets.write('canary: kv 1 put', 'kv put {run}-ckv1/app pass=@value.txt more=@other.txt', { files }),
  secrets.after('canary: kv 1 get', 'kv get {run}-ckv1/app'),
  secrets.write('canary: secrets write', 'secrets write {run}-ckv1/any pass=@value.txt plain={otherValue}', {
    files,
  }),
  secrets.after('canary: secrets read', 'secrets read {run}-ckv1/any'),
  secrets.after('canary: api', 'api secrets GET {run}-ckv1/any'),
  secrets.write('canary: api with a body', 'api secrets POST {run}-ckv/data/any --data -', {
    stdin: json({ data: { pass: values.value, more: values.otherValue } }),
  }),
  secrets.after('canary: own token', 'secrets read auth/token/lookup-self'),
  secrets.write('canary: a token', 'secrets write auth/token/create policies=default ttl=1h'),
  secrets.write('canary: secrets patch', 'secrets patch {run}-ckv/data/any --in -', {
    stdin: json({ data: { pass: values.value } }),
  }),
  secrets.write('canary: secrets token create', 'secrets token create --policy default --ttl 1h', {
    save: { canaryOwn: 'client_token' },
  }),
  secrets.after('canary: secrets token self', 'secrets token self --show-token'),
  secrets.after('canary: secrets token lookup', 'secrets token lookup env://TOKEN', {
    env: { TOKEN: '{canaryOwn}' },
  }),
  secrets.write('canary: secrets token renew', 'secrets token renew env://TOKEN', {
    env: { TOKEN: '{canaryOwn}' },
  }),
  secrets.write('canary: secrets token revoke', 'secrets token revoke env://TOKEN --yes', {
    env: { TOKEN: '{canaryOwn}' },
  }),
  secrets.write('canary: secrets token create, wrapped', 'secrets token create --wrap-ttl 5m', {
    save: { canaryWrapping: 'token' },
  }),
  secrets.write('canary: secrets unwrap', 'secrets unwrap env://TOKEN', {
    as: 'anonymous',
    env: { TOKEN: '{canaryWrapping}' },
  }),

  secrets.prepare('canary: ssh', 'secrets write sys/mounts/{run}-cssh type=ssh'),
  secrets.write('canary: ssh ca create', `ssh ca create --private-key ca --public-key ca.pub ${ssh}`, {
    files: { ca: '{caKey}', 'ca.pub': '{caPublic}' },
  }),
  secrets.write(
    'canary: ssh issuer import',
    `ssh issuer import new --private-key ca --public-key ca.pub ${ssh}`,
    { files: { ca: '{caKey}', 'ca.pub': '{caPublic}' }, code: 1 },
  ),
  secrets.prepare(
    'canary: role',
    `ssh role put deploy --allow-user-certificates --allowed-users ubuntu --default-user ubuntu ${ssh}`,
  ),
  secrets.prepare(
    'canary: role of passwords',
    `ssh role put otp --key-type otp --default-user ubuntu --cidr-list 10.0.0.0/8 ${ssh}`,
  ),
  secrets.write(
    'canary: ssh issue',
    `ssh issue deploy --key-type ed25519 --principals ubuntu --out ck ${ssh}`,
  ),
  secrets.write('canary: ssh creds', `ssh creds otp --ip 10.1.2.3 ${ssh}`, {
    save: { canaryOtp: 'data.key' },
  }),
  secrets.write('canary: run with credentials', `run --creds '{run}-cssh/otp ip=10.1.2.3' -- true`, {
    text: true,
  }),
  secrets.write('canary: ssh verify', `ssh verify env://OTP ${ssh}`, {
    as: 'anonymous',
    env: { OTP: '{canaryOtp}' },
  }),
  secrets.write(
    'canary: ssh connect',
    `ssh connect ubuntu@127.0.0.1 --role otp --ip 10.1.2.3 ${ssh} -- -F none -p 9 -q`,
    { text: true, program: 'ssh', code: 255, env: { SSH_AUTH_SOCK: '' } },
  ),

  secrets.prepare('canary: userpass', 'secrets write sys/auth/{run}-cup type=userpass'),
  secrets.write('canary: user', 'secrets write auth/{run}-cup/users/bob password=- token_policies=default', {
    stdin: '{userPassword}',
  }),
  secrets.write(
    'canary: secrets login',
    'secrets login --method userpass --path {run}-cup --username bob --password env://PASSWORD',
    { as: 'login', env: passwords },
  ),
  secrets.write('canary: secrets logout', 'secrets logout --yes', { as: 'login' }),
  secrets.write(
    'canary: secrets login, not stored',
    'secrets login --method userpass --path {run}-cup --username bob --password env://PASSWORD --no-store',
    { as: 'anonymous', env: passwords, save: { canaryToken: 'token' } },
  ),
  secrets.write('canary: secrets login with a token', 'secrets login --token env://TOKEN', {
    as: 'login',
    env: { TOKEN: '{canaryToken}' },
  }),
  secrets.prepare('canary: approle', 'secrets write sys/auth/{run}-car type=approle'),
  secrets.prepare('canary: role of approle', 'secrets write auth/{run}-car/role/ci token_policies=default'),
  secrets.prepare('canary: role ID', 'secrets read auth/{run}-car/role/ci/role-id', {
    save: { canaryRole: 'data.role_id' },
  }),
  secrets.write('canary: secret ID', 'secrets write auth/{run}-car/role/ci/secret-id', {
    save: { canarySecret: 'data.secret_id' },
  }),
  secrets.write(
    'canary: secrets auth role secret-id create',
    'secrets auth role secret-id create {run}-car ci',
  ),
  secrets.write(
    'canary: secrets auth role secret-id create, without wrapping',
    'secrets auth role secret-id create {run}-car ci --no-wrap',
  ),
  secrets.write(
    'canary: secrets login with a secret ID',
    'secrets login --method approle --path {run}-car --role-id {canaryRole} --secret-id env://SECRET --no-store',
    { as: 'anonymous', env: { SECRET: '{canarySecret}' } },
  ),
  secrets.write(
    'canary: secrets login with a JWT',
    'secrets login --method jwt --path {run}-jwt --role ci --jwt env://JWT --no-store',
    { as: 'anonymous', env: { JWT: '{jwt}' } },
  ),
  secrets.write(
    'canary: secrets login with the token of a service account',
    'secrets login --method kubernetes --path {run}-jwt --role ci --jwt env://JWT --no-store',
    { as: 'anonymous', env: { JWT: '{jwt}' } },
  ),
  secrets.write(
    'canary: secrets login with the password of a directory',
    'secrets login --method ldap --path {run}-cup --username bob --password env://PASSWORD --no-store',
    { as: 'anonymous', env: passwords },
  ),
  secrets.write('canary: secrets init', 'secrets init --shares 1'),
  secrets.write('canary: secrets unseal', 'secrets unseal env://KEY', { env: { KEY: '{unsealKey}' } }),
  ...['ckv', 'ckv1', 'cssh'].map((name) =>
    secrets.cleanup(`canary: remove ${name}`, `secrets delete sys/mounts/{run}-${name} --yes`),
  ),
];

const registry = stepsOf('registry');

const registrySteps: readonly Step[] = [
  registry.write('canary: txn apply', 'txn apply -', {
    stdin: json([
      {
        KV: { Verb: 'set', Key: '{run}/canary', Value: Buffer.from(values.registryValue).toString('base64') },
      },
    ]),
  }),
  registry.after('canary: txn apply, reads', 'txn apply -', {
    stdin: json([{ KV: { Verb: 'get', Key: '{run}/canary' } }]),
  }),
  registry.write('canary: registry kv put', 'registry kv put {run}/canary/kv -', {
    stdin: '{registryValue}',
  }),
  registry.after('canary: registry kv get', 'registry kv get {run}/canary/kv'),
  ...setSteps(
    'registry',
    { record: 'registry:{run}/canary/record', first: keyOf(references.one), next: keyOf(references.other) },
    ['{registryValue}', 'other'],
  ),
  registry.after('canary: wait key', 'wait key {run}/canary/kv --timeout 0'),
  registry.after('canary: registry kv get, tree', 'registry kv get {run}/canary/ --recursive'),
  registry.after('canary: render a key', 'render -', { stdin: '{{ "{run}/canary/kv" | key }}' }),
  registry.after('canary: registry kv export', 'registry kv export {run}/canary/'),
  registry.after(
    'canary: registry kv export to a file',
    'registry kv export {run}/canary/ --out keys.json --force',
  ),
  registry.write('canary: registry kv import', 'registry kv import - --prefix {run}/', {
    stdin: json([{ key: 'canary/kv', value: Buffer.from(values.registryValue).toString('base64') }]),
  }),
  registry.after('canary: api registry', 'api registry GET kv/{run}/canary'),
  registry.write('canary: api registry with a body', 'api registry PUT kv/{run}/canary --data env://VALUE', {
    env: { VALUE: '{registryValue}' },
    text: true,
  }),
  registry.write('canary: query create', 'query create {run}-cq --service {run}-web --token env://QUERY', {
    env: { QUERY: '{queryToken}' },
  }),
  registry.after('canary: query get', 'query get {run}-cq'),
  registry.after('canary: query list', 'query list'),
  registry.write('canary: query update', 'query update {run}-cq --token env://QUERY', {
    env: { QUERY: '{queryToken}' },
  }),
  registry.write('canary: query put', 'query put {run}-cq --service {run}-api --token env://QUERY', {
    env: { QUERY: '{queryToken}' },
  }),
  registry.write('canary: query edit', 'query edit {run}-cq', {
    env: { EDITOR: "sed -i 's/OnlyPassing: false/OnlyPassing: true/'" },
  }),
  registry.after('canary: query exec', 'query exec {run}-cq', { code: 5 }),
  registry.write('canary: acl login', 'acl login --method {run} --bearer-token env://JWT', {
    as: 'login',
    env: { JWT: '{jwt}' },
  }),
  registry.write('canary: acl logout', 'acl logout --yes', { as: 'login' }),
  registry.write(
    'canary: acl login, not stored',
    'acl login --method {run} --bearer-token env://JWT --no-store',
    { as: 'anonymous', env: { JWT: '{jwt}' } },
  ),
  registry.write('canary: acl bootstrap', 'acl bootstrap --secret env://SECRET --store', {
    as: 'login',
    env: { SECRET: '{bootstrap}' },
  }),
  registry.write(
    'canary: acl oidc auth-url',
    'acl oidc auth-url --method corp --redirect-uri http://127.0.0.1:8550/oidc/callback --client-nonce env://NONCE',
    { as: 'anonymous', env: { NONCE: '{nonce}' } },
  ),
  registry.write(
    'canary: acl oidc callback',
    'acl oidc callback --method corp --state st_1 --code env://CODE --client-nonce env://NONCE --no-store',
    { as: 'anonymous', env: { NONCE: '{nonce}', CODE: '{code}' } },
  ),
  registry.write('canary: acl token create', 'acl token create --service-identity web', {
    save: { canaryAccessor: 'AccessorID' },
  }),
  registry.write('canary: acl token clone', 'acl token clone {canaryAccessor}', {
    save: { canaryClone: 'AccessorID' },
  }),
  registry.write('canary: acl token update', 'acl token update {canaryAccessor} --description x'),
  registry.after('canary: acl token get', 'acl token get {canaryAccessor}'),
  registry.after('canary: acl token get, with its secret', 'acl token get {canaryAccessor} --show-secret'),
  registry.after('canary: acl token list', 'acl token list'),
  registry.after('canary: acl token self', 'acl token self'),
  registry.after('canary: acl explain', 'acl explain {canaryAccessor}'),
  registry.write('canary: acl token delete', 'acl token delete {canaryAccessor} --yes'),
  registry.after(
    'canary: acl binding-rule test',
    'acl binding-rule test --method {run} --bearer-token env://JWT',
    { env: { JWT: '{jwt}' } },
  ),
  registry.write(
    'canary: acl auth-method put',
    'acl auth-method put {run}-oidc --type oidc --oidc-discovery-url http://127.0.0.1:9 --oidc-client-id x --oidc-client-secret env://PASSWORD --allowed-redirect-uri http://127.0.0.1:8550/oidc/callback',
    { env: passwords },
  ),
  registry.after('canary: acl auth-method get', 'acl auth-method get {run}-oidc'),
  registry.cleanup('canary: remove the cloned token', 'acl token delete {canaryClone} --yes'),
  registry.cleanup('canary: remove the auth method', 'acl auth-method delete {run}-oidc --yes'),
  registry.cleanup('canary: remove the query', 'query delete {run}-cq --yes'),
];

const box = stepsOf('box');

const boxSteps: readonly Step[] = [
  box.write(
    'canary: box token create',
    'box token create --login {owner} --password env://PASSWORD --description {run}',
    { as: 'login', env: { PASSWORD: '{boxPassword}' } },
  ),
  box.after('canary: box token check', 'box token check', { as: 'login' }),
  box.write('canary: box token delete', 'box token delete --yes', { as: 'login' }),
  box.write(
    'canary: box token create, with a code',
    'box token create --login {owner} --password env://PASSWORD --code env://CODE --no-store',
    { as: 'anonymous', env: { PASSWORD: '{boxPassword}', CODE: '{code}' } },
  ),
  box.write('canary: box request-code', 'box request-code --login {owner} --password env://PASSWORD', {
    as: 'anonymous',
    env: { PASSWORD: '{boxPassword}' },
  }),
];

const scheduler = stepsOf('scheduler');
const item = json({ pass: values.item, more: values.otherItem });

const schedulerSteps: readonly Step[] = [
  scheduler.write('canary: var put', 'var put {run}/app user=app direct={item} pass=@item.txt more=-', {
    files,
    stdin: '{otherItem}',
  }),
  scheduler.write('canary: var put of a file', 'var put {run}/app --in -', { stdin: item }),
  scheduler.write('canary: var put, merged', 'var put {run}/app user=app --merge'),
  scheduler.after('canary: var get', 'var get {run}/app'),
  scheduler.after('canary: export', 'export - --kind scheduler.variable'),
  scheduler.after('canary: export to files', 'export written --kind scheduler.variable --secrets env'),
  ...setSteps(
    'scheduler',
    {
      record: 'scheduler:default/{run}/record',
      first: variableOf(references),
      next: variableOf(swapped(values.item)),
    },
    ['{item}', '{otherItem}'],
  ),
  scheduler.after('canary: wait var', 'wait var {run}/app --timeout 0'),
  scheduler.after('canary: wait var, expired', 'wait var {run}/app --for changed --timeout 0', { code: 8 }),
  scheduler.write('canary: var edit', 'var edit {run}/app', { env: { EDITOR: 'sed -i s/app/apq/' } }),
  scheduler.after('canary: run a command', 'run --var {run}/app -- true', { text: true }),
  scheduler.after(
    'canary: ci export of a variable',
    'ci export --ci gitlab --var {run}/app --file exported.env --force',
  ),
  scheduler.after('canary: run a command with files', 'run --var {run}/app --files -- true', { text: true }),
  scheduler.after('canary: render a variable', 'render -', { stdin: '{{ ("{run}/app" | var).pass }}' }),
  scheduler.write('canary: var lock', 'var lock {run}/app --env --wait 0 -- true', { text: true }),
  scheduler.after('canary: var diff', 'var diff {run}/app --with db.json', {
    code: 10,
    files: { 'db.json': json({ user: values.item }) },
  }),
  scheduler.after('canary: var export', 'var export exported --prefix {run}/'),
  scheduler.write('canary: var import', 'var import imported', {
    files: { 'imported/canary/web.json': item },
  }),
  scheduler.after('canary: api scheduler', 'api scheduler GET var/{run}/app'),
  scheduler.write('canary: var put, conflict', 'var put {run}/app pass=@item.txt --cas 0', {
    code: 6,
    files,
  }),
  scheduler.write('canary: scheduler acl policy put', 'scheduler acl policy put {run}-c --rules -', {
    stdin: 'agent { policy = "read" }',
  }),
  scheduler.write('canary: scheduler acl token create', 'scheduler acl token create --policy {run}-c', {
    save: { canarySchedulerAccessor: 'AccessorID' },
  }),
  scheduler.write(
    'canary: scheduler acl token update',
    'scheduler acl token update {canarySchedulerAccessor} --name x',
  ),
  scheduler.after('canary: scheduler acl token get', 'scheduler acl token get {canarySchedulerAccessor}'),
  scheduler.after(
    'canary: scheduler acl token get, with its secret',
    'scheduler acl token get {canarySchedulerAccessor} --show-secret',
  ),
  scheduler.after('canary: scheduler acl token list', 'scheduler acl token list'),
  scheduler.after('canary: scheduler acl token self', 'scheduler acl token self'),
  scheduler.write(
    'canary: scheduler acl bootstrap',
    'scheduler acl bootstrap --secret env://SECRET --store',
    {
      as: 'login',
      env: { SECRET: '{bootstrap}' },
    },
  ),
  scheduler.write(
    'canary: scheduler acl token delete',
    'scheduler acl token delete {canarySchedulerAccessor} --yes',
  ),
  scheduler.cleanup('canary: remove the policy', 'scheduler acl policy delete {run}-c --yes'),
  scheduler.write('canary: var delete', 'var delete {run}/app --yes'),
  scheduler.cleanup('canary: remove the variable', 'var delete canary/web --yes'),
];

const accounts = stepsOf('accounts');

const accountsSteps: readonly Step[] = [
  accounts.write(
    'canary: account create',
    'account create --auth-method {method} --login-name carol --password env://PASSWORD',
    { env: passwords, save: { carol: 'id' } },
  ),
  accounts.write(
    'canary: account login',
    'account login --auth-method {method} --login-name carol --password env://PASSWORD',
    { as: 'login', env: passwords },
  ),
  accounts.write('canary: account logout', 'account logout --yes', { as: 'login' }),
  accounts.write(
    'canary: account login, not stored',
    'account login --auth-method {method} --login-name carol --password env://PASSWORD --no-store',
    { as: 'anonymous', env: passwords },
  ),
  accounts.write(
    'canary: account login with oidc',
    'account login --auth-method amoidc_1234567890 --no-browser --wait 5s',
    { as: 'login' },
  ),
  accounts.write(
    'canary: account change-password',
    'account change-password {carol} --current-password env://PASSWORD --new-password env://NEW',
    { env: passwords },
  ),
  accounts.write('canary: account set-password', 'account set-password {carol} --password env://PASSWORD', {
    env: passwords,
  }),
  accounts.write(
    'canary: account auth-method create',
    'account auth-method create canary --type oidc --issuer https://idp.example.com --client-id boundary --client-secret env://PASSWORD --api-url-prefix https://boundary.example.com',
    { env: passwords, save: { canaryMethod: 'id' } },
  ),
  accounts.write(
    'canary: account auth-method update',
    'account auth-method update {canaryMethod} --client-secret env://NEW',
    { env: passwords },
  ),
  accounts.cleanup('canary: remove the auth method', 'account auth-method delete {canaryMethod} --yes'),
  accounts.cleanup('canary: remove the account', 'account delete {carol} --yes'),
];

/** Command lines that handle secrets. They follow the scenario, and use what it prepares. */
export const canarySteps: readonly Step[] = [
  ...secretsSteps,
  ...registrySteps,
  ...boxSteps,
  ...schedulerSteps,
  ...accountsSteps,
];

const token = {
  AccessorID: '00000000-0000-4000-8000-000000000001',
  SecretID: values.bootstrap,
  Policies: [{ ID: '00000000-0000-4000-8000-000000000002', Name: 'global-management' }],
  Local: false,
};

interface Given {
  readonly status: number;
  readonly body: unknown;
}

const accountToken = { id: 'at_AbCdEf0123', account_id: 'acctoidc_1234567890' };

/**
 * Responses that the embedded services of a run cannot give: status and body, for every request of the step, or one
 * after the other.
 */
export const given: Readonly<Record<string, Given | readonly Given[]>> = {
  'canary: account login with oidc': [
    {
      status: 200,
      body: {
        command: 'start',
        attributes: { auth_url: 'https://id.example.com/auth?state=st_1', token_id: values.tokenId },
      },
    },
    {
      status: 200,
      body: {
        command: 'token',
        attributes: { ...accountToken, token: `${accountToken.id}_${values.bootstrap}` },
      },
    },
    { status: 200, body: accountToken },
  ],
  'canary: secrets init': {
    status: 200,
    body: { initialized: false, keys: [values.unsealKey], root_token: values.bootstrap },
  },
  'canary: secrets unseal': {
    status: 200,
    body: { initialized: true, sealed: true, t: 2, n: 3, progress: 1, nonce: 'n' },
  },
  'canary: acl bootstrap': { status: 200, body: token },
  'canary: scheduler acl bootstrap': { status: 200, body: { ...token, Type: 'management', Policies: null } },
  'canary: acl oidc auth-url': {
    status: 200,
    body: { AuthURL: 'https://id.example.com/auth?state=st_1&client_id=x' },
  },
  'canary: acl oidc callback': { status: 200, body: { ...token, AuthMethod: 'corp' } },
  'canary: box token create, with a code': {
    status: 200,
    body: {
      token: values.bootstrap,
      token_hash: 'a1b2',
      description: 'x',
      created_at: '2026-01-01T00:00:00Z',
    },
  },
  'canary: box request-code': {
    status: 200,
    body: { two_factor: { obfuscated_destination: 'SMS number ending in 7890' } },
  },
};

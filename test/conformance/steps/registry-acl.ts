import { type Step, stepsOf } from '../step.ts';
import { missingId } from './shared.ts';

const { read, write, after, cleanup } = stepsOf('registry');

const files = {
  'rules.hcl':
    'key_prefix "{run}/" {\n  policy = "write"\n}\nservice_prefix "{run}" {\n  policy = "read"\n}\n',
};

const policies: readonly Step[] = [
  write('acl policy put', "acl policy put {run} --rules @rules.hcl --description 'Rules of the run'", {
    files,
    save: { policy: 'ID' },
  }),
  write('acl policy put: unchanged', 'acl policy put {run} --rules @rules.hcl', { files }),
  write('acl policy put: update', 'acl policy put {run} --description changed'),
  write('acl policy put: invalid rules', 'acl policy put {run}-other --rules -', {
    code: 2,
    stdin: 'kez "a" { policy = "reed" }',
  }),
  write('acl policy put: missing ID', `acl policy put ${missingId} --description x`, { code: 3 }),
  write('acl policy put: forbidden', 'acl policy put {run}-other --rules -', {
    code: 5,
    as: 'limited',
    stdin: 'acl = "read"',
  }),
  after('acl policy list', 'acl policy list'),
  after('acl policy list: without a token', 'acl policy list', { code: 4, as: 'anonymous' }),
  after('acl policy get', 'acl policy get {run}'),
  after('acl policy get: ID', 'acl policy get {policy}'),
  after('acl policy get: missing', 'acl policy get {run}-missing', { code: 3 }),
  after('acl policy get: missing ID', `acl policy get ${missingId}`, { code: 3 }),
  after('acl policy get: forbidden', 'acl policy get {run}', { code: 5, as: 'limited' }),
];

const roles: readonly Step[] = [
  write('acl role put', 'acl role put {run} --policy {run} --service-identity {run}-web:{datacenter}', {
    save: { role: 'ID' },
  }),
  write('acl role put: update', 'acl role put {run} --node-identity {run}-n1:{datacenter} --description x'),
  write('acl role put: unchanged', 'acl role put {run} --policy {run}'),
  write('acl role put: missing policy', 'acl role put {run}-other --policy {run}-missing', { code: 3 }),
  write('acl role put: forbidden', 'acl role put {run}-other --policy {run}', { code: 5, as: 'limited' }),
  after('acl role list', 'acl role list'),
  after('acl role get', 'acl role get {run}'),
  after('acl role get: ID', 'acl role get {role}'),
  after('acl role get: missing', 'acl role get {run}-missing', { code: 3 }),
];

const tokens: readonly Step[] = [
  write(
    'acl token create',
    'acl token create --policy {run} --role {run} --service-identity {run}-web --templated-policy builtin/dns --ttl 1h --description {run}',
    { save: { accessor: 'AccessorID', secret: 'SecretID' }, secrets: ['secret'] },
  ),
  write('acl token create: missing policy', 'acl token create --policy {run}-missing', { code: 3 }),
  write('acl token create: missing role', 'acl token create --role {run}-missing', { code: 3 }),
  write('acl token create: forbidden', 'acl token create --policy {run}', { code: 5, as: 'limited' }),
  write('acl token update', 'acl token update {accessor} --remove-policy {run} --description changed'),
  write('acl token update: missing', `acl token update ${missingId} --description x`, { code: 3 }),
  write('acl token update: missing policy', 'acl token update {accessor} --add-policy {run}-missing', {
    code: 3,
  }),
  write('acl token clone', 'acl token clone {accessor} --description {run}', {
    save: { cloned: 'AccessorID', clonedSecret: 'SecretID' },
    secrets: ['clonedSecret'],
  }),
  write('acl token clone: missing', `acl token clone ${missingId}`, { code: 3 }),
  after('acl token list', 'acl token list'),
  after('acl token list: role', 'acl token list --role {run}'),
  after('acl token list: policy', 'acl token list --policy {run}'),
  after('acl token get', 'acl token get {accessor}'),
  after('acl token get: missing', `acl token get ${missingId}`, { code: 3 }),
  after('acl token get: forbidden', 'acl token get {accessor}', { code: 5, as: 'limited' }),
  after('acl token self', 'acl token self', { token: '{secret}' }),
  after('acl token self: without a token', 'acl token self', { code: 4, as: 'anonymous' }),
  after('acl token self: with an invalid token', 'acl token self', { code: 4, as: 'invalid' }),
  after('acl explain', 'acl explain {accessor}'),
  after('acl explain: without acl:read', 'acl explain', { token: '{secret}' }),
  after('acl can: yes', 'acl can key:write {run}/a', { token: '{secret}' }),
  after('acl can: no', 'acl can key:read other', { code: 5, token: '{secret}' }),
  after('acl can: computed', 'acl can key:write {run}/a --token {accessor}'),
  after('acl can: computed no', 'acl can key:list other --token {accessor}', { code: 5 }),
  after('acl can: with an invalid token', 'acl can acl:read', { code: 4, as: 'invalid' }),
  write('acl token delete: clone', 'acl token delete {cloned} --yes'),
  write('acl token delete: missing', 'acl token delete {cloned} --yes', { code: 3 }),
  write('acl token delete: anonymous', 'acl token delete anonymous --yes', { code: 1 }),
  write('acl token delete', 'acl token delete {accessor} --yes'),
];

const method = JSON.stringify({
  Type: 'jwt',
  MaxTokenTTL: '1h',
  Config: {
    JWTValidationPubKeys: ['{issuerKeyJson}'],
    BoundAudiences: ['conformance'],
    ClaimMappings: { project: 'project' },
    ListClaimMappings: { groups: 'groups' },
  },
});
const claims = { 'claims.json': '{"project":"web","groups":["dev"]}' };

const methods: readonly Step[] = [
  write('acl auth-method put', 'acl auth-method put {run}-m --in -', { stdin: method }),
  write('acl auth-method put: update', 'acl auth-method put {run}-m --description x --bound-issuer idp'),
  write('acl auth-method put: unchanged', 'acl auth-method put {run}-m --max-token-ttl 1h'),
  write('acl auth-method put: invalid', 'acl auth-method put {run}-other --type jwt', { code: 1 }),
  write('acl auth-method put: other type', 'acl auth-method put {run}-m --type kubernetes', { code: 1 }),
  write('acl auth-method put: forbidden', 'acl auth-method put {run}-m --description y', {
    code: 5,
    as: 'limited',
  }),
  after('acl auth-method list', 'acl auth-method list'),
  after('acl auth-method get', 'acl auth-method get {run}-m'),
  after('acl auth-method get: missing', 'acl auth-method get {run}-missing', { code: 3 }),
  write(
    'acl binding-rule create',
    `acl binding-rule create --method {run}-m --bind-type service --bind-name $\{value.project} --selector 'dev in list.groups'`,
    { save: { rule: 'ID' } },
  ),
  write(
    'acl binding-rule create: no such method',
    'acl binding-rule create --method {run}-missing --bind-type role --bind-name x',
    { code: 3 },
  ),
  write(
    'acl binding-rule create: invalid selector',
    "acl binding-rule create --method {run}-m --bind-type role --bind-name x --selector 'value.project =='",
    { code: 2 },
  ),
  write(
    'acl binding-rule create: unknown field',
    "acl binding-rule create --method {run}-m --bind-type role --bind-name x --selector 'foo.x == a'",
    { code: 1 },
  ),
  write('acl binding-rule update', 'acl binding-rule update {rule} --description x'),
  write('acl binding-rule update: missing', `acl binding-rule update ${missingId} --description x`, {
    code: 3,
  }),
  after('acl binding-rule list', 'acl binding-rule list --method {run}-m'),
  after('acl binding-rule get', 'acl binding-rule get {rule}'),
  after('acl binding-rule get: missing', `acl binding-rule get ${missingId}`, { code: 3 }),
  after('acl binding-rule test', 'acl binding-rule test --method {run}-m --claims claims.json', {
    files: claims,
  }),
  after('acl binding-rule test: no match', 'acl binding-rule test --method {run}-m --claims -', {
    code: 1,
    stdin: '{}',
  }),
  write('acl binding-rule delete', 'acl binding-rule delete {rule} --yes'),
  write('acl binding-rule delete: missing', 'acl binding-rule delete {rule} --yes', { code: 3 }),
  write('acl auth-method delete', 'acl auth-method delete {run}-m --yes'),
  write('acl auth-method delete: missing', 'acl auth-method delete {run}-m --yes', { code: 3 }),
];

const templates: readonly Step[] = [
  read('acl templated-policy list', 'acl templated-policy list'),
  read('acl templated-policy get', 'acl templated-policy get builtin/service'),
  read('acl templated-policy get: missing', 'acl templated-policy get builtin/missing', { code: 3 }),
  read('acl templated-policy preview', 'acl templated-policy preview builtin/service --name web'),
  read('acl templated-policy preview: without a name', 'acl templated-policy preview builtin/service', {
    code: 1,
  }),
];

const removals: readonly Step[] = [
  write('acl role delete', 'acl role delete {run} --yes'),
  write('acl role delete: missing', 'acl role delete {run} --yes', { code: 3 }),
  write('acl policy delete: forbidden', 'acl policy delete {run} --yes', { code: 5, as: 'limited' }),
  write('acl policy delete: built-in', 'acl policy delete global-management --yes', { code: 1 }),
  write('acl policy delete', 'acl policy delete {run} --yes'),
  write('acl policy delete: missing', 'acl policy delete {run} --yes', { code: 3 }),
  cleanup('registry: remove the token', 'acl token delete {accessor} --yes'),
  cleanup('registry: remove the clone', 'acl token delete {cloned} --yes'),
  cleanup('registry: remove the method', 'acl auth-method delete {run}-m --yes'),
  cleanup('registry: remove the role', 'acl role delete {run} --yes'),
  cleanup('registry: remove the policy', 'acl policy delete {run} --yes'),
];

/** Tokens, policies, roles, auth methods and binding rules. */
export const accessSteps: readonly Step[] = [
  ...policies,
  ...roles,
  ...tokens,
  ...methods,
  ...templates,
  ...removals,
];

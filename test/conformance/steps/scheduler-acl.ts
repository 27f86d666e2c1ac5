import { type Step, stepsOf } from '../step.ts';
import { missingId } from './shared.ts';

const { write, after, cleanup } = stepsOf('scheduler');

const files = {
  'rules.hcl':
    'namespace "{run}" {\n  variables {\n    path "app/*" {\n      capabilities = ["read", "list"]\n    }\n  }\n}\n',
};

/** Names in the steps of other runs: the policy {run} belongs to the limited token. */
const policy = '{run}-acl';

const policies: readonly Step[] = [
  write(
    'scheduler acl policy put',
    `scheduler acl policy put ${policy} --rules @rules.hcl --description run`,
    {
      files,
    },
  ),
  write('scheduler acl policy put: unchanged', `scheduler acl policy put ${policy} --rules @rules.hcl`, {
    files,
  }),
  write('scheduler acl policy put: job', `scheduler acl policy put ${policy} --job {run}/web/api/server`),
  write(
    'scheduler acl policy put: job of another namespace',
    `scheduler acl policy put ${policy} --job default`,
  ),
  write('scheduler acl policy put: unset', `scheduler acl policy put ${policy} --unset job,description`),
  write('scheduler acl policy put: invalid rules', `scheduler acl policy put ${policy} --rules -`, {
    code: 2,
    stdin: 'namespace "a" { polcy = "read" }',
  }),
  write(
    'scheduler acl policy put: rejected rules',
    `scheduler acl policy put ${policy} --no-check --rules -`,
    {
      code: 1,
      stdin: 'namespace "a" { policy = "raed" }',
    },
  ),
  write('scheduler acl policy put: forbidden', `scheduler acl policy put ${policy} --description x`, {
    code: 5,
    as: 'limited',
  }),
  after('scheduler acl policy list', 'scheduler acl policy list'),
  after('scheduler acl policy list: own policies', 'scheduler acl policy list', { as: 'limited' }),
  after('scheduler acl policy list: without a token', 'scheduler acl policy list', {
    code: 4,
    as: 'anonymous',
  }),
  after('scheduler acl policy get', `scheduler acl policy get ${policy}`),
  after('scheduler acl policy get: own policy', 'scheduler acl policy get {run}', { as: 'limited' }),
  after('scheduler acl policy get: forbidden', `scheduler acl policy get ${policy}`, {
    code: 5,
    as: 'limited',
  }),
  after('scheduler acl policy get: missing', 'scheduler acl policy get {run}-missing', { code: 3 }),
];

const roles: readonly Step[] = [
  write('scheduler acl role put', `scheduler acl role put {run} --policy ${policy}`, {
    save: { role: 'ID' },
  }),
  write('scheduler acl role put: update', 'scheduler acl role put {run} --description changed'),
  write('scheduler acl role put: unchanged', `scheduler acl role put {run} --policy ${policy}`),
  write(
    'scheduler acl role put: missing policy',
    'scheduler acl role put {run}-other --policy {run}-missing',
    {
      code: 3,
    },
  ),
  write('scheduler acl role put: forbidden', `scheduler acl role put {run} --description y`, {
    code: 5,
    as: 'limited',
  }),
  after('scheduler acl role list', 'scheduler acl role list'),
  after('scheduler acl role get', 'scheduler acl role get {run}'),
  after('scheduler acl role get: ID', 'scheduler acl role get {role}'),
  after('scheduler acl role get: missing', 'scheduler acl role get {run}-missing', { code: 3 }),
];

const tokens: readonly Step[] = [
  write(
    'scheduler acl token create',
    `scheduler acl token create --name {run}-token --policy ${policy} --role {run} --ttl 1h`,
    { save: { schedulerAccessor: 'AccessorID', schedulerSecret: 'SecretID' }, secrets: ['schedulerSecret'] },
  ),
  write('scheduler acl token create: missing role', 'scheduler acl token create --role {run}-missing', {
    code: 3,
  }),
  write(
    'scheduler acl token create: too long',
    `scheduler acl token create --policy ${policy} --ttl 10000h`,
    {
      code: 1,
    },
  ),
  write('scheduler acl token create: too short', `scheduler acl token create --policy ${policy} --ttl 1s`, {
    code: 1,
  }),
  write('scheduler acl token create: no policy', 'scheduler acl token create --name {run}-other', {
    code: 2,
  }),
  write('scheduler acl token create: forbidden', `scheduler acl token create --policy ${policy}`, {
    code: 5,
    as: 'limited',
  }),
  write('scheduler acl token update', 'scheduler acl token update {schedulerAccessor} --add-policy {run}'),
  write('scheduler acl token update: name', 'scheduler acl token update {run}-token --name {run}-changed'),
  write(
    'scheduler acl token update: unchanged',
    'scheduler acl token update {schedulerAccessor} --add-role {run}',
  ),
  write('scheduler acl token update: missing', `scheduler acl token update ${missingId} --name x`, {
    code: 3,
  }),
  write(
    'scheduler acl token update: missing role',
    'scheduler acl token update {schedulerAccessor} --role none',
    {
      code: 3,
    },
  ),
  after('scheduler acl token list', 'scheduler acl token list'),
  after('scheduler acl token list: forbidden', 'scheduler acl token list', { code: 5, as: 'limited' }),
  after('scheduler acl token list: role', 'scheduler acl token list --role {run}'),
  after('scheduler acl token get', 'scheduler acl token get {schedulerAccessor}'),
  after('scheduler acl token get: missing', `scheduler acl token get ${missingId}`, { code: 3 }),
  after('scheduler acl token get: forbidden', 'scheduler acl token get {schedulerAccessor}', {
    code: 5,
    as: 'limited',
  }),
  after('scheduler acl token self', 'scheduler acl token self', { token: '{schedulerSecret}' }),
  after('scheduler acl token self: without a token', 'scheduler acl token self', { as: 'anonymous' }),
  after('scheduler acl token self: with an invalid token', 'scheduler acl token self', {
    code: 4,
    as: 'invalid',
  }),
  after('scheduler acl policy list: policies of roles', 'scheduler acl policy list', {
    token: '{schedulerSecret}',
  }),
  after('scheduler acl role list: own roles', 'scheduler acl role list', { token: '{schedulerSecret}' }),
  write('scheduler acl bootstrap: again', 'scheduler acl bootstrap', { code: 5 }),
  write('scheduler acl token delete', 'scheduler acl token delete {schedulerAccessor} --yes'),
  write('scheduler acl token delete: missing', 'scheduler acl token delete {schedulerAccessor} --yes', {
    code: 3,
  }),
];

const removals: readonly Step[] = [
  write('scheduler acl role delete', 'scheduler acl role delete {run} --yes'),
  write('scheduler acl role delete: missing', 'scheduler acl role delete {run} --yes', { code: 3 }),
  write('scheduler acl policy delete', `scheduler acl policy delete ${policy} --yes`),
  write('scheduler acl policy delete: missing', `scheduler acl policy delete ${policy} --yes`, { code: 3 }),
  cleanup('scheduler: remove the token of the run', 'scheduler acl token delete {schedulerAccessor} --yes'),
  cleanup('scheduler: remove the role of the run', 'scheduler acl role delete {run} --yes'),
  cleanup('scheduler: remove the policy of the run', `scheduler acl policy delete ${policy} --yes`),
];

/** Policies, roles and tokens of the scheduler; the token {limitedToken} with the policy {run} exists. */
export const schedulerAclSteps: readonly Step[] = [...policies, ...roles, ...tokens, ...removals];

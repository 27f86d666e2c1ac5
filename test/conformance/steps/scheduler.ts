import { type Step, stepsOf } from '../step.ts';
import { schedulerAclSteps } from './scheduler-acl.ts';
import { schedulerStateSteps } from './state.ts';

const { read, write, after, prepare, cleanup } = stepsOf('scheduler');

const ns = '--namespace {run}';

const reads: readonly Step[] = [
  read('status: scheduler', 'status'),
  read('status: scheduler, without a token', 'status', { as: 'anonymous' }),
  read('status: scheduler, with an invalid token', 'status', { as: 'invalid' }),
  read('status --check: scheduler', 'status --check'),
  read('status --check: scheduler, with an invalid token', 'status --check', { code: 4, as: 'invalid' }),
  read('namespace list', 'namespace list'),
  read('namespace list: without a token', 'namespace list', { as: 'anonymous' }),
  read('namespace list: with an invalid token', 'namespace list', { code: 4, as: 'invalid' }),
  read('namespace get', 'namespace get default'),
  read('namespace get: missing', 'namespace get {run}-missing', { code: 3 }),
  read('var list', 'var list --prefix {run}/'),
  read('var list: without a token', 'var list --prefix {run}/', { as: 'anonymous' }),
  read('var get: missing', 'var get {run}/missing', { code: 3 }),
  read('export: with an invalid token', 'export - --kind scheduler.variable', { code: 4, as: 'invalid' }),
  read('api: scheduler', 'api scheduler GET status/leader', { text: true }),
];

const namespaces: readonly Step[] = [
  write('namespace put', 'namespace put {run} --description conformance --meta owner=conformance'),
  write('namespace put: change', 'namespace put {run} --in -', { stdin: 'Description: changed\n' }),
  after('namespace get: to a file', 'namespace get {run} --out namespace.json'),
  write('namespace put: from the file', 'namespace put {run} --in namespace.json'),
  write('namespace put: forbidden', 'namespace put {run}-other', { code: 5, as: 'limited' }),
  after('namespace get: own', 'namespace get {run}'),
  after('namespace list: prefix', 'namespace list --prefix {run}'),
];

const variables: readonly Step[] = [
  write('var put', `var put app/db user=app color=blue ${ns}`, { save: { index: 'ModifyIndex' } }),
  write('var put: check-and-set', `var put app/db user=app color=red --cas {index} ${ns}`),
  write('var put: check-and-set fails', `var put app/db user=eve --cas 0 ${ns}`, { code: 6 }),
  write('var put: outdated index', `var put app/db user=eve --cas {index} ${ns}`, { code: 6 }),
  write('var put: merge', `var put app/db color=green --merge ${ns}`),
  write('var put: retry-merge', `var put app/db user=app --merge --retry-merge ${ns}`),
  write('var put: forbidden', `var put app/db user=app ${ns}`, { code: 5, as: 'limited' }),
  write('var put: without a token', `var put app/db user=app ${ns}`, { code: 4, as: 'anonymous' }),
  after('var get', `var get app/db ${ns}`),
  after('var get: forbidden', `var get app/db ${ns}`, { code: 5, as: 'limited' }),
  after('var get: without a token', `var get app/db ${ns}`, { code: 4, as: 'anonymous' }),
  after('wait var', `wait var app/db --for Items.user --timeout 0 ${ns}`),
  after('wait var: missing', `wait var app/missing --timeout 0 ${ns}`, { code: 8 }),
  after('wait var: forbidden', `wait var app/db --timeout 0 ${ns}`, { code: 5, as: 'limited' }),
  write('var put: second', `var put app/mail user=app ${ns}`),
  after('export', 'export - --kind scheduler.variable'),
  after('var list: own', `var list ${ns}`),
  after('var list: page', `var list --per-page 1 ${ns}`),
  after('var list: all pages', `var list --all --per-page 1 ${ns}`),
  after('var list: filter', `var list --filter 'VariableMetadata.Path contains "mail"' ${ns}`),
  after('var list: invalid filter', `var list --filter 'Nope ==' ${ns}`, { code: 1 }),
  write('var edit', `var edit app/db ${ns}`, { env: { EDITOR: 'sed -i s/green/yellow/' } }),
  after('var diff', `var diff app/db --with db.json ${ns}`, {
    files: { 'db.json': '{"user":"app","color":"yellow"}' },
  }),
  after('var diff: differs', `var diff app/db --with other.json ${ns}`, {
    code: 10,
    files: { 'other.json': '{"user":"app","color":"white"}' },
  }),
  after('var export', `var export variables ${ns}`),
  write('var import', `var import imported ${ns}`, {
    files: { 'imported/app/web.json': '{"color":"blue"}' },
  }),
  after('run: variable', `run --var app/db ${ns} -- true`, { text: true }),
  after('run: missing variable', `run --var app/missing ${ns} -- true`, { text: true, code: 3 }),
  after('ci export: variable', 'ci export --ci gitlab --var app/db --file exported.env --force', {
    env: { LANYARD_SCHEDULER_NAMESPACE: '{run}' },
  }),
  write('var lock', `var lock app/db --env --wait 0 ${ns} -- test blue`, { text: true }),
  write('var lock: exit code of the command', `var lock app/db --wait 0 ${ns} -- false`, {
    text: true,
    code: 1,
  }),
  write('var lock: forbidden', `var lock app/db --wait 0 ${ns} -- true`, {
    text: true,
    code: 5,
    as: 'limited',
  }),
  prepare('scheduler: lock', `api scheduler PUT var/app/mail?lock-acquire --data - ${ns}`, {
    stdin:
      '{"Path":"app/mail","Namespace":"{run}","Items":{"user":"app"},"Lock":{"TTL":"30s","LockDelay":"1s"}}',
    save: { lock: 'Lock.ID' },
  }),
  write('var put: locked', `var put app/mail user=eve ${ns}`, { code: 6 }),
  write('var delete: locked', `var delete app/mail --yes ${ns}`, { code: 6 }),
  write('var lock: locked', `var lock app/mail --wait 0 ${ns} -- true`, { text: true, code: 8 }),
  prepare('scheduler: unlock', `api scheduler PUT var/app/mail?lock-release --data - ${ns}`, {
    stdin: '{"Path":"app/mail","Namespace":"{run}","Lock":{"ID":"{lock}"}}',
  }),
  write('namespace delete: not empty', 'namespace delete {run} --yes', { code: 6 }),
  write('var delete: outdated index', `var delete app/db --cas {index} --yes ${ns}`, { code: 6 }),
  write('var delete: forbidden', `var delete app/db --yes ${ns}`, { code: 5, as: 'limited' }),
  write('var delete', `var delete app/db --yes ${ns}`),
  after('var get: deleted', `var get app/db ${ns}`, { code: 3 }),
  cleanup('scheduler: remove app/db', `var delete app/db --yes ${ns}`),
  cleanup('scheduler: remove app/mail', `var delete app/mail --yes ${ns}`),
  cleanup('scheduler: remove app/web', `var delete app/web --yes ${ns}`),
];

const removals: readonly Step[] = [
  prepare('scheduler: delete app/mail', `var delete app/mail --yes ${ns}`),
  prepare('scheduler: delete app/web', `var delete app/web --yes ${ns}`),
  write('namespace put: unset', 'namespace put {run} --unset meta'),
  write('namespace delete', 'namespace delete {run} --yes'),
  write('namespace delete: missing', 'namespace delete {run} --yes', { code: 3 }),
  cleanup('scheduler: remove the namespace', 'namespace delete {run} --yes'),
  cleanup('scheduler: remove the limited token', 'api scheduler DELETE acl/token/{limitedAccessor} --yes', {
    text: true,
  }),
  cleanup('scheduler: remove the policy', 'api scheduler DELETE acl/policy/{run} --yes', { text: true }),
];

export const schedulerSteps: readonly Step[] = [
  ...reads,
  prepare('scheduler: policy', 'api scheduler PUT acl/policy/{run} --data -', {
    stdin: '{"Name":"{run}","Rules":"agent { policy = \\"read\\" }"}',
    text: true,
  }),
  prepare('scheduler: limited token', 'api scheduler PUT acl/token --data -', {
    stdin: '{"Name":"{run}","Type":"client","Policies":["{run}"]}',
    save: { limitedToken: 'SecretID', limitedAccessor: 'AccessorID' },
    secrets: ['limitedToken'],
  }),
  read('var get: with an invalid token', 'var get {run}/missing', { code: 4, as: 'invalid' }),
  ...schedulerAclSteps,
  ...namespaces,
  ...variables,
  ...schedulerStateSteps,
  prepare('scheduler: delete the variable of the set', `var delete state/db --yes ${ns}`),
  prepare('scheduler: delete the record of the set', `var delete state/record --yes ${ns}`),
  ...removals,
];

import { type Step, stepsOf } from '../step.ts';
import { missingId } from './shared.ts';

const { write, after, cleanup } = stepsOf('registry');

const policies: readonly Step[] = [
  write('acl policy put', "acl policy put {run} --rules @rules.hcl --description 'Rules of the run'", {
    files: {
      'rules.hcl':
        'key_prefix "{run}/" {\n  policy = "write"\n}\nservice_prefix "{run}" { policy = "read" }\n',
    },
    save: { policy: 'ID' },
  }),
  write('acl policy put: unchanged', 'acl policy put {run} --rules @rules.hcl', {
    files: {
      'rules.hcl':
        'key_prefix "{run}/" {\n  policy = "write"\n}\nservice_prefix "{run}" { policy = "read" }\n',
    },
  }),
  write(
    'acl policy put: update',
    'acl policy put {run} --description changed --valid-datacenter {datacenter}',
  ),
  write(
    'acl policy put: invalid rules',
    'acl policy put {run}-other --rules \'kez "a" { policy = "reed" }\'',
    {
      code: 2,
    },
  ),
  write('acl policy put: missing ID', `acl policy put ${missingId} --description x`, { code: 3 }),
  write('acl policy put: forbidden', 'acl policy put {run}-other --rules \'acl = "read"\'', {
    code: 5,
    as: 'limited',
  }),
  after('acl policy list', 'acl policy list'),
  after('acl policy list: without a token', 'acl policy list', { code: 4, as: 'anonymous' }),
  after('acl policy get', 'acl policy get {run}'),
  after('acl policy get: ID', 'acl policy get {policy}'),
  after('acl policy get: missing', 'acl policy get {run}-missing', { code: 3 }),
  after('acl policy get: missing ID', `acl policy get ${missingId}`, { code: 3 }),
  after('acl policy get: forbidden', 'acl policy get {run}', { code: 5, as: 'limited' }),
];

const removals: readonly Step[] = [
  write('acl policy delete: forbidden', 'acl policy delete {run} --yes', { code: 5, as: 'limited' }),
  write('acl policy delete: built-in', 'acl policy delete global-management --yes', { code: 1 }),
  write('acl policy delete', 'acl policy delete {run} --yes'),
  write('acl policy delete: missing', 'acl policy delete {run} --yes', { code: 3 }),
  cleanup('registry: remove the policy', 'acl policy delete {run} --yes'),
];

/** Tokens, policies, roles, auth methods and binding rules. */
export const accessSteps: readonly Step[] = [...policies, ...removals];

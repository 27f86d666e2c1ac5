import { type Step, stepsOf } from '../step.ts';

const { write, after, cleanup } = stepsOf('registry');

const exported = '[{"key":"one","flags":7,"value":"b25l"},{"key":"two","value":""}]';

/** Keys of the key-value store. */
export const keySteps: readonly Step[] = [
  write('registry kv put', 'registry kv put {run}/kv/host db1 --flags 42', {}),
  write('registry kv put: existing', 'registry kv put {run}/kv/host db2 --cas 0', { code: 6 }),
  write('registry kv put: changed', 'registry kv put {run}/kv/host db2 --cas 1', { code: 6 }),
  write('registry kv put: missing', 'registry kv put {run}/kv/missing db2 --cas 1', { code: 6 }),
  write('registry kv put: other session', `registry kv put {run}/kv/host db2 --release ${'0'.repeat(8)}`, {
    code: 6,
  }),
  write('registry kv put: forbidden', 'registry kv put {run}/kv/host db2', { code: 5, as: 'limited' }),
  after('registry kv get', 'registry kv get {run}/kv/host', { save: { keyIndex: 'ModifyIndex' } }),
  write('registry kv put: check-and-set', 'registry kv put {run}/kv/host - --cas {keyIndex}', {
    stdin: 'db3\n',
  }),
  after('registry kv get: missing', 'registry kv get {run}/kv/missing', { code: 3 }),
  after('registry kv get: recursive', 'registry kv get {run}/kv/ --recursive'),
  after('registry kv get: recursive, missing', 'registry kv get {run}/missing/ --recursive', { code: 3 }),
  write('registry kv import', 'registry kv import - --prefix {run}/kv/tree/', { stdin: exported }),
  after('registry kv list', 'registry kv list {run}/kv/'),
  after('registry kv list: recursive', 'registry kv list {run}/kv/ --recursive'),
  after('registry kv list: empty', 'registry kv list {run}/missing/'),
  after('registry kv export', 'registry kv export {run}/kv/'),
  write('registry kv delete: changed', 'registry kv delete {run}/kv/host --cas 1 --yes', { code: 6 }),
  write('registry kv delete', 'registry kv delete {run}/kv/host --yes'),
  write('registry kv delete: missing', 'registry kv delete {run}/kv/host --yes', { code: 3 }),
  write('registry kv delete: recursive', 'registry kv delete {run}/kv/ --recursive --yes'),
  write('registry kv delete: recursive, missing', 'registry kv delete {run}/kv/ --recursive --yes', {
    code: 3,
  }),
  cleanup('registry: remove the keys', 'registry kv delete {run}/kv/ --recursive --yes'),
];

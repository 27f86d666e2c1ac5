import { type Step, stepsOf } from '../step.ts';

const { write, after, cleanup } = stepsOf('registry');

const files = {
  'entry.hcl':
    'Kind = "service-resolver"\nName = "{run}-config"\nConnectTimeout = "5s"\nSubsets = {\n  v1 = { Filter = "Service.Meta.version == v1" }\n}\n',
  'changed.yaml': 'Kind: service-resolver\nName: {run}-config\nConnectTimeout: 10s\n',
  'invalid.json': '{"Kind":"service-resolver","Name":"{run}-config","DefaultSubset":"none"}',
  'kind.json': '{"Kind":"lanyard-nothing","Name":"{run}-config"}',
};
const name = 'service-resolver {run}-config';

/** Config entries. */
export const configSteps: readonly Step[] = [
  write('registry config put', 'registry config put entry.hcl', { files }),
  write('registry config put: unchanged', 'registry config put entry.hcl --replace', { files }),
  write('registry config put: update', 'registry config put -', {
    stdin: 'Kind: service-resolver\nName: {run}-config\nConnectTimeout: 7s\n',
  }),
  write('registry config put: existing', 'registry config put changed.yaml --cas 0', { files, code: 6 }),
  write('registry config put: changed', 'registry config put changed.yaml --cas 1', { files, code: 6 }),
  write('registry config put: invalid', 'registry config put invalid.json --replace', { files, code: 1 }),
  write('registry config put: unknown kind', 'registry config put kind.json', { files, code: 1 }),
  write('registry config put: forbidden', 'registry config put changed.yaml', {
    files,
    code: 5,
    as: 'limited',
  }),
  after('registry config get', `registry config get ${name}`, { save: { entryIndex: 'ModifyIndex' } }),
  after('registry config get: missing', 'registry config get service-resolver {run}-missing', { code: 3 }),
  write('registry config put: check-and-set', 'registry config put changed.yaml --cas {entryIndex}', {
    files,
  }),
  after('registry config list', 'registry config list service-resolver'),
  after('registry config list: all kinds', 'registry config list'),
  write('registry config delete: changed', `registry config delete ${name} --cas 1 --yes`, { code: 6 }),
  write('registry config delete: forbidden', `registry config delete ${name} --yes`, {
    code: 5,
    as: 'limited',
  }),
  write('registry config delete', `registry config delete ${name} --yes`),
  write('registry config delete: missing', `registry config delete ${name} --yes`, { code: 3 }),
  cleanup('registry: remove the config entry', `registry config delete ${name} --yes`),
];

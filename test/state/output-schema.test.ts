import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { outputOf } from '../support/command-tests.ts';
import type { Ran } from '../support/run.ts';
import { benchForAll, kindOf, newSetId, policy, type Stated, variable, writeSet } from './bench.ts';

const ajv = new Ajv2020({ strict: true, strictRequired: false });
const schemaOf = (name: string) =>
  JSON.parse(readFileSync(new URL(`../../schemas/lanyard-${name}-v1.schema.json`, import.meta.url), 'utf8'));
ajv.addSchema(schemaOf('plan'), 'plan').addSchema(schemaOf('apply'), 'apply');

/** What a schema says against a value, with the value. */
function expectValid(value: unknown, schema: string): void {
  const isValid = ajv.validate(schema, value);
  expect(isValid, `${ajv.errorsText()}\n${JSON.stringify(value)}`).toBe(true);
}

const bench = await benchForAll();
const id = newSetId();

const files = (objects: readonly Stated[], spec = {}): void => writeSet(bench, objects, { id, spec });

interface Planned {
  readonly complete: boolean;
  readonly operations: readonly { readonly action: string; readonly changes: readonly object[] }[];
  readonly warnings: readonly object[];
}
async function plan(...flags: readonly string[]): Promise<Planned> {
  const ran = await bench.run(['plan', 'state', '-o', 'json', ...flags]);
  const value = JSON.parse(ran.stdout);
  expectValid(value, 'plan');
  return value;
}
const actionsOf = ({ operations }: Planned): readonly string[] =>
  operations.map(({ action }) => action).sort();

async function apply(...flags: readonly string[]): Promise<Ran> {
  const ran = await bench.run(['apply', 'state', '--yes', '-o', 'json', ...flags]);
  expect(ran.code, ran.stderr).toBe(0);
  expectValid(JSON.parse(ran.stdout), 'apply');
  return ran;
}

test('plan, apply and saved plans match their schemas', async () => {
  files([
    policy('schema-a'),
    policy('schema-b', 'b', { deletion: 'allow' }),
    variable('schema/a', { password: 'x' }),
  ]);
  expect(actionsOf(await plan())).toEqual(['create', 'create', 'create']);
  await bench.run(['plan', 'state', '--out', 'schema.plan']);
  expectValid(JSON.parse(bench.at.read('schema.plan')), 'plan');
  await apply();
  await apply();

  // A change, a secret that changed, a deletion by pruning, an object without a set and an object that differs.
  const { kind, identity, spec } = policy('schema-d');
  const resolvePath = (path: string): string => bench.at.file(path);
  await kindOf(kind).create(bench.others, { identity, spec, live: undefined, resolvePath });
  files([
    policy('schema-a', 'changed'),
    variable('schema/a', { password: 'y' }),
    policy('schema-d', 'different'),
  ]);
  const mixed = await plan('--prune', '--prune-max', '5');
  expect(actionsOf(mixed)).toEqual(['blocked', 'delete', 'update', 'update']);
  expect(mixed.operations.flatMap(({ changes }) => changes)).toContainEqual({
    path: '/spec/Items/password',
    action: 'update',
    sensitive: true,
  });
  await apply('--prune', '--prune-max', '5', '--adopt');
});

test('objects that are adopted, that cannot be read, and warnings', async () => {
  writeSet(bench, [policy('schema-e')], { id });
  await apply();
  // The mark of the set is lost.
  const { kind, identity, spec } = policy('schema-e');
  const live = await kindOf(kind).read(bench.others, identity);
  const resolvePath = (path: string): string => bench.at.file(path);
  if (live) await kindOf(kind).update(bench.others, { identity, spec, live, resolvePath });
  expect(actionsOf(await plan())).toEqual(['adopt']);
  await apply();
  files([variable('schema/a', { password: 'y' })], { record: null });
  const adopted = await plan('--adopt');
  expect([actionsOf(adopted), adopted.warnings.length]).toEqual([['none'], 1]);
  const unread = await bench.run(['plan', 'state', '-o', 'json'], {
    env: { LANYARD_SCHEDULER_TOKEN: 'wrong' },
  });
  const value = JSON.parse(unread.stdout);
  expectValid(value, 'plan');
  expect([value.complete, actionsOf(value)]).toEqual([false, ['unknown']]);
});

test('each line of apply -o jsonl matches its schema', async () => {
  files([policy('schema-f'), policy('schema-g')]);
  const lines = outputOf(await bench.run(['apply', 'state', '--yes', '--adopt', '-o', 'jsonl']))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expectValid(lines.at(-1), 'apply');
  expect(lines.length).toBeGreaterThan(2);
  for (const line of lines.slice(0, -1)) expectValid(line, 'apply#/$defs/result');
});

test('a plan with the value of a secret, or without a field, does not match', () => {
  const change = { path: '/spec/x', action: 'update', sensitive: true };
  const matches = (value: object) => ajv.validate('plan#/$defs/change', value);
  expect(matches(change)).toBe(true);
  expect(matches({ ...change, after: 'x' })).toBe(false);
  expect(matches({ ...change, sensitive: undefined })).toBe(false);
});

test.each(['plan', 'apply'])('validate --schema %s prints it', async (name) => {
  const { stdout } = await bench.run(['validate', '--schema', name]);
  expect(JSON.parse(stdout)).toEqual(schemaOf(name));
});

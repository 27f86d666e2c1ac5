import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { beforeAll, expect, test } from 'vitest';
import { expectExit, homeForAll, servicesForAll } from '../support/command-tests.ts';
import type { RunOptions } from '../support/run.ts';
import { setTokens } from '../support/services.ts';

const at = homeForAll();
const running = servicesForAll(at);
beforeAll(() => setTokens(at, running));

const run = (line: string, options?: RunOptions) => at.run(line.split(' '), options);

/** A set of its own directory, each document without its apiVersion. */
function writeSet(directory: string, id: string, documents: Readonly<Record<string, string>>): void {
  at.write(
    `${directory}/set.yaml`,
    `apiVersion: lanyard/v1\nkind: Set\nmetadata: {name: test, id: ${id}}\nspec: {record: registry:lanyard/sets/${id}}\n`,
  );
  for (const [name, text] of Object.entries(documents))
    at.write(`${directory}/${name}.yaml`, `apiVersion: lanyard/v1\n${text}`);
}

const namespace = (name: string) => `kind: scheduler.namespace\nmetadata: {name: ${name}, deletion: allow}\n`;
const variable = (path: string, value: string) =>
  `kind: scheduler.variable\nmetadata: {name: ${path}}\nspec: {Items: {password: {valueFrom: env://${value}}}}\n`;

test('shows durations with units in a plan, and seconds in JSON', async () => {
  const mount = (ttl: string) =>
    `kind: secrets.mount\nmetadata: {name: timed/}\nspec: {type: kv, config: {default_lease_ttl: ${ttl}}}\n`;
  writeSet('timed', 'timed00001', { mount: mount('1h') });
  expectExit(await run('apply timed --yes'), 0);
  writeSet('timed', 'timed00001', { mount: mount('90m') });
  expect((await run('plan timed')).stdout).toContain('default_lease_ttl: 1h → 90m\n');
  const { operations } = JSON.parse((await run('plan timed -o json')).stdout);
  expect(operations[0].changes).toMatchObject([{ before: 3600, after: 5400 }]);
  const quiet = await run('apply timed --yes -q');
  expect(quiet.stdout).not.toMatch(/done|Applied/);
  expect(quiet.code).toBe(0);
});

test('selects objects by name', async () => {
  writeSet('named', 'named00001', {
    one: namespace('one'),
    two: namespace('two'),
    three: variable('one', 'PASSWORD'),
  });
  const planned = await run('plan named --name one -o json', { env: { PASSWORD: 'old' } });
  const { operations } = JSON.parse(planned.stdout);
  expect(operations.map(({ id }: { id: { kind: string; key: string } }) => `${id.kind} ${id.key}`)).toEqual([
    'scheduler.namespace one',
    'scheduler.variable one',
  ]);
  expect(await run('apply named --name two --yes')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('Applied: 1 created'),
  });
  expect((await run('namespace get one')).code).toBe(3);
  expect(await run('plan named --name three')).toMatchObject({
    code: 2,
    stderr: 'error: no object in the files has the name "three"\n',
  });
  const ran = await run('plan named --name two --prune');
  expectExit(ran, 2, '--service, --kind and --name select a part of the set');
});

test('a saved plan has the names and flags that it was made with', async () => {
  writeSet('saved', 'saved00001', { one: namespace('saved-one'), two: namespace('saved-two') });
  expect((await run('plan saved --name saved-one --out saved.plan')).code).toBe(10);
  for (const flag of [
    '--prune',
    '--adopt',
    '--take-over',
    '--allow-unknown-fields',
    '--name saved-two',
    '--kind scheduler.namespace',
    '--service scheduler',
  ])
    expect(await run(`apply saved.plan --yes ${flag}`), flag).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`${flag.split(' ')[0]} cannot be combined with a saved plan`),
    });
  expect((await run('apply saved.plan --yes')).code).toBe(0);
  expect((await run('namespace get saved-one')).code).toBe(0);
  expect((await run('namespace get saved-two')).code).toBe(3);
});

test.each([
  ['plan saved --prune-max 3', '--prune-max requires --prune'],
  ['apply saved --prune-all', '--prune-all requires --prune'],
  ['apply saved --parallelism 0', '--parallelism must be at least 1'],
  ['plan saved --kind policy', 'Did you mean secrets.policy or registry.policy or scheduler.policy?'],
  ['export --kind registry.keys -', 'Did you mean registry.key?'],
  ['plan nowhere', 'cannot read nowhere: no such file or directory'],
  ['plan saved --show-secrets --out x.plan', '--show-secrets cannot be combined with --out'],
])('rejects %s', async (line, message) => {
  expectExit(await run(line, { columns: 200 }), 2, message);
});

test('shows no secrets if standard output is not a terminal', async () => {
  writeSet('shown', 'shown00001', { one: variable('shown', 'PASSWORD') });
  expect((await run('apply shown --yes', { env: { PASSWORD: 'old-password' } })).code).toBe(0);
  const stdout = new PassThrough();
  const options = { env: { PASSWORD: 'new-password' }, columns: 200, stdout };
  expectExit(await run('plan shown --show-secrets', options), 2, '--show-secrets requires a terminal');
  expect(stdout.read()).toBeNull();
});

test('shows the results in the order of the plan', async () => {
  const names = Array.from({ length: 12 }, (_none, index) => `order-${index}`);
  writeSet('order', 'order00001', Object.fromEntries(names.map((name) => [name, namespace(name)])));
  const { stdout } = await run('apply order --yes -o jsonl --parallelism 8');
  const lines = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  const numbers = lines.slice(0, -1).map(({ n }) => n);
  expect(numbers).toEqual(names.map((_name, index) => index + 1));
});

test('counts objects that cannot be read', async () => {
  writeSet('unread', 'unread0001', {
    one: namespace('unread'),
    two: 'kind: registry.policy\nmetadata: {name: unread}\n',
  });
  const env = { LANYARD_SCHEDULER_ADDR: 'http://127.0.0.1:1' };
  const failed = await run('apply unread --yes', { env });
  expect([failed.code, failed.stderr]).toEqual([
    7,
    expect.stringContaining('warning: the plan is incomplete: 1 object could not be read'),
  ]);
  expect(await run('apply unread --yes --allow-unknown', { env })).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('Applied: 1 created, 0 updated, 0 deleted, 0 unchanged, 1 unknown.'),
  });
  const again = await run('apply unread --yes --allow-unknown -o json', { env });
  expect(JSON.parse(again.stdout).summary).toMatchObject({ unchanged: 1, unknown: 1 });
});

test('a set without objects has no changes', async () => {
  writeSet('nothing', 'nothing001', {});
  expect(await run('plan nothing')).toMatchObject({
    code: 0,
    stdout: 'No changes. The files contain no objects.\n',
  });
});

test('problems of files are in the order of the files', async () => {
  writeSet('wrong', 'wrong00001', {
    a: 'kind: scheduler.namespac\nmetadata: {name: a}\n',
    z: 'kind: Set\nmetadata: {name: other, id: wrong00002}\n',
  });
  at.write('wrong/b.yaml', new Uint8Array([0xff]));
  const lines = [
    '  wrong/a.yaml:2:1: unknown kind "scheduler.namespac", did you mean "scheduler.namespace"?',
    '  wrong/b.yaml:1:1: not UTF-8 text',
    '  wrong/z.yaml:2:1: second document of kind Set: expected exactly one, the first is at wrong/set.yaml:2:1',
  ];
  expect((await run('plan wrong')).stderr).toContain(`\n${lines.join('\n')}\n`);
});

test('a denied request names what it was for', async () => {
  const env = { LANYARD_REGISTRY_TOKEN: 'wrong' };
  const ran = await run('export --kind registry.policy -', { env });
  expectExit(ran, 4, 'registry.policy was not exported; use --skip-forbidden to leave it out');
  at.write(
    'targets/set.yaml',
    'apiVersion: lanyard/v1\nkind: Set\nmetadata: {name: test, id: targets001}\nspec: {targets: {registry: {datacenter: dc1}}}\n',
  );
  expect(await run('plan targets', { env })).toMatchObject({
    code: 4,
    stderr: expect.stringContaining('required to check spec.targets.registry of the document of kind Set'),
  });
});

test('plans match the shipped JSON Schema', async () => {
  const file = join(import.meta.dirname, '../../schemas/lanyard-plan-v1.schema.json');
  const matches = new Ajv2020({ strict: false }).compile(JSON.parse(readFileSync(file, 'utf8')));
  writeSet('schema', 'schema0001', { one: namespace('schema'), two: variable('schema', 'PASSWORD') });
  const env = { PASSWORD: 'old' };
  expect((await run('apply schema --yes', { env })).code).toBe(0);
  writeSet('schema', 'schema0001', {
    one: `${namespace('schema')}spec: {Description: changed}\n`,
    three: namespace('schema-new'),
  });
  const plan = async (line: string): Promise<unknown> =>
    JSON.parse((await run(line, { env: { PASSWORD: 'new' } })).stdout);
  const updated = await plan('plan schema -o json --out schema.plan');
  const pruned = await plan('plan schema --prune -o json');
  for (const each of [updated, pruned, JSON.parse(at.read('schema.plan'))])
    expect([matches(each), matches.errors]).toEqual([true, null]);
  const leaked = { path: '/spec/Items/password', action: 'update', before: 'old', sensitive: true };
  const operations = [{ ...(updated as { operations: object[] }).operations[0], changes: [leaked] }];
  expect(matches({ ...(updated as object), operations })).toBe(false);
});

test('names and texts keep the lines of a plan', async () => {
  const text = (changed: string) =>
    `kind: registry.policy\nmetadata: {name: lines}\nspec:\n  Rules: |\n${Array.from({ length: 30 }, (_none, line) => `    # ${line}${line === 3 || line === 25 ? changed : ''}\n`).join('')}`;
  writeSet('lines', 'lines00001', { a: text('') });
  expect((await run('apply lines --yes')).code).toBe(0);
  writeSet('lines', 'lines00001', {
    a: text(' changed'),
    b: 'kind: registry.key\nmetadata: {name: "two\\nlines", sensitive: false}\nspec: {Value: x}\n',
  });
  const { code, stdout } = await run('plan lines');
  expect(code).toBe(10);
  expect(stdout).toContain('+ registry.key two\\nlines\n');
  expect(stdout.match(/^ {6}…$/gm)).toHaveLength(1);
  expect((await run('apply lines --yes')).code).toBe(0);
  expect((await run('plan lines')).code).toBe(0);
});

test('a sealed secrets service is unavailable, not another target', async () => {
  at.write(
    'sealed/set.yaml',
    'apiVersion: lanyard/v1\nkind: Set\nmetadata: {name: test, id: sealed0001}\nspec: {targets: {secrets: {clusterId: x}}}\n',
  );
  expect((await run('plan sealed')).stderr).toContain('wrong target: clusterId of the secrets service');
  expect((await run('secrets seal --yes')).code).toBe(0);
  expectExit(await run('plan sealed'), 8, 'cannot read the cluster ID: the secrets service is sealed');
});

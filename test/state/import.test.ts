import { beforeEach, describe, expect, test } from 'vitest';
import { benchForAll, newSetId, policy, type Stated, variable, writeSet } from './bench.ts';

const bench = await benchForAll();
const { at } = bench;
let id = '';
beforeEach(() => {
  id = newSetId();
  for (const directory of ['state', 'base', 'new']) at.clear(directory);
});

const ok = async (argv: readonly string[], code = 0) => {
  const ran = await bench.run(argv);
  expect(ran.code, ran.stdout + ran.stderr).toBe(code);
  return ran;
};
const state = (objects: readonly Stated[]): void => writeSet(bench, objects, { id });
const create = (name: string) => ok(['acl', 'policy', 'put', name, '--description', 'made by hand']);

describe('import', () => {
  test('writes the document of one object, which plan adopts', async () => {
    state([]);
    await create(`${id}-a`);
    const { stdout } = await ok(['import', 'registry.policy', `${id}-a`, 'state']);
    expect(stdout).toBe(`Wrote state/registry/policy/${id}-a.yaml.\n`);
    expect(at.read(`state/registry/policy/${id}-a.yaml`)).toBe(
      `apiVersion: lanyard/v1\nkind: registry.policy\nmetadata:\n  name: ${id}-a\nspec:\n  Description: made by hand\n`,
    );
    const plan = JSON.parse((await ok(['plan', 'state', '-o', 'json'])).stdout);
    expect(plan.summary).toMatchObject({ adopt: 1, create: 0, update: 0, blocked: 0 });
    await ok(['apply', 'state', '--yes']);
    await ok(['plan', 'state']);
  });

  test('accepts the name that plan shows, and the name without its scope if it is unique', async () => {
    await ok(['namespace', 'put', `${id}-n`]);
    await ok(['var', 'put', `${id}/a`, 'one=x', '--namespace', `${id}-n`]);
    for (const name of [`${id}-n:${id}/a`, `${id}/a`]) {
      const { stdout } = await ok(['import', 'scheduler.variable', name, '-', '--secrets', 'env']);
      expect(stdout).toContain(`name: ${id}/a`);
      expect(stdout).toMatch(/valueFrom: env:\/\//);
    }
  });

  test('writes a file, and JSON for standard output', async () => {
    await create(`${id}-a`);
    const { stdout } = await ok(['import', 'registry.policy', `${id}-a`, 'new/a.yaml', '-o', 'json']);
    expect(JSON.parse(stdout)).toEqual({
      kind: 'registry.policy',
      name: `${id}-a`,
      file: 'new/a.yaml',
      references: [],
    });
    await ok(['validate', 'new/a.yaml']);
    const printed = await ok(['import', 'registry.policy', `${id}-a`, '-', '-o', 'json']);
    expect(JSON.parse(printed.stdout)).toMatchObject({
      kind: 'registry.policy',
      metadata: { name: `${id}-a` },
    });
  });

  test('writes secrets into a file of the directory', async () => {
    await ok(['var', 'put', `${id}/a`, 'one=x']);
    await ok(['import', 'scheduler.variable', `${id}/a`, 'new', '--secrets', 'file']);
    expect(at.read(`new/scheduler/variable/default/${id}%2fa.yaml`)).toContain('.secrets.json#');
  });

  test('replaces a document only with --force, and keeps its metadata', async () => {
    await create(`${id}-a`);
    await ok(['import', 'registry.policy', `${id}-a`, 'new']);
    const file = `new/registry/policy/${id}-a.yaml`;
    at.write(file, at.read(file).replace('spec:', '  deletion: protect\nspec:').replace('by hand', 'before'));
    const { stderr } = await ok(['import', 'registry.policy', `${id}-a`, 'new'], 2);
    expect(stderr).toContain(`a document of the object exists: ${file}:2:1`);
    await ok(['import', 'registry.policy', `${id}-a`, 'new', '--force']);
    expect(at.read(file)).toContain('deletion: protect');
    expect(at.read(file)).toContain('made by hand');
  });
});

describe('rejects', () => {
  test('an object that does not exist', async () => {
    const { stderr } = await ok(['import', 'registry.policy', `${id}-a`, 'new'], 3);
    expect(stderr).toContain(`cannot import registry.policy "${id}-a": not found`);
    await ok(['import', 'registry.policy', 'global-management', '-'], 3);
  });

  test('a name that several objects have, with the names to use', async () => {
    await ok(['namespace', 'put', `${id}-n`]);
    await ok(['namespace', 'put', `${id}-m`]);
    for (const namespace of [`${id}-m`, `${id}-n`])
      await ok(['var', 'put', `${id}/a`, 'one=x', '--namespace', namespace]);
    const { stderr } = await ok(['import', 'scheduler.variable', `${id}/a`, '-'], 2);
    expect(stderr).toContain(`${id}-m:${id}/a`);
    expect(stderr).toContain(`${id}-n:${id}/a`);
    await ok(['import', 'scheduler.variable', `${id}-n:${id}/a`, '-']);
  });

  test('an unknown kind, and --secrets file without a directory', async () => {
    expect((await ok(['import', 'registry.polcy', 'x', '-'], 2)).stderr).toContain('registry.policy');
    await ok(['import', 'registry.policy', 'x', '-', '--secrets', 'file'], 2);
    await ok(['import', 'registry.policy', 'x', 'new.yaml', '--secrets', 'file'], 2);
  });

  test('a file with other documents, also with --force', async () => {
    await create(`${id}-a`);
    at.write('new/all.yaml', `apiVersion: lanyard/v1\nkind: registry.policy\nmetadata: {name: other}\n`);
    const { stderr } = await ok(['import', 'registry.policy', `${id}-a`, 'new/all.yaml', '--force'], 2);
    expect(stderr).toContain('new/all.yaml has documents of other objects');
    at.write(
      'new/all.yaml',
      `${at.read('new/all.yaml')}---\napiVersion: lanyard/v1\nkind: registry.policy\nmetadata: {name: ${id}-a}\n`,
    );
    await ok(['import', 'registry.policy', `${id}-a`, 'new', '--force'], 2);
  });

  test('files with problems', async () => {
    await create(`${id}-a`);
    at.write('new/x.yaml', 'kind: x\n');
    await ok(['import', 'registry.policy', `${id}-a`, 'new'], 2);
  });
});

test('a document that is merged with a base is not replaced', async () => {
  await create(`${id}-a`);
  state([policy(`${id}-a`), variable(`${id}/x`, { a: 'x' })]);
  writeSet(bench, [policy(`${id}-a`)], { id, spec: { bases: ['../base'] } });
  at.write('base/a.yaml', `apiVersion: lanyard/v1\nkind: registry.policy\nmetadata: {name: ${id}-a}\n`);
  const { stderr } = await ok(['import', 'registry.policy', `${id}-a`, 'state', '--force'], 2);
  expect(stderr).toContain('It is merged with a base');
});

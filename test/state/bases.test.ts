import { beforeEach, describe, expect, test } from 'vitest';
import { benchForAll, newSetId, recordText } from './bench.ts';

const bench = await benchForAll();
const { at } = bench;
let id = '';
beforeEach(() => {
  id = newSetId();
  for (const directory of ['env', 'base', 'more']) at.clear(directory);
  bench.proxy.begin();
});

const set = (spec = 'bases: [../../base]'): void => {
  at.write(
    'env/prod/set.yaml',
    `apiVersion: lanyard/v1\nkind: Set\nmetadata: {name: prod, id: ${id}}\nspec:\n  record: registry:lanyard/sets/${id}\n  ${spec}\n`,
  );
};
const policy = (name: string, spec: string, metadata = ''): string =>
  `apiVersion: lanyard/v1\nkind: registry.policy\nmetadata: {name: ${id}-${name}${metadata}}\nspec: ${spec}\n`;
const variable = (name: string, items: string, metadata = ', allowLiteral: true'): string =>
  `apiVersion: lanyard/v1\nkind: scheduler.variable\nmetadata: {name: ${id}/${name}${metadata}}\nspec: {Items: ${items}}\n`;
const ok = async (argv: readonly string[], code = 0) => {
  const ran = await bench.run(argv);
  expect(ran.code, ran.stdout + ran.stderr).toBe(code);
  return ran;
};
const getPolicy = async (name: string) =>
  JSON.parse((await ok(['acl', 'policy', 'get', `${id}-${name}`, '-o', 'json'])).stdout);
const getItems = async (name: string) =>
  JSON.parse((await ok(['var', 'get', `${id}/${name}`, '-o', 'json'])).stdout).Items;
const rejected = async (argv: readonly string[], ...lines: readonly string[]): Promise<void> => {
  const ran = await bench.run(argv);
  expect(ran.code, ran.stdout + ran.stderr).toBe(2);
  for (const line of lines) expect(ran.stderr + ran.stdout).toContain(line);
  expect(bench.writes()).toEqual([]);
};

describe('documents of a set over a base', () => {
  test('states what only the base states', async () => {
    set();
    at.write('base/a.yaml', policy('a', '{Description: base}'));
    await ok(['apply', 'env/prod', '--yes']);
    expect((await getPolicy('a')).Description).toMatch(/^base \[lanyard:/);
    await ok(['plan', 'env/prod']);
    expect(await recordText(bench, id)).toContain(`${id}-a`);
  });

  test('merges objects by field, replaces lists and values, and removes fields by null', async () => {
    set();
    at.write('base/a.yaml', variable('a', '{one: "1", two: "2", three: "3"}'));
    at.write('base/b.yaml', policy('b', '{Description: base, Rules: "", Datacenters: [dc1, dc2]}'));
    at.write('env/prod/a.yaml', variable('a', '{two: "22", three: null, four: "4"}', ''));
    at.write('env/prod/b.yaml', policy('b', '{Datacenters: [dc1]}'));
    await ok(['apply', 'env/prod', '--yes']);
    expect(await getItems('a')).toEqual({ one: '1', two: '22', four: '4' });
    expect(await getPolicy('b')).toMatchObject({
      Description: expect.stringMatching(/^base/),
      Datacenters: ['dc1'],
    });
    await ok(['plan', 'env/prod']);
  });

  test('a later base is over an earlier one, and both below the set', async () => {
    set('bases: [../../base, ../../more]');
    at.write('base/a.yaml', variable('a', '{one: base, two: base, three: base}'));
    at.write('more/a.yaml', variable('a', '{two: more, three: more}', ''));
    at.write('env/prod/a.yaml', variable('a', '{three: prod}', ''));
    await ok(['apply', 'env/prod', '--yes']);
    expect(await getItems('a')).toEqual({ one: 'base', two: 'more', three: 'prod' });
  });

  test('merges fields under any spelling of their names', async () => {
    set();
    const entry = (spec: string) =>
      `apiVersion: lanyard/v1\nkind: registry.config-entry\nmetadata: {entryKind: service-defaults, name: ${id}}\nspec: ${spec}\n`;
    at.write('base/a.yaml', entry('{Protocol: http, MaxInboundConnections: 5}'));
    at.write('env/prod/a.yaml', entry('{protocol: grpc}'));
    await ok(['apply', 'env/prod', '--yes']);
    const { stdout } = await ok(['plan', 'env/prod', '-o', 'json']);
    expect(JSON.parse(stdout).summary).toMatchObject({ unchanged: 1, update: 0 });
    const read = await ok(['registry', 'config', 'get', 'service-defaults', id, '-o', 'json']);
    expect(JSON.parse(read.stdout)).toMatchObject({ Protocol: 'grpc', MaxInboundConnections: 5 });
  });

  test('resolves references relative to the file that states them', async () => {
    set();
    at.write('base/word', 'of the base');
    at.write('env/prod/word', 'of prod');
    at.write(
      'base/a.yaml',
      variable('a', '{one: {valueFrom: "file://word"}, two: {valueFrom: "file://word"}}', ''),
    );
    at.write('env/prod/a.yaml', variable('a', '{two: {valueFrom: "file://word"}}', ''));
    await ok(['apply', 'env/prod', '--yes']);
    expect(await getItems('a')).toEqual({ one: 'of the base', two: 'of prod' });
  });

  test('rejects files out of the base, and files of the base that the set names', async () => {
    set();
    at.write('base/word', 'x');
    at.write('other', 'x');
    at.write('base/a.yaml', variable('a', '{one: {valueFrom: "file://../other"}}', ''));
    at.write('env/prod/b.yaml', variable('b', '{one: {valueFrom: "file://../../base/word"}}', ''));
    await rejected(
      ['plan', 'env/prod'],
      'base/a.yaml:4:22: file://../other is outside of the directory of the set',
      'env/prod/b.yaml:4:22: file://../../base/word is outside of the directory of the set',
    );
    await ok(['plan', 'env/prod', '--allow-outside'], 10);
  });

  test('reports problems in the file that states the field', async () => {
    set();
    at.write('base/a.yaml', policy('a', '{Description: 5.5}'));
    at.write('base/b.yaml', policy('b', '{Rules: ""}'));
    at.write('env/prod/a.yaml', policy('a', '{Rulez: ""}'));
    at.write('env/prod/b.yaml', policy('b', '{Datacenters: dc1.5}'));
    await rejected(
      ['validate', 'env/prod'],
      'base/a.yaml:4:',
      'env/prod/a.yaml:4:',
      'unknown field "Rulez"',
      'env/prod/b.yaml:4:',
    );
  });

  test('a document may be complete only with its base', async () => {
    set();
    const role = (spec: string) =>
      `apiVersion: lanyard/v1\nkind: secrets.ssh-role\nmetadata: {mount: ssh, name: ${id}}\nspec: ${spec}\n`;
    at.write('env/prod/role.yaml', role('{default_user: deploy}'));
    at.write('base/role.yaml', role('{key_type: ca, allow_user_certificates: true}'));
    await ok(['validate', 'env/prod']);
  });
});

describe('objects that a base states and the set does not want', () => {
  test('omitted: neither created nor deleted', async () => {
    set();
    at.write(
      'base/a.yaml',
      `${policy('a', '{Description: base}')}---\n${policy('b', '{Description: base}')}`,
    );
    at.write('env/prod/a.yaml', policy('a', '{}', ', ensure: omitted'));
    await ok(['apply', 'env/prod', '--yes']);
    await ok(['acl', 'policy', 'get', `${id}-a`], 3);
    await getPolicy('b');
  });

  test('omitted: what the set created is deleted by --prune', async () => {
    set();
    at.write(
      'base/a.yaml',
      `${policy('a', '{Description: base}')}---\n${policy('b', '{Description: base}')}`,
    );
    await ok(['apply', 'env/prod', '--yes']);
    at.write('env/prod/a.yaml', policy('a', '{}', ', ensure: omitted'));
    await ok(['apply', 'env/prod', '--yes']);
    await getPolicy('a');
    await ok(['apply', 'env/prod', '--prune', '--prune-max', '1', '--yes']);
    await ok(['acl', 'policy', 'get', `${id}-a`], 3);
    await getPolicy('b');
  });

  test('absent: deleted, as everywhere', async () => {
    set();
    at.write('base/a.yaml', policy('a', '{Description: base}'));
    await ok(['apply', 'env/prod', '--yes']);
    at.write('env/prod/a.yaml', policy('a', '{}', ', ensure: absent'));
    await ok(['apply', 'env/prod', '--yes']);
    await ok(['acl', 'policy', 'get', `${id}-a`], 3);
  });

  test('omitted is an error where no base states the object', async () => {
    set();
    at.write('base/b.yaml', policy('b', '{}'));
    at.write('env/prod/a.yaml', policy('a', '{}', ', ensure: omitted'));
    await rejected(['plan', 'env/prod'], 'env/prod/a.yaml:3:', 'no base states the object');
  });
});

test('the files of bases are part of the complete set', async () => {
  set();
  at.write('base/a.yaml', `${policy('a', '{Description: base}')}---\n${policy('b', '{Description: base}')}`);
  await ok(['apply', 'env/prod', '--yes']);
  at.write('base/a.yaml', policy('b', '{Description: base}'));
  await ok(['apply', 'env/prod', '--prune', '--prune-max', '1', '--yes']);
  await ok(['acl', 'policy', 'get', `${id}-a`], 3);
  await getPolicy('b');
});

test('a changed file of a base makes a saved plan stale', async () => {
  set();
  at.write('base/a.yaml', policy('a', '{Description: base}'));
  await ok(['plan', 'env/prod', '--out', 'p.plan', '--force'], 10);
  at.write('base/a.yaml', policy('a', '{Description: changed}'));
  const ran = await ok(['apply', 'p.plan', '--yes'], 6);
  expect(ran.stderr).toContain('the files were changed');
});

test('an export leaves documents alone that are merged with a base', async () => {
  set();
  at.write('base/registry/policy/a.yaml', policy('a', '{Description: base}'));
  at.write('env/prod/registry/policy/a.yaml', policy('a', '{Description: prod}'));
  await ok(['apply', 'env/prod', '--yes']);
  await ok(['acl', 'policy', 'put', `${id}-a`, '--description', 'changed']);
  const before = at.read('env/prod/registry/policy/a.yaml');
  await ok(['export', 'env/prod', '--kind', 'registry.policy']);
  expect(at.read('env/prod/registry/policy/a.yaml')).toBe(before);
});

describe('bases that cannot be used', () => {
  test.each([
    ['../../missing', 'no such directory'],
    ['../../file.yaml', 'no such directory'],
    ['../../empty', 'no files *.yaml, *.yml or *.json'],
    ['..', 'is also a file of the set or of another base'],
    ['../../base, ../../base', 'is also a file of the set or of another base'],
  ])('%s', async (bases, message) => {
    at.write('file.yaml', '');
    at.write('empty/.keep', '');
    at.write('base/b.yaml', policy('b', '{}'));
    set(`bases: [${bases}]`);
    await rejected(['plan', 'env/prod'], 'env/prod/set.yaml:6:', message);
  });

  test('with a document of kind Set, or with an object twice', async () => {
    set();
    at.write('base/set.yaml', `apiVersion: lanyard/v1\nkind: Set\nmetadata: {name: x, id: aaaaaaaaaa}\n`);
    at.write('base/b.yaml', policy('b', '{}'));
    at.write('base/c.yaml', policy('b', '{}'));
    await rejected(
      ['plan', 'env/prod'],
      'base/set.yaml:2:1: a base has no document of kind Set',
      `base/c.yaml:2:1: registry.policy ${id}-b is also at base/b.yaml:2:1`,
    );
  });

  test('with files that are no documents', async () => {
    set();
    at.write('base/b.yaml', 'a: [');
    at.write('base/c.yaml', 'kind: x\n');
    await rejected(['plan', 'env/prod'], 'base/b.yaml:', 'base/c.yaml:1:');
  });
});

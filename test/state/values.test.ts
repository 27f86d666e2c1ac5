import { beforeEach, describe, expect, test } from 'vitest';
import { benchForAll, newSetId } from './bench.ts';

const bench = await benchForAll();
const { at } = bench;
let id = '';
beforeEach(() => {
  id = newSetId();
  at.clear('state');
  at.clear('base');
  bench.proxy.begin();
});

const set = (values: string, rest = ''): void => {
  at.write(
    'state/set.yaml',
    `apiVersion: lanyard/v1\nkind: Set\nmetadata: {name: web, id: ${id}}\nspec:\n  record: registry:lanyard/sets/${id}\n  values: ${values}\n${rest}`,
  );
};
const policy = (spec: string, metadata = `name: ${id}-a`): string =>
  `apiVersion: lanyard/v1\nkind: registry.policy\nmetadata: {${metadata}}\nspec: ${spec}\n`;
const variable = (items: string, metadata = ''): string =>
  `apiVersion: lanyard/v1\nkind: scheduler.variable\nmetadata: {name: ${id}/a${metadata}}\nspec: {Items: ${items}}\n`;
const from = (name: string): string => `{valueFrom: "values://${name}"}`;
const ok = async (argv: readonly string[], code = 0) => {
  const ran = await bench.run(argv);
  expect(ran.code, ran.stdout + ran.stderr).toBe(code);
  return ran;
};
const rejected = async (...lines: readonly string[]): Promise<void> => {
  const ran = await ok(['plan', 'state'], 2);
  for (const line of lines) expect(ran.stderr).toContain(line);
  expect(bench.proxy.passed.filter(({ method }) => method !== 'GET')).toEqual([]);
};

describe('values of a set', () => {
  test('are used for texts, lists, parts of an object and names', async () => {
    set(`{text: "of prod", dcs: [dc1], nested: {a/b: [x, "${id}-a"]}}`);
    at.write(
      'state/a.yaml',
      policy(
        `{Description: ${from('text')}, Datacenters: ${from('dcs')}}`,
        `name: ${from('nested#/a~1b/1')}`,
      ),
    );
    await ok(['apply', 'state', '--yes']);
    const { stdout } = await ok(['acl', 'policy', 'get', `${id}-a`, '-o', 'json']);
    expect(JSON.parse(stdout)).toMatchObject({
      Description: `of prod [lanyard:${id}]`,
      Datacenters: ['dc1'],
    });
    const again = await ok(['plan', 'state']);
    expect(again.stderr).toBe('');
  });

  test('are used for objects', async () => {
    set('{meta: {team: web, tier: "1"}}');
    at.write(
      'state/a.yaml',
      `apiVersion: lanyard/v1\nkind: registry.config-entry\nmetadata: {entryKind: service-defaults, name: ${id}}\nspec: {Protocol: http, Meta: ${from('meta')}}\n`,
    );
    await ok(['apply', 'state', '--yes']);
    const { stdout } = await ok(['registry', 'config', 'get', 'service-defaults', id, '-o', 'json']);
    expect(JSON.parse(stdout).Meta).toMatchObject({ team: 'web', tier: '1' });
  });

  test('are shown in a plan, because they are not secret', async () => {
    set('{text: "of prod"}');
    at.write('state/a.yaml', policy('{Description: before}'));
    await ok(['apply', 'state', '--yes']);
    at.write('state/a.yaml', policy(`{Description: ${from('text')}}`));
    expect((await ok(['plan', 'state'], 10)).stdout).toContain('"before" → "of prod"');
  });

  test('are used in documents of a base', async () => {
    set('{text: "of prod"}', '  bases: [../base]\n');
    at.write('base/a.yaml', policy(`{Description: ${from('text')}}`));
    await ok(['apply', 'state', '--yes']);
    const { stdout } = await ok(['acl', 'policy', 'get', `${id}-a`, '-o', 'json']);
    expect(JSON.parse(stdout).Description).toMatch(/^of prod/);
  });

  test('a value that an environment replaces need not exist', async () => {
    set('{}', '  bases: [../base]\n');
    at.write('base/a.yaml', policy(`{Description: ${from('text')}}`));
    at.write('state/a.yaml', policy('{Description: stated}'));
    await ok(['plan', 'state'], 10);
  });

  test('a value of a secret field requires allowLiteral', async () => {
    set('{plain: x}');
    at.write('state/a.yaml', variable(`{one: ${from('plain')}}`));
    await rejected('state/a.yaml:4:', 'secret field: values of the set are not secret');
    at.write('state/a.yaml', variable(`{one: ${from('plain')}}`, ', allowLiteral: true'));
    await ok(['apply', 'state', '--yes']);
  });

  test('a value that no document uses is a warning', async () => {
    set('{text: x, other: y}');
    at.write('state/a.yaml', policy(`{Description: ${from('text')}}`));
    const { stderr } = await ok(['plan', 'state'], 10);
    expect(stderr).toBe('warning: the value "other" of the set is not used\n');
  });
});

describe('rejected, all problems at once', () => {
  test('missing values', async () => {
    set('{nested: {a: 1}, none: null}');
    at.write('state/a.yaml', policy(`{Description: ${from('text')}, Rules: ${from('nested#/b')}}`));
    at.write('state/b.yaml', policy(`{Description: ${from('none')}}`, `name: ${from('name')}`));
    await rejected(
      'state/a.yaml:4:22: the set has no value "text" in spec.values',
      'the set has no value "nested#/b" in spec.values',
      'state/b.yaml:3:19: the set has no value "name" in spec.values',
      'the set has no value "none" in spec.values',
    );
  });

  test('values of another type, and invalid references', async () => {
    set('{number: 1.5, list: [a], object: {a: 1}}');
    at.write('state/a.yaml', policy(`{Description: ${from('list')}, Datacenters: ${from('object')}}`));
    at.write('state/b.yaml', policy(`{Description: ${from('number')}, Rules: ${from('1x')}}`, 'name: b'));
    await rejected(
      'state/a.yaml:4:8: expected a string',
      'expected a list',
      'state/b.yaml:4:8: expected a string',
      'invalid reference',
    );
  });

  test('references in values, and names that no reference can have', async () => {
    set('{secret: {valueFrom: "env://X"}, "a b": 1}');
    at.write('state/a.yaml', policy('{}'));
    await rejected(
      'state/set.yaml:6:',
      'a value of the set must be stated: references are not resolved here',
      'invalid name of a value',
    );
  });

  test('secrets in metadata', async () => {
    set('{}');
    at.write('state/a.yaml', policy('{}', 'name: {valueFrom: "env://X"}'));
    await rejected('state/a.yaml:3:', 'only valueFrom: values://NAME can be used in metadata');
  });
});

test('validate without the set accepts references to its values', async () => {
  at.write('state/a.yaml', policy(`{Description: ${from('text')}}`, `name: ${from('name')}`));
  await ok(['validate', 'state/a.yaml']);
});

test('the JSON Schema accepts values of the set in every field', async () => {
  const { stdout } = await ok(['validate', '--schema', 'registry.config-entry']);
  expect(stdout).toContain('^values://');
});

import { beforeEach, describe, expect, test } from 'vitest';
import { embeddedForEach, expectFailure, linesOf, runnerOf } from '../../support/command-tests.ts';
import type { Ran } from '../../support/run.ts';

const { at } = embeddedForEach();
const acl = (...argv: string[]): Promise<Ran> => at.run(['acl', ...argv]);
const policy = runnerOf(at, 'acl policy');
const missingId = '4f1b0b5c-2c66-4c44-8f76-1f0a2c4d6c11';
const rules = 'key_prefix "app/" { policy = "read" }';

beforeEach(async () => {
  at.env.LANYARD_REGISTRY_TOKEN = (await acl('bootstrap', '--field', 'SecretID')).stdout.trim();
});

describe('acl policy put', () => {
  test.each([
    ['a text', rules, undefined],
    ['a file', '@rules.hcl', undefined],
    ['standard input', '-', rules],
  ])('takes rules from %s', async (_from, given, stdin) => {
    at.write('rules.hcl', rules);
    const ran = await at.run(['acl', 'policy', 'put', 'deploy', '--rules', given], stdin ? { stdin } : {});
    expect(ran).toMatchObject({ code: 0, stdout: 'Created policy deploy.\n' });
    expect((await policy('get deploy --field Rules')).stdout.trim()).toBe(rules);
  });

  test('has a hint for a file name without "@"', async () => {
    const ran = await policy('put deploy --rules rules.hcl');
    expectFailure(ran, 2, 'hint: Use @rules.hcl to read the file.\n');
  });

  test('keeps the fields that are not given, and shows what changed', async () => {
    await acl('policy', 'put', 'deploy', '--rules', rules, '--description', 'Deploy jobs');
    const changed = await acl('policy', 'put', 'deploy', '--rules', 'acl = "read"', '-o', 'json');
    expect(JSON.parse(changed.stdout)).toMatchObject({
      created: false,
      changes: [{ path: ['Rules'], before: rules, after: 'acl = "read"' }],
    });
    expect((await policy('get deploy --field Description')).stdout).toBe('Deploy jobs\n');
    expect((await acl('policy', 'put', 'deploy', '--rules', 'acl = "read"')).stdout).toBe(
      'Policy deploy is unchanged.\n',
    );
    await acl('policy', 'put', 'deploy', '--description', '');
    expect(JSON.parse((await policy('get deploy -o json')).stdout).Description).toBe('');
  });

  test('renames a policy, and rejects a name that another one has', async () => {
    await acl('policy', 'put', 'one', '--rules', rules);
    await acl('policy', 'put', 'two', '--rules', rules);
    expectFailure(await policy('put one --name two'), 6, 'a policy with this name already exists');
    expect((await policy('put one --name three')).code).toBe(0);
    expect((await policy('get one')).code).toBe(3);
    const id = (await policy('get three --field ID')).stdout.trim();
    expect((await policy(`put ${id} --name four`)).code).toBe(0);
  });

  test('rejects invalid rules before it sends anything, with the position of each error', async () => {
    at.write(
      'rules.hcl',
      'key_prefix "app/" {\n  policy = "reed"\n}\n\n  kez "a" { policy = "read" }\nacl = "list"\n',
    );
    const ran = await policy('put deploy --rules @rules.hcl --address http://127.0.0.1:9');
    expect(ran.code).toBe(2);
    expect(ran.stderr.split('\n').slice(0, 4)).toEqual([
      'error: invalid rules in rules.hcl',
      '  rules.hcl, line 2, column 3: invalid access "reed" for key_prefix "app/": expected read, list, write or deny',
      '  rules.hcl, line 5, column 3: unknown resource "kez"; did you mean "key"?',
      '  rules.hcl, line 6, column 1: invalid access "list" for acl: expected read, write or deny',
    ]);
  });

  test("sends rules unchecked with --no-check, and reports the registry's error", async () => {
    const ran = await acl('policy', 'put', 'deploy', '--no-check', '--rules', 'kez "a" { policy = "read" }');
    expectFailure(ran, 1, 'cannot write policy: the service registry rejected the rules (500)');
    expect(ran.stderr).toContain('unknown resource "kez"');
  });

  test.each([
    ['put a/b/c --description x', 'invalid policy name "a/b/c"'],
    ['put a --name b$c', 'invalid policy name "b$c"'],
    ['put a --no-check', '--no-check requires --rules'],
    ['put a --rules @missing.hcl', 'missing.hcl'],
    ['put', 'missing argument POLICY'],
  ])('rejects "%s"', async (line, message) => {
    expectFailure(await policy(line), 2, message);
  });

  test('reports an ID that does not exist as not found', async () => {
    expectFailure(await policy(`put ${missingId} --description x`), 3, `policy "${missingId}" not found`);
  });

  test('reports a missing permission', async () => {
    const created = await at.run(
      ['api', 'registry', 'PUT', 'acl/token', '--data', '-', '--field', 'SecretID'],
      { stdin: '{}' },
    );
    const ran = await at.run(['acl', 'policy', 'put', 'deploy', '--rules', rules], {
      env: { LANYARD_REGISTRY_TOKEN: created.stdout.trim() },
    });
    expectFailure(ran, 5, 'permission denied');
  });
});

describe('acl policy list, get and delete', () => {
  test('lists policies by name', async () => {
    await acl('policy', 'put', 'web', '--rules', rules);
    await acl('policy', 'put', 'api', '--rules', rules, '--valid-datacenter', 'dc1');
    const names = linesOf((await policy('list')).stdout).map((line) =>
      line.split('\t').slice(0, 3).join(' '),
    );
    expect(names).toEqual(expect.arrayContaining(['api - dc1', 'web - all']));
    expect(names).toEqual(names.toSorted());
  });

  test('shows a policy by name and by ID', async () => {
    await acl('policy', 'put', 'web', '--rules', rules);
    const { stdout } = await policy('get web');
    expect(stdout).toMatch(/^name\tweb\nID\t[0-9a-f-]{36}\ndescription\t-\ndatacenters\tall\n\n/);
    expect(stdout.endsWith(`${rules}\n`)).toBe(true);
    const [, id = ''] = /^ID\t(\S+)$/m.exec(stdout) ?? [];
    expect((await policy(`get ${id}`)).stdout).toBe(stdout);
  });

  test.each(['web', missingId])('reports "%s" as not found', async (name) => {
    const ran = await policy(`get ${name}`);
    expectFailure(ran, 3, `policy "${name}" not found`);
    expect(ran.stderr).toContain('Run `lanyard acl policy list` for the existing policies.');
  });

  test('deletes a policy after a confirmation', async () => {
    await acl('policy', 'put', 'web', '--rules', rules);
    expect((await policy('delete web')).stderr).toContain('Delete policy "web" (');
    expect(await policy('delete web --yes')).toMatchObject({ code: 0, stdout: 'Deleted policy web.\n' });
    expect((await policy('delete web --yes')).code).toBe(3);
  });

  test('cannot delete a built-in policy', async () => {
    expectFailure(await policy('delete global-management --yes'), 1, 'not permitted');
  });
});

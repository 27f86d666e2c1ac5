import { expect, test } from 'vitest';
import { embeddedForAll, expectFailure, words } from '../../support/command-tests.ts';
import type { Ran, RunOptions } from '../../support/run.ts';
import { json, serve } from '../../unit/api/support.ts';

const { at } = embeddedForAll();
const policy = (argv: readonly string[], options?: RunOptions): Promise<Ran> =>
  at.run(['secrets', 'policy', ...argv], options);
const rules = 'path "secret/data/app/*" {\n  capabilities = ["read"]\n}\n';

test.each([
  ['a text', rules, undefined],
  ['a file', '@app.hcl', undefined],
  ['standard input', '-', rules],
])('put takes a policy from %s', async (from, given, stdin) => {
  at.write('app.hcl', rules);
  const name = from.replaceAll(' ', '-');
  const ran = await policy(['put', name, given], stdin === undefined ? {} : { stdin });
  expect(ran).toEqual({ code: 0, stdout: `Created policy ${name}.\n`, stderr: '' });
  expect((await policy(['get', name])).stdout).toBe(rules);
});

test('put reports a change, and leaves an equal policy unchanged', async () => {
  await policy(['put', 'changed', rules]);
  expect((await policy(['put', 'changed', rules])).stdout).toBe('Policy changed is unchanged.\n');
  const other = rules.replace('read', 'list');
  const ran = await policy(['put', 'Changed', other, '-o', 'json']);
  expect(JSON.parse(ran.stdout)).toEqual({
    name: 'changed',
    created: false,
    changes: [{ path: ['policy'], before: rules, after: other }],
  });
});

test.each([['put', 'app'], ['check']])('%s has a hint for a file name without "@"', async (...argv) => {
  expectFailure(await policy([...argv, 'app.hcl']), 2, 'hint: Use @app.hcl to read the file.\n');
});

test('put and check reject an invalid policy with the position of each error, before anything is sent', async () => {
  at.write('bad.hcl', 'path "a" {\n  capabilities = ["reed"]\n}\n\n  paht "b" {}\n');
  const details = [
    '  bad.hcl, line 2, column 3: path "a": invalid capability "reed"; did you mean "read"?',
    '  bad.hcl, line 5, column 3: unknown block "paht": expected path "PATH" { ... }',
  ];
  const put = await policy(['put', 'bad', '@bad.hcl', '--address', 'http://127.0.0.1:9']);
  expect(put.code).toBe(2);
  expect(put.stderr.split('\n').slice(0, 3)).toEqual(['error: invalid policy in bad.hcl', ...details]);
  expect(put.stderr).toContain('hint: Nothing was sent. Use --no-check');
  expect(await policy(['check', '@bad.hcl'])).toEqual({
    code: 2,
    stdout: '',
    stderr: `error: invalid policy in bad.hcl\n${details.join('\n')}\n`,
  });
});

test('check counts the rules and needs no service', async () => {
  const own = { env: { LANYARD_SECRETS_ADDR: 'http://127.0.0.1:9' }, stdin: rules };
  expect((await policy(['check', '-'], own)).stdout).toBe('standard input is valid: 1 rule.\n');
  expect((await policy(['check', `${rules}path "b" {}`, '-o', 'json'], own)).stdout).toContain('"rules": 2');
});

test('put and check warn of a "*" inside a path, which the service takes literally', async () => {
  const text = 'path "secret/*/db" {\n  capabilities = ["read"]\n}\n';
  const warning =
    'warning: the policy, line 1, column 1: path "secret/*/db": "*" is a wildcard only at the end and matches the character * here; use "+" for one segment\n';
  expect(await policy(['check', text])).toEqual({
    code: 0,
    stdout: 'The policy is valid: 1 rule.\n',
    stderr: warning,
  });
  expect(await policy(['put', 'star', text])).toMatchObject({ code: 0, stderr: warning });
  expect((await policy(['get', 'star'])).stdout).toContain('path "secret/*/db"');
});

test('put sends a policy unchecked with --no-check, and reports that the service rejected it', async () => {
  const ran = await policy(['put', 'bad', 'path "a" { capabilities = ["reed"] }', '--no-check']);
  expectFailure(ran, 1, 'error: cannot write policy: the secrets service rejected it (400)\n');
  expect(ran.stderr).toContain('hint: Nothing was written.\n');
});

test('list has the built-in policies', async () => {
  expect((await policy(['list'])).stdout.split('\n')).toEqual(expect.arrayContaining(['default', 'root']));
});

test.each([
  ['get', 'none'],
  ['delete', 'none', '--yes'],
])('%s reports a missing policy', async (...argv) => {
  expect(await policy(argv)).toEqual({
    code: 3,
    stdout: '',
    stderr:
      'error: policy "none" not found\nhint: Run `lanyard secrets policy list` for the existing policies.\n',
  });
});

test('delete prompts', async () => {
  await policy(['put', 'gone', rules]);
  const kept = await policy(['delete', 'gone']);
  expectFailure(kept, 2, 'Delete policy "gone"? Tokens lose its permissions. This cannot be undone.');
  expect((await policy(['delete', 'gone', '--yes'])).stdout).toBe('Deleted policy gone.\n');
  expect((await policy(['get', 'gone'])).code).toBe(3);
});

test('put replaces a policy that the token cannot read only with --replace', async () => {
  const writer = 'path "sys/policies/acl/blind" { capabilities = ["create", "update"] }';
  await policy(['put', 'writer', writer]);
  const created = await at.run(words('secrets token create --policy writer --field client_token'));
  const env = { LANYARD_SECRETS_TOKEN: created.stdout.trim() };
  const rejected = await policy(['put', 'blind', rules], { env });
  expectFailure(rejected, 5, 'permission denied to read its current fields (403)');
  expect(await policy(['put', 'blind', rules, '--replace'], { env })).toEqual({
    code: 0,
    stdout: 'Wrote policy blind.\nIts changes are unknown: the current values could not be read before.\n',
    stderr: '',
  });
  expect((await policy(['put', 'other', rules], { env })).code).toBe(5);
});

test('put and delete read back after a lost response', async () => {
  let stored: string | undefined;
  const server = await serve((seen, response) => {
    if (seen.method === 'GET') {
      if (stored === undefined) json(response, { errors: [] }, 404);
      else json(response, { data: { name: 'lost', policy: stored } });
      return;
    }
    stored = seen.method === 'DELETE' ? undefined : rules;
    response.destroy();
  });
  const env = { LANYARD_SECRETS_ADDR: server.url };
  expect(await policy(['put', 'lost', rules], { env })).toMatchObject({
    code: 0,
    stderr: 'warning: the response was lost, but the policy was written\n',
  });
  stored = 'x';
  expect((await policy(['put', 'lost', `${rules}\n`], { env })).code).toBe(9);
  expect((await policy(['delete', 'lost', '--yes'], { env })).code).toBe(0);
});

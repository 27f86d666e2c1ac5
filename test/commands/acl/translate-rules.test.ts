import { beforeAll, describe, expect, test } from 'vitest';
import { embeddedForAll, expectFailure, expectOutput } from '../../support/command-tests.ts';
import { serve } from '../../unit/api/support.ts';

const { at, running, run } = embeddedForAll();
const legacy = '# who may read\nkey "app/" {\n  policy = "read"\n}\noperator = "read"\n';
const current = '# who may read\nkey_prefix "app/" {\n  policy = "read"\n}\n\noperator = "read"\n';

beforeAll(async () => {
  at.env.LANYARD_REGISTRY_TOKEN = (await run('acl bootstrap --field SecretID')).stdout.trim();
});

describe('acl translate-rules', () => {
  test('translates the rules of a file and of standard input (also the default)', async () => {
    at.write('legacy.hcl', legacy);
    const done = { code: 0, stdout: current, stderr: '' };
    expect(await run('acl translate-rules legacy.hcl')).toEqual(done);
    expect(await run('acl translate-rules -', { stdin: legacy })).toEqual(done);
    expect(await run('acl translate-rules', { stdin: legacy })).toEqual(done);
  });

  test('gives them as a JSON text', async () => {
    const { stdout } = await run('acl translate-rules - -o json', { stdin: legacy });
    expect(JSON.parse(stdout)).toBe(current);
  });

  test('translates the rules of a legacy token', async () => {
    const made = await run('api registry PUT acl/create --data -', {
      stdin: JSON.stringify({ Name: 'old', Type: 'client', Rules: legacy }),
    });
    const tokens = JSON.parse((await run('api registry GET acl/tokens -o json')).stdout) as {
      AccessorID: string;
      Description: string;
    }[];
    expect(made.code, made.stderr).toBe(0);
    const accessor = tokens.find(({ Description }) => Description === 'old')?.AccessorID;
    expectOutput(await run(`acl translate-rules --accessor ${accessor}`), current);
  });

  test('explains why a token has no rules', async () => {
    const self = await run('api registry GET acl/token/self -o json');
    const { AccessorID } = JSON.parse(self.stdout);
    const ran = await run(`acl translate-rules --accessor ${AccessorID}`);
    expectFailure(ran, 1, 'The specified token does not have any rules set', 'Only legacy tokens have rules');
  });

  test('prints the error for invalid rules', async () => {
    expectFailure(await run('acl translate-rules', { stdin: 'key "a" {' }), 1, 'Failed to parse rules');
  });

  test('with an unknown token is rejected', async () => {
    const ran = await run('acl translate-rules', {
      stdin: legacy,
      env: { LANYARD_REGISTRY_TOKEN: 'missing' },
    });
    expect(ran).toMatchObject({ code: 4, stdout: '' });
  });

  test('explains that newer registries do not support it', async () => {
    const registry = await serve((_seen, response) => {
      response.writeHead(404).end('Invalid URL path: not a recognized HTTP API endpoint');
    });
    const ran = await run(`acl translate-rules --address ${registry.url}`, { stdin: legacy });
    expectFailure(ran, 3, 'Consul 1.11 and later do not support this');
  });

  test.each([
    ['acl translate-rules no-such-file', '', 'no-such-file'],
    ['acl translate-rules', ' \n', 'standard input contains no rules'],
    ['acl translate-rules - --accessor a', legacy, 'FILE cannot be combined with --accessor'],
    ['acl translate-rules --accessor ../token', '', 'must not contain ".." as a path segment'],
    ['acl translate-rules --accessor=', '', 'contains an empty path segment'],
  ])('%s with %j is rejected, and nothing is sent', async (line, stdin, text) => {
    const registry = await serve((_seen, response) => response.end());
    expectFailure(await run(`${line} --address ${registry.url}`, { stdin }), 2, text);
    expect(registry.seen).toHaveLength(0);
  });

  test('with --curl prints a line that sends the rules unchanged', async () => {
    const { stdout } = await run('acl translate-rules --curl', { stdin: 'key "a" {}' });
    expect(stdout).toContain("-H 'Content-Type: text/plain'");
    expect(stdout).toContain(`--data-raw 'key "a" {}' ${running.addresses.registry}/v1/acl/rules/translate`);
  });
});

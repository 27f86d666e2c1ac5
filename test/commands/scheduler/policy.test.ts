import { beforeEach, describe, expect, test } from 'vitest';
import {
  embeddedForEach,
  expectExit,
  expectFailure,
  expectOutput,
  outputOf,
  runnerOf,
} from '../../support/command-tests.ts';
import type { Ran } from '../../support/run.ts';
import { losingWrites } from '../losing-proxy.ts';

const { at, running, run } = embeddedForEach();
const policy = runnerOf(at, 'scheduler acl policy');
const put = (...argv: string[]): Promise<Ran> => at.run(['scheduler', 'acl', 'policy', 'put', ...argv]);
const rules = 'namespace "default" { variables { path "app/*" { capabilities = ["read"] } } }';

beforeEach(async () => {
  at.env.LANYARD_SCHEDULER_TOKEN = (await run('scheduler acl bootstrap --field SecretID')).stdout.trim();
});

/** The environment of a client token with a policy. */
async function client(...policies: string[]) {
  const flags = policies.map((name) => `--policy ${name}`).join(' ');
  const secret = outputOf(await run(`scheduler acl token create ${flags} --field SecretID`)).trim();
  return { env: { LANYARD_SCHEDULER_TOKEN: secret } };
}

describe('scheduler acl policy put', () => {
  test.each([
    ['a text', rules, undefined],
    ['a file', '@rules.hcl', undefined],
    ['standard input', '-', rules],
  ])('takes rules from %s', async (_from, given, stdin) => {
    at.write('rules.hcl', rules);
    const argv = ['scheduler', 'acl', 'policy', 'put', 'web', '--rules', given];
    expectOutput(await at.run(argv, stdin ? { stdin } : {}), 'Created policy web.\n');
    expect(outputOf(await policy('get web --field Rules')).trim()).toBe(rules);
  });

  test('grants a job its variables, and shows the job as its path', async () => {
    outputOf(await put('web', '--rules', rules, '--job', 'default/web/api%2Fv2/server'));
    const found = JSON.parse(outputOf(await policy('get web -o json')));
    expect(found.JobACL).toEqual({ Namespace: 'default', JobID: 'web', Group: 'api/v2', Task: 'server' });
    expect(outputOf(await policy('get web'))).toContain('job\tdefault/web/api%2Fv2/server\n');
    expect(outputOf(await policy('list'))).toBe('web\t-\tdefault/web/api%2Fv2/server\n');
    expect(outputOf(await put('web', '--unset', 'job', '-o', 'json'))).toContain('"JobACL"');
    expect(JSON.parse(outputOf(await policy('get web -o json'))).JobACL).toBeNull();
  });

  test.each(['', 'default/', 'default//api', 'a/b/c/d/e', 'default/%zz'])(
    'rejects the job %j, and sends nothing',
    async (job) => {
      const ran = await put('web', '--rules', rules, '--job', job);
      expectFailure(ran, 2, '--job');
      expectExit(await policy('get web'), 3);
    },
  );

  test('keeps the fields that are not given, and shows what changed', async () => {
    await put('web', '--rules', rules, '--description', 'Web', '--job', 'default/web');
    const changed = await put('web', '--rules', 'agent { policy = "read" }', '-o', 'json');
    expect(JSON.parse(changed.stdout)).toMatchObject({
      Name: 'web',
      created: false,
      changes: [{ path: ['Rules'], before: rules, after: 'agent { policy = "read" }' }],
    });
    expect(JSON.parse(outputOf(await policy('get web -o json')))).toMatchObject({
      Description: 'Web',
      JobACL: { Namespace: 'default', JobID: 'web' },
    });
    expectOutput(await put('web', '--description', 'Web'), 'Policy web is unchanged.\n');
  });

  test('rejects invalid rules with line and column, and sends nothing', async () => {
    at.write('rules.hcl', 'namespace "a" {\n  polcy = "deny"\n}\n');
    const ran = await put('web', '--rules', '@rules.hcl');
    expectFailure(ran, 2, 'rules.hcl, line 2, column 3: unknown field "polcy" in namespace "a"');
    expectExit(await policy('get web'), 3);
  });

  test('sends what it does not know with --no-check, and reports a rejection by the scheduler', async () => {
    const ran = await put('web', '--rules', 'future { policy = "read" }', '--no-check');
    expectFailure(
      ran,
      1,
      'cannot write policy: the scheduler rejected the rules (400)',
      'Nothing was written.',
    );
  });

  test('requires rules for a new policy', async () => {
    expectFailure(
      await put('web', '--description', 'x'),
      2,
      '--rules is required: policy "web" does not exist',
    );
  });

  test('rejects an invalid name, and a description of more than 256 bytes', async () => {
    expectFailure(await put('a b', '--rules', rules), 2, 'invalid policy name "a b"');
    expectFailure(await put('web', '--rules', rules, '--description', 'x'.repeat(257)), 1);
  });

  test('has a hint for a file name without "@"', async () => {
    expectFailure(await put('web', '--rules', 'rules.hcl'), 2, 'hint: Use @rules.hcl to read the file.\n');
  });

  test('with --dry-run reads, shows the request, and writes nothing', async () => {
    const ran = await put('web', '--rules', rules, '--dry-run');
    expect(outputOf(ran)).toContain(`PUT ${running.addresses.scheduler}/v1/acl/policy/web`);
    expectExit(await policy('get web'), 3);
  });

  test('is settled after a lost response', async () => {
    const { address } = await losingWrites(running.addresses.scheduler);
    expectExit(await put('web', '--rules', rules, '--address', address), 0);
    expect(outputOf(await policy('get web --field Rules')).trim()).toBe(rules);
  });
});

test('a policy is deleted after a prompt, which names its job', async () => {
  await put('web', '--rules', rules, '--job', 'default/web');
  const asked = await run('scheduler acl policy delete web', {
    columns: 200,
    answers: (said) => (said.endsWith('[y/N] ') ? 'n\n' : undefined),
  });
  expect(asked.stdout + asked.stderr).toContain('Tokens, roles and the job default/web lose its permissions');
  expectOutput(await policy('delete web --yes'), 'Deleted policy web.\n');
  expectFailure(await policy('delete web --yes'), 3, 'policy "web" not found');
});

test('a client token sees its own policies, with a warning that others are missing', async () => {
  await put('web', '--rules', rules);
  await put('other', '--rules', rules);
  const own = await client('web');
  const listed = await policy('list', own);
  expect(listed.stdout).toBe('web\t-\t-\n');
  expect(listed.stderr).toContain('policies that the token, which is not a management token, may not list');
  expectExit(await policy('get web', own), 0);
  expectFailure(await policy('get other', own), 5, 'permission denied (403)');
  expectFailure(await policy('list', { env: { LANYARD_SCHEDULER_TOKEN: '' } }), 4, 'no token was sent');
});

test('a variable without permission has a hint that creates the policy', async () => {
  await put('web', '--rules', rules);
  const own = await client('web');
  const ran = await run('var get db/main', own);
  expectFailure(ran, 5, 'permission denied (403): GET /v1/var/db/main');
  const line = /`lanyard scheduler acl policy put (\S+) --rules '([^`]*)'`/.exec(ran.stderr);
  expect(line?.[1]).toBe('db-main-read');
  expectExit(await put('db-main-read', '--rules', line?.[2] ?? ''), 0);
  expectExit(await run('var get db/main', await client('web', 'db-main-read')), 3);
});

describe('scheduler acl policy check', () => {
  const check = (given: string, stdin?: string): Promise<Ran> =>
    at.run(['scheduler', 'acl', 'policy', 'check', given], stdin === undefined ? {} : { stdin });

  test('counts the blocks of valid rules without a service', async () => {
    at.write('web.hcl', `${rules}\nagent { policy = "read" }\n`);
    at.env.LANYARD_SCHEDULER_ADDR = 'http://127.0.0.1:1';
    expectOutput(await check('@web.hcl'), 'web.hcl is valid: 2 blocks.\n');
    expectOutput(await check(rules), 'The policy is valid: 1 block.\n');
    expectOutput(await check('-', rules), 'standard input is valid: 1 block.\n');
  });

  test('reports every error with its place', async () => {
    at.write('web.hcl', 'agent {\n  policy = "raed"\n}\nnode {\n}\n');
    const ran = await check('@web.hcl');
    expectFailure(
      ran,
      2,
      'invalid rules in web.hcl',
      'web.hcl, line 2, column 3: invalid policy "raed" of agent',
      'web.hcl, line 4, column 1: missing field "policy" in node',
    );
  });
});

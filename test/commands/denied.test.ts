import { beforeAll, describe, expect, test } from 'vitest';
import { embeddedForAll, expectFailure } from '../support/command-tests.ts';
import type { Ran, RunOptions } from '../support/run.ts';

let now = new Date('2026-11-23T10:00:00Z');
const root = { env: {} as Record<string, string> };
/** Only the profile has addresses and tokens. */
const ofProfile: { readonly env: Record<string, string> } = {
  env: Object.fromEntries(
    ['SECRETS', 'REGISTRY', 'BOX', 'SCHEDULER', 'ACCOUNTS'].flatMap((name) => [
      [`LANYARD_${name}_ADDR`, ''],
      [`LANYARD_${name}_TOKEN`, ''],
    ]),
  ),
};

const run = (line: string, options: RunOptions = ofProfile): Promise<Ran> =>
  at.run(line.split(' '), { now, ...options });

async function ran(line: string, options?: RunOptions): Promise<string> {
  const { code, stdout, stderr } = await run(line, options);
  expect(code, `${line}: ${stderr}`).toBe(0);
  return stdout;
}

const { at, running } = embeddedForAll({ clock: () => now });
beforeAll(async () => {
  const { addresses } = running;
  const settings = Object.entries(addresses).map(([service, address]) => `${service}.address=${address}`);
  await ran(`profile put work ${settings.join(' ')}`);
  await ran('profile put other');
  await ran('secrets auth enable userpass', root);
  await ran('secrets policy put reader -', {
    ...root,
    stdin: 'path "secret/data/app/*" { capabilities = ["read"] }',
  });
  const user = JSON.stringify({ password: 'pw', policies: ['reader'], token_ttl: '1h' });
  await ran('api secrets POST auth/userpass/users/alice --data -', { ...root, stdin: user });
  await ran('kv put secret/app/db user=web', root);
});

describe('an expired or revoked token', () => {
  test('secrets: names the login of the profile', async () => {
    await ran('-p work secrets login --method userpass --username alice --password -', {
      ...ofProfile,
      stdin: 'pw',
    });
    expect(await run('-p work kv get secret/app/db')).toMatchObject({ code: 0 });
    now = new Date(now.getTime() + 2 * 3600_000);
    const expected = {
      code: 4,
      stderr: expect.stringMatching(
        /^error: cannot [\w ]+: the token of profile work has expired \(403\)\n( {2}.*\n)*hint: Log in again with `lanyard -p work login`\.\n$/,
      ),
    };
    for (const line of ['kv get secret/app/db', 'secrets token self', 'secrets mount list'])
      expect(await run(`-p work ${line}`), line).toMatchObject(expected);
  });

  test('secrets: the login does not have its secrets', async () => {
    expect(at.read('config/credentials.json')).not.toContain('"pw"');
  });

  test('secrets: a revoked token in a variable', async () => {
    const env = { LANYARD_SECRETS_TOKEN: 's.revoked000000000000000000' };
    const ran = await run('kv get secret/app/db', { env });
    expectFailure(ran, 4, 'the token in LANYARD_SECRETS_TOKEN is not valid: it has expired, was revoked');
    expect(ran.stderr).toContain('hint: Set LANYARD_SECRETS_TOKEN to a valid token, or unset it and log in');
  });

  test('plan names the login, as apply does', async () => {
    at.write(
      'set/set.yaml',
      'apiVersion: lanyard/v1\nkind: Set\nmetadata:\n  name: set\n  id: 4q3mr533hi\nspec:\n  record: file:record.json\n',
    );
    at.write(
      'set/policy.yaml',
      'apiVersion: lanyard/v1\nkind: secrets.policy\nmetadata:\n  name: extra\nspec:\n  policy: ""\n',
    );
    const { code, stderr } = await run('-p work plan set');
    expect({ code, stderr }).toEqual({
      code: 4,
      stderr:
        'warning: the plan is incomplete: 1 object could not be read\nLog in again with `lanyard -p work login`.\n',
    });
  });

  test('secrets: no token is sent for a stored one that another program stored', async () => {
    await ran('profile put other secrets.address=http://127.0.0.1:1 secrets.token=-', {
      stdin: 'old-token-of-it',
    });
    await ran(`profile put other secrets.address=${running.addresses.secrets}`);
    const { code, stderr } = await run('-p other secrets mount list');
    expect({ code, stderr }).toMatchObject({
      code: 4,
      stderr: expect.stringContaining('hint: Log in again with `lanyard -p other secrets login`.'),
    });
  });
});

describe('access control of registry and scheduler', () => {
  beforeAll(async () => {
    root.env.LANYARD_REGISTRY_TOKEN = JSON.parse(await ran('acl bootstrap -o json', root)).SecretID;
    root.env.LANYARD_SCHEDULER_TOKEN = JSON.parse(
      await ran('api scheduler POST acl/bootstrap', root),
    ).SecretID;
  });
  const unknown = '5e13dce0-fbe8-888b-aca7-8ea3b9799478';

  test.each([
    ['registry', 'registry kv put a/b c', 'REGISTRY'],
    ['registry', 'acl token list', 'REGISTRY'],
    ['registry', 'acl token self', 'REGISTRY'],
    ['scheduler', 'var put a k=v', 'SCHEDULER'],
    ['scheduler', 'namespace put team', 'SCHEDULER'],
    ['accounts', 'account list', 'ACCOUNTS'],
    ['box', 'box org create team', 'BOX'],
  ])('%s: %s with an unknown token', async (_service, line, name) => {
    const token = name === 'ACCOUNTS' ? 'at_1234567890_0123456789' : unknown;
    const { code, stderr } = await run(line, { env: { [`LANYARD_${name}_TOKEN`]: token } });
    expect({ code, stderr }).toMatchObject({ code: 4 });
    expect(stderr).toContain(`the token in LANYARD_${name}_TOKEN is not valid`);
  });

  test('registry: a missing permission is named, with a command that checks it', async () => {
    await ran('acl policy put reader --rules -', { ...root, stdin: 'key_prefix "" { policy = "read" }' });
    const token = JSON.parse(await ran('acl token create --policy reader -o json', root)).SecretID;
    const options = { env: { LANYARD_REGISTRY_TOKEN: token } };
    const { code, stderr } = await run('registry kv put a/b c', options);
    expect({ code, stderr }).toMatchObject({
      code: 5,
      stderr: expect.stringContaining('permission denied (403): PUT /v1/kv/a/b requires key:write'),
    });
    expect(await run(commandIn(stderr), options)).toMatchObject({
      code: 5,
      stdout: expect.stringContaining('no'),
    });
  });

  test('scheduler: the request is named', async () => {
    const policy = JSON.stringify({ Name: 'none', Rules: 'namespace "default" { policy = "read" }' });
    await ran('api scheduler POST acl/policy/none --data -', { ...root, stdin: policy });
    const body = JSON.stringify({ Name: 'a', Type: 'client', Policies: ['none'] });
    const created = await ran('api scheduler POST acl/token --data -', { ...root, stdin: body });
    const options = { env: { LANYARD_SCHEDULER_TOKEN: JSON.parse(created).SecretID } };
    const { code, stderr } = await run('var get app/db', options);
    expect({ code, stderr }).toMatchObject({
      code: 5,
      stderr: expect.stringContaining('permission denied (403): GET /v1/var/app/db'),
    });
    expect(stderr).toContain(
      'hint: The token is valid, but no policy of it allows this. With a management token, run `lanyard scheduler acl policy put app-db-read --rules',
    );
  });
});

/** The first command line of a hint, without the program. */
const commandIn = (stderr: string): string => /`lanyard ([^`]*)`/.exec(stderr)?.[1] ?? '';

describe('a missing permission of the secrets service', () => {
  let reader: RunOptions;
  beforeAll(async () => {
    const token = (await ran('secrets token create --policy reader --field client_token', root)).trim();
    reader = { env: { LANYARD_SECRETS_TOKEN: token } };
  });

  test.each([
    ['kv get secret/db', 'GET secret/data/db requires the capability "read"'],
    ['kv put secret/app/db a=b', 'POST secret/data/app/db requires the capability "create" or "update"'],
    ['kv list secret', 'LIST secret/metadata/ requires the capability "list"'],
    ['secrets policy delete reader --yes', 'GET sys/policies/acl/reader requires the capability "read"'],
  ])('%s', async (line, text) => {
    const { code, stderr } = await run(line, reader);
    expect({ code, stderr }).toMatchObject({ code: 5, stderr: expect.stringContaining(text) });
    expect(commandIn(stderr)).toMatch(/^secrets token capabilities /);
    expect(await run(commandIn(stderr), reader)).toMatchObject({ code: 0 });
  });

  test('names the profile in the hint, if it was chosen', async () => {
    await ran('-p work secrets login --method userpass --username alice --password -', {
      ...ofProfile,
      stdin: 'pw',
    });
    const { stderr } = await run('-p work kv get secret/db');
    expect(stderr).toContain('hint: Run `lanyard -p work secrets token capabilities secret/data/db` to see');
  });

  test.each([
    ['run --kv secret/app/db --kv secret/db -- true'],
    ['ci export --ci gitlab --file job.env --read secret/data/app/db --read secret/data/db'],
  ])('%s names the input that failed', async (line) => {
    const { code, stderr } = await run(line, reader);
    expect({ code, stderr }).toMatchObject({
      code: 5,
      stderr: expect.stringContaining('GET secret/data/db'),
    });
  });
});

describe('lanyard status prints the next step', () => {
  const nextStep = async (env: Record<string, string>): Promise<string> =>
    (await run('status', { env: { ...ofProfile.env, ...env } })).stdout;

  test('for a missing token, an expired one and an unreachable service', async () => {
    await ran(`profile put bare secrets.address=${running.addresses.secrets}`);
    const missing = await run('-p bare status');
    expect(missing.stdout).toContain('secrets: no token. Log in with `lanyard -p bare secrets login`');
    now = new Date(now.getTime() + 2 * 3600_000);
    const expired = await run('-p work status');
    expect(expired.stdout).toContain('`lanyard -p work login`');
    expect(await nextStep({ LANYARD_REGISTRY_ADDR: 'http://127.0.0.1:1' })).toContain(
      'Check that the service is running and that its address (LANYARD_REGISTRY_ADDR) is correct.',
    );
  });

  test('for a sealed service', async () => {
    expect((await run('secrets seal --yes', root)).code).toBe(0);
    expect((await run('status', root)).stdout).toContain('Run `lanyard secrets unseal`.');
  });
});

import { describe, expect, test } from 'vitest';
import {
  embeddedForEach,
  expectExit,
  expectFailure,
  outputOf,
  quietOutputOf,
  servicesForTest,
  storedTokens,
} from '../../support/command-tests.ts';
import { serve, serveSocket } from '../../unit/api/support.ts';
import { losingWrites } from '../losing-proxy.ts';
import { pausingProxy } from '../pausing-proxy.ts';

const { at, running, run } = embeddedForEach();
const secret = '0b8f1f6e-9f5b-4f2f-8f0e-2f8f0f8f0f8f';
const uuid = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/;

const stored = () => storedTokens(at);

/** The address of a registry that does what it is told, and loses the answers to writes. */
const losing = async () => (await losingWrites(running.addresses.registry)).address;

describe('acl bootstrap', () => {
  test('creates a token with all permissions and prints its secret', async () => {
    const stdout = quietOutputOf(await run('acl bootstrap'));
    expect(stdout).toMatch(
      /^secret\t[0-9a-f-]{36}\naccessor\t[0-9a-f-]{36}\ngrants\tpolicy global-management\nexpires\tnever\n$/,
    );
    const token = uuid.exec(stdout)?.[0] ?? '';
    expectExit(await run('api registry GET acl/token/self', { env: { LANYARD_REGISTRY_TOKEN: token } }), 0);
    expect(stored()).toBe('');
  });

  test('prints the token as the service sent it', async () => {
    const { stdout } = await run('acl bootstrap -o json');
    expect(JSON.parse(stdout)).toMatchObject({
      Description: 'Bootstrap Token (Global Management)',
      Policies: [{ Name: 'global-management' }],
      Local: false,
    });
  });

  test('prints only the secret with --field', async () => {
    expect((await run('acl bootstrap --field SecretID')).stdout).toMatch(new RegExp(`^${uuid.source}\n$`));
  });

  test('masks the secret in a CI service before it shows it', async () => {
    const { stdout, stderr } = await run('acl bootstrap --field SecretID', {
      env: { GITHUB_ACTIONS: 'true' },
    });
    expect(stderr).toBe(`::add-mask::${stdout}`);
  });

  test('accepts a secret', async () => {
    const ran = await run('acl bootstrap --secret - --field SecretID', { stdin: `${secret}\n` });
    expect(ran).toEqual({ code: 0, stdout: `${secret}\n`, stderr: '' });
  });

  test('a second time explains the possible causes, and how a reset works', async () => {
    await run('acl bootstrap');
    const ran = await run('acl bootstrap');
    expectFailure(ran, 5, 'cannot bootstrap access control: already bootstrapped (403)');
    expect(ran.stderr).toContain('ACL bootstrap no longer allowed');
    expect(ran.stderr).toContain('treat the cluster as compromised');
    expect(ran.stderr).toMatch(/write \d+ to the file acl-bootstrap-reset/);
    const { stderr } = await run('acl bootstrap -o json');
    expect(JSON.parse(stderr)).toMatchObject({
      error: { code: 5, kind: 'forbidden', status: 403, service: 'registry' },
    });
  });

  test.each([
    ['no-uuid-at-all', 'invalid secret: expected a UUID'],
    ['', 'secret is empty'],
  ])('rejects the secret %j, and does not show it', async (given, text) => {
    const ran = await run('acl bootstrap --secret -', { stdin: given });
    expectFailure(ran, 2, text);
    if (given !== '') expect(ran.stderr).not.toContain(given);
    expect((await run('acl bootstrap')).code).toBe(0);
  });

  test('sends nothing if the file for the token cannot be written', async () => {
    at.write('token', 'there before');
    expect(await run('acl bootstrap --out token')).toMatchObject({ code: 2, stdout: '' });
    expect(at.read('token')).toBe('there before');
    expect((await run('acl bootstrap --field SecretID --out token.new')).code).toBe(0);
    expect(at.read('token.new')).toMatch(uuid);
  });

  test('takes no secret from the command line', async () => {
    const ran = await run(`acl bootstrap --secret ${secret}`);
    expect(ran).toMatchObject({ code: 2, stdout: '' });
    expect(ran.stderr).not.toContain(secret);
  });

  test('explains a wrong reset index', async () => {
    const registry = await serve((_seen, response) => {
      response.writeHead(500).end('Invalid bootstrap reset index (specified 4, reset index: 17)');
    });
    const ran = await run(`acl bootstrap --address ${registry.url}`);
    expectFailure(ran, 1, 'The file acl-bootstrap-reset must contain 17.');
  });

  test('reports that access control is disabled', async () => {
    const registry = await serve((_seen, response) => {
      response.writeHead(401).end('ACL support disabled');
    });
    const ran = await run(`acl bootstrap --address ${registry.url}`);
    expectFailure(ran, 4, 'access control is off at the service registry (401)');
  });
});

describe('acl bootstrap --store', () => {
  test('also stores the token with the profile, for later requests', async () => {
    const { addresses } = running;
    delete at.env.LANYARD_REGISTRY_ADDR;
    await run(`profile put dev registry.address=${addresses.registry}`);
    const stdout = outputOf(await run('acl bootstrap --store'));
    expect(stdout).toMatch(/\nStored the token with profile dev, in a file\.\n$/);
    expect(stored()).toContain(uuid.exec(stdout)?.[0]);
    expect((await run('api registry GET acl/tokens')).code).toBe(0);
  });

  test('sends nothing without a profile to store the token', async () => {
    const ran = await run('acl bootstrap --store');
    expectFailure(ran, 2, 'cannot store the token: no profile is active');
    expect(ran.stderr).toContain('without --store the token is only printed.');
    expect((await run('acl bootstrap')).code).toBe(0);
  });

  test('shows the token even if it cannot be stored', async () => {
    const { addresses } = running;
    delete at.env.LANYARD_REGISTRY_ADDR;
    // What can be seen before is rejected before; this comes while the answer is on its way.
    const between = await pausingProxy(addresses.registry, async () =>
      at.write('config/credentials.json', '{'),
    );
    await run(`profile put dev registry.address=${between.address}`);
    const ran = await run('acl bootstrap --store');
    expect(ran.code).toBe(9);
    expect(ran.stdout).toMatch(uuid);
    expect(ran.stderr).toContain('warning: cannot store the token, save it yourself');
  });
});

describe('acl bootstrap with a lost response', () => {
  test('reports an unknown result with a hint', async () => {
    const registry = await serveSocket((socket) => socket.destroy());
    const ran = await run(`acl bootstrap --address ${registry.url}`);
    expectFailure(ran, 9, 'outcome unknown', 'its secret is lost', 'Run the same command again');
    expect(registry.seen).toHaveLength(1);
  });

  test('is verified with a given secret', async () => {
    const ran = await run(`acl bootstrap --secret - --field SecretID --address ${await losing()}`, {
      stdin: secret,
    });
    expect(ran.code, ran.stderr).toBe(0);
    expect(ran.stdout).toBe(`${secret}\n`);
    expect(ran.stderr).toContain('the response was lost, but the token was created');
  });

  test('is unknown if no token has the given secret', async () => {
    await run('acl bootstrap');
    const ran = await run(`acl bootstrap --secret - --address ${await losing()}`, { stdin: secret });
    expectFailure(ran, 9, 'no token has the given secret');
    expect(ran.stderr).not.toContain(secret);
  });
});

describe('acl bootstrap with --dry-run', () => {
  test('with --dry-run shows the request without the secret, and sends nothing', async () => {
    const stdout = outputOf(await run('acl bootstrap --dry-run --secret -', { stdin: secret }));
    expect(stdout).toContain(`PUT ${running.addresses.registry}/v1/acl/bootstrap`);
    expect(stdout).toContain('"BootstrapSecret": "<redacted>"');
    expect(stdout).not.toContain(secret);
    expect((await run('acl bootstrap')).code).toBe(0);
  });

  test('with --curl gives a line without body or token', async () => {
    const { stdout } = await run('acl bootstrap --curl', { env: { LANYARD_REGISTRY_TOKEN: 't' } });
    expect(stdout).toBe(
      `curl --request PUT -H 'Accept: application/json, text/plain' ${running.addresses.registry}/v1/acl/bootstrap\n`,
    );
  });
});

test('acl bootstrap works once more after the reset that its error describes', async () => {
  const data = at.file('data');
  await servicesForTest(at, { dataDirectory: data });
  const first = (await run('acl bootstrap --field SecretID')).stdout;
  const { stderr } = await run('acl bootstrap');
  const [, index = ''] = /write (\d+) to the file acl-bootstrap-reset/.exec(stderr) ?? [];
  at.write('data/acl-bootstrap-reset', String(Number(index) + 1));
  expectFailure(await run('acl bootstrap'), 1, `The file acl-bootstrap-reset must contain ${index}.`);
  at.write('data/acl-bootstrap-reset', index);
  expect(quietOutputOf(await run('acl bootstrap --field SecretID'))).not.toBe(first);
});

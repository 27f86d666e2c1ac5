import { describe, expect, test } from 'vitest';
import {
  embeddedForEach,
  expectExit,
  expectFailure,
  outputOf,
  quietOutputOf,
  storedTokens,
} from '../../support/command-tests.ts';
import { serve, serveSocket } from '../../unit/api/support.ts';
import { losingWrites } from '../losing-proxy.ts';

const { at, running, run } = embeddedForEach();
const secret = '0b8f1f6e-9f5b-4f2f-8f0e-2f8f0f8f0f8f';
const uuid = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/;

/** The address of a scheduler that does what it is told, and loses the responses to writes. */
const losing = async () => (await losingWrites(running.addresses.scheduler)).address;

describe('scheduler acl bootstrap', () => {
  test('creates a management token and prints its secret', async () => {
    const stdout = quietOutputOf(await run('scheduler acl bootstrap'));
    expect(stdout).toMatch(
      /^secret\t[0-9a-f-]{36}\naccessor\t[0-9a-f-]{36}\nname\tBootstrap Token\ngrants\tall permissions\nscope\tglobal\nexpires\tnever\n$/,
    );
    const token = uuid.exec(stdout)?.[0] ?? '';
    const env = { LANYARD_SCHEDULER_TOKEN: token };
    expect(outputOf(await run('scheduler acl token self --field Type', { env }))).toBe('management\n');
    expect(storedTokens(at)).toBe('');
  });

  test('masks the secret in a CI service before it shows it', async () => {
    const { stdout, stderr } = await run('scheduler acl bootstrap --field SecretID', {
      env: { GITHUB_ACTIONS: 'true' },
    });
    expect(stderr).toBe(`::add-mask::${stdout}`);
  });

  test('accepts a secret from standard input', async () => {
    const ran = await run('scheduler acl bootstrap --secret - --field SecretID', { stdin: `${secret}\n` });
    expect(ran).toEqual({ code: 0, stdout: `${secret}\n`, stderr: '' });
  });

  test('a second time explains the possible causes, and how a reset works', async () => {
    await run('scheduler acl bootstrap');
    const ran = await run('scheduler acl bootstrap');
    expectFailure(ran, 5, 'cannot bootstrap access control: already bootstrapped (400)');
    expect(ran.stderr).toContain('treat the cluster as compromised');
    expect(ran.stderr).toMatch(/write \d+ to the file acl-bootstrap-reset/);
  });

  test('rejects a secret that is not a UUID, does not show it and sends nothing', async () => {
    const ran = await run('scheduler acl bootstrap --secret -', { stdin: 'not-a-uuid' });
    expectFailure(ran, 2, 'invalid secret: expected a UUID');
    expect(ran.stderr).not.toContain('not-a-uuid');
    expectExit(await run('scheduler acl bootstrap'), 0);
  });

  test('explains a wrong reset index', async () => {
    const scheduler = await serve((_seen, response) => {
      response.writeHead(400).end('Invalid bootstrap reset index (specified 4, reset index: 17)');
    });
    const ran = await run(`scheduler acl bootstrap --address ${scheduler.url}`);
    expectFailure(ran, 1, 'The file acl-bootstrap-reset must contain 17.');
  });

  test('reports that access control is off in the configuration of the servers', async () => {
    const scheduler = await serve((_seen, response) => {
      response.writeHead(400).end('ACL support disabled');
    });
    const ran = await run(`scheduler acl bootstrap --address ${scheduler.url}`);
    expectFailure(ran, 1, 'access control is off at the scheduler (400)', 'enable ACLs in the configuration');
  });

  test('with --dry-run shows the request without the secret, and sends nothing', async () => {
    const stdout = outputOf(await run('scheduler acl bootstrap --dry-run --secret -', { stdin: secret }));
    expect(stdout).toContain(`PUT ${running.addresses.scheduler}/v1/acl/bootstrap`);
    expect(stdout).not.toContain(secret);
    expectExit(await run('scheduler acl bootstrap'), 0);
  });
});

describe('scheduler acl bootstrap --store', () => {
  test('also stores the token with the profile, for later requests', async () => {
    const { addresses } = running;
    delete at.env.LANYARD_SCHEDULER_ADDR;
    await run(`profile put dev scheduler.address=${addresses.scheduler}`);
    const stdout = outputOf(await run('scheduler acl bootstrap --store'));
    expect(stdout).toMatch(/\nStored the token with profile dev, in a file\.\n$/);
    expect(storedTokens(at)).toContain(uuid.exec(stdout)?.[0]);
    expectExit(await run('scheduler acl token list'), 0);
  });

  test('sends nothing without a profile to store the token', async () => {
    const ran = await run('scheduler acl bootstrap --store');
    expectFailure(ran, 2, 'cannot store the token: no profile is active');
    expectExit(await run('scheduler acl bootstrap'), 0);
  });
});

describe('scheduler acl bootstrap with a lost response', () => {
  test('reports an unknown result with a hint', async () => {
    const scheduler = await serveSocket((socket) => socket.destroy());
    const ran = await run(`scheduler acl bootstrap --address ${scheduler.url}`);
    expectFailure(ran, 9, 'outcome unknown', 'its secret is lost', 'Run the same command again');
    expect(scheduler.seen).toHaveLength(1);
  });

  test('is verified with a given secret', async () => {
    const ran = await run(`scheduler acl bootstrap --secret - --field SecretID --address ${await losing()}`, {
      stdin: secret,
    });
    expect(ran).toMatchObject({ code: 0, stdout: `${secret}\n` });
    expect(ran.stderr).toContain('the response was lost, but the token was created');
  });

  test('is unknown if no token has the given secret', async () => {
    await run('scheduler acl bootstrap');
    const ran = await run(`scheduler acl bootstrap --secret - --address ${await losing()}`, {
      stdin: secret,
    });
    expectFailure(ran, 9, 'no token has the given secret');
    expect(ran.stderr).not.toContain(secret);
  });
});

import { chmodSync } from 'node:fs';
import { beforeEach, describe, expect, test } from 'vitest';
import { embeddedForEach, expectFailure, storedTokens } from '../support/command-tests.ts';

const { at, running, run } = embeddedForEach();
/** The stored tokens, by service. */
const stored = (): Record<string, { token: string }> => JSON.parse(storedTokens(at)).tokens.work ?? {};
const profile = async (name = 'work') => JSON.parse((await run(`profile get ${name} -o json`)).stdout);
const root = () => ({ env: { LANYARD_SECRETS_TOKEN: running.rootToken } });
const rows = (stdout: string) => JSON.parse(stdout) as { service: string; status: string }[];

beforeEach(async () => {
  for (const name of Object.keys(at.env)) if (/^LANYARD_.*_(ADDR|TOKEN)$/.test(name)) delete at.env[name];
  const { secrets, accounts } = running.addresses;
  await run(`profile put work secrets.address=${secrets} accounts.address=${accounts}`);
  await run('secrets auth enable userpass', root());
  const user = JSON.stringify({ password: 'pw', policies: ['default'], token_ttl: '1h' });
  for (const name of ['alice', 'bob'])
    await run(`api secrets POST auth/userpass/users/${name} --data -`, { ...root(), stdin: user });
});

/** An account "ada" with the password "first-password". */
const createAccount = () =>
  run('account create --auth-method ampw_1234567890 --login-name ada --password env://PW', {
    env: { PW: 'first-password', LANYARD_ACCOUNTS_TOKEN: running.embedded.accountsToken },
  });
const loginAlice = (more = '') =>
  run(`secrets login --method userpass --username alice --password -${more}`, { stdin: 'pw' });

describe('a login with a profile', () => {
  test('is remembered without its secret, and secrets login repeats it', async () => {
    expect(await loginAlice()).toMatchObject({ code: 0 });
    expect((await profile()).secrets.login).toEqual({ method: 'userpass', username: 'alice' });
    expect(at.read('config/config.json')).not.toContain('pw');
    const again = await run('secrets login', { columns: 80, typed: 'pw\n' });
    expect(again).toMatchObject({ code: 0, stdout: expect.stringContaining('Logged in as alice') });
    expect(again.stderr).toContain('Using the login method userpass of profile work.');
    expect((await run('secrets login --password env://P', { env: { P: 'pw' } })).code).toBe(0);
    expect((await profile()).secrets.login.source).toBe('env://P');
  });

  test('is not remembered with a token, with --no-store, or if it fails', async () => {
    await run('secrets login --token -', { stdin: running.rootToken });
    await loginAlice(' --no-store');
    await run('secrets login --method userpass --username bob --password -', { stdin: 'wrong' });
    expect((await profile()).secrets).not.toHaveProperty('login');
  });

  test('is remembered for a profile that the login creates', async () => {
    await run('profile delete work --yes');
    const env = { VAULT_ADDR: running.addresses.secrets };
    await run('secrets login --method userpass --username alice --password -', { env, stdin: 'pw' });
    expect((await profile('default')).secrets.login).toEqual({ method: 'userpass', username: 'alice' });
  });

  test('can be set by hand', async () => {
    await run('profile put work secrets.login-method=userpass secrets.login-username=bob');
    expect((await run('profile get work')).stdout).toContain('secrets.login-username\tbob\n');
    expect(await run('login', { columns: 80, typed: 'pw\n' })).toMatchObject({ code: 0 });
    await run('profile put work secrets.login-method= secrets.login-username=');
    expect((await profile()).secrets).not.toHaveProperty('login');
  });

  test.each([
    ['secrets.login-source=hvs.precious', 'invalid secrets.login-source: expected env://NAME'],
    ['secrets.login-source=@relative', 'invalid secrets.login-source'],
    ['scheduler.login-method=x', 'setting login-method is not supported by the scheduler service'],
    ['registry.login-username=x', 'setting login-username is not supported by the registry service'],
  ])('rejects %s', async (setting, message) => {
    const ran = await run(`profile put work ${setting}`);
    expectFailure(ran, 2, message);
    expect(ran.stderr).not.toContain('precious');
  });
});

describe('lanyard login', () => {
  test('logs in to every service of the profile that has a remembered login', async () => {
    const env = { P: 'pw', A: 'first-password' };
    await createAccount();
    await run('secrets login --method userpass --username alice --password env://P', { env });
    await run('account login --login-name ada --password env://A', { env });
    await run('logout --yes');
    expect(stored()).toEqual({});
    const ran = await run('login', { env });
    expect(ran.stdout).toMatch(
      /^secrets: logged in with userpass as alice, valid until .* UTC\naccounts: logged in with ampw_\w+ as ada, valid until .* UTC\n$/,
    );
    expect(ran.code).toBe(0);
    expect(Object.keys(stored())).toHaveLength(2);
    expect((await run('secrets token self')).code).toBe(0);
    expect(rows((await run('login secrets -o json', { env })).stdout)).toEqual([
      expect.objectContaining({ service: 'secrets', status: 'logged in' }),
    ]);
  });

  test('continues after a failed login and exits with 9', async () => {
    const env = { P: 'pw', A: 'first-password' };
    await createAccount();
    await run('secrets login --method userpass --username alice --password env://P', { env });
    await run('account login --login-name ada --password env://A', { env });
    const ran = await run('login -o json', { env: { ...env, P: 'wrong' } });
    expect(ran.code).toBe(9);
    expect(rows(ran.stdout)).toEqual([
      {
        service: 'secrets',
        status: 'failed',
        message: expect.stringContaining('cannot log in: invalid credentials'),
        error: { code: 'unauthenticated', hint: null },
      },
      expect.objectContaining({ service: 'accounts', status: 'logged in' }),
    ]);
    // The token of before is still there.
    expect((await run('secrets token self')).code).toBe(0);
    expect((await run('login secrets', { env: { P: 'wrong' } })).code).toBe(4);
  });

  test('goes to the address of the profile, whatever VAULT_ADDR says', async () => {
    await loginAlice();
    const env = { VAULT_ADDR: 'http://127.0.0.1:1', P: 'pw' };
    await run('profile put work secrets.login-source=env://P');
    expect((await run('login', { env })).code).toBe(0);
    // A variable of Lanyard itself comes before the profile: no password is sent there.
    const ran = await run('login', { env: { ...env, LANYARD_SECRETS_ADDR: 'http://127.0.0.1:1' } });
    expect(ran).toMatchObject({
      code: 2,
      stdout: expect.stringContaining('is not an address of the profile'),
    });
  });

  test('uses the profile of --profile', async () => {
    await run(`profile put other secrets.address=${running.addresses.secrets} secrets.login-method=userpass`);
    const ran = await run('-p other login', { columns: 80, typed: 'bob\npw\n' });
    expect(ran.code, ran.stderr).toBe(0);
    expect((await profile('other')).secrets).toMatchObject({
      token: 'stored',
      login: { method: 'userpass', username: 'bob' },
    });
    expect((await profile()).secrets).not.toHaveProperty('token');
  });

  test('names the command for a profile without a remembered login', async () => {
    expectFailure(
      await run('login'),
      2,
      /profile "work" remembers no login\nhint: Log in once with `lanyard secrets login --method METHOD`/,
    );
    expectFailure(
      await run('login registry'),
      2,
      /remembers no login for registry\nhint: .*lanyard acl login/,
    );
    expectFailure(await run('login nonsense'), 2, 'invalid service "nonsense"');
    expectFailure(await run('-p gone login'), 3, 'profile "gone" not found');
    await run('profile delete work --yes');
    expectFailure(await run('login'), 2, 'cannot log in: no profile is active');
  });

  test('sends and writes nothing in a dry run', async () => {
    await loginAlice();
    await run('profile put work secrets.login-source=env://P');
    const before = [at.read('config/config.json'), at.read('config/credentials.json')];
    const ran = await run('login --dry-run -o json', { env: { P: 'pw' } });
    expect(ran).toMatchObject({ code: 0, stdout: expect.stringContaining('/v1/auth/userpass/login/alice') });
    expect(ran.stdout).not.toContain('"pw"');
    expect([at.read('config/config.json'), at.read('config/credentials.json')]).toEqual(before);
  });

  test('stores nothing where the configuration cannot be written, and sends no password', async () => {
    await loginAlice();
    await run('profile put work secrets.login-source=env://P');
    if (process.getuid?.() === 0) return;
    chmodSync(at.file('config'), 0o500);
    try {
      expect((await run('login', { env: { P: 'pw' } })).code).not.toBe(0);
    } finally {
      chmodSync(at.file('config'), 0o700);
    }
  });

  test('keeps what was stored when it is interrupted at a prompt', async () => {
    const env = { P: 'pw' };
    await run('secrets login --method userpass --username alice --password env://P', { env });
    await run('profile put work accounts.login-username=admin');
    const aborting = new AbortController();
    const ran = await run('login', {
      env,
      columns: 80,
      signal: aborting.signal,
      answers: (said) => {
        if (/password: /.test(said)) aborting.abort('SIGINT');
        return undefined;
      },
    });
    expect(ran.code).toBe(130);
    expect((await run('secrets token self')).code).toBe(0);
  });

  test('two at once lose neither tokens nor settings', async () => {
    const env = { P: 'pw' };
    await run('secrets login --method userpass --username alice --password env://P', { env });
    await run(
      `profile put other secrets.address=${running.addresses.secrets} secrets.login-method=userpass secrets.login-username=bob secrets.login-source=env://P`,
    );
    const codes = await Promise.all([run('login', { env }), run('-p other login', { env })]);
    expect(codes.map(({ code }) => code)).toEqual([0, 0]);
    expect((await run('secrets token self -o json')).stdout).toContain('alice');
    expect((await run('-p other secrets token self -o json')).stdout).toContain('bob');
  });
});

describe('lanyard logout', () => {
  test('revokes and removes the stored tokens, and keeps the remembered logins', async () => {
    await loginAlice();
    const token = stored().secrets?.token;
    const ran = await run('logout');
    expect(ran).toMatchObject({ code: 0, stdout: 'secrets: revoked and removed the token\n' });
    expect(stored()).toEqual({});
    expect((await run('secrets token self', { env: { LANYARD_SECRETS_TOKEN: token ?? '' } })).code).toBe(4);
    expect((await profile()).secrets.login).toEqual({ method: 'userpass', username: 'alice' });
    expect(await run('logout')).toMatchObject({ code: 0, stderr: 'No token is stored with profile work.\n' });
  });

  test('exits with 9 for a token that was not revoked, and says so', async () => {
    await loginAlice();
    await run(`profile put work scheduler.address=${running.addresses.scheduler} scheduler.token=-`, {
      stdin: 't',
    });
    const ran = await run('logout --yes -o json');
    expect(ran.code).toBe(9);
    expect(rows(ran.stdout)).toEqual([
      expect.objectContaining({ service: 'secrets', status: 'revoked' }),
      expect.objectContaining({
        service: 'scheduler',
        status: 'unconfirmed',
        message: 'removed the token, which was not revoked: the service has no logout',
      }),
    ]);
    expect(stored()).toEqual({});
  });

  test('exits with 9 while the service is not reachable: the token is removed and may still be valid', async () => {
    await loginAlice();
    await run('profile put work secrets.address=http://127.0.0.1:1');
    const ran = await run('logout');
    expect(ran).toMatchObject({
      code: 9,
      stdout: 'secrets: removed the token, but it was not revoked and may still be valid\n',
    });
  });

  test('does not revoke the token of a variable in the place of the stored one', async () => {
    await loginAlice();
    const ran = await run('logout', root());
    expect(ran).toMatchObject({ code: 9, stdout: expect.stringContaining('LANYARD_SECRETS_TOKEN is set') });
    expect(Object.keys(stored())).toEqual(['secrets']);
    expect((await run('secrets token self', root())).code).toBe(0);
  });

  test('changes nothing in a dry run', async () => {
    await loginAlice();
    const ran = await run('logout --dry-run -o json');
    expect(ran).toMatchObject({ code: 0, stdout: expect.stringContaining('revoke-self') });
    expect((await run('secrets token self')).code).toBe(0);
  });
});

import { beforeEach, describe, expect, test } from 'vitest';
import {
  embeddedForEach,
  expectExit,
  expectFailure,
  expectOutput,
  homeForTest,
  quietOutputOf,
  storedTokens,
} from '../../support/command-tests.ts';
import { freePort } from '../../support/ports.ts';
import { json, serve, serveSocket } from '../../unit/api/support.ts';

const { at, running, run } = embeddedForEach();
let root: string;
const address = () => running.addresses.secrets;
const stored = () => storedTokens(at);
const profile = async (name = 'dev') => JSON.parse((await run(`profile get ${name} -o json`)).stdout);

/** Makes a token; the runs after it have neither token nor address from the environment. */
async function tokenOf(...members: string[]): Promise<string> {
  const ran = await at.run(
    ['secrets', 'write', 'auth/token/create', ...members, '--field', 'client_token', '--address', address()],
    { env: { LANYARD_SECRETS_TOKEN: root } },
  );
  expect(ran.code, ran.stderr).toBe(0);
  return ran.stdout.trim();
}
const lives = async (token: string): Promise<boolean> =>
  (
    await run(`secrets read auth/token/lookup-self --address ${address()}`, {
      env: { LANYARD_SECRETS_TOKEN: token },
    })
  ).code === 0;

beforeEach(async () => {
  root = running.rootToken;
  delete at.env.LANYARD_SECRETS_ADDR;
  delete at.env.LANYARD_SECRETS_TOKEN;
  await run(`profile put dev secrets.address=${address()}`);
});

describe('secrets login with a token', () => {
  test('checks it, stores it with the profile, and later calls use it', async () => {
    const token = await tokenOf('display_name=me', 'policies=default', 'ttl=1h');
    const ran = await run('secrets login --token -', { stdin: `${token}\n` });
    expect(ran.code, ran.stderr).toBe(0);
    expect(ran.stdout).toMatch(
      /^Logged in as token-me, until \S+ \S+ UTC, with policies default\.\nStored the token with profile dev, in a file\.\n$/,
    );
    expect(ran.stdout + ran.stderr).not.toContain(token);
    expect(stored()).toContain(token);
    expect((await profile()).secrets.token).toBe('stored');
    expect((await run('secrets read auth/token/lookup-self --field display_name')).stdout).toBe('token-me\n');
  });

  test('returns data without the token', async () => {
    const { stdout } = await run('secrets login --token env://T -o json', { env: { T: root } });
    expect(JSON.parse(stdout)).toEqual({
      profile: 'dev',
      stored: 'file',
      displayName: 'root',
      policies: ['root'],
      validUntil: null,
    });
  });

  test('stores no token that the service rejects', async () => {
    const ran = await run('secrets login --token -', { stdin: 'hvs.no-such-token' });
    expect(ran).toMatchObject({ code: 4, stdout: '' });
    expect(ran.stderr).not.toContain('no-such-token');
    expect(stored()).toBe('');
    expect((await profile()).secrets.token).toBeUndefined();
  });

  test.each(['login --token', 'login'])('rejects a token on the command line: %s', async (line) => {
    const ran = await run(`secrets ${line} ${root}`);
    expect(ran).toMatchObject({ code: 2, stdout: '' });
    expect(ran.stderr).not.toContain(root);
    expect(ran.stderr).toContain('hint: Pass it as - (standard input), @FILE, file://PATH or env://NAME.\n');
  });

  test('accepts the source of the token without a flag', async () => {
    expect((await run('secrets login -', { stdin: root })).stdout).toContain('Logged in as root');
    expect(
      (await run('secrets login - --token env://T', { stdin: root, env: { T: root } })).stderr,
    ).toContain('error: --token cannot be combined with a source\n');
    expect((await run('secrets login - --method userpass', { stdin: root })).stderr).toContain('--token');
  });

  test('with --no-store prints it, and masks it before that', async () => {
    const ran = await run('secrets login --token - --no-store', {
      stdin: root,
      env: { GITHUB_ACTIONS: 'true' },
    });
    expect(ran).toEqual({ code: 0, stdout: `${root}\n`, stderr: `::add-mask::${root}\n` });
    expect(stored()).toBe('');
  });

  test('reports the replaced token source of the profile, and a variable that overrides the stored token', async () => {
    await run('profile put dev secrets.token=env://OLD');
    const ran = await run('secrets login --token -', { stdin: root, env: { LANYARD_SECRETS_TOKEN: root } });
    expect(ran.stderr).toContain('the profile "dev" no longer takes its token from env://OLD');
    expect(ran.stderr).toContain('warning: LANYARD_SECRETS_TOKEN is set and overrides the stored token');
  });

  test('keeps the other settings and profiles', async () => {
    await run('profile put dev secrets.namespace=team registry.address=https://registry.example.com');
    await run('profile put other secrets.address=https://secrets.example.com');
    await run('profile put dev secrets.namespace=');
    await run('secrets login --token -', { stdin: root });
    expect(await profile()).toMatchObject({
      active: true,
      registry: { address: 'https://registry.example.com' },
      secrets: { address: address(), token: 'stored' },
    });
    expect((await profile('other')).secrets).toEqual({ address: 'https://secrets.example.com' });
  });
});

describe('where a token is stored', () => {
  test.each([
    ['--address', 'secrets login --token - --address URL', {}],
    ['LANYARD_SECRETS_ADDR', 'secrets login --token -', { LANYARD_SECRETS_ADDR: 'URL' }],
    ['--address', 'secrets login --token - --address URL', { VAULT_ADDR: 'https://vault.example.com' }],
  ])(
    'is required for an address from %s: nothing is sent, and a hint shows how to create one',
    async (from, line, env) => {
      const server = await serve((_seen, response) => json(response, {}));
      const bare = homeForTest();
      const withUrl = (text: string): string => text.replace('URL', server.url);
      const ran = await bare.run(withUrl(line).split(' '), {
        stdin: 'hvs.x',
        env: Object.fromEntries(Object.entries(env).map(([name, value]) => [name, withUrl(value)])),
      });
      expectFailure(ran, 2, 'cannot store the token: no profile is active');
      expect(ran.stderr).toContain(`\`lanyard profile put NAME secrets.address=${server.url}\``);
      expect(ran.stderr).toContain(`for the address from ${from}`);
      expect(ran.stderr).toContain('--no-store prints the token instead');
      expect(server.seen).toEqual([]);
    },
  );

  test.each(['VAULT_ADDR', 'BAO_ADDR'])(
    'is a new profile for the address of %s, which later commands use',
    async (variable) => {
      const bare = homeForTest();
      const ca = bare.write('ca.pem', '');
      const env = { [variable]: address(), [variable.replace('ADDR', 'CACERT')]: 'ca.pem' };
      const login = (stdin: string, ...flags: string[]) =>
        bare.run(['secrets', 'login', '--token', '-', ...flags], { stdin, env });
      const own = ['secrets', 'read', 'auth/token/lookup-self'];
      const profile = async () => JSON.parse((await bare.run(['profile', 'get', '-o', 'json'])).stdout);

      // Not by a dry run or a login that fails.
      for (const flag of ['--dry-run', '--curl']) {
        const { code, stdout } = await login(root, flag);
        expect([code, stdout]).toEqual([0, expect.stringContaining('/v1/auth/token/lookup-self')]);
        expect(stdout).not.toContain(root);
      }
      expect((await login('hvs.no-such-token')).code).toBe(4);
      expect((await bare.run(['profile', 'list'])).stdout).toBe('');
      expect(bare.list()).not.toContain('config/credentials.json');

      const token = await tokenOf('ttl=1h');
      const ran = await login(token);
      expect(ran.code, ran.stderr).toBe(0);
      expect(ran.stderr).toContain(
        `\nCreated profile "default" for ${address()} (from ${variable}) and set it active.\n`,
      );
      expect(ran.stdout).toContain('Stored the token with profile default, in a file.');
      expect(await profile()).toMatchObject({
        name: 'default',
        active: true,
        secrets: { address: address(), caCert: ca, token: 'stored' },
      });
      await bare.run(['profile', 'put', 'default', 'secrets.ca-cert=']);
      for (const each of [{ [variable]: address() }, {}])
        expect((await bare.run(own, { env: each })).code).toBe(0);

      // Its token is not sent to another address, and no other token is stored with it.
      const other = await serve((_seen, response) => json(response, { data: {} }));
      expect((await bare.run(own, { env: { [variable]: other.url } })).code).toBe(4);
      const rejected = await bare.run(['secrets', 'login', '--token', '-'], {
        stdin: root,
        env: { [variable]: other.url },
      });
      expectFailure(rejected, 2, 'is not an address of the profile "default"');
      expect(other.seen).toEqual([]);

      expect((await bare.run(['secrets', 'logout', '--yes'], { env: { [variable]: address() } })).code).toBe(
        0,
      );
      expect((await profile()).secrets.token).toBeUndefined();
      expect(await lives(token)).toBe(false);
    },
  );

  test('is never the existing profile "default" that is not active', async () => {
    const server = await serve((_seen, response) => json(response, {}));
    const bare = homeForTest();
    await bare.run(['profile', 'put', 'default', `secrets.address=${server.url}`]);
    await bare.run(['profile', 'put', 'other', `registry.address=${server.url}`]);
    await bare.run(['profile', 'use', 'other']);
    await bare.run(['profile', 'delete', 'other', '--yes']);
    const ran = await bare.run(['secrets', 'login', '--token', '-'], {
      stdin: 'hvs.x',
      env: { VAULT_ADDR: server.url },
    });
    expectFailure(ran, 2, 'cannot store the token: ');
    expect(server.seen).toEqual([]);
  });

  test('is never a profile for another address', async () => {
    const server = await serve((_seen, response) => json(response, {}));
    for (const [line, env] of [
      [`secrets login --token - --address ${server.url}`, {}],
      ['secrets login --token -', { LANYARD_SECRETS_ADDR: server.url }],
      [`secrets logout --address ${server.url}`, {}],
    ] as const) {
      expectFailure(await run(line, { stdin: root, env }), 2, 'is not an address of the profile "dev"');
    }
    expect(server.seen).toEqual([]);
  });

  test('is the profile that is named', async () => {
    await run(`profile put other secrets.address=${address()}`);
    await run('secrets login --token - --profile other', { stdin: root });
    expect((await profile('other')).secrets.token).toBe('stored');
    expect((await profile()).secrets.token).toBeUndefined();
    expect((await run('secrets login --token - -p missing', { stdin: root })).code).toBe(3);
  });
});

describe('a token that the service responds to with another one', () => {
  test('is not stored', async () => {
    const agent = await serve((_seen, response) => json(response, { data: { id: 'hvs.of-the-agent' } }));
    await run(`profile put dev secrets.address=${agent.url}`);
    const ran = await run('secrets login --token -', { stdin: 'hvs.mine' });
    expectFailure(ran, 4, 'the secrets service responded for a different token');
    expect(stored()).not.toContain('hvs.mine');
  });
});

describe('a flag of another method', () => {
  test.each([
    ['--password @p', '--password is not supported by method "token"'],
    ['--method userpass --role-id x', '--role-id is not supported by method "userpass"'],
    ['--method approle --jwt @p', '--jwt is not supported by method "approle"'],
    ['--method jwt --token @p', '--token is not supported by method "jwt"'],
    [
      '--method radius',
      'invalid --method "radius": expected one of token, userpass, ldap, approle, jwt, kubernetes, cert, oidc',
    ],
  ])('is rejected: %s', async (flags, message) => {
    expectFailure(await run(`secrets login ${flags}`), 2, message);
  });
});

describe('a login by another method', () => {
  const auth = {
    client_token: 'hvs.made',
    accessor: 'a',
    policies: ['default', 'ops'],
    lease_duration: 3600,
    metadata: { username: 'bob' },
  };

  test.each([
    [
      '--method userpass --username bob --password -',
      '/v1/auth/userpass/login/bob',
      { password: 'hunter22' },
    ],
    [
      '--method userpass --path team/users --username bob --password env://P',
      '/v1/auth/team/users/login/bob',
      { password: 'from-env' },
    ],
    [
      '--method approle --role-id ci --secret-id -',
      '/v1/auth/approle/login',
      { role_id: 'ci', secret_id: 'hunter22' },
    ],
    ['--method approle --role-id ci', '/v1/auth/approle/login', { role_id: 'ci' }],
    ['--method jwt --role deploy --jwt -', '/v1/auth/jwt/login', { role: 'deploy', jwt: 'hunter22' }],
    ['--method jwt --path gitlab --jwt -', '/v1/auth/gitlab/login', { jwt: 'hunter22' }],
  ])('%s sends its fields, once, without a token, and stores the result', async (flags, url, body) => {
    const server = await serve(({ method }, response) =>
      method === 'POST'
        ? json(response, { auth, data: null, warnings: ['soon'] })
        : json(response, { data: { id: 'hvs.made', policies: ['default', 'ops'] } }),
    );
    await run(`profile put dev secrets.address=${server.url}`);
    const options = { stdin: 'hunter22\n', env: { P: 'from-env' } };
    const ran = await run(`secrets login ${flags}`, { ...options, now: new Date('2026-11-20T12:00:00Z') });
    expect(ran.code, ran.stderr).toBe(0);
    expect(ran.stdout).toContain(
      'Logged in as bob, until 2026-11-20 13:00:00 UTC, with policies default, ops.\n',
    );
    expect(ran.stderr).toContain('warning: soon\n');
    expect(ran.stdout + ran.stderr).not.toMatch(/hvs\.made|hunter22/);
    expect(server.seen).toHaveLength(2);
    expect(server.seen[0]).toMatchObject({ method: 'POST', url });
    expect(server.seen[1]).toMatchObject({
      method: 'GET',
      url: '/v1/auth/token/lookup-self',
      headers: { 'x-vault-token': 'hvs.made' },
    });
    expect(server.seen[0]?.headers).not.toHaveProperty('x-secrets-token');
    expect(JSON.parse(server.seen[0]?.body ?? '')).toEqual(body);
    expect(stored()).toContain('hvs.made');
    for (const dryRun of ['--dry-run', '--curl']) {
      const shown = await run(`secrets login ${flags} ${dryRun}`, options);
      expect(shown.stdout).toContain(url);
      expect(shown.stdout).not.toMatch(/hunter22|from-env|TOKEN/);
    }
    expect(server.seen).toHaveLength(2);
  });

  test('does not use up a call of a token with a limited number of uses', async () => {
    const server = await serve((_seen, response) => json(response, { auth: { ...auth, num_uses: 2 } }));
    await run(`profile put dev secrets.address=${server.url}`);
    expectExit(await run('secrets login --method jwt --jwt -', { stdin: 'hunter22' }), 0);
    expect(server.seen).toHaveLength(1);
  });

  test.each([
    ['permission denied', 9, /does not accept it with the settings of the profile "dev": .* \(403\)/],
    // A policy that does not let it look itself up, and so knows it.
    ['1 error occurred:\n\t* permission denied\n\n', 0, /cannot verify the token: the token is known/],
  ])('is done only if the service accepts the token that it made: %j', async (error, code, warning) => {
    const server = await serve(({ method }, response) =>
      method === 'POST' ? json(response, { auth }) : json(response, { errors: [error] }, 403),
    );
    await run(`profile put dev secrets.address=${server.url}`);
    const ran = await run('secrets login --method jwt --jwt -', { stdin: 'hunter22' });
    expectExit(ran, code, warning);
    expect(ran.stdout).toContain('Stored the token with profile dev');
    expect(ran.stdout.includes('Logged in')).toBe(code === 0);
    expect(stored()).toContain('hvs.made');
  });

  test('with a lost response is not sent again, and its outcome is unknown', async () => {
    const server = await serveSocket((socket) => socket.destroy());
    await run(`profile put dev secrets.address=${server.url}`);
    expectFailure(await run('secrets login --method jwt --jwt -', { stdin: 'hunter22' }), 9);
    expect(server.seen).toHaveLength(1);
    expect(stored()).toBe('');
  });

  test('that is rejected shows the message of the service, and no password', async () => {
    const server = await serve(({ body }, response) =>
      json(response, { errors: [`invalid username or password: ${body}`] }, 400),
    );
    await run(`profile put dev secrets.address=${server.url}`);
    const ran = await run('secrets login --method userpass --username bob --password -', {
      stdin: 'hunter22',
    });
    expectFailure(ran, 4, 'invalid username or password');
    expect(ran.stderr).not.toContain('hunter22');
  });

  test('that wants a second factor stores nothing', async () => {
    const server = await serve((_seen, response) =>
      json(response, { auth: { ...auth, client_token: '', mfa_requirement: { mfa_request_id: 'x' } } }),
    );
    await run(`profile put dev secrets.address=${server.url}`);
    expectFailure(await run('secrets login --method jwt --jwt -', { stdin: 'x.y.z' }), 4, 'second factor');
    expect(stored()).toBe('');
  });
});

describe('secrets logout', () => {
  test('revokes and removes the stored token', async () => {
    const token = await tokenOf('policies=default');
    await run('secrets login --token -', { stdin: token });
    // The token of the environment is another one, and stays.
    expect(await run('secrets logout', { env: { LANYARD_SECRETS_TOKEN: root } })).toEqual({
      code: 0,
      stdout: 'The token of profile dev was revoked and removed.\n',
      stderr: '',
    });
    expect(stored()).not.toContain(token);
    expect(await lives(token)).toBe(false);
    expect(await lives(root)).toBe(true);
    expect((await run('secrets read sys/mounts')).code).toBe(4);
    expectOutput(await run('secrets logout'), 'No token is stored with profile dev.\n');
    expect(await run('secrets logout', { env: { LANYARD_SECRETS_TOKEN: root } })).toEqual({
      code: 9,
      stdout: 'No token is stored. The token from LANYARD_SECRETS_TOKEN may still be valid.\n',
      stderr: 'Run `lanyard secrets token revoke --self` to revoke it.\n',
    });
    const ofProfile = await run('-p dev secrets logout', { env: { LANYARD_SECRETS_TOKEN: root } });
    expect(ofProfile.stderr).toBe('Run `lanyard -p dev secrets token revoke --self` to revoke it.\n');
  });

  test('prompts before it revokes a root token', async () => {
    await run('secrets login --token -', { stdin: root });
    expect(await run('secrets logout')).toMatchObject({ code: 2, stdout: '' });
    expect(stored()).toContain(root);
    expect((await run('secrets logout --yes')).code).toBe(0);
    expect(await lives(root)).toBe(false);
  });

  test('removes a token that the service no longer knows', async () => {
    const token = await tokenOf('policies=default');
    await run('secrets login --token -', { stdin: token });
    await run(`secrets write auth/token/revoke token=- --address ${address()}`, {
      stdin: token,
      env: { LANYARD_SECRETS_TOKEN: root },
    });
    expect(quietOutputOf(await run('secrets logout'))).toBe(
      'The token of profile dev was removed. The service does not know it: it has expired or was revoked.\n',
    );
    expect(stored()).not.toContain(token);
  });

  test('does not treat a 403 alone as a revoked token', async () => {
    const token = await tokenOf('policies=default');
    await run('secrets login --token -', { stdin: token });
    // OpenBao says the same of a token that it does not know and of one that is bound to other addresses.
    const { url } = await serve((_seen, response) => json(response, { errors: ['permission denied'] }, 403));
    await run(`profile put dev secrets.address=${url}`);
    const ran = await run('secrets logout -o json');
    expect(ran.code).toBe(9);
    expect(JSON.parse(ran.stdout)).toEqual({ profile: 'dev', revoked: false, forgotten: true });
    expect(stored()).not.toContain(token);
    expect(await lives(token)).toBe(true);
  });

  test('reports that a token without permission to revoke itself is still valid', async () => {
    const token = await tokenOf('policies=none', 'no_default_policy=true');
    await run('profile put dev secrets.token=-', { stdin: token });
    const ran = await run('secrets logout');
    expect(ran.code).toBe(9);
    expect(ran.stdout).toContain('is still valid: it has no permission to revoke itself.');
    expect(stored()).not.toContain(token);
  });

  test('removes a token that cannot be revoked, and reports it', async () => {
    const token = await tokenOf('policies=default');
    await run('secrets login --token -', { stdin: token });
    const away = `http://127.0.0.1:${await freePort()}`;
    await run(`profile put dev secrets.address=${away}`);
    const ran = await run('secrets logout');
    expect(ran).toMatchObject({
      code: 9,
      stdout: 'The token of profile dev was removed but may still be valid.\n',
    });
    expect(ran.stderr).toContain('warning: cannot revoke the token: cannot reach');
    expect(stored()).not.toContain(token);
  });

  test.each(['--dry-run', '--curl'])('with %s keeps a token that the service rejects', async (flag) => {
    await run('profile put dev secrets.token=-', { stdin: 'hvs.unknown' });
    expect(await run(`secrets logout ${flag}`)).toMatchObject({ code: 0 });
    expect(stored()).toContain('hvs.unknown');
  });

  test('with --dry-run -o json reports what would be removed', async () => {
    await run('profile put dev secrets.token=-', { stdin: 'hvs.unknown' });
    const away = `http://127.0.0.1:${await freePort()}`;
    await run(`profile put dev secrets.address=${away}`);
    expectExit(await run('secrets logout --dry-run -o json --out said.json'), 0);
    expect(JSON.parse(at.read('said.json'))).toEqual({
      change: 'the token of secrets stored in the profile "dev" would be removed',
    });
    expect(stored()).toContain('hvs.unknown');
  });
});

import { beforeEach, describe, expect, test } from 'vitest';
import {
  expectFailure,
  expectOutput,
  homeForEach,
  quietOutputOf,
  runnerOf,
  storedTokens,
} from '../../support/command-tests.ts';
import type { Ran } from '../../support/run.ts';
import { type Handler, json, serve, serveSocket, type TestServer } from '../../unit/api/support.ts';
import { reject } from './shelf.ts';

const method = 'ampw_1234567890';
const token = 'at_AbCdEfGh12_s3cret-part';
const tokenId = 'at_AbCdEfGh12';

const at = homeForEach();
let live: Set<string>;
let isStubborn: boolean;
let hasTokens: boolean;
/** A proxy removes the token. */
let strips: boolean;
let server: TestServer;
const run = runnerOf(at);
const stored = () => storedTokens(at);

/** Accepts the login of bob, and the valid tokens (docs/protocol/accounts.md#logins-and-ids). */
const reply: Handler = ({ method: verb, url, headers, body }, response) => {
  const caller = /^Bearer (at_[^_]+)_/.exec(headers.authorization ?? '')?.[1] ?? '';
  if (url === '/v1/auth-methods?scope_id=global') json(response, { items: [], response_type: 'complete' });
  else if (url.endsWith(':authenticate')) authenticate(url, JSON.parse(body).attributes, response);
  else if (!hasTokens || !url.startsWith('/v1/auth-tokens/')) response.writeHead(404).end();
  // A token is looked up before the caller is checked, and an unknown route is an empty 404.
  else if (!live.has(url.slice('/v1/auth-tokens/'.length)))
    reject(response, 404, 'NotFound', 'Resource not found.');
  else if (strips || !live.has(caller))
    reject(response, 401, 'Unauthenticated', 'Unauthenticated, or invalid token.');
  else if (verb !== 'DELETE') json(response, { id: caller, expiration_time: '2026-11-27T10:00:00Z' });
  else if (isStubborn) reject(response, 403, 'PermissionDenied', 'Forbidden.');
  else {
    live.delete(caller);
    response.writeHead(204).end();
  }
};

function authenticate(
  url: string,
  { login_name, password }: Readonly<Record<string, string>>,
  response: Parameters<Handler>[1],
): void {
  if (url.includes('/amldap_1234567890:')) {
    reject(response, 401, 'Unauthenticated', 'Unable to authenticate.');
  } else if (url.includes('/ampw_secondary1:')) {
    reject(response, 404, 'NotFound', 'Unable to find requested resource.');
  } else if (!url.includes(`/${method}:`)) {
    reject(response, 404, 'NotFound', 'Resource not found.');
  } else if (login_name !== 'bob' || password !== 'correct-horse') {
    reject(response, 401, 'Unauthenticated', 'Unable to authenticate.');
  } else {
    live.add(tokenId);
    json(response, {
      type: 'token',
      command: 'login',
      attributes: {
        id: tokenId,
        token,
        scope_id: 'global',
        user_id: 'u_1',
        account_id: 'acctpw_1',
        auth_method_id: method,
        expiration_time: '2026-11-27T10:00:00.123Z',
      },
    });
  }
}

beforeEach(async () => {
  live = new Set();
  isStubborn = false;
  hasTokens = true;
  strips = false;
  server = await serve(reply);
  await run(`profile put dev accounts.address=${server.url}`);
});

const login = `account login --auth-method ${method} --login-name bob --password env://PW`;
const env = { PW: 'correct-horse' };
const logIn = (more = ''): Promise<Ran> => run(`${login}${more}`, { env });

describe('account login', () => {
  test('stores the token with the profile, and later requests use it', async () => {
    const ran = await logIn();
    expect(ran.code, ran.stderr).toBe(0);
    expect(ran.stdout).toBe(
      'Logged in as bob, until 2026-11-27 10:00:00 UTC.\nStored the token with profile dev, in a file.\n',
    );
    expect(stored()).toContain(token);
    expect(ran.stdout + ran.stderr).not.toContain('s3cret');
    expect(JSON.parse(server.seen[0]?.body ?? '')).toEqual({
      command: 'login',
      type: 'token',
      attributes: { login_name: 'bob', password: 'correct-horse' },
    });
    expect((await run(`api accounts GET auth-tokens/${tokenId}`)).code).toBe(0);
  });

  test('without an auth method, and without a primary one, needs the ID', async () => {
    const ran = await run('account login --login-name bob --password env://PW', { env });
    expectFailure(ran, 2, 'cannot prompt for auth method ID');
    expect(server.seen.map(({ url }) => url)).toEqual(['/v1/auth-methods?scope_id=global']);
  });

  test('prompts for missing values', async () => {
    const ran = await run('account login', { columns: 80, typed: `${method}\nbob\ncorrect-horse\n` });
    expect(ran.code, ran.stderr).toBe(0);
    for (const question of [
      'auth method ID: ',
      'Log in to the account service at ',
      'login name: ',
      'password: ',
    ])
      expect(ran.stderr).toContain(question);
    expect(stored()).toContain(token);
  });

  test('does not echo the typed password', async () => {
    const line = `account login --auth-method ${method} --login-name bob`;
    const ran = await run(line, { columns: 80, typed: 'correct-horse\n' });
    expect(ran.code, ran.stderr).toBe(0);
    expect(ran.stderr).not.toContain('correct-horse');
  });

  test('returns data without the token', async () => {
    expect(JSON.parse((await logIn(' -o json')).stdout)).toEqual({
      profile: 'dev',
      stored: 'file',
      id: tokenId,
      scope_id: 'global',
      user_id: 'u_1',
      account_id: 'acctpw_1',
      auth_method_id: method,
      expiration_time: '2026-11-27T10:00:00.123Z',
    });
  });

  test('with --no-store masks and prints the token', async () => {
    const ran = await run(`${login} --no-store`, { env: { ...env, GITHUB_ACTIONS: 'true' } });
    expect(ran).toEqual({ code: 0, stdout: `${token}\n`, stderr: `::add-mask::${token}\n` });
    expect(stored()).toBe('');
  });

  test('sends no token, because an expired one would be rejected', async () => {
    await run(`${login} --no-store`, { env: { ...env, LANYARD_ACCOUNTS_TOKEN: 'at_old_token' } });
    expect(server.seen[0]?.headers).not.toHaveProperty('authorization');
  });

  test('with a wrong password exits with 4 and does not show the password', async () => {
    const ran = await run(login, { env: { PW: 'wrong-horse' } });
    expectFailure(ran, 4, `cannot log in: auth method "${method}" rejected the login (401)`);
    expect(ran.stderr).toContain('Check the login name and the password');
    expect(ran.stderr).not.toContain('wrong-horse');
    expect(stored()).toBe('');
  });

  test('with a missing auth method exits with 3', async () => {
    const ran = await run(login.replace(method, 'ampw_none'), { env });
    expectFailure(ran, 3, 'auth method "ampw_none" not found');
  });

  test('with a directory mentions it in the hint', async () => {
    const ran = await run(login.replace(method, 'amldap_1234567890'), { env });
    expectFailure(ran, 4, 'The auth method may be inactive, or the directory unreachable');
  });

  test('reports an account without a user', async () => {
    const ran = await run(login.replace(method, 'ampw_secondary1'), { env });
    expectFailure(ran, 3, 'the account has no user');
    expect(ran.stderr).toContain('`lanyard account user add-accounts USER bob --auth-method ');
    expect(ran.stderr).not.toMatch(/auth method "\w+" not found/);
  });

  test('after a lost response, is not repeated and has an unknown outcome', async () => {
    const losing = await serveSocket((socket) => socket.destroy());
    const ran = await run(`${login} --no-store --address ${losing.url}`, { env });
    expectFailure(ran, 9, 'An unused token may have been issued');
    expect(losing.seen).toHaveLength(1);
  });

  test.each([
    [
      'account login --auth-method amoidc_1 --login-name bob',
      '--login-name is not supported by auth methods of type oidc',
    ],
    [
      'account login --auth-method amoidc_1 --password env://PW',
      '--password is not supported by auth methods of type oidc',
    ],
    [`${login} --no-browser`, '--no-browser is not supported by auth methods of type password'],
    [
      'account login --auth-method amldap_1 --wait 1m',
      '--wait is not supported by auth methods of type ldap',
    ],
    [`account login --auth-method ${method} --password env://PW`, 'cannot prompt for login name'],
    [
      `account login --auth-method ${method} --login-name bob --password plain`,
      'not accepted on the command line',
    ],
    [
      'account login --auth-method .. --login-name bob --password env://PW',
      'must not contain ".." as a path segment',
    ],
    [`${login} --address http://127.0.0.1:1`, 'is not an address of the profile "dev"'],
  ])('rejects "%s" before a request is sent', async (line, text) => {
    expectFailure(await run(line, { env }), 2, text);
    expect(server.seen).toEqual([]);
  });

  test('deletes a token that could not be stored', async () => {
    at.write('config/credentials.json', '{');
    expectFailure(await logIn(), 1, 'credentials.json: it is not valid JSON');
    expect(live.size).toBe(0);
  });

  test.each(['--dry-run', '--curl'])('with %s shows the request without the password', async (flag) => {
    const stdout = quietOutputOf(await logIn(` ${flag}`));
    expect(stdout).toContain(`${server.url}/v1/auth-methods/${method}:authenticate`);
    expect(stdout).toContain('<redacted>');
    expect(stdout).not.toMatch(/correct-horse|LANYARD_ACCOUNTS_TOKEN/);
    expect(server.seen).toEqual([]);
  });
});

describe('a login with a token that the service rejects', () => {
  test('stores the token and exits with 9', async () => {
    strips = true;
    const ran = await logIn();
    expect(ran.code).toBe(9);
    expect(ran.stdout).toBe('Stored the token with profile dev, in a file.\n');
    expect(ran.stderr).toContain(
      'warning: the service issued the token but does not accept it with the settings of the profile "dev": the account service does not accept the token (401)',
    );
    expect(stored()).toContain(token);
  });

  test('succeeds if the service cannot check tokens', async () => {
    hasTokens = false;
    const ran = await logIn();
    expect(ran.code).toBe(0);
    expect(ran.stdout).toMatch(/^Logged in as bob/);
    expect(ran.stderr).toContain('cannot verify the token');
  });
});

describe('account logout', () => {
  test('deletes and removes the stored token', async () => {
    await logIn();
    expectOutput(await run('account logout'), 'The token of profile dev was deleted and removed.\n');
    expect(live.size).toBe(0);
    expect(stored()).not.toContain('accounts');
    expect((await run('account logout')).stdout).toBe('No token is set or stored.\n');
  });

  test('deletes a token from a variable', async () => {
    await logIn(' --no-store');
    const options = { env: { LANYARD_ACCOUNTS_TOKEN: token } };
    const ran = await run('account logout -o json', options);
    expect(JSON.parse(ran.stdout)).toEqual({
      from: 'LANYARD_ACCOUNTS_TOKEN',
      deleted: true,
      forgotten: false,
    });
    expect(await run('account logout', options)).toEqual({
      code: 0,
      stderr: '',
      stdout:
        'The token from LANYARD_ACCOUNTS_TOKEN is not known to the service: it has expired or was deleted.\n',
    });
  });

  test('removes a token that the service does not know', async () => {
    await logIn();
    live.clear();
    expect(quietOutputOf(await run('account logout'))).toBe(
      'The token of profile dev was removed. The service does not know it: it has expired or was deleted.\n',
    );
    expect(stored()).not.toContain(token);
  });

  test('removes a token that could not be deleted, and exits with 9', async () => {
    await logIn();
    isStubborn = true;
    const ran = await run('account logout');
    expect(ran).toMatchObject({ code: 9 });
    expect(ran.stdout).toBe('The token of profile dev was removed but may still be valid.\n');
    expect(ran.stderr).toContain(
      'warning: cannot delete the token: cannot delete auth token: permission denied (403)',
    );
    expect(stored()).not.toContain(token);
  });

  test('removes a token that the service cannot delete, and reports that', async () => {
    await logIn();
    hasTokens = false;
    const ran = await run('account logout');
    expect(ran).toMatchObject({ code: 9, stderr: '' });
    expect(ran.stdout).toContain('The service cannot delete tokens, so it is valid until it expires.');
    expect(stored()).not.toContain(token);
    expect(live.has(tokenId)).toBe(true);
  });

  test('does not report a rejected token as deleted', async () => {
    await logIn();
    strips = true;
    const ran = await run('account logout -o json');
    expect(ran.code).toBe(9);
    expect(JSON.parse(ran.stdout)).toMatchObject({ deleted: false, forgotten: true });
    expect(live.has(tokenId)).toBe(true);
    await logIn(' --no-store');
    const left = await run('account logout', { env: { LANYARD_ACCOUNTS_TOKEN: token } });
    expect(left).toMatchObject({ code: 9, stderr: '' });
    expect(left.stdout).toBe(
      'The token from LANYARD_ACCOUNTS_TOKEN could not be deleted: the service rejected it (401). It may still be valid.\n',
    );
  });

  test('does not delete a token without an ID', async () => {
    const ran = await run('account logout', { env: { LANYARD_ACCOUNTS_TOKEN: 'opaque' } });
    expect(ran).toMatchObject({ code: 9, stderr: '' });
    expect(ran.stdout).toContain('has no ID, so it could not be deleted and may still be valid.');
  });
});

describe('status of the account service', () => {
  const finding = async (env: Record<string, string> = {}) =>
    JSON.parse((await run('status -o json', { env })).stdout).find(
      ({ service }: { service: string }) => service === 'accounts',
    );

  test('shows whether the token is valid, and its expiry', async () => {
    expect(await finding()).toMatchObject({ state: 'ok', token: 'none' });
    await logIn();
    expect(await finding()).toMatchObject({
      state: 'ok',
      token: 'valid',
      tokenValidUntil: '2026-11-27T10:00:00Z',
      problem: null,
    });
    hasTokens = false;
    expect(await finding()).toMatchObject({ token: 'not checked' });
    hasTokens = true;
    strips = true;
    expect(await finding()).toMatchObject({ token: 'not accepted' });
    strips = false;
    live.clear();
    expect(await finding()).toMatchObject({
      state: 'ok',
      token: 'not accepted',
      tokenValidUntil: null,
      problem: 'the account service does not know the token: it has expired or was deleted',
    });
    expect(await finding({ LANYARD_ACCOUNTS_TOKEN: 'opaque' })).toMatchObject({ token: 'not checked' });
  });
});

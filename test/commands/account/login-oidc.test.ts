import { beforeEach, describe, expect, test } from 'vitest';
import {
  expectExit,
  expectFailure,
  homeForEach,
  quietOutputOf,
  runnerOf,
  storedTokens,
} from '../../support/command-tests.ts';
import { type Handler, json, serve, type TestServer } from '../../unit/api/support.ts';
import { reject } from './shelf.ts';

// What Boundary 0.21.0 was seen to send in a login with an OpenID Connect provider. It does not report a login that
// the provider rejects, or whose account has no user: such a login stays incomplete until it expires after 5 minutes.

const method = 'amoidc_gAQo3Ug5Yg';
const id = 'at_inDWBZJxLI';
const token = `${id}_s18pBWWA5gxPVjCHf46pvmWnjcAEn74`;
const tokenId = '3zLaSRGh4YuRhRnDk7DwHsmBYkosicKz1wNMD2XgEhKfLYed63B85uJeXvmXY5eqz6ovTuoRzfzNEK2LB8g';
const authUrl =
  'https://id.example.com/auth?client_id=boundary&nonce=vf1MeP8d29VFdpmowzuH&redirect_uri=http%3A%2F%2F127.0.0.1%3A29200%2Fv1%2Fauth-methods%2Foidc%3Aauthenticate%3Acallback&response_type=code&scope=openid&state=M4FfB2R77S9mnr9yC2iQMYV8WWMfDYnX';
const started = { attributes: { auth_url: authUrl, token_id: tokenId }, command: 'start' };
const pending = { attributes: { status: 'unknown' }, command: 'token' };
const done = {
  type: 'token',
  attributes: {
    account_id: 'acctoidc_cBAQOVBpP1',
    approximate_last_used_time: '2026-11-22T15:53:14.646191Z',
    auth_method_id: method,
    created_time: '2026-11-22T15:53:14.635821Z',
    expiration_time: '2026-11-29T15:53:14Z',
    id,
    scope: { id: 'global', type: 'global' },
    token,
    updated_time: '2026-11-22T15:53:14.646191Z',
    user_id: 'u_ZFoVlf1ZO9',
  },
  command: 'token',
};
const methods = {
  items: [
    { id: method, scope_id: 'global', type: 'oidc', is_primary: true, authorized_actions: ['authenticate'] },
    { id: 'ampw_1234567890', scope_id: 'global', type: 'password', authorized_actions: ['authenticate'] },
  ],
  response_type: 'complete',
};

const at = homeForEach();
let server: TestServer;
/** The responses to the requests for the token, the last one for all further requests. */
let tokenResponses: readonly ('pending' | 'done' | 'expired' | 'lost' | 'held' | number)[];
/** Called for a request that gets no response. */
let onHeld: () => void;
const run = runnerOf(at);
const stored = () => storedTokens(at);
const tokenRequests = () => server.seen.filter(({ body }) => body.includes('"command":"token"'));

const boundary: Handler = ({ url, headers, body }, response) => {
  if (url === '/v1/auth-methods?scope_id=global') return json(response, methods);
  if (url === `/v1/auth-tokens/${id}` && headers.authorization === `Bearer ${token}`)
    return json(response, { id, expiration_time: done.attributes.expiration_time });
  if (url !== `/v1/auth-methods/${method}:authenticate`) return rejectStart(url, response);
  if (JSON.parse(body).command === 'start') return json(response, started);
  const index = Math.min(tokenRequests().length, tokenResponses.length) - 1;
  const kind = tokenResponses[index];
  if (typeof kind === 'number') return reject(response, kind, 'Internal', 'an error');
  switch (kind) {
    case 'done':
      return json(response, done);
    case 'expired':
      return reject(response, 403, 'PermissionDenied', 'Forbidden.');
    case 'lost':
      return response.socket?.destroy();
    case 'held':
      return onHeld();
    default:
      return json(response, pending, 202);
  }
};

function rejectStart(url: string, response: Parameters<Handler>[1]): void {
  if (url.includes('/amoidc_inactive12:'))
    reject(
      response,
      400,
      'FailedPrecondition',
      'Cannot start authentication against an inactive OIDC auth method',
    );
  else if (url.includes('/amoidc_noissuer12:'))
    reject(
      response,
      400,
      'InvalidArgument',
      'oidc.StartAuth: oidc.(providers).getProvider: oidc.convertToProvider: AuthMethod cannot be converted to a valid OIDC Provider: parameter violation: error #100: NewProvider: unable to create provider: Get "http://127.0.0.1:28556/.well-known/openid-configuration": dial tcp 127.0.0.1:28556: connect: connection refused',
    );
  else if (url.includes('/amoidc_script1234:'))
    json(response, {
      ...started,
      attributes: { ...started.attributes, auth_url: 'javascript:alert(1)?state=x' },
    });
  else reject(response, 404, 'NotFound', 'Resource not found.');
}

beforeEach(async () => {
  tokenResponses = ['pending', 'done'];
  server = await serve(boundary);
  await run(`profile put dev accounts.address=${server.url}`);
});

const login = `account login --auth-method ${method}`;
/** Asks for the token once, without a pause before it. */
const once = '--wait 50ms';

describe('account login with an auth method of type oidc', () => {
  test('waits until the login is completed in the browser, and stores the token', async () => {
    const ran = await run(`${login} --verbose`);
    expect(ran.code, ran.stderr).toBe(0);
    expect(ran.stdout).toBe(
      'Logged in as acctoidc_cBAQOVBpP1, until 2026-11-29 15:53:14 UTC.\nStored the token with profile dev, in a file.\n',
    );
    expect(ran.stderr).toContain(`Open this URL in a browser:\n  ${authUrl}\n`);
    expect(stored()).toContain(token);
    const posted = server.seen.filter(({ method: verb }) => verb === 'POST');
    const request = { command: 'token', type: 'token', attributes: { token_id: tokenId } };
    expect(posted.map(({ body }) => JSON.parse(body))).toEqual([{ command: 'start' }, request, request]);
    for (const { headers } of posted) expect(headers).not.toHaveProperty('authorization');
    for (const secret of [tokenId, token]) expect(ran.stdout + ran.stderr).not.toContain(secret);
  });

  test('is the login with a primary auth method of this type', async () => {
    tokenResponses = ['done'];
    const ran = await run(`account login --no-store ${once}`, { env: { GITHUB_ACTIONS: 'true' } });
    expect(ran.code, ran.stderr).toBe(0);
    expect(ran.stdout).toBe(`${token}\n`);
    expect(ran.stderr).toContain(`::add-mask::${token}\n`);
    expect(ran.stderr).not.toContain(tokenId);
    expect(stored()).toBe('');
  });

  test('returns data without the token, and prints the URL before that', async () => {
    tokenResponses = ['done'];
    const ran = await run(`${login} ${once} -o json`);
    expectExit(ran, 0, authUrl);
    const { token: _token, ...who } = done.attributes;
    expect(JSON.parse(ran.stdout)).toEqual({ profile: 'dev', stored: 'file', ...who });
  });

  test('with --no-browser prints the URL on a terminal too', async () => {
    tokenResponses = ['done'];
    const ran = await run(`${login} --no-browser --no-store ${once}`, { columns: 500, typed: '' });
    expectExit(ran, 0, authUrl);
  });

  test('ends with exit code 8 if the login is not completed in time', async () => {
    tokenResponses = ['pending'];
    const ran = await run(`${login} ${once}`);
    expect(ran).toMatchObject({ code: 8, stdout: '' });
    expect(ran.stderr).toContain(
      'error: login timed out: not completed in the browser within 0.05 s\nhint: Log in again. If the login was rejected, the browser shows why.\n',
    );
    expect(tokenRequests().length).toBeGreaterThan(0);
    expect(ran.stderr).not.toContain(tokenId);
    expect(stored()).toBe('');
  });

  test('ends with exit code 8 if the service ends the login', async () => {
    tokenResponses = ['expired'];
    const ran = await run(`${login} ${once} -o json`);
    expect(ran).toMatchObject({ code: 8, stdout: '' });
    expect(JSON.parse(ran.stderr.slice(ran.stderr.indexOf('\n{')))).toMatchObject({
      error: { message: 'login timed out: the service no longer accepts it (403)', retryable: true },
    });
    expect(tokenRequests()).toHaveLength(1);
  });

  test('ends with exit code 130 after a signal', async () => {
    tokenResponses = ['pending'];
    const interrupt = new AbortController();
    const ran = await run(login, {
      signal: interrupt.signal,
      onStderr: (text) => {
        if (text.includes(authUrl)) interrupt.abort();
      },
    });
    expectFailure(ran, 130, 'error: interrupted while waiting for the browser');
    expect(tokenRequests()).toEqual([]);
  });

  test('ends with exit code 130 after a signal during a request for the token', async () => {
    tokenResponses = ['held'];
    const interrupt = new AbortController();
    onHeld = () => interrupt.abort();
    const ran = await run(`${login} ${once}`, { signal: interrupt.signal });
    expect(ran).toMatchObject({ code: 130, stdout: '' });
    expect(ran.stderr).not.toContain(tokenId);
  });

  test.each([
    [404, 3],
    [429, 8],
    [500, 1],
    [502, 9],
  ])('with status %i for the token: exit code %i', async (status, code) => {
    tokenResponses = [status];
    const ran = await run(`${login} ${once}`);
    expect(ran).toMatchObject({ code, stdout: '' });
    expect(ran.stderr).not.toContain(tokenId);
    expect(tokenRequests().length).toBeLessThanOrEqual(code === 8 ? 3 : 1);
    expect(stored()).toBe('');
  });

  test('has an unknown outcome after a lost response, which may have had the token', async () => {
    tokenResponses = ['lost'];
    const ran = await run(`${login} ${once}`);
    expectFailure(ran, 9, 'An unused token may have been issued');
    expect(ran.stderr).not.toContain(tokenId);
    expect(tokenRequests()).toHaveLength(1);
  });

  test.each([
    ['amoidc_inactive12', 1, 'error: cannot log in: auth method "amoidc_inactive12" is inactive (400)\n'],
    [
      'amoidc_noissuer12',
      1,
      'error: cannot log in: the service cannot use the issuer of auth method "amoidc_noissuer12" (400)\n',
    ],
    ['amoidc_0000000000', 3, 'error: auth method "amoidc_0000000000" not found\n'],
    ['amoidc_script1234', 1, 'unexpected response from the account service: invalid authorization URL\n'],
  ])('with auth method %s: exit code %i', async (missing, code, message) => {
    expectFailure(await run(`account login --auth-method ${missing}`), code, message);
    expect(tokenRequests()).toEqual([]);
  });

  test.each(['--dry-run', '--curl'])('with %s shows the first request', async (flag) => {
    const stdout = quietOutputOf(await run(`${login} ${flag}`));
    expect(stdout).toContain(`${server.url}/v1/auth-methods/${method}:authenticate`);
    expect(stdout).toMatch(/"command": ?"start"/);
    expect(server.seen).toEqual([]);
  });
});

test('api --dry-run does not show the token ID of a login', async () => {
  const ran = await run(`api accounts POST auth-methods/${method}:authenticate --data - --dry-run`, {
    stdin: JSON.stringify({ command: 'token', attributes: { token_id: tokenId } }),
  });
  expect(ran.code, ran.stderr).toBe(0);
  expect(ran.stdout).toContain('"token_id": "<redacted>"');
});

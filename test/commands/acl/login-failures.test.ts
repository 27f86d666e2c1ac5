import { describe, expect, test } from 'vitest';
import { expectFailure, homeForAll, runnerOf } from '../../support/command-tests.ts';
import { freePort } from '../../support/ports.ts';
import type { Ran } from '../../support/run.ts';
import { json, serve, serveSocket, type TestServer } from '../../unit/api/support.ts';

const at = homeForAll();
const run = runnerOf(at);

/** A registry that rejects everything in these words. */
const rejecting = (status: number, words: string): Promise<TestServer> =>
  serve((_seen, response) => response.writeHead(status).end(words));

const login = (server: TestServer, more = ''): Promise<Ran> =>
  run(`acl login --method m --bearer-token env://JWT --no-store --address ${server.url}${more}`, {
    env: { JWT: 'a.secret.jwt' },
    // No pauses between attempts.
    random: (length) => new Uint8Array(length),
  });

describe('a rejected login', () => {
  test.each([
    [403, 'Permission denied', 5, 'auth method "m" grants no permissions (403)', 'no binding rule'],
    [403, 'ACL not found: auth method "m" not found', 3, 'auth method "m" not found (403)', 'not found'],
    [500, 'no known key successfully validated the token signature', 4, 'rejected the login', 'issuer'],
    [500, 'error parsing token: illegal base64 data at input byte 0', 4, 'rejected the login', 'base64'],
    [
      500,
      'error validating claims: invalid audience (aud) claim',
      4,
      'rejected the login',
      'invalid audience',
    ],
    [500, 'lookup failed: token a.secret.jwt is not known', 4, 'rejected the login', '<redacted>'],
    [500, 'No cluster leader', 1, 'the service registry responded with status 500', 'No cluster leader'],
    [401, 'ACL support disabled', 4, 'access control is off at the service registry (401)', 'disabled'],
    [
      400,
      'Invalid query parameter: "ns" - Namespaces are a Consul Enterprise feature',
      1,
      'invalid (400)',
      'ns',
    ],
  ])('with %i %s', async (status, words, code, text, more) => {
    const server = await rejecting(status, words);
    const ran = await login(server);
    expectFailure(ran, code, text, more);
    expect(ran.stderr).not.toContain('a.secret.jwt');
    // An election is waited for: nothing was done.
    expect(server.seen).toHaveLength(words === 'No cluster leader' ? 24 : 1);
  });

  test.each([
    'acl oidc auth-url --method m --redirect-uri http://127.0.0.1:1/cb',
    'acl oidc callback --method m --state s --code env://JWT --no-store',
  ])('by a registry without OIDC logins names the product that has them: %s', async (line) => {
    const server = await rejecting(404, 'Invalid URL path: not a recognized HTTP API endpoint\n');
    const ran = await run(`${line} --address ${server.url}`, { env: { JWT: 'a.secret.jwt' } });
    expectFailure(ran, 3, 'the service registry does not support OIDC logins (404)');
    expect(ran.stderr).toContain('OIDC requires Consul Enterprise.');
  });

  test('with a lost response is not sent again, and its outcome is unknown', async () => {
    const server = await serveSocket((socket) => socket.destroy());
    expectFailure(await login(server), 9, 'log in: outcome unknown', 'An unused token may have been created');
    expect(server.seen).toHaveLength(1);
  });

  test('sends no token: an expired one would make the service reject it', async () => {
    const server = await rejecting(403, 'Permission denied');
    await run(`acl login --method m --bearer-token env://JWT --no-store --address ${server.url}`, {
      env: { JWT: 'j', LANYARD_REGISTRY_TOKEN: 'old' },
    });
    expect(server.seen[0]?.headers).not.toHaveProperty('x-registry-token');
  });

  test('reports a response without a token as unexpected', async () => {
    const server = await serve((_seen, response) => json(response, { AccessorID: 'a' }));
    expectFailure(await login(server), 9, 'unexpected response from the service registry');
  });
});

describe('an invalid login', () => {
  test.each([
    ['acl login --bearer-token -', '--method METHOD is required'],
    ['acl login --method m --oidc --bearer-token -', '--oidc cannot be combined with --bearer-token'],
    ['acl login --method m --bearer-token - --callback-port 1', 'require --oidc'],
    ['acl login --method m --bearer-token - --no-browser', 'require --oidc'],
    ['acl login --method m --oidc --callback-port 65536', 'invalid --callback-port 65536'],
    [
      'acl login --method m --bearer-token plain --no-store',
      'bearer token is not accepted on the command line',
    ],
    ['acl login --method m --bearer-token - --no-store', 'bearer token is empty'],
    ['acl login --method m --bearer-token -', 'cannot store the token: no profile is active'],
    ['acl oidc auth-url --method m', '--redirect-uri URI is required'],
    ['acl oidc callback --method m --code -', '--state STATE is required'],
    [
      'acl oidc callback --method m --state s --no-store --code plain',
      'code is not accepted on the command line',
    ],
  ])('%s', async (line, text) => {
    const server = await rejecting(500, 'never asked');
    expectFailure(await run(`${line} --address ${server.url}`), 2, text);
    expect(server.seen).toHaveLength(0);
  });
});

describe('a login with --dry-run', () => {
  const address = 'http://127.0.0.1:1';

  test('with --dry-run hides the bearer token', async () => {
    const ran = await run(
      `acl login --method m --meta a=b --meta pod=c --bearer-token env://JWT --no-store --dry-run -n team --address ${address}`,
      { env: { JWT: 'a.secret.jwt' } },
    );
    expect(ran.code, ran.stderr).toBe(0);
    expect(ran.stdout).toContain(`POST ${address}/v1/acl/login?ns=team`);
    expect(ran.stdout).toContain('"BearerToken": "<redacted>"');
    expect(ran.stdout).toMatch(/"Meta": \{\s+"a": "b",\s+"pod": "c"\s+\}/);
    expect(ran.stdout).not.toContain('a.secret.jwt');
  });

  test('with --oidc prints the request for the authorization URL, without its nonce', async () => {
    const port = await freePort();
    const ran = await run(
      `acl login --method corp --oidc --callback-port ${port} --no-store --dry-run -o json --address ${address}`,
    );
    expect(ran.code, ran.stderr).toBe(0);
    expect(JSON.parse(ran.stdout)).toMatchObject({
      method: 'POST',
      url: `${address}/v1/acl/oidc/auth-url`,
      body: {
        AuthMethod: 'corp',
        RedirectURI: `http://localhost:${port}/oidc/callback`,
        ClientNonce: '<redacted>',
      },
    });
  });

  test('with --curl shows where to fill in the code', async () => {
    const ran = await run(
      `acl oidc callback --method corp --state s1 --code - --no-store --curl --address ${address}`,
      { stdin: 'the-code' },
    );
    expect(ran.stdout).toMatch(/^# replace <redacted> with the secret\ncurl --request POST /);
    expect(ran.stdout).toContain('"State":"s1"');
    expect(ran.stdout).not.toContain('the-code');
  });
});

describe('a login with the browser', () => {
  /** A registry whose authorization URL is this. */
  const pointing = (AuthURL: string): Promise<TestServer> =>
    serve((_seen, response) => json(response, { AuthURL }));
  const oidc = async (server: TestServer, port: number, more = ''): Promise<Ran> =>
    run(`acl login --method corp --oidc --callback-port ${port} --no-store --address ${server.url}${more}`);

  test.each(['file:///etc/passwd', 'calc:1?state=s', 'https://idp.example.com/authorize', 'no address'])(
    'is not sent to %s',
    async (url) => {
      expectFailure(await oidc(await pointing(url), 0), 1, 'invalid authorization URL');
    },
  );

  test('gives up after --wait, and listens no more', async () => {
    const port = await freePort();
    const ran = await oidc(await pointing('https://idp.example.com/?state=s'), port, ' --wait 100ms');
    expectFailure(ran, 8, 'https://idp.example.com/?state=s');
    expect(ran.stderr).toContain('login timed out: no redirect from the provider within 0.1 s');
    await expect(fetch(`http://127.0.0.1:${port}/`)).rejects.toThrow();
  });

  test.each([
    [
      'error=access_denied&error_description=Not+you',
      5,
      'the provider rejected the login: access_denied',
      'Not you',
    ],
    ['error=server_error', 1, 'the provider rejected the login: server_error', ''],
    ['nothing=here', 1, 'neither a code nor an error', ''],
  ])('ends when the browser comes back with %s', async (query, code, text, detail) => {
    const port = await freePort();
    const server = await pointing('https://idp.example.com/?state=s');
    const running = oidc(server, port);
    await expect.poll(() => server.seen.length).toBe(1);
    await expect
      .poll(async () => (await fetch(`http://localhost:${port}/oidc/callback?state=s&${query}`)).status)
      .toBe(200);
    expectFailure(await running, code, text, detail);
    expect(server.seen).toHaveLength(1);
  });

  test('ends on a signal', async () => {
    const stop = new AbortController();
    const server = await pointing('https://idp.example.com/?state=s');
    const running = run(
      `acl login --method corp --oidc --callback-port 0 --no-store --address ${server.url}`,
      { signal: stop.signal },
    );
    await expect.poll(() => server.seen.length).toBe(1);
    stop.abort('SIGINT');
    expect((await running).code).toBe(130);
  });
});

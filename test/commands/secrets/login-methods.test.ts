import { readFileSync } from 'node:fs';
import type { TLSSocket } from 'node:tls';
import { beforeEach, describe, expect, test } from 'vitest';
import { expectFailure, homeForAll, outputOf } from '../../support/command-tests.ts';
import { freePort } from '../../support/ports.ts';
import type { Ran, RunOptions } from '../../support/run.ts';
import { file, skip, useCertificates } from '../../unit/api/certificates.ts';
import { type Handler, json, serve } from '../../unit/api/support.ts';

// Responses of OpenBao 2.6.2: oidc with a provider that it discovered, ldap and kubernetes with servers of their
// protocols, cert with a development server of TLS.

useCertificates();
const at = homeForAll();
const run = (line: string, url: string, options: RunOptions = {}): Promise<Ran> =>
  at.run(['secrets', 'login', ...line.split(' ')], { ...options, env: { BAO_ADDR: url, ...options.env } });

const token = 's.yLYGG7RLAwPhWoWg1zSTBjXc';
const auth = (metadata: object, data: unknown = null) => ({
  request_id: 'b635dc94-3257-1036-6a6a-f92784c7578e',
  lease_id: '',
  renewable: false,
  lease_duration: 0,
  data,
  wrap_info: null,
  warnings: null,
  auth: {
    client_token: token,
    accessor: 'AWWuooyksoF1HkV1OBAoowyo',
    policies: ['default'],
    token_policies: ['default'],
    metadata,
    lease_duration: 3600,
    renewable: true,
    entity_id: '696e3196-bb6f-0feb-a87c-318b8964712a',
    token_type: 'service',
    orphan: true,
    mfa_requirement: null,
    num_uses: 0,
  },
});
const errors = (text: string) => ({ errors: [text] });

describe('secrets login --method ldap', () => {
  const ldap: Handler = ({ method, url, body }, response) => {
    if (`${method} ${url}` !== 'POST /v1/auth/corp/login/bob')
      return json(response, errors('permission denied'), 403);
    return JSON.parse(body).password === 'hunter22'
      ? json(response, auth({ username: 'bob' }, {}))
      : json(response, errors('ldap operation failed: failed to bind as user'), 400);
  };

  test('sends the password to the path of the user', async () => {
    const server = await serve(ldap);
    const ran = await run(
      '--method ldap --path corp --username bob --password - --no-store -o json',
      server.url,
      { stdin: 'hunter22\n' },
    );
    expect(ran.code, ran.stderr).toBe(0);
    expect(JSON.parse(ran.stdout)).toMatchObject({ displayName: 'bob', policies: ['default'], token });
    expect(server.seen[0]?.headers).not.toHaveProperty('x-vault-token');
  });

  test('prompts for the user name and the password', async () => {
    const server = await serve(ldap);
    const ran = await run('--method ldap --path corp --no-store', server.url, {
      columns: 80,
      answers: (output) =>
        /username: $/.test(output) ? 'bob\n' : /assword: $/.test(output) ? 'hunter22\n' : undefined,
    });
    expect(ran).toMatchObject({ code: 0, stdout: `${token}\n` });
    expect(ran.stderr).toMatch(/^Log in to the secrets service at http:\S+ \(BAO_ADDR\)\.\n/);
    expect(ran.stderr).not.toContain('hunter22');
  });

  test('rejects a wrong password as not authenticated, and never shows it', async () => {
    const server = await serve(ldap);
    const ran = await run('--method ldap --path corp --username bob --password -', server.url, {
      stdin: 'wrong-one',
    });
    expect(ran).toMatchObject({ code: 4, stdout: '' });
    expect(ran.stderr).toBe(
      'error: cannot log in: invalid credentials\n  ldap operation failed: failed to bind as user\n',
    );
  });

  test('without the auth method names its path', async () => {
    const server = await serve(ldap);
    const ran = await run('--method ldap --username bob --password -', server.url, { stdin: 'hunter22' });
    expect(ran).toMatchObject({ code: 5, stdout: '' });
    expect(ran.stderr).toContain(
      'hint: Check that an auth method is enabled at auth/ldap/; --path names another one.',
    );
  });
});

describe('secrets login --method kubernetes', () => {
  const kubernetes: Handler = ({ body }, response) => {
    const { role, jwt } = JSON.parse(body);
    if (role === 'nope') return json(response, errors('invalid role name "nope"'), 400);
    if (role === 'other') return json(response, errors('service account name not authorized'), 403);
    return jwt === 'a.b.good'
      ? json(
          response,
          auth({
            role: 'web',
            service_account_name: 'web',
            service_account_namespace: 'default',
            service_account_secret_name: '',
            service_account_uid: 'u1',
          }),
        )
      : json(response, errors('permission denied'), 403);
  };

  test('sends the role and the token of the service account', async () => {
    const server = await serve(kubernetes);
    at.write('token', 'a.b.good\n');
    const ran = await run('--method kubernetes --role web --jwt @token --no-store -o json', server.url);
    expect(ran.code, ran.stderr).toBe(0);
    expect(JSON.parse(ran.stdout)).toMatchObject({ displayName: 'web', token });
    expect(server.seen[0]).toMatchObject({ method: 'POST', url: '/v1/auth/kubernetes/login' });
    expect(JSON.parse(server.seen[0]?.body ?? '')).toEqual({ role: 'web', jwt: 'a.b.good' });
  });

  test.each([
    [
      '--role web',
      2,
      'cannot read service account token from /var/run/secrets/kubernetes.io/serviceaccount/token',
    ],
    ['--jwt @token', 2, 'missing flag --role'],
    ['--role nope --jwt @token', 3, 'cannot log in: role "nope" not found in auth/kubernetes/'],
    ['--role other --jwt @token', 5, 'service account name not authorized'],
    ['--role web --jwt @bad', 5, 'Check that an auth method is enabled at auth/kubernetes/'],
    ['--role web --username bob', 2, '--username is not supported by method "kubernetes"'],
  ])('%s: exit code %i', async (flags, code, message) => {
    const server = await serve(kubernetes);
    at.write('token', 'a.b.good\n');
    at.write('bad', 'a.b.bad\n');
    expectFailure(await run(`--method kubernetes ${flags}`, server.url), code, message);
  });
});

describe('secrets login --method cert', () => {
  const certificates: Handler = ({ body }, response) => {
    const peer = (response.req.socket as TLSSocket).getPeerCertificate().subject?.CN;
    return peer !== 'client' || body === '{"name":"nope"}'
      ? json(response, errors('invalid certificate or no client certificate supplied'), 400)
      : json(response, auth({ cert_name: 'host', common_name: 'host1', serial_number: '1' }));
  };

  test.skipIf(skip)('presents the client certificate of the settings', async () => {
    const server = await serve(certificates, {
      cert: readFileSync(file('loopback.pem')),
      key: readFileSync(file('loopback.key')),
      ca: readFileSync(file('ca.pem')),
      requestCert: true,
    });
    const env = {
      BAO_CACERT: file('ca.pem'),
      BAO_CLIENT_CERT: file('client.pem'),
      BAO_CLIENT_KEY: file('client.key'),
    };
    const stdout = outputOf(await run('--method cert --role host --no-store -o json', server.url, { env }));
    expect(JSON.parse(stdout)).toMatchObject({ displayName: 'host1', token });
    expect(server.seen.map(({ method, url, body }) => [method, url, body])).toEqual([
      ['POST', '/v1/auth/cert/login', '{"name":"host"}'],
    ]);
    expectFailure(await run('--method cert --role nope --no-store', server.url, { env }), 4);
    expect((await run('--method cert --no-store', server.url, { env })).stdout).toBe(`${token}\n`);
  });

  test.each([
    ['http://127.0.0.1:1', 'http://127.0.0.1:1 is not an https address'],
    ['https://127.0.0.1:1', 'no client certificate'],
  ])('is a usage error for %s', async (url, message) => {
    expectFailure(await run('--method cert', url), 2, `cannot log in with method "cert": ${message}`);
  });
});

describe('secrets login --method oidc', () => {
  let port: number;
  beforeEach(async () => {
    port = await freePort();
  });
  const redirectUri = () => `http://localhost:${port}/oidc/callback`;

  /** OpenBao, with a provider at which everybody is signed in already: the test follows the redirect. */
  const oidc: Handler = ({ method, url, body }, response) => {
    if (url.endsWith('/revoke-self')) return void response.writeHead(204).end();
    if (method === 'POST') {
      const { role, redirect_uri, client_nonce } = JSON.parse(body);
      expect(client_nonce).toMatch(/^[\w-]{43}$/);
      if (role === undefined) return json(response, errors('missing role'), 400);
      if (role !== 'ops') return json(response, errors(`role "${role}" could not be found`), 400);
      const query = new URLSearchParams({ client_id: 'bao', redirect_uri, state: 'st_I86pIlgVO5M9g7Tq61ZP' });
      const auth_url = redirect_uri === redirectUri() ? `https://id.example.com/auth?${query}` : '';
      return json(response, { ...auth({}), data: { auth_url }, auth: null });
    }
    const query = new URL(url, 'http://x').searchParams;
    if (query.get('code') === 'of-alice') return json(response, auth({ role: 'ops' }));
    return json(
      response,
      errors(
        'OpenBao login failed. error validating claims: claim "groups" does not match any associated bound claim values',
      ),
      400,
    );
  };

  /** Starts a login, and follows the redirect of the provider with this query. */
  async function signIn(url: string, query: string, more = ''): Promise<Ran> {
    let message = '';
    const ended = run(`--method oidc --role ops --callback-port ${port}${more}`, url, {
      onStderr: (text) => {
        message += text;
      },
    });
    await expect.poll(() => message).toContain('https://id.example.com/auth?');
    expect((await fetch(`${redirectUri()}?state=forged&code=forged`)).status).toBe(400);
    expect((await fetch(`${redirectUri()}?${query}`)).status).toBe(200);
    return ended;
  }
  const state = 'state=st_I86pIlgVO5M9g7Tq61ZP';

  test('exchanges the code with the nonce of the first request, and stores the token', async () => {
    const server = await serve((seen, response, count) =>
      seen.url.endsWith('/lookup-self')
        ? json(response, { data: { id: token, policies: ['default'] } })
        : oidc(seen, response, count),
    );
    const ran = await signIn(server.url, `${state}&code=of-alice`, ' --verbose');
    expect(ran.code, ran.stderr).toBe(0);
    expect(ran.stdout).toMatch(
      /^Logged in as ops, until \S+ \S+ UTC, with policies default\.\nStored the token /,
    );
    const [first, second] = server.seen;
    const { client_nonce: nonce, ...request } = JSON.parse(first?.body ?? '');
    expect(first).toMatchObject({ method: 'POST', url: '/v1/auth/oidc/oidc/auth_url' });
    expect(request).toEqual({ role: 'ops', redirect_uri: redirectUri() });
    expect(second).toMatchObject({
      method: 'GET',
      url: `/v1/auth/oidc/oidc/callback?${state}&code=of-alice&client_nonce=${nonce}`,
    });
    for (const { headers } of [first, second].filter((seen) => seen !== undefined))
      expect(headers).not.toHaveProperty('x-vault-token');
    // Neither the code nor the nonce is shown, not even by --verbose.
    expect(ran.stderr).toContain('code=redacted&client_nonce=redacted');
    for (const secret of ['of-alice', nonce, token]) expect(ran.stderr).not.toContain(secret);
    expect((await at.run(['secrets', 'logout', '--yes'])).code).toBe(0);
    await at.run(['profile', 'delete', 'default', '--yes']);
  });

  test.each([
    ['code=of-bob', 4, 'cannot log in: invalid credentials'],
    ['error=access_denied&error_description=not+today', 5, 'the provider rejected the login: access_denied'],
    ['error=server_error', 1, 'the provider rejected the login: server_error'],
    ['other=1', 1, 'the provider returned neither a code nor an error'],
  ])('with the redirect %s: exit code %i', async (query, code, message) => {
    const server = await serve(oidc);
    expectFailure(await signIn(server.url, `${state}&${query}`, ' --no-store'), code, message);
  });

  test('sends the code once: an end of the connection has an unknown outcome', async () => {
    const server = await serve((seen, response, count) =>
      seen.method === 'GET' ? response.socket?.destroy() : oidc(seen, response, count),
    );
    expectFailure(await signIn(server.url, `${state}&code=of-alice`, ' --no-store'), 9);
    expect(server.seen.filter(({ method }) => method === 'GET')).toHaveLength(1);
  });

  test.each([
    ['', 1, 'hint: Add --role ROLE: auth/oidc/ has no default role.'],
    ['--role nope', 3, 'cannot log in: role "nope" not found in auth/oidc/'],
    ['--role ops --callback-port 70000', 2, 'invalid --callback-port 70000'],
    ['--role ops --jwt -', 2, '--jwt is not supported by method "oidc"'],
  ])('%s: exit code %i before the browser is opened', async (flags, code, message) => {
    const server = await serve(oidc);
    const line = `--method oidc --no-store ${flags.includes('port') ? '' : `--callback-port ${port}`} ${flags}`;
    expectFailure(await run(line.trim().replaceAll(/ +/g, ' '), server.url), code, message);
  });

  test('explains a redirect URI that the role does not allow', async () => {
    const server = await serve(oidc);
    const other = await freePort();
    const ran = await run(`--method oidc --role ops --no-store --callback-port ${other}`, server.url);
    expect(ran).toMatchObject({ code: 1, stdout: '' });
    expect(ran.stderr).toContain(
      `cannot log in: the role does not allow the redirect URI http://localhost:${other}/oidc/callback`,
    );
  });

  test('ends with exit code 8 if no redirect arrives in time', async () => {
    const server = await serve(oidc);
    const ran = await run(
      `--method oidc --role ops --no-store --callback-port ${port} --wait 50ms`,
      server.url,
    );
    expectFailure(ran, 8, 'login timed out: no redirect from the provider within');
  });

  test('--dry-run shows the first request without the nonce', async () => {
    const server = await serve(oidc);
    const ran = await run(
      `--method oidc --role ops --no-store --callback-port ${port} --dry-run`,
      server.url,
    );
    expect(ran.code, ran.stderr).toBe(0);
    expect(ran.stdout).toContain('/v1/auth/oidc/oidc/auth_url');
    expect(ran.stdout).toMatch(/"client_nonce": "(<redacted>|\$\w+)"/);
    expect(server.seen).toEqual([]);
  });
});

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type ActionsIssuer, actionsIssuer } from '../../support/actions-issuer.ts';
import { expectExit, expectFailure, homeForAll, outputOf } from '../../support/command-tests.ts';
import type { Ran, RunOptions } from '../../support/run.ts';
import { services, type TestServices } from '../../support/services.ts';

// The OIDC tokens of jobs as sources of a JWT: github://AUDIENCE and gitlab://NAME.

const at = homeForAll();
let running: TestServices;
let issuer: ActionsIssuer;

const run = (line: string, options: RunOptions = {}): Promise<Ran> =>
  at.run(line.split(' '), { random: (length) => new Uint8Array(length), ...options });
const login = (source: string, env: Readonly<Record<string, string>> = {}, more = ''): Promise<Ran> =>
  run(`secrets login --method jwt --role deploy --jwt ${source} --no-store${more}`, {
    env: { ...issuer.env, LANYARD_SECRETS_TOKEN: '', ...env },
  });

beforeAll(async () => {
  [running, issuer] = await Promise.all([services(at), actionsIssuer()]);
  const write = async (path: string, members: object): Promise<void> => {
    expectExit(await at.run(['secrets', 'write', path, '--in', '-'], { stdin: JSON.stringify(members) }), 0);
  };
  await write('sys/auth/jwt', { type: 'jwt' });
  await write('auth/jwt/config', { jwt_validation_pubkeys: [issuer.publicKey], bound_issuer: issuer.issuer });
  await write('auth/jwt/role/deploy', {
    role_type: 'jwt',
    user_claim: 'sub',
    bound_audiences: ['https://vault.example.com', 'lanyard'],
    bound_claims: { repository: 'octo-org/app' },
    token_policies: ['default'],
  });
});
beforeEach(() => {
  issuer.requests.length = 0;
  issuer.tokens.length = 0;
  issuer.failures.length = 0;
});
afterAll(async () => {
  await Promise.all([running.close(), issuer.close()]);
});

describe('github://AUDIENCE', () => {
  test('requests a token for the audience, masks it and logs in', async () => {
    const ran = await login('github://https://vault.example.com');
    expect(ran.code, ran.stderr).toBe(0);
    const [token] = issuer.tokens;
    expect(ran.stderr).toBe(`::add-mask::${token}\n::add-mask::${ran.stdout}`);
    expect(issuer.requests).toHaveLength(1);
    expect(issuer.requests[0]).toMatchObject({
      url: '/token?api-version=2.0&audience=https%3A%2F%2Fvault.example.com',
      headers: { authorization: `Bearer ${issuer.requestToken}` },
    });
  });

  test('without an audience requests the default one', async () => {
    const ran = await login('github://');
    // The role does not allow it.
    expect(ran).toMatchObject({ code: 4, stdout: '' });
    expect(issuer.requests[0]?.url).toBe('/token?api-version=2.0');
  });

  test('a wrong audience is rejected by the service, without the token in the message', async () => {
    const ran = await login('github://elsewhere', {}, ' --verbose');
    expect(ran).toMatchObject({ code: 4, stdout: '' });
    const [token = ''] = issuer.tokens;
    expect(ran.stderr.replaceAll(/^::add-mask::.*\n/gm, '')).not.toContain(token);
    expect(ran.stderr).not.toContain(issuer.requestToken);
  });

  test('a role that does not exist is an error', async () => {
    const line = 'secrets login --method jwt --role missing --jwt github://lanyard --no-store';
    expectFailure(await run(line, { env: { ...issuer.env, LANYARD_SECRETS_TOKEN: '' } }), 3);
  });

  test.each(['ACTIONS_ID_TOKEN_REQUEST_URL', 'ACTIONS_ID_TOKEN_REQUEST_TOKEN'])(
    'without %s says which permission is missing',
    async (name) => {
      const ran = await login('github://lanyard', { [name]: '' });
      expectFailure(ran, 2, `${name} is not set`, 'Add "permissions: id-token: write"');
      expect(issuer.requests).toEqual([]);
    },
  );

  test('outside of GitHub Actions is an error', async () => {
    const env = { ACTIONS_ID_TOKEN_REQUEST_URL: '', GITHUB_ACTIONS: '' };
    const ran = await login('github://lanyard', env);
    expectFailure(ran, 2, '"github://" is available in jobs of GitHub Actions');
  });

  test('retries failures that may be temporary', async () => {
    issuer.failures.push(503, 'reset', 429, 502);
    const ran = await login('github://lanyard');
    expect(ran.code, ran.stderr).toBe(0);
    expect(issuer.requests).toHaveLength(5);
    expect(ran.stderr).toContain('OIDC token: status 503; retrying (attempt 2 of 5)');
  });

  test.each([
    [401, 4, 'status 401'],
    [403, 5, 'status 403'],
    [404, 1, 'status 404'],
    ['redirect', 1, 'status 302'],
    ['page', 1, 'no field "value"'],
    ['empty', 1, 'no field "value"'],
  ] as const)('does not retry %s', async (failure, code, message) => {
    issuer.failures.push(failure);
    const ran = await login('github://lanyard');
    expectFailure(ran, code, message);
    expect(ran.stderr).not.toContain(issuer.requestToken);
    expect(issuer.requests).toHaveLength(1);
  });

  test('gives up after five attempts', async () => {
    issuer.failures.push(503, 503, 503, 503, 503);
    expect(await login('github://lanyard', {}, ' --quiet')).toMatchObject({ code: 8, stdout: '' });
    expect(issuer.requests).toHaveLength(5);
  });

  test('an endpoint that is not running is unreachable', async () => {
    const ran = await login('github://lanyard', { ACTIONS_ID_TOKEN_REQUEST_URL: 'http://127.0.0.1:9/token' });
    expectFailure(ran, 7, 'cannot request an OIDC token: http://127.0.0.1:9: connection refused');
    expect(ran.stderr).not.toContain('lanyard dev');
  });

  test.each([
    ['http://203.0.113.7/token', 'is plain http to another host'],
    ['file:///etc/passwd', 'is not an http or https URL'],
    ['token', 'is not an http or https URL'],
  ])('sends nothing to %s', async (url, message) => {
    expectFailure(await login('github://lanyard', { ACTIONS_ID_TOKEN_REQUEST_URL: url }), 2, message);
  });

  test('rejects a request token that no header can have', async () => {
    const ran = await login('github://lanyard', { ACTIONS_ID_TOKEN_REQUEST_TOKEN: 'line-one\nline-two' });
    expectFailure(ran, 2, 'ACTIONS_ID_TOKEN_REQUEST_TOKEN is not a valid token');
    expect(ran.stderr).not.toContain('line-');
    expect(issuer.requests).toEqual([]);
  });

  test('a dry run requests no token', async () => {
    expect(outputOf(await login('github://lanyard', {}, ' --dry-run'))).toContain('/v1/auth/jwt/login');
    expect(issuer.requests).toEqual([]);
  });

  test('rejects an audience with control characters', async () => {
    const argv = ['secrets', 'login', '--method', 'jwt', '--jwt', 'github://a\nb', '--no-store'];
    expect(await at.run(argv, { env: issuer.env })).toMatchObject({ code: 2, stdout: '' });
  });

  test('logs in to the registry', async () => {
    const method = JSON.stringify({
      Name: 'ci',
      Type: 'jwt',
      MaxTokenTTL: '1h',
      Config: {
        OIDCDiscoveryURL: issuer.issuer,
        BoundAudiences: ['lanyard'],
        ClaimMappings: { repository: 'repo' },
      },
    });
    const stdout = outputOf(await run('acl bootstrap --field SecretID'));
    const env = { LANYARD_REGISTRY_TOKEN: stdout.trim() };
    expectExit(await at.run(['acl', 'auth-method', 'put', 'ci', '--in', '-'], { env, stdin: method }), 0);
    const rule = await at.run(
      [
        ...['acl', 'binding-rule', 'create', '--method', 'ci'],
        ...['--bind-type', 'service', '--bind-name', 'ci'],
      ],
      { env },
    );
    expect(rule.code, rule.stderr).toBe(0);
    const ran = await run('acl login --method ci --bearer-token github://lanyard --no-store', {
      env: { ...issuer.env, LANYARD_REGISTRY_TOKEN: '' },
    });
    expect(ran.code, ran.stderr).toBe(0);
    expect(ran.stderr).toBe(`::add-mask::${issuer.tokens[0]}\n::add-mask::${ran.stdout}`);
  });

  test('is not the source of another secret', async () => {
    const ran = await run(
      'secrets login --method userpass --username bob --password github://lanyard --no-store',
      { env: issuer.env },
    );
    expect(ran).toMatchObject({ code: 2, stdout: '' });
    expect(issuer.requests).toEqual([]);
  });
});

describe('gitlab://NAME', () => {
  test('logs in with a variable of id_tokens', async () => {
    const env = { GITHUB_ACTIONS: '', GITLAB_CI: 'true', LANYARD_ID_TOKEN: await issuer.sign('lanyard') };
    expectExit(await login('gitlab://LANYARD_ID_TOKEN', env), 0);
    expect(issuer.requests).toEqual([]);
  });

  test('explains how to declare the token', async () => {
    const ran = await login('gitlab://LANYARD_ID_TOKEN');
    expectFailure(ran, 2, 'the environment variable LANYARD_ID_TOKEN is not set');
    expect(ran.stderr).toContain('id_tokens: { LANYARD_ID_TOKEN');
  });

  test.each(['gitlab://constructor', 'gitlab://__proto__', 'env://constructor'])(
    '%s is not set',
    async (source) => {
      expectFailure(await login(source), 2, /the environment variable \w+ is not set/);
    },
  );

  test.each(['gitlab://', 'gitlab://$NAME', 'gitlab://a/b'])('rejects %s', async (source) => {
    expectFailure(await login(source), 2, 'expected gitlab://NAME');
  });
});

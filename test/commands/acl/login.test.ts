import { beforeEach, describe, expect, test } from 'vitest';
import {
  embeddedForEach,
  expectFailure,
  expectOutput,
  homeForTest,
  quietOutputOf,
  servicesForTest,
  storedTokens,
} from '../../support/command-tests.ts';
import type { Ran } from '../../support/run.ts';
import { serve } from '../../unit/api/support.ts';
import { issuer } from '../../unit/services/registry/auth/support.ts';
import { losingWrites } from '../losing-proxy.ts';

const { pem, sign } = issuer();

const { at, running, run } = embeddedForEach();
let root: string;
const jwt = (claims: object = {}): Promise<string> => {
  const iat = Math.trunc(Date.now() / 1000);
  return sign({ iat, exp: iat + 300, ...claims });
};
const stored = () => storedTokens(at);
/** Sends a JSON body to the registry as whoever may do everything. */
async function manage(method: string, path: string, body?: object): Promise<string> {
  const argv = ['api', 'registry', method, path, '--address', running.addresses.registry];
  const ran = await at.run(body === undefined ? argv : [...argv, '--data', '-'], {
    stdin: JSON.stringify(body ?? ''),
    env: { LANYARD_REGISTRY_TOKEN: root },
  });
  expect(ran.code, ran.stderr).toBe(0);
  return ran.stdout;
}
const lives = async (accessor: string): Promise<boolean> =>
  (await manage('GET', 'acl/tokens')).includes(accessor);

beforeEach(async () => {
  root = (await run('acl bootstrap --field SecretID')).stdout.trim();
  await manage('PUT', 'acl/auth-method', {
    Name: 'ci',
    Type: 'jwt',
    MaxTokenTTL: '1h',
    Config: { JWTValidationPubKeys: [pem], BoundAudiences: ['registry'] },
  });
  await manage('PUT', 'acl/auth-method', {
    Name: 'ruleless',
    Type: 'jwt',
    Config: { JWTValidationPubKeys: [pem] },
  });
  await manage('PUT', 'acl/binding-rule', { AuthMethod: 'ci', BindType: 'service', BindName: 'web' });
  delete at.env.LANYARD_REGISTRY_ADDR;
  await run(`profile put dev registry.address=${running.addresses.registry}`);
});

const logIn = async (more = '', claims: object = { aud: 'registry' }): Promise<Ran> =>
  run(`acl login --method ci --bearer-token -${more}`, { stdin: `${await jwt(claims)}\n` });

describe('acl login with a bearer token', () => {
  test('stores the token with the profile, and later calls use it', async () => {
    const ran = await logIn();
    expect(ran.code, ran.stderr).toBe(0);
    expect(ran.stdout).toMatch(
      /^Logged in with auth method ci, until \S+ \S+ UTC, with service identity web\.\nStored the token with profile dev, in a file\.\n$/,
    );
    const self = JSON.parse((await run('api registry GET acl/token/self -o json')).stdout);
    expect(self).toMatchObject({ AuthMethod: 'ci', Description: 'token created via login' });
    expect(stored()).toContain(self.SecretID);
    expect(ran.stdout + ran.stderr).not.toContain(self.SecretID);
  });

  test('prompts before the login if it would replace a token that no login created', async () => {
    await run('acl logout --yes');
    const other = await manage('PUT', 'acl/token', { Description: 'by hand' });
    const { SecretID } = JSON.parse(other) as { SecretID: string };
    // What a bootstrap with --store leaves behind: the stored token of the profile.
    await logIn();
    at.write(
      'config/credentials.json',
      stored().replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/, SecretID),
    );
    const before = JSON.parse(await manage('GET', 'acl/tokens')).length;
    expectFailure(await logIn(), 2, 'It was not created by a login and cannot be restored', '--yes');
    expect(stored()).toContain(SecretID);
    expect(JSON.parse(await manage('GET', 'acl/tokens'))).toHaveLength(before);
    expect((await logIn(' --dry-run')).stdout).toContain('/v1/acl/login');
    expect(await logIn(' --yes')).toMatchObject({ code: 0, stderr: '' });
    expect(stored()).not.toContain(SecretID);
  });

  test('notes that the previous token is still valid', async () => {
    expect((await logIn()).stderr).not.toContain('previous token');
    const { accessorId } = JSON.parse((await logIn(' -o json --quiet')).stdout);
    expect((await logIn()).stderr).toMatch(
      /^The previous token is still valid until \S+ \S+ UTC\. Run `lanyard acl logout` before a login to delete it\.\n$/,
    );
    expect(await lives(accessorId)).toBe(true);
  });

  test('returns data without the secret', async () => {
    const { stdout } = await logIn(' -o json');
    expect(JSON.parse(stdout)).toEqual({
      profile: 'dev',
      stored: 'file',
      accessorId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      authMethod: 'ci',
      policies: [],
      roles: [],
      serviceIdentities: ['web'],
      local: true,
      validUntil: expect.stringMatching(/^\d{4}-/),
    });
  });

  test('with --no-store prints the token, and masks it before that', async () => {
    const ran = await run('acl login --method ci --bearer-token env://CI_JWT --no-store', {
      env: { CI_JWT: await jwt({ aud: 'registry' }), GITHUB_ACTIONS: 'true' },
    });
    expect(ran.code, ran.stderr).toBe(0);
    expect(ran.stderr).toBe(`::add-mask::${ran.stdout}`);
    expect(stored()).toBe('');
    const self = await run('api registry GET acl/token/self', {
      env: { LANYARD_REGISTRY_TOKEN: ran.stdout.trim() },
    });
    expect(self.code).toBe(0);
  });

  test('prints the token as the service sent it with --no-store', async () => {
    const { stdout } = await logIn(' --no-store --meta pipeline=42 -o json');
    expect(JSON.parse(stdout)).toMatchObject({
      Description: 'token created via login: {"pipeline":"42"}',
      SecretID: expect.stringMatching(/^[0-9a-f-]{36}$/),
      Local: true,
    });
  });

  test.each([
    ['ci', { aud: 'elsewhere' }, 4, 'auth method "ci" rejected the login (500)'],
    ['ci', { aud: 'registry', exp: 1, iat: 0 }, 4, 'rejected the login (500)'],
    ['ruleless', {}, 5, 'auth method "ruleless" grants no permissions (403)'],
    ['none', {}, 3, 'auth method "none" not found (403)'],
  ])('through %s with %j is rejected', async (method, claims, code, text) => {
    const ran = await run(`acl login --method ${method} --bearer-token -`, { stdin: await jwt(claims) });
    expectFailure(ran, code, text);
    expect(stored()).toBe('');
  });

  test('rejects a token of another issuer', async () => {
    const forged = await issuer().sign({ aud: 'registry', exp: 4_000_000_000 });
    const ran = await run('acl login --method ci --bearer-token -', { stdin: forged });
    expect(ran).toMatchObject({ code: 4, stdout: '' });
    expect(ran.stderr).not.toContain(forged);
  });

  test('in a namespace is rejected by a service without namespaces', async () => {
    expectFailure(await logIn(' -n team'), 1, 'Namespaces are a Consul Enterprise feature');
  });

  test('makes no token that cannot be stored', async () => {
    const ran = await logIn(` --address http://localhost:${new URL(running.addresses.registry).port}`);
    expectFailure(ran, 2, 'is not an address of the profile "dev"');
    expect(await manage('GET', 'acl/tokens')).not.toContain('created via login');
  });

  test('deletes a token that could not be stored', async () => {
    at.write('config/credentials.json', '{');
    expectFailure(await logIn(), 1, 'credentials.json: it is not valid JSON');
    expect(await manage('GET', 'acl/tokens')).not.toContain('created via login');
  });
});

describe('a login whose token the service ignores', () => {
  test('stores the token and exits with 9', async () => {
    await run('profile put dev registry.header-prefix=X-Other');
    const ran = await logIn();
    expect(ran.code).toBe(9);
    expect(ran.stdout).toBe('Stored the token with profile dev, in a file.\n');
    expect(ran.stderr).toContain(
      'the service issued the token but does not accept it with the settings of the profile "dev": the service registry does not know the token',
    );
    const { AccessorID } = JSON.parse(await manage('GET', 'acl/tokens')).find(
      ({ AuthMethod }: { AuthMethod?: string }) => AuthMethod === 'ci',
    );
    expect((await run('acl logout')).code).toBe(9);
    expect(await lives(AccessorID)).toBe(true);
  });

  test('is not done with a bootstrap either', async () => {
    const fresh = homeForTest();
    const other = await servicesForTest(fresh);
    delete fresh.env.LANYARD_REGISTRY_ADDR;
    const settings = [`registry.address=${other.addresses.registry}`, 'registry.header-prefix=X-Other'];
    await fresh.run(['profile', 'put', 'dev', ...settings]);
    const ran = await fresh.run(['acl', 'bootstrap', '--store', '-o', 'json']);
    expect(ran.code).toBe(9);
    expect(JSON.parse(ran.stdout)).toHaveProperty('SecretID');
    expect(ran.stderr).toContain('does not accept it with the settings of the profile "dev"');
  });
});

describe('acl logout', () => {
  test('destroys and removes the stored token', async () => {
    const { accessorId } = JSON.parse((await logIn(' -o json')).stdout);
    expectOutput(await run('acl logout'), 'The token of profile dev was deleted and removed.\n');
    expect(await lives(accessorId)).toBe(false);
    expect(stored()).not.toContain('registry');
    expect((await run('acl logout')).stdout).toBe('No token is stored or configured.\n');
  });

  test('destroys a token from a variable', async () => {
    const token = JSON.parse((await logIn(' --no-store -o json')).stdout);
    const env = { LANYARD_REGISTRY_TOKEN: token.SecretID };
    const ran = await run('acl logout -o json', { env });
    expect(JSON.parse(ran.stdout)).toEqual({
      from: 'LANYARD_REGISTRY_TOKEN',
      destroyed: true,
      forgotten: false,
    });
    expect(await lives(token.AccessorID)).toBe(false);
    expect(await run('acl logout', { env })).toEqual({
      code: 0,
      stderr: '',
      stdout:
        'The token from LANYARD_REGISTRY_TOKEN is unknown to the service: it has expired or was deleted.\n',
    });
  });

  test('removes a stored token that the service does not know', async () => {
    const { accessorId } = JSON.parse((await logIn(' -o json')).stdout);
    await manage('DELETE', `acl/token/${accessorId}`);
    const stdout = quietOutputOf(await run('acl logout'));
    expect(stdout).toContain('was removed. The service does not know it: it has expired or was deleted.');
    expect(stored()).not.toContain('registry');
  });

  test.each([
    ['X-Other', 'X-Other-Token'],
    ['X-Registry', 'X-Registry-Token'],
  ])('does not report a token that the service ignored as deleted: %s', async (prefix, header) => {
    const { accessorId } = JSON.parse((await logIn(' -o json')).stdout);
    // A server that reads the product's header only.
    const consul = await serve(async ({ method, url, headers }, response) => {
      const read = headers['x-consul-token'];
      const sent = await fetch(`${running.addresses.registry}${url}`, {
        method,
        headers: read === undefined ? {} : { 'X-Consul-Token': String(read) },
      });
      response
        .writeHead(sent.status, { 'Content-Type': sent.headers.get('content-type') ?? '' })
        .end(await sent.text());
    });
    await run(`profile put consul registry.address=${consul.url}`);
    const SecretID = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/.exec(stored())?.[0] ?? '';
    await run('profile put consul registry.token=-', { stdin: SecretID });
    await run(`profile put consul registry.header-prefix=${prefix}`);
    const ran = await run('acl logout -p consul');
    expect(ran.code).toBe(9);
    expect(ran.stdout).toBe(
      'The token of profile consul was removed but could not be deleted; it may still be valid.\n',
    );
    expect(ran.stderr).toContain(`did not receive the token, sent as ${header}`);
    expect(await lives(accessorId)).toBe(true);
  });

  test('prompts before it removes a token that no login created', async () => {
    const fresh = homeForTest();
    const other = await servicesForTest(fresh);
    delete fresh.env.LANYARD_REGISTRY_ADDR;
    await fresh.run(['profile', 'put', 'dev', `registry.address=${other.addresses.registry}`]);
    await fresh.run(['acl', 'bootstrap', '--store']);
    const rejected = await fresh.run(['acl', 'logout']);
    expect(rejected).toMatchObject({ code: 2, stdout: '' });
    expect(rejected.stderr).toContain(
      'Remove the token of profile "dev"? It was not created by a login and cannot be restored.',
    );
    expect((await fresh.run(['api', 'registry', 'GET', 'acl/tokens'])).code).toBe(0);
    expect(await fresh.run(['acl', 'logout', '--yes'])).toEqual({
      code: 9,
      stdout: 'The token of profile dev was removed but is still valid: it was not created by a login.\n',
      stderr: '',
    });
    expect((await fresh.run(['api', 'registry', 'GET', 'acl/tokens'])).code).not.toBe(0);
  });

  test('removes a token that could not be deleted, with a warning', async () => {
    await logIn();
    await running.close();
    const ran = await run('acl logout --timeout 1s', { random: (length) => new Uint8Array(length) });
    expect(ran.code).toBe(9);
    expect(ran.stdout).toBe('The token of profile dev was removed but may still be valid.\n');
    expect(ran.stderr).toContain('warning: cannot delete the token: cannot reach the service registry');
  });

  test('with a lost response is verified by reading the token', async () => {
    const token = (await logIn(' --no-store')).stdout.trim();
    const { address } = await losingWrites(running.addresses.registry);
    const ran = await run(`acl logout --address ${address}`, { env: { LANYARD_REGISTRY_TOKEN: token } });
    expect(ran).toMatchObject({ code: 0, stdout: 'The token from LANYARD_REGISTRY_TOKEN was deleted.\n' });
  });

  test.each(['--dry-run', '--curl'])('with %s removes no token that a login did not create', async (flag) => {
    await run('profile put dev registry.token=-', { stdin: root });
    const before = stored();
    const stdout = quietOutputOf(await run(`acl logout ${flag}`));
    expect(stdout).toContain('the token of registry stored in the profile "dev" would be removed');
    expect(stored()).toBe(before);
  });

  test.each(['--dry-run', '--curl'])(
    'with %s removes no token while the service is unavailable',
    async (flag) => {
      await logIn();
      await running.close();
      const before = stored();
      const ran = await run(`acl logout ${flag} --timeout 1s`, {
        random: (length) => new Uint8Array(length),
      });
      expect(ran.code).toBe(0);
      expect(ran.stdout).toContain('would be removed');
      expect(stored()).toBe(before);
    },
  );
});

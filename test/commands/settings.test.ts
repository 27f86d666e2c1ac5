import { describe, expect, test } from 'vitest';
import { expectFailure, homeForEach, runnerOf } from '../support/command-tests.ts';
import type { Ran } from '../support/run.ts';
import { serve, type TestServer } from '../unit/api/support.ts';

const body = '{"data":{"key_type":"ca"}}';

/** A server that keeps what it is sent, and answers as a service with one role. */
const recorder = (): Promise<TestServer> =>
  serve((_seen, response) => response.writeHead(200, { 'Content-Type': 'application/json' }).end(body));

const at = homeForEach();
const run = runnerOf(at);
const get = (env: Record<string, string> = {}, flags = ''): Promise<Ran> =>
  run(`ssh role get web ${flags}`, { env });

/** Stores a token with a profile, as a person would. */
async function profile(name: string, settings: string, token?: string): Promise<void> {
  const given = token === undefined ? '' : ' secrets.token=-';
  expect((await run(`profile put ${name} ${settings}${given}`, { stdin: token ?? '' })).code).toBe(0);
}

describe('the address comes from', () => {
  test("the flag, then LANYARD_, then the named profile, then the product's variable, then the active profile", async () => {
    const [flag, own, named, usual, active] = await Promise.all([1, 2, 3, 4, 5].map(recorder));
    await profile('active', `secrets.address=${active?.url}`, 'hvs.active');
    await profile('named', `secrets.address=${named?.url}`, 'hvs.named');
    const env = {
      LANYARD_SECRETS_ADDR: own?.url ?? '',
      LANYARD_SECRETS_TOKEN: 'hvs.t',
      LANYARD_PROFILE: 'named',
      VAULT_ADDR: usual?.url ?? '',
    };
    const order = [flag, own, named, usual, active];
    const reached = async (more: Record<string, string>, flags = ''): Promise<number> => {
      const before = order.map((server) => server?.seen.length);
      expect((await get({ ...env, ...more }, flags)).code).toBe(0);
      return order.findIndex((server, index) => server?.seen.length !== before[index]);
    };
    expect(await reached({}, `--address ${flag?.url}`)).toBe(0);
    expect(await reached({})).toBe(1);
    expect(await reached({ LANYARD_SECRETS_ADDR: '' })).toBe(2);
    expect(await reached({ LANYARD_SECRETS_ADDR: '', LANYARD_PROFILE: '' }, '--profile named')).toBe(2);
    expect(await reached({ LANYARD_SECRETS_ADDR: '', LANYARD_PROFILE: '' })).toBe(3);
    expect(await reached({ LANYARD_SECRETS_ADDR: '', LANYARD_PROFILE: '', VAULT_ADDR: '' })).toBe(4);
  });

  test('BAO_ADDR before VAULT_ADDR, as bao reads them', async () => {
    const [vault, bao] = await Promise.all([recorder(), recorder()]);
    await get({ VAULT_ADDR: vault.url, VAULT_TOKEN: 'v' });
    expect(vault.seen[0]?.headers['x-vault-token']).toBe('v');
    await get({ BAO_ADDR: bao.url, VAULT_ADDR: vault.url, VAULT_TOKEN: 'v', BAO_TOKEN: 'b' });
    expect(bao.seen[0]?.headers['x-vault-token']).toBe('b');
    expect(vault.seen).toHaveLength(1);
  });

  test('a profile, whatever path it lies under', async () => {
    const server = await recorder();
    await profile('deep', `secrets.address=${server.url}/under/here/`, 'hvs.t');
    expect((await get()).code).toBe(0);
    expect(server.seen[0]?.url).toBe('/under/here/v1/ssh/roles/web');
  });

  test('nowhere: a usage error that suggests remedies', async () => {
    expect(await get()).toEqual({
      code: 2,
      stdout: '',
      stderr: expect.stringMatching(
        /^error: no address for the secrets service\nhint: Run `lanyard dev` .*`lanyard profile put NAME secrets\.address=URL`.*LANYARD_SECRETS_ADDR\.\n$/,
      ),
    });
  });

  test.each(['nonsense', 'ftp://x', 'http://u:p@127.0.0.1', 'https://x?y=1', 'unix://x.sock'])(
    'a variable, unless it is %s',
    async (address) => {
      const ran = await get({ LANYARD_SECRETS_ADDR: address, LANYARD_SECRETS_TOKEN: 't' }, '--timeout 1s');
      expect(ran.stdout).toBe('');
      // A bare word is taken for a host name.
      expect(ran.code).toBe(address === 'nonsense' ? 7 : 2);
      expect(ran.stderr).not.toContain('u:p');
    },
  );
});

describe('an address without a scheme', () => {
  test.each([
    ['localhost:8200', 'http://localhost:8200'],
    ['web.localhost:8200', 'http://web.localhost:8200'],
    ['LOCALHOST', 'http://localhost'],
    ['localhost.', 'https://localhost.'],
    ['127.0.0.2:8200/under', 'http://127.0.0.2:8200/under'],
    ['127.1:8200', 'http://127.0.0.1:8200'],
    ['[::1]:8200', 'http://[::1]:8200'],
    ['[::ffff:127.0.0.1]:8200', 'http://[::ffff:7f00:1]:8200'],
    ['localhost.example:8200', 'https://localhost.example:8200'],
    ['127.0.0.1.example', 'https://127.0.0.1.example'],
    ['128.0.0.1:8200', 'https://128.0.0.1:8200'],
  ])('%s is %s: plain for the machine itself alone', async (address, url) => {
    const ran = await run(`api secrets GET sys/health --dry-run -o json --address ${address}`);
    expect(ran).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(ran.stdout).url).toBe(`${url}/v1/sys/health`);
  });
});

describe('the header prefix goes with the address', () => {
  const token = { LANYARD_SECRETS_TOKEN: 'hvs.t' };

  test('are the names of the product and of the specification, whatever the source of the address and the token', async () => {
    const server = await recorder();
    await profile('p', `secrets.address=${server.url}`, 'hvs.t');
    await get();
    await get({ ...token, LANYARD_SECRETS_ADDR: server.url });
    await get({ ...token, VAULT_ADDR: 'http://127.0.0.1:9' }, `--address ${server.url}`);
    await get({ ...token, VAULT_ADDR: server.url });
    await get({ VAULT_TOKEN: 'hvs.t', VAULT_ADDR: server.url });
    for (const { headers } of server.seen) {
      expect(headers).toMatchObject({ 'x-vault-token': 'hvs.t', 'x-vault-request': 'true' });
      expect(headers).toMatchObject({ 'x-secrets-token': 'hvs.t', 'x-secrets-request': 'true' });
    }
    expect(server.seen).toHaveLength(5);
  });

  test('a profile and a variable may set another', async () => {
    const server = await recorder();
    await profile('p', `secrets.address=${server.url} secrets.header-prefix=X-Vault`, 'hvs.t');
    await get();
    await get({ LANYARD_SECRETS_HEADER_PREFIX: 'X-Other' });
    expect(server.seen.map(({ headers }) => [headers['x-vault-token'], headers['x-other-token']])).toEqual([
      ['hvs.t', undefined],
      [undefined, 'hvs.t'],
    ]);
  });

  test('carry the namespace too, so that a server of either family uses it', async () => {
    const server = await recorder();
    await profile('p', `secrets.address=${server.url} secrets.namespace=team/a`, 'hvs.t');
    await get();
    await get({}, '--namespace team/b');
    expect(
      server.seen.map(({ headers }) => [headers['x-vault-namespace'], headers['x-secrets-namespace']]),
    ).toEqual([
      ['team/a', 'team/a'],
      ['team/b', 'team/b'],
    ]);
  });

  test('of each service reach a server that reads only one family', async () => {
    const families: readonly (readonly [service: string, addressVariable: string, header: string])[] = [
      ['secrets', 'VAULT_ADDR', 'x-vault-token'],
      ['secrets', 'VAULT_ADDR', 'x-secrets-token'],
      ['registry', 'CONSUL_HTTP_ADDR', 'x-consul-token'],
      ['registry', 'CONSUL_HTTP_ADDR', 'x-registry-token'],
      ['scheduler', 'NOMAD_ADDR', 'x-nomad-token'],
      ['scheduler', 'NOMAD_ADDR', 'x-scheduler-token'],
      ['box', 'VAGRANT_SERVER_URL', 'authorization'],
      ['accounts', 'BOUNDARY_ADDR', 'authorization'],
    ];
    for (const [service, addressVariable, header] of families) {
      const value = header === 'authorization' ? 'Bearer the-token' : 'the-token';
      const server = await serve((seen, response) => {
        response.writeHead(seen.headers[header] === value ? 200 : 403, {
          'Content-Type': 'application/json',
        });
        response.end('{}');
      });
      const own = `LANYARD_${service.toUpperCase()}`;
      const env = { [`${own}_TOKEN`]: 'the-token' };
      const line = `api ${service} GET x`;
      await profile('family', `${service}.address=${server.url} ${service}.token=env://${own}_TOKEN`);
      const results = [
        await run(`-p family ${line}`, { env }),
        await run(`${line} --address ${server.url}`, { env }),
        await run(line, { env: { ...env, [`${own}_ADDR`]: server.url } }),
        await run(line, { env: { ...env, [addressVariable]: server.url } }),
      ];
      expect(
        results.map(({ code }) => code),
        `${service} ${header}`,
      ).toEqual([0, 0, 0, 0]);
    }
  });
});

describe('the token', () => {
  test('of a profile is not sent to another origin, by --address or by a variable', async () => {
    const [own, other] = await Promise.all([recorder(), recorder()]);
    await profile('p', `secrets.address=${own.url}`, 'hvs.precious');
    expect((await get()).code).toBe(0);
    expect(own.seen[0]?.headers['x-secrets-token']).toBe('hvs.precious');
    for (const ran of [
      await get({}, `--address ${other.url}`),
      await get({ LANYARD_SECRETS_ADDR: other.url }),
      await get({}, `--address ${own.url.replace('127.0.0.1', 'localhost')}`),
    ]) {
      expectFailure(ran, 4, 'no token for the secrets service');
    }
    expect(other.seen).toEqual([]);
    expect(own.seen).toHaveLength(1);
  });

  test('of a profile is sent to its own address, whatever the source of the address', async () => {
    const own = await recorder();
    await profile('p', `secrets.address=${own.url}`, 'hvs.precious');
    expect((await get({}, `--address ${own.url}/`)).code).toBe(0);
    expect(own.seen[0]?.headers['x-secrets-token']).toBe('hvs.precious');
  });

  test("of LANYARD_SECRETS_TOKEN comes before the file, the product's variable and the profile", async () => {
    const server = await recorder();
    at.write('token', 'from-file\n');
    await profile('p', `secrets.address=${server.url}`, 'from-profile');
    const env: Record<string, string> = {
      LANYARD_SECRETS_TOKEN: 'from-own',
      LANYARD_SECRETS_TOKEN_FILE: 'token',
      VAULT_TOKEN: 'from-usual',
    };
    for (const name of ['own', 'file', 'usual', 'profile']) {
      expect((await get(env)).code).toBe(0);
      expect(server.seen.at(-1)?.headers['x-secrets-token']).toBe(`from-${name}`);
      delete env[Object.keys(env)[0] ?? ''];
    }
  });

  test('may rest with a profile as the name of a variable, or as a file; both are read at each call', async () => {
    const server = await recorder();
    await profile('p', `secrets.address=${server.url} secrets.token=env://MY_TOKEN`);
    expect((await get({ MY_TOKEN: 'one' })).code).toBe(0);
    expect(await get()).toMatchObject({ code: 2, stderr: expect.stringContaining('MY_TOKEN') });
    at.write('token', 'two\n');
    await profile('p', `secrets.token=file://${at.file('token')}`);
    expect((await get()).code).toBe(0);
    at.write('token', 'three\n');
    expect((await get()).code).toBe(0);
    expect(server.seen.map(({ headers }) => headers['x-secrets-token'])).toEqual(['one', 'two', 'three']);
    at.clear('token');
    expect(await get()).toMatchObject({ code: 2, stderr: expect.stringContaining(at.file('token')) });
  });
});

describe('the namespace comes from', () => {
  test("the flag, then LANYARD_, then the product's variable, then the profile; without one, no header is sent", async () => {
    const server = await recorder();
    await profile('p', `secrets.address=${server.url}`, 'hvs.t');
    await get();
    await profile('p', 'secrets.namespace=from-profile');
    await get();
    await get({ VAULT_NAMESPACE: 'from-usual' });
    await get({ VAULT_NAMESPACE: 'x', LANYARD_SECRETS_NAMESPACE: 'from-own' });
    await get({ LANYARD_SECRETS_NAMESPACE: 'x' }, '--namespace team/from-flag');
    await run('-n before ssh role get web');
    expect(server.seen.map(({ headers }) => headers['x-secrets-namespace'])).toEqual([
      undefined,
      'from-profile',
      'from-usual',
      'from-own',
      'team/from-flag',
      'before',
    ]);
  });

  test('a header cannot be smuggled in with it', async () => {
    const server = await recorder();
    const ran = await at.run(['ssh', 'role', 'get', 'web', '-n', 'a\r\nX-Evil: 1'], {
      env: { LANYARD_SECRETS_ADDR: server.url, LANYARD_SECRETS_TOKEN: 't' },
    });
    expect(ran).toMatchObject({ code: 2, stdout: '' });
    expect(server.seen).toEqual([]);
  });

  test('a query for the registry and the scheduler', async () => {
    const server = await recorder();
    await run('api registry GET x -n team', { env: { LANYARD_REGISTRY_ADDR: server.url } });
    await run('api scheduler GET x', {
      env: { NOMAD_ADDR: server.url, NOMAD_NAMESPACE: 'ops', NOMAD_REGION: 'eu' },
    });
    await run('api registry GET x', { env: { CONSUL_HTTP_ADDR: server.url, CONSUL_NAMESPACE: 'usual' } });
    await profile('consul', `registry.address=${server.url} registry.namespace=from-profile`);
    await run('-p consul api registry GET x');
    expect(server.seen.map(({ url }) => url)).toEqual([
      '/v1/x?ns=team',
      '/v1/x?namespace=ops&region=eu',
      '/v1/x?ns=usual',
      '/v1/x?ns=from-profile',
    ]);
  });
});

describe('a profile that is not there', () => {
  test.each(['--profile', 'LANYARD_PROFILE'])('by %s is not found', async (how) => {
    const ran = how.startsWith('-')
      ? await get({}, '--profile missing')
      : await get({ LANYARD_PROFILE: 'missing' });
    expect(ran).toEqual({
      code: 3,
      stdout: '',
      stderr: 'error: profile "missing" not found\nhint: Run `lanyard profile list` to see all profiles.\n',
    });
  });
});

test('a damaged configuration is named and not changed', async () => {
  at.write('config/config.json', '{"profiles": {');
  expectFailure(await get(), 1, `invalid file ${at.file('config/config.json')}: `);
  expect(at.read('config/config.json')).toBe('{"profiles": {');
});

test('a setting of one service means nothing to another', async () => {
  const server = await recorder();
  expect((await get({ LANYARD_REGISTRY_ADDR: server.url, LANYARD_REGISTRY_TOKEN: 't' })).code).toBe(2);
  expect(server.seen).toEqual([]);
});

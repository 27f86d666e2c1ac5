import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { expectExit, expectFailure, homeForEach, runnerOf } from '../support/command-tests.ts';
import type { Ran } from '../support/run.ts';
import { file, secureServer, skip, useCertificates } from '../unit/api/certificates.ts';
import { json, listen, serve, type TestServer } from '../unit/api/support.ts';

const at = homeForEach();
const run = runnerOf(at);
const recorder = (): Promise<TestServer> => serve((_seen, response) => json(response, { ok: true }));
const call = (service: string, env: Record<string, string>, flags = ''): Promise<Ran> =>
  run(`api ${service} GET x ${flags}`, { env });
useCertificates();

describe('tokens of the products', () => {
  test('CONSUL_HTTP_TOKEN_FILE comes before CONSUL_HTTP_TOKEN', async () => {
    const server = await recorder();
    at.write('token', 'good\n');
    const env = { CONSUL_HTTP_ADDR: server.url, CONSUL_HTTP_TOKEN: 'bad', CONSUL_HTTP_TOKEN_FILE: 'token' };
    expect((await call('registry', env)).code).toBe(0);
    expect(server.seen[0]?.headers['x-consul-token']).toBe('good');
  });

  test('~/.vault-token goes to the address of VAULT_ADDR, and to no other', async () => {
    const server = await serve((seen, response) =>
      seen.headers['x-vault-token'] === undefined
        ? json(response, { errors: ['permission denied'] }, 403)
        : json(response, { ok: true }),
    );
    at.write('.vault-token', 'hvs.login\n');
    expect((await call('secrets', { VAULT_ADDR: server.url })).code).toBe(0);
    expect(server.seen[0]?.headers['x-vault-token']).toBe('hvs.login');
    await run(`profile put p secrets.address=${server.url}`);
    for (const ran of [
      await run('kv list secret', { env: { LANYARD_SECRETS_ADDR: server.url } }),
      await run(`kv list secret --address ${server.url}`),
      await run('kv list secret'),
    ]) {
      expectFailure(ran, 4, /~\/\.vault-token is used only with an address from .*BAO_ADDR or VAULT_ADDR/);
      expect(ran.stderr).toContain('secrets.token=file://~/.vault-token');
    }
    at.clear('.vault-token');
    expect((await run('kv list secret')).stderr).toContain('LANYARD_SECRETS_TOKEN or VAULT_TOKEN');
    expect(server.seen.filter(({ headers }) => 'x-vault-token' in headers)).toHaveLength(1);
  });

  test('~/.vault-token goes with a profile that names it', async () => {
    const server = await recorder();
    at.write('.vault-token', 'hvs.login\n');
    expect(
      (await run(`profile put p secrets.address=${server.url} secrets.token=file://~/.vault-token`)).code,
    ).toBe(0);
    expect((await call('secrets', {})).code).toBe(0);
    expect((await call('secrets', { LANYARD_SECRETS_TOKEN_FILE: '~/.vault-token' })).code).toBe(0);
    expect(server.seen.map(({ headers }) => headers['x-vault-token'])).toEqual(['hvs.login', 'hvs.login']);
  });

  test('BAO_TOKEN_PATH names another file', async () => {
    const server = await recorder();
    at.write('.vault-token', 'hvs.login\n');
    const path = at.write('elsewhere', 'hvs.elsewhere\n');
    await call('secrets', { BAO_ADDR: server.url, BAO_TOKEN_PATH: path });
    expect(server.seen[0]?.headers['x-vault-token']).toBe('hvs.elsewhere');
  });

  test('the token of `vagrant cloud auth login` goes to VAGRANT_SERVER_URL', async () => {
    const server = await recorder();
    at.write('.vagrant.d/data/vagrant_login_token', 'login');
    at.write('v/data/vagrant_login_token', 'home');
    await call('box', { VAGRANT_SERVER_URL: server.url });
    await call('box', { VAGRANT_SERVER_URL: server.url, VAGRANT_HOME: at.file('v') });
    await call('box', { LANYARD_BOX_ADDR: server.url });
    expect(server.seen.map(({ headers }) => headers.authorization)).toEqual([
      'Bearer login',
      'Bearer home',
      undefined,
    ]);
  });

  test('of `boundary authenticate` is in a keyring that is not read: the hint names the command', async () => {
    const server = await recorder();
    const env = { BOUNDARY_ADDR: server.url, BOUNDARY_TOKEN_NAME: 'work' };
    const ran = await run('account get acctpw_1234567890', { env });
    expectFailure(ran, 4, 'export BOUNDARY_TOKEN="$(boundary config get-token)"');
    expect(server.seen).toEqual([]);
  });

  test.each([
    ['scheduler', 'NOMAD_TOKEN', 'env://X'],
    ['accounts', 'BOUNDARY_TOKEN', 'file:///x'],
    ['secrets', 'LANYARD_SECRETS_TOKEN', 'env://X'],
  ])('of %s: a reference in %s is rejected, not sent', async (service, name, value) => {
    const server = await recorder();
    const ran = await call(service, { [name]: value, [`LANYARD_${service.toUpperCase()}_ADDR`]: server.url });
    expectFailure(ran, 2, `invalid ${name}: expected a token, not a reference`);
    expect(ran.stderr).toContain(`lanyard profile put NAME ${service}.token=`);
    expect(server.seen).toEqual([]);
  });
});

describe('HTTP basic authentication', () => {
  const encoded = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;

  test.each([
    ['registry', 'CONSUL', 'x-consul-token'],
    ['scheduler', 'NOMAD', 'x-nomad-token'],
  ])('of %s comes from %s_HTTP_AUTH, in addition to the token', async (service, product, header) => {
    const server = await recorder();
    const own = `LANYARD_${service.toUpperCase()}`;
    const env = { [`${own}_ADDR`]: server.url, [`${product}_TOKEN`]: 't', CONSUL_HTTP_TOKEN: 't' };
    await call(service, { ...env, [`${product}_HTTP_AUTH`]: 'me:pass:word' });
    await call(service, { ...env, [`${product}_HTTP_AUTH`]: 'me' });
    await call(service, { ...env, [`${product}_HTTP_AUTH`]: 'me', [`${own}_HTTP_AUTH`]: 'own:p' });
    expect(server.seen.map(({ headers }) => [headers.authorization, headers[header]])).toEqual([
      [encoded('me:pass:word'), 't'],
      [encoded('me:'), 't'],
      [encoded('own:p'), 't'],
    ]);
  });

  test('of a profile is a reference, and stays at its address', async () => {
    const [server, other] = await Promise.all([recorder(), recorder()]);
    at.write('auth', 'me:from-file\n');
    expect((await run('profile put p registry.http-auth=me:password')).code).toBe(2);
    await run(`profile put p registry.address=${server.url} registry.http-auth=file://${at.file('auth')}`);
    await call('registry', {});
    await call('registry', {}, `--address ${other.url}`);
    expect(server.seen[0]?.headers.authorization).toBe(encoded('me:from-file'));
    expect(other.seen[0]?.headers.authorization).toBeUndefined();
    expect((await run('profile put p secrets.http-auth=env://X')).code).toBe(2);
  });

  test('with a short password leaves ordinary words in messages', async () => {
    const server = await serve((seen, response) =>
      response
        .writeHead(500, { 'Content-Type': 'text/plain' })
        .end(`failed to read index: read timeout (admin:read, ${seen.headers.authorization})`),
    );
    const env = { CONSUL_HTTP_ADDR: server.url, CONSUL_HTTP_AUTH: 'admin:read' };
    const { stderr } = await call('registry', env);
    expect(stderr).toContain('failed to read index: read timeout (<redacted>, Basic <redacted>)');
  });

  test('is shown nowhere, and --curl takes it by reference', async () => {
    const server = await serve((seen, response) =>
      response.writeHead(500).end(`you sent ${seen.headers.authorization} for me:s3cret-word`),
    );
    const env = { CONSUL_HTTP_ADDR: server.url, CONSUL_HTTP_AUTH: 'me:s3cret-word' };
    for (const flags of ['--verbose', '--curl', '--dry-run', '--dry-run -o json']) {
      const { stdout, stderr } = await call('registry', env, flags);
      expect(stdout + stderr).not.toContain('s3cret-word');
      expect(stdout + stderr).not.toContain(Buffer.from('me:s3cret-word').toString('base64'));
    }
    expect((await call('registry', env, '--curl')).stdout).toContain(' --user "$CONSUL_HTTP_AUTH" ');
    expect(JSON.parse((await call('registry', env, '--dry-run -o json')).stdout).headers.Authorization).toBe(
      'Basic <redacted>',
    );
  });
});

describe.skipIf(skip)('CA certificates (openssl)', () => {
  const folder = (): string => {
    const path = at.file('authorities');
    mkdirSync(join(path, 'below'), { recursive: true });
    copyFileSync(file('ca.pem'), join(path, 'below/real.pem'));
    symlinkSync(join(path, 'below/real.pem'), join(path, 'f00d.0'));
    at.write('authorities/README', 'not a certificate\n');
    return path;
  };

  test.each([
    ['secrets', 'VAULT_CAPATH', 'VAULT_ADDR'],
    ['secrets', 'BAO_CAPATH', 'BAO_ADDR'],
    ['registry', 'CONSUL_CAPATH', 'CONSUL_HTTP_ADDR'],
    ['scheduler', 'NOMAD_CAPATH', 'NOMAD_ADDR'],
    ['accounts', 'BOUNDARY_CAPATH', 'BOUNDARY_ADDR'],
    ['box', 'LANYARD_BOX_CAPATH', 'VAGRANT_SERVER_URL'],
  ])('of %s come from the directory of %s', async (service, name, address) => {
    const { url } = await secureServer('loopback');
    const token = { [`LANYARD_${service.toUpperCase()}_TOKEN`]: 't' };
    expect(await call(service, { ...token, [address]: url, [name]: folder() })).toMatchObject({ code: 0 });
    expect((await call(service, { ...token, [address]: url, [name]: at.file('.') })).code).toBe(0);
  });

  test('of a profile come from ca-path', async () => {
    const { url } = await secureServer('loopback');
    folder();
    await run(`profile put p registry.address=${url} registry.ca-path=authorities`);
    expect((await run('profile get p --field registry.caPath')).stdout).toBe(`${at.file('authorities')}\n`);
    expect((await call('registry', {})).code).toBe(0);
    expect((await call('registry', {}, '--curl')).stdout).toContain(` --capath ${at.file('authorities')} `);
  });

  test('of a directory without one, or of none, are a usage error', async () => {
    at.write('empty/README', 'nothing\n');
    const env = { CONSUL_HTTP_ADDR: 'https://127.0.0.1:9' };
    const empty = await call('registry', { ...env, CONSUL_CAPATH: at.file('empty') });
    expect(empty).toMatchObject({ code: 2, stderr: expect.stringContaining('contains no CA certificate') });
    expectFailure(await call('registry', { ...env, CONSUL_CAPATH: at.file('none') }), 2, 'no such file');
  });

  test('come as text from VAULT_CACERT_BYTES', async () => {
    const { url } = await secureServer('loopback');
    copyFileSync(file('ca.pem'), at.file('ca.pem'));
    const env = { VAULT_ADDR: url, VAULT_TOKEN: 't' };
    expect((await call('secrets', { ...env, VAULT_CACERT_BYTES: at.read('ca.pem') })).code).toBe(0);
    expect((await call('secrets', { ...env, BAO_CACERT_BYTES: at.read('ca.pem') })).code).toBe(0);
    expectFailure(await call('secrets', { ...env, VAULT_CACERT_BYTES: 'nonsense' }), 2, 'not in PEM form');
    const { stdout } = await call('secrets', { ...env, VAULT_CACERT_BYTES: at.read('ca.pem') }, '--curl');
    expect(stdout).toContain('# CA_FILE: the CA certificates of the settings');
    expect(stdout).toContain(' --cacert CA_FILE ');
  });

  test('CONSUL_HTTP_SSL_VERIFY=false verifies nothing, and warns', async () => {
    const { url } = await secureServer('named');
    const env = { CONSUL_HTTP_ADDR: url };
    expect((await call('registry', env)).code).toBe(7);
    expectExit(await call('registry', { ...env, CONSUL_HTTP_SSL_VERIFY: 'false' }), 0, 'is not verified');
  });
});

describe('how long and how often', () => {
  test.each([
    ['secrets', { VAULT_CLIENT_TIMEOUT: '50ms' }],
    ['accounts', { BOUNDARY_CLIENT_TIMEOUT: '0.05' }],
    ['registry', { LANYARD_REGISTRY_CLIENT_TIMEOUT: '50ms' }],
  ])('%s: a timeout of %j ends an attempt', async (service, timeout) => {
    // It never responds.
    const server = await serve(() => undefined);
    const own = `LANYARD_${service.toUpperCase()}`;
    const env = { [`${own}_ADDR`]: server.url, [`${own}_TOKEN`]: 't', [`${own}_MAX_RETRIES`]: '0' };
    expectFailure(await call(service, { ...env, ...(timeout as Record<string, string>) }), 7);
  });

  test('--timeout comes before the variable', async () => {
    const server = await serve(() => undefined);
    const env = {
      VAULT_ADDR: server.url,
      VAULT_TOKEN: 't',
      VAULT_CLIENT_TIMEOUT: '10h',
      VAULT_MAX_RETRIES: '0',
    };
    expect((await call('secrets', env, '--timeout 50ms')).code).toBe(7);
  });

  test.each([
    ['secrets', 'VAULT_MAX_RETRIES', '0', 1],
    ['secrets', 'VAULT_MAX_RETRIES', '4', 5],
    ['accounts', 'BOUNDARY_MAX_RETRIES', '1', 2],
    ['registry', 'LANYARD_REGISTRY_MAX_RETRIES', '3', 4],
    ['registry', 'CONSUL_NOTHING', '7', 3],
  ])('%s with %s=%s sends %i requests', async (service, name, value, times) => {
    const server = await serve((_seen, response) => response.writeHead(502).end());
    const own = `LANYARD_${service.toUpperCase()}`;
    const env = { [`${own}_ADDR`]: server.url, [`${own}_TOKEN`]: 't', [name]: value };
    await run(`api ${service} GET x`, { env, random: (length) => new Uint8Array(length) });
    expect(server.seen).toHaveLength(times);
  });
});

describe('a variable that is not supported', () => {
  test('is named once a command, also with --quiet', async () => {
    const server = await recorder();
    const env = { VAULT_ADDR: server.url, VAULT_TOKEN: 't', VAULT_WRAP_TTL: '60s' };
    const ran = await run('secrets read secret/a --quiet', { env });
    expect(ran.stderr.match(/warning: VAULT_WRAP_TTL is set and not supported/g)).toHaveLength(1);
    expect(ran.stderr).toContain('the response is not wrapped');
    expect((await call('registry', { ...env, CONSUL_HTTP_ADDR: server.url })).stderr).toBe('');
  });

  test('is in the warnings of a JSON failure', async () => {
    const server = await serve((_seen, response) => response.writeHead(404).end('{"errors":[]}'));
    const env = { CONSUL_HTTP_ADDR: server.url, CONSUL_PARTITION: 'team' };
    const ran = await call('registry', env, '-o json');
    expect(JSON.parse(ran.stderr).error.warnings.join()).toContain(
      'CONSUL_PARTITION is set and not supported',
    );
  });
});

test('BOUNDARY_AUTH_METHOD_ID is the default of --auth-method', async () => {
  const server = await serve((_seen, response) =>
    json(response, { response_type: 'complete', items: [], list_token: 't' }),
  );
  const env = { BOUNDARY_ADDR: server.url, BOUNDARY_TOKEN: 'at_1_t' };
  expectFailure(await run('account list', { env }), 2, 'BOUNDARY_AUTH_METHOD_ID');
  await run('account list', { env: { ...env, BOUNDARY_AUTH_METHOD_ID: 'ampw_fromenv123' } });
  await run(`profile put p accounts.address=${server.url} accounts.auth-method=ampw_profile12`);
  await run('account list', { env });
  await run('account list --auth-method ampw_fromflag1', {
    env: { ...env, BOUNDARY_AUTH_METHOD_ID: 'ampw_fromenv123' },
  });
  expect(server.seen.map(({ url }) => new URL(url, 'http://x').searchParams.get('auth_method_id'))).toEqual([
    // The search for the primary one.
    null,
    'ampw_fromenv123',
    'ampw_profile12',
    'ampw_fromflag1',
  ]);
});

describe('a unix socket', () => {
  /** A server on a socket with a short path. */
  async function socketServer(): Promise<{ path: string; seen: IncomingMessage[] }> {
    const folder = mkdtempSync(join(tmpdir(), 'l-'));
    const seen: IncomingMessage[] = [];
    const server = createServer((request, response) => {
      seen.push(request);
      request.resume();
      request.on('end', () => json(response, { ok: true }));
    });
    const path = join(folder, 's');
    await new Promise<void>((done) => server.listen(path, done));
    onTestFinished(() => {
      server.close();
      server.closeAllConnections();
      rmSync(folder, { recursive: true });
    });
    return { path, seen };
  }

  test.each([
    ['registry', 'CONSUL_HTTP_ADDR'],
    ['scheduler', 'NOMAD_ADDR'],
    ['secrets', 'VAULT_ADDR'],
    ['accounts', 'LANYARD_ACCOUNTS_ADDR'],
  ])('of %s is named by %s', async (service, name) => {
    const { path, seen } = await socketServer();
    const env = {
      [name]: `unix://${path}`,
      [`LANYARD_${service.toUpperCase()}_TOKEN`]: 't',
      HTTP_PROXY: 'http://127.0.0.1:9',
      HTTPS_PROXY: 'http://127.0.0.1:9',
    };
    expect(await call(service, env)).toMatchObject({ code: 0, stderr: '' });
    expect(await run(`api ${service} POST y --data env://B`, { env: { ...env, B: '{}' } })).toMatchObject({
      code: 0,
    });
    expect(seen.map(({ method, url, headers }) => [method, url, headers.host])).toEqual([
      ['GET', expect.stringMatching(/\/v1\/x/), 'localhost'],
      ['POST', expect.stringMatching(/\/v1\/y/), 'localhost'],
    ]);
  });

  test('is named by a profile and by --address; its token goes to that path alone', async () => {
    const [one, two] = await Promise.all([socketServer(), socketServer()]);
    const ran = await run(`profile put p registry.address=unix://${one.path} registry.token=-`, {
      stdin: 'tok',
    });
    expect(ran.code).toBe(0);
    expect((await call('registry', {})).code).toBe(0);
    expect((await call('registry', {}, `--address unix://${one.path}`)).code).toBe(0);
    expect((await call('registry', {}, `--address unix://${two.path}`)).code).toBe(0);
    expect(one.seen.map(({ headers }) => headers['x-consul-token'])).toEqual(['tok', 'tok']);
    expect(two.seen.map(({ headers }) => headers['x-consul-token'])).toEqual([undefined]);
  });

  test('is in --curl and --dry-run', async () => {
    const env = { CONSUL_HTTP_ADDR: 'unix:///run/a b.sock' };
    expect((await call('registry', env, '--curl')).stdout).toContain(
      " --unix-socket '/run/a b.sock' http://localhost/v1/x\n",
    );
    expect(JSON.parse((await call('registry', env, '--dry-run -o json')).stdout)).toMatchObject({
      url: 'http://localhost/v1/x',
      unixSocket: '/run/a b.sock',
    });
  });

  test('transfers images of any length', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'l-'));
    const path = join(folder, 's');
    const image = Buffer.alloc(3 * 1024 * 1024, 'image');
    const requests: (string | undefined)[] = [];
    const server = createServer((request, response) => {
      requests.push(request.url);
      if (request.url?.endsWith('/download')) return response.end(image);
      const provider = { name: 'libvirt', download_url: 'http://localhost/api/v1/box/a/b/download' };
      if (request.url?.endsWith('/provider/libvirt')) return json(response, provider);
      return json(response, {
        tag: 'a/b',
        username: 'a',
        name: 'b',
        current_version: { version: '1.0.0', status: 'active', providers: [provider] },
        versions: [{ version: '1.0.0', status: 'active', providers: [provider] }],
        version: '1.0.0',
        status: 'active',
        providers: [provider],
      });
    });
    await new Promise<void>((done) => server.listen(path, done));
    onTestFinished(() => {
      server.close();
      server.closeAllConnections();
      rmSync(folder, { recursive: true });
    });
    const env = { LANYARD_BOX_ADDR: `unix://${path}`, LANYARD_BOX_TOKEN: 't' };
    const ran = await run('box download a/b 1.0.0 libvirt --out image.box', { env });
    expect(ran.stderr).not.toContain('error');
    expect(at.bytes('image.box').equals(image)).toBe(true);
    expect(requests.at(-1)).toBe('/api/v1/box/a/b/download');
  });

  test('that is not there, or that nothing listens on, is unreachable', async () => {
    const ran = await call('registry', { CONSUL_HTTP_ADDR: `unix://${at.file('no.sock')}` });
    expectFailure(ran, 7, `at unix://${at.file('no.sock')}: no such unix socket`);
  });
});

describe('HTTPS_PROXY, HTTP_PROXY and NO_PROXY', () => {
  /** A proxy that tunnels every CONNECT to one port of the loopback. */
  async function proxyTo(port: number): Promise<{ url: string; asked: string[]; heard: () => string }> {
    const requests: string[] = [];
    let heard = '';
    const server = createServer((_request, response) => response.writeHead(405).end());
    server.on('connect', ({ url = '', headers }: IncomingMessage, client: Socket) => {
      requests.push(url);
      heard += JSON.stringify(headers);
      const target = connect(port, '127.0.0.1', () => {
        client.write('HTTP/1.1 200 Connected\r\n\r\n');
        client.pipe(target).pipe(client);
      });
      for (const socket of [client, target]) socket.on('error', () => {});
      onTestFinished(() => {
        client.destroy();
        target.destroy();
      });
    });
    return { url: `http://127.0.0.1:${await listen(server)}`, asked: requests, heard: () => heard };
  }

  test.skipIf(skip)('https goes through CONNECT, and the proxy sees no token (openssl)', async () => {
    const server = await secureServer('named');
    const proxy = await proxyTo(server.port);
    const env = {
      VAULT_ADDR: 'https://secrets.example.test:8200',
      VAULT_TOKEN: 'hvs.precious',
      VAULT_CACERT: file('ca.pem'),
      https_proxy: proxy.url,
    };
    expect(await call('secrets', env)).toMatchObject({ code: 0, stderr: '' });
    expect(proxy.asked).toEqual(['secrets.example.test:8200']);
    expect(proxy.heard()).not.toContain('precious');
    // What the service's own settings say comes first.
    const other = await proxyTo(server.port);
    for (const name of ['VAULT_PROXY_ADDR', 'BAO_PROXY_ADDR', 'VAULT_HTTP_PROXY', 'LANYARD_SECRETS_PROXY'])
      expect((await call('secrets', { ...env, [name]: other.url })).code).toBe(0);
    expect(other.asked).toHaveLength(4);
    expect(proxy.asked).toHaveLength(1);
  });

  test('plain http needs the same consent as without a proxy', async () => {
    const server = await recorder();
    const proxy = await proxyTo(server.port);
    const env = { HTTP_PROXY: proxy.url, LANYARD_REGISTRY_TOKEN: 't' };
    await run('profile put p registry.address=http://registry.example.test:8500');
    expectFailure(await call('registry', env), 2, 'plain http');
    expect(proxy.asked).toEqual([]);
    await run('profile put p registry.allow-plain-http=true');
    expect((await call('registry', env)).code).toBe(0);
    expect(proxy.asked).toEqual(['registry.example.test:8500']);
  });

  test('are not used for the loopback', async () => {
    const server = await recorder();
    const proxy = await proxyTo(server.port);
    const env = { HTTP_PROXY: proxy.url, http_proxy: proxy.url, CONSUL_HTTP_ADDR: server.url };
    expect((await call('registry', env)).code).toBe(0);
    expect(proxy.asked).toEqual([]);
  });

  test('NO_PROXY names hosts that are reached directly, and --curl shows the proxy that is used', async () => {
    const env = {
      VAULT_ADDR: 'https://secrets.example.com',
      VAULT_TOKEN: 't',
      HTTPS_PROXY: 'http://u:pass@proxy:1',
    };
    const through = (await call('secrets', env, '--curl')).stdout;
    expect(through).toContain(" --proxy http://proxy:1/ --proxy-user '<redacted>' ");
    expect(through).not.toContain('pass@');
    const past = await call('secrets', { ...env, NO_PROXY: '.example.com' }, '--curl');
    expect(past.stdout).toContain(" --noproxy '*' ");
    const own = { LANYARD_SECRETS_PROXY: 'http://own:1', NO_PROXY: '.example.com' };
    expect((await call('secrets', { ...env, ...own }, '--curl')).stdout).toContain(
      " --proxy http://own:1/ --noproxy '' ",
    );
  });
});

import { describe, expect, test } from 'vitest';
import {
  expectExit,
  expectFailure,
  homeForEach,
  quietOutputOf,
  runnerOf,
} from '../../support/command-tests.ts';
import { json, serve } from '../../unit/api/support.ts';

const at = homeForEach();
const run = runnerOf(at);
const imported = async (argv: string, env: Record<string, string>) =>
  JSON.parse((await run(`profile import ${argv} -o json`, { env })).stdout);

const everything: Readonly<Record<string, string>> = {
  VAULT_ADDR: 'https://vault.example.com:8200/',
  VAULT_TOKEN: 'hvs.precious',
  VAULT_NAMESPACE: 'team',
  VAULT_CACERT: 'ca.pem',
  VAULT_CLIENT_CERT: '/tls/c.pem',
  VAULT_CLIENT_KEY: '/tls/c.key',
  VAULT_TLS_SERVER_NAME: 'vault.internal',
  VAULT_CLIENT_TIMEOUT: '90',
  VAULT_MAX_RETRIES: '5',
  VAULT_PROXY_ADDR: 'http://proxy.example.com:3128',
  CONSUL_HTTP_ADDR: 'unix:///run/consul.sock',
  CONSUL_HTTP_TOKEN_FILE: 'consul.token',
  CONSUL_HTTP_AUTH: 'me:s3cret-word',
  CONSUL_CAPATH: '/etc/cas',
  CONSUL_HTTP_SSL_VERIFY: 'false',
  NOMAD_ADDR: 'https://nomad.example.com:4646',
  NOMAD_TOKEN: 'nomad-precious',
  NOMAD_REGION: 'eu',
  NOMAD_NAMESPACE: 'ops',
  BOUNDARY_ADDR: 'https://boundary.example.com',
  BOUNDARY_TOKEN: 'at_precious_x',
  BOUNDARY_AUTH_METHOD_ID: 'ampw_1234567890',
  VAGRANT_SERVER_URL: 'https://boxes.example.com',
  ATLAS_TOKEN: 'atlas-precious',
};

describe('profile import', () => {
  test('imports all services of the environment, with tokens and passwords as references', async () => {
    const stdout = quietOutputOf(await run('profile import prod', { env: everything }));
    expect(stdout).toContain('Wrote profile prod and set it active.');
    expect(stdout).toContain('secrets.token\tenv://VAULT_TOKEN\tVAULT_TOKEN\n');
    const { name, active, ...profile } = JSON.parse((await run('profile get prod -o json')).stdout);
    expect([name, active]).toEqual(['prod', true]);
    expect(profile).toEqual({
      secrets: {
        address: 'https://vault.example.com:8200',
        namespace: 'team',
        token: 'env://VAULT_TOKEN',
        caCert: at.file('ca.pem'),
        clientCert: '/tls/c.pem',
        clientKey: '/tls/c.key',
        serverName: 'vault.internal',
        timeout: '90s',
        maxRetries: '5',
        proxy: 'http://proxy.example.com:3128',
      },
      registry: {
        address: 'unix:///run/consul.sock',
        token: `file://${at.file('consul.token')}`,
        httpAuth: 'env://CONSUL_HTTP_AUTH',
        caPath: '/etc/cas',
        skipVerify: true,
      },
      box: { address: 'https://boxes.example.com', token: 'env://ATLAS_TOKEN' },
      scheduler: {
        address: 'https://nomad.example.com:4646',
        namespace: 'ops',
        region: 'eu',
        token: 'env://NOMAD_TOKEN',
      },
      accounts: {
        address: 'https://boundary.example.com',
        token: 'env://BOUNDARY_TOKEN',
        authMethod: 'ampw_1234567890',
      },
    });
  });

  test('shows the source of each setting, and stores no secret', async () => {
    const { settings } = await imported('prod', everything);
    expect(settings).toContainEqual({
      setting: 'registry.skip-verify',
      value: 'true',
      from: 'CONSUL_HTTP_SSL_VERIFY',
    });
    expect(settings).toContainEqual({
      setting: 'registry.token',
      value: `file://${at.file('consul.token')}`,
      from: 'CONSUL_HTTP_TOKEN_FILE',
    });
    for (const each of settings) expect(each.from).toMatch(/^[A-Z_]+$/);
    for (const file of at.list('config')) expect(at.read(file)).not.toMatch(/precious|s3cret/);
  });

  test('imports the token files of the product CLIs', async () => {
    const server = await serve((_seen, response) => json(response, { ok: true }));
    at.write('.vault-token', 'hvs.login\n');
    const { settings } = await imported('', { VAULT_ADDR: server.url });
    expect(settings).toEqual([
      { setting: 'secrets.address', value: server.url, from: 'VAULT_ADDR' },
      { setting: 'secrets.token', value: 'file://~/.vault-token', from: '~/.vault-token' },
    ]);
    expect((await run('-p default api secrets GET x')).code).toBe(0);
    expect(server.seen[0]?.headers['x-vault-token']).toBe('hvs.login');
  });

  test('imports LANYARD_ variables, with several addresses', async () => {
    const { settings } = await imported('p', {
      LANYARD_SECRETS_ADDR: 'https://one.example.com, https://two.example.com',
      LANYARD_SECRETS_HEADER_PREFIX: 'X-Vault',
    });
    expect(settings).toEqual([
      {
        setting: 'secrets.addresses',
        value: 'https://one.example.com,https://two.example.com',
        from: 'LANYARD_SECRETS_ADDR',
      },
      { setting: 'secrets.header-prefix', value: 'X-Vault', from: 'LANYARD_SECRETS_HEADER_PREFIX' },
    ]);
  });

  test('warns of settings that a profile cannot store', async () => {
    const ran = await run('profile import p', {
      env: {
        VAULT_ADDR: 'https://v',
        VAULT_CACERT_BYTES: '-----BEGIN CERTIFICATE-----',
        VAULT_PROXY_ADDR: 'http://u:pass@p',
      },
    });
    expect(ran.code).toBe(0);
    expect(ran.stderr).toContain('VAULT_CACERT_BYTES was not imported');
    expect(ran.stderr).toContain('VAULT_PROXY_ADDR was not imported: a profile cannot store credentials');
    expect(at.read('config/config.json')).not.toContain('pass');
  });

  test('warns of a setting that the service does not support, and omits it', async () => {
    const ran = await run('profile import p', {
      env: { VAGRANT_SERVER_URL: 'https://boxes.example.com', LANYARD_BOX_HTTP_AUTH: 'me:s3cret-word' },
    });
    expect(ran.code).toBe(0);
    expect(ran.stderr).toBe(
      'warning: LANYARD_BOX_HTTP_AUTH has no effect: the box service has no http-auth\n',
    );
    expect(JSON.parse((await run('profile get p -o json')).stdout).box).toEqual({
      address: 'https://boxes.example.com',
    });
  });

  test('expands ~/ in the name of a TLS file, as a request does', async () => {
    const home = { VAULT_ADDR: 'https://127.0.0.1:1', VAULT_CACERT: '~/ca.pem' };
    await imported('p', home);
    expect(JSON.parse((await run('profile get p -o json')).stdout).secrets.caCert).toBe(at.file('ca.pem'));
    await run('profile put q secrets.ca-cert=~/ca.pem');
    expect(JSON.parse((await run('profile get q -o json')).stdout).secrets.caCert).toBe(at.file('ca.pem'));
    const ran = await run('api secrets GET x', { env: home });
    expect(ran.stderr).toContain(`cannot read the CA certificate ${at.file('ca.pem')}: no such file`);
  });

  test('warns of plain http to another machine, which requests reject', async () => {
    const env = { CONSUL_HTTP_ADDR: 'http://consul.example.com:8500', VAULT_ADDR: 'http://127.0.0.1:8200' };
    const ran = await run('profile import p', { env });
    expect(ran.code).toBe(0);
    expect(ran.stderr).toBe(
      'warning: http://consul.example.com:8500 is plain http: requests are rejected until you use https or run "lanyard profile put p registry.allow-plain-http=true"\n',
    );
    expect((await run('-p p api registry GET x')).stderr).toContain('allow-plain-http');
  });

  test('replaces an existing profile and its stored tokens only with --force', async () => {
    await run(
      'profile put p secrets.address=https://old.example.com registry.address=https://r secrets.token=-',
      { stdin: 'hvs.stored' },
    );
    const before = at.read('config/config.json');
    const env = { VAULT_ADDR: 'https://new.example.com' };
    expectFailure(await run('profile import p', { env }), 6, 'it already exists');
    expect(at.read('config/config.json')).toBe(before);
    expect((await run('profile import p --force', { env })).code).toBe(0);
    expect(JSON.parse((await run('profile get p -o json')).stdout)).toEqual({
      name: 'p',
      active: true,
      secrets: { address: 'https://new.example.com' },
    });
    expect(at.read('config/credentials.json')).not.toContain('hvs.stored');
  });

  test('is a usage error without an address in the environment', async () => {
    const ran = await run('profile import p', { env: { VAULT_TOKEN: 't' } });
    expectFailure(ran, 2, 'lanyard help environment');
    expect(at.list()).toEqual([]);
  });

  test('does not change the active profile', async () => {
    await run('profile put one secrets.address=https://one.example.com');
    expect((await imported('two', { VAULT_ADDR: 'https://v' })).active).toBe(false);
    expect((await run('profile list')).stdout).toContain('one\tactive');
  });
});

describe('several addresses of a profile', () => {
  test('are stored in order, checked like a single address, and removed if empty', async () => {
    const put = 'profile put p secrets.addresses=';
    expect((await run(`${put}https://one.example.com,https://two.example.com`)).code).toBe(0);
    expect((await run('profile get p')).stdout).toContain(
      'secrets.addresses\thttps://one.example.com,https://two.example.com\n',
    );
    for (const wrong of ['ftp://x', 'https://u:p@x', 'https://one.example.com,,https://two', 'https://x?q'])
      expect(await run(put + wrong)).toMatchObject({
        code: 2,
        stderr: expect.stringContaining('invalid secrets.addresses'),
      });
    expect(JSON.parse((await run('profile get p -o json')).stdout).secrets).toEqual({
      addresses: ['https://one.example.com', 'https://two.example.com'],
    });
    await run(put);
    expect((await run('profile get p')).stdout).not.toContain('addresses');
  });

  test('are tried in order, with the token of the profile', async () => {
    const up = await serve((_seen, response) => json(response, { ok: true }));
    const ran = await run(`profile put p secrets.addresses=http://127.0.0.1:1,${up.url} secrets.token=-`, {
      stdin: 'hvs.stored',
    });
    expect(ran.code).toBe(0);
    expectExit(await run('api secrets GET x'), 0, `connection refused; trying ${up.url}`);
    expect(up.seen[0]?.headers['x-vault-token']).toBe('hvs.stored');
    const own = { LANYARD_SECRETS_ADDR: `http://127.0.0.1:1,${up.url}`, LANYARD_SECRETS_TOKEN: 't' };
    expect((await run('api secrets GET x', { env: own })).code).toBe(0);
  });

  test('are shown by status, with the address that responded', async () => {
    // The response of OpenBao 2.6.2.
    const health = { initialized: true, sealed: false, standby: false, version: '2.6.2', cluster_id: 'c' };
    const up = await serve((_seen, response) => json(response, health));
    await run(`profile put p secrets.addresses=http://127.0.0.1:1,${up.url}`);
    expect(JSON.parse((await run('status -o json')).stdout)[0]).toMatchObject({
      address: up.url,
      state: 'ok',
    });
    expect(JSON.parse((await run('secrets status -o json')).stdout).address).toBe(up.url);
  });

  test('are valid for a token stored with the profile', async () => {
    const up = await serve((_seen, response) =>
      json(response, { auth: { client_token: 'hvs.new' }, data: { id: 'hvs.new', ttl: 60 } }),
    );
    await run(`profile put p secrets.addresses=${up.url},https://two.example.com`);
    const ran = await run('secrets login --method token --token -', { stdin: 'hvs.new' });
    expect(ran.stderr).not.toContain('is not an address of the profile');
    expect((await run('profile get p')).stdout).toContain('secrets.token\tstored\n');
  });

  test('are reported by name in a damaged configuration', async () => {
    at.write('config/config.json', '{"active":"p","profiles":{"p":{"secrets":{"addresses":"https://x"}}}}');
    expectFailure(await run('profile get p'), 1, 'profiles.p.secrets.addresses must be a list of strings');
  });
});

import { describe, expect, test } from 'vitest';
import {
  embeddedForAll,
  expectExit,
  expectFailure,
  homeForTest,
  linesOf,
  servicesForTest,
  words,
} from '../support/command-tests.ts';
import { freePort } from '../support/ports.ts';
import { services } from '../support/services.ts';
import { json, serve } from '../unit/api/support.ts';
import { nomad, nomadToken } from './product-servers.ts';

const { running, run } = embeddedForAll();

/** The findings by service. */
async function findings(
  env: Record<string, string>,
  code: number,
): Promise<Record<string, Record<string, unknown>>> {
  const ran = await run('status -o json', { env });
  expect(ran.code, ran.stderr).toBe(code);
  return Object.fromEntries(
    (JSON.parse(ran.stdout) as Record<string, unknown>[]).map(({ service, ...rest }) => [service, rest]),
  );
}

describe('status', () => {
  test('exits with 0 if all services respond, and shows the source of each address', async () => {
    const { stdout, code, stderr } = await run('status');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toBe(
      Object.entries(running.addresses)
        .map(
          ([service, address]) =>
            `${service}\t${address}\tok\tLanyard 0.0.0-test\t${service === 'secrets' ? 'valid, unlimited' : 'none'}\tLANYARD_${service.toUpperCase()}_ADDR\n`,
        )
        .join('')
        .concat(
          'accounts: no token. Log in with `lanyard account login`, or set LANYARD_ACCOUNTS_TOKEN or BOUNDARY_TOKEN, or set a token in the profile.\n',
        ),
    );
  });

  test('is a table with a header on a terminal, no wider than it', async () => {
    for (const columns of [80, 120]) {
      const { stdout } = await run('status --no-color', { columns });
      expect(stdout).toMatch(/^SERVICE +ADDRESS +STATE +PRODUCT +TOKEN( +FROM)?\n/);
      for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(columns);
    }
    expect((await run('status --no-color', { columns: 120 })).stdout).toMatch(/^.* FROM\n/);
  });

  test('omits the sources on 80 columns, with a note', async () => {
    const { stdout } = await run('status --no-color', { columns: 80 });
    for (const [service, address] of Object.entries(running.addresses))
      expect(stdout).toMatch(new RegExp(`^${service} +${address} `, 'm'));
    expect(stdout).toContain('\nNot shown: FROM. Use a wider terminal or -o json.\n');
  });

  test('has the fields of each finding in the same order', async () => {
    const { stdout } = await run('status -o jsonl', { env: { LANYARD_BOX_ADDR: '' } });
    const orders = linesOf(stdout).map((line) => Object.keys(JSON.parse(line)).join());
    expect(new Set(orders)).toEqual(
      new Set(['service,address,from,state,product,version,token,tokenValidUntil,problem,hint']),
    );
  });

  test('exits with 0 without a configured service', async () => {
    const fresh = homeForTest();
    const ran = await fresh.run(['status']);
    expectExit(ran, 0, /^no service is configured\. Run `lanyard dev`/, '`lanyard profile import`');
    expect(ran.stdout.trimEnd().split('\n')).toEqual(
      ['secrets', 'registry', 'box', 'scheduler', 'accounts'].map(
        (name) => `${name}\t-\tnot set\t-\tnone\t-`,
      ),
    );
    expectFailure(await fresh.run(['status', '--check']), 2, 'error: no service is configured');
  });

  test('exits with 7 if one service is unreachable, and still shows the others', async () => {
    const found = await findings({ LANYARD_REGISTRY_ADDR: `http://127.0.0.1:${await freePort()}` }, 7);
    expect(found.registry).toMatchObject({ state: 'unreachable', token: 'not checked' });
    expect(found.registry?.problem).toMatch(/connection refused/);
    expect(found.secrets).toMatchObject({ state: 'ok', token: 'valid' });
    expect(found.accounts).toMatchObject({ state: 'ok' });
  });

  test('exits with 8 for a sealed or uninitialized service', async () => {
    const other = homeForTest();
    const sealed = await services(other);
    await other.run(words('api secrets PUT sys/seal'));
    expect((await findings({ LANYARD_SECRETS_ADDR: sealed.addresses.secrets }, 8)).secrets).toMatchObject({
      state: 'sealed',
      token: 'not checked',
    });
    await sealed.close();
    const empty = await servicesForTest(other, { uninitialized: true });
    expect((await findings({ LANYARD_SECRETS_ADDR: empty.addresses.secrets }, 8)).secrets).toMatchObject({
      state: 'not initialized',
    });
  });

  test('distinguishes a wrong, missing and valid token without showing it', async () => {
    const rejected = await run('status -o json', { env: { LANYARD_SECRETS_TOKEN: 'hvs.wrong' } });
    expect(rejected.code).toBe(0);
    expect(JSON.parse(rejected.stdout)[0]).toMatchObject({ state: 'ok', token: 'not accepted' });
    expect(rejected.stdout + rejected.stderr).not.toContain('hvs.wrong');
    expect((await findings({ LANYARD_SECRETS_TOKEN: '' }, 0)).secrets).toMatchObject({ token: 'none' });
  });

  test('checks the token with the registry', async () => {
    const other = homeForTest();
    const own = await servicesForTest(other);
    const SecretID = (await other.run(words('acl bootstrap --field SecretID'))).stdout.trim();
    const rule = { Description: 'short', ExpirationTTL: '1h', Policies: [{ Name: 'global-management' }] };
    const made = await other.run(words('api registry PUT acl/token --data - --field SecretID'), {
      stdin: JSON.stringify(rule),
      env: { LANYARD_REGISTRY_TOKEN: SecretID },
    });
    const LANYARD_REGISTRY_ADDR = own.addresses.registry;
    const found = async (LANYARD_REGISTRY_TOKEN: string) =>
      (await findings({ LANYARD_REGISTRY_ADDR, LANYARD_REGISTRY_TOKEN }, 0)).registry;
    expect(await found(SecretID)).toMatchObject({ token: 'valid', tokenValidUntil: null, problem: null });
    const short = await found(made.stdout.trim());
    expect(short).toMatchObject({ token: 'valid' });
    expect(Date.parse(String(short?.tokenValidUntil)) - Date.now()).toBeGreaterThan(3_500_000);
    expect(await found('0b8f1f6e-9f5b-4f2f-8f0e-2f8f0f8f0f8f')).toMatchObject({ token: 'not accepted' });
    expect(await found('')).toMatchObject({ token: 'none' });
  });

  test('reports a registry with access control disabled', async () => {
    const off = await serve(({ url }, response) => {
      if (url === '/v1/status/leader') return json(response, '127.0.0.1:8300');
      response.writeHead(401, { 'Content-Type': 'text/plain' }).end('ACL support disabled');
    });
    const { registry } = await findings(
      { LANYARD_REGISTRY_ADDR: off.url, LANYARD_REGISTRY_TOKEN: 'some-token' },
      0,
    );
    expect(registry).toMatchObject({ state: 'ok', token: 'access control is off', problem: null });
  });

  test('shows the expiry of a token', async () => {
    const made = await run('api secrets POST auth/token/create --data - --field auth.client_token', {
      stdin: '{"ttl":"1h"}',
    });
    const LANYARD_SECRETS_TOKEN = made.stdout.trim();
    const found = (await findings({ LANYARD_SECRETS_TOKEN }, 0)).secrets;
    expect(found?.token).toBe('valid');
    expect(Date.parse(String(found?.tokenValidUntil)) - Date.now()).toBeGreaterThan(3_500_000);
    expect((await run('status', { env: { LANYARD_SECRETS_TOKEN } })).stdout).toMatch(
      /^secrets.*valid, expires in 59 minutes/,
    );
  });

  test('checks the version and token with a scheduler', async () => {
    const scheduler = (token: string, status: number) =>
      serve(({ url }, response) => {
        if (url === '/v1/agent/self') return json(response, { config: { Version: { Version: '1.9.3' } } });
        if (url === '/v1/acl/token/self') return void response.writeHead(status).end(token);
        return json(response, { server: { ok: true } });
      });
    const check = async (response: string, status: number, token = 'a-secret-token') => {
      const { url } = await scheduler(response, status);
      const env = { LANYARD_SCHEDULER_ADDR: url, LANYARD_SCHEDULER_TOKEN: token };
      const found = (await findings(env, 0)).scheduler;
      return { ...found, checked: (await run('status --check', { env })).code };
    };
    const ends = '2030-01-02T03:04:05Z';
    expect(await check(JSON.stringify({ AccessorID: 'a', ExpirationTime: ends }), 200)).toMatchObject({
      state: 'ok',
      version: '1.9.3',
      token: 'valid',
      tokenValidUntil: ends,
    });
    expect(await check('{"AccessorID":"a","ExpirationTime":null}', 200)).toMatchObject({
      token: 'valid',
      tokenValidUntil: null,
    });
    expect(await check('ACL token not found', 403)).toMatchObject({ token: 'not accepted' });
    expect(await check('ACL support disabled', 400)).toMatchObject({ token: 'access control is off' });
    expect(await check('ACL token expired', 403)).toMatchObject({ token: 'expired' });
    const malformed =
      'failed to parse signed token: go-jose/go-jose: compact JWS format must have three parts';
    expect(await check(malformed, 500)).toMatchObject({ token: 'not accepted' });
    // A workload identity: its caller is known, and has no token.
    expect(await check('ACL token not found', 404)).toMatchObject({ token: 'not checked', checked: 0 });
    const ofWorkload = 'eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJ3ZWIifQ.c2lnbmF0dXJl';
    const asUuid = 'UUID must be 36 characters';
    expect(await check('ACL token not found', 404, ofWorkload)).toMatchObject({ token: 'not checked' });
    expect(await check(asUuid, 500, ofWorkload)).toMatchObject({ token: 'not checked', checked: 0 });
    expect(await check(asUuid, 500)).toMatchObject({ token: 'not accepted', checked: 4 });
    // Before 1.10.1 a token that is not known is not found.
    expect(await check('ACL token not found', 404, nomadToken)).toMatchObject({
      token: 'not accepted',
      checked: 4,
    });
    expect(await check('blocked by gateway policy', 403)).toMatchObject({ token: 'not checked', checked: 0 });
  });

  test('of something else at an address ends with 1', async () => {
    const page = await serve((_seen, response) =>
      response.writeHead(200, { 'Content-Type': 'text/html' }).end('<html>'),
    );
    const found = await findings({ LANYARD_BOX_ADDR: page.url }, 1);
    expect(found.box).toMatchObject({ state: 'wrong service', product: null });
    expect(found.box?.problem).toContain('an HTML page');
  });

  test('detects another product by its own variable', async () => {
    const found = await findings({ LANYARD_SECRETS_ADDR: '', VAULT_ADDR: running.addresses.secrets }, 0);
    expect(found.secrets).toMatchObject({ from: 'VAULT_ADDR', state: 'ok', token: 'valid' });
  });

  test.each([
    ['X-Nomad, which no header of the profile is', 'X-Scheduler', 'not accepted'],
    ['both', undefined, 'valid'],
  ])('counts a token only if the service confirms it: %s', async (_name, prefix, token) => {
    const scheduler = await serve(nomad);
    const found = await findings(
      {
        LANYARD_SCHEDULER_ADDR: scheduler.url,
        LANYARD_SCHEDULER_TOKEN: nomadToken,
        ...(prefix === undefined ? {} : { LANYARD_SCHEDULER_HEADER_PREFIX: prefix }),
      },
      0,
    );
    expect(found.scheduler).toMatchObject({ state: 'ok', product: 'Nomad', token });
    expect(found.scheduler?.version).toBe(token === 'valid' ? '2.0.6-dev' : null);
  });

  test('does not count a token if the service responds with another one', async () => {
    const agent = await serve(({ url }, response) =>
      url === '/v1/auth/token/lookup-self'
        ? json(response, { data: { id: 'hvs.of-the-agent', policies: ['default'], expire_time: null } })
        : json(response, { initialized: true, sealed: false, standby: false, version: '1.20.0' }),
    );
    const { secrets } = await findings({ LANYARD_SECRETS_ADDR: agent.url }, 0);
    expect(secrets).toMatchObject({ state: 'ok', product: 'Vault-compatible', token: 'not accepted' });
    expect(secrets?.problem).toBe('the secrets service responded for another token');
  });

  test('checks health without the namespace, and the token with it', async () => {
    const bao = await serve((seen, response) => {
      // Like OpenBao.
      const isNamespaced = seen.headers['x-vault-namespace'] !== undefined;
      if (seen.url !== '/v1/auth/token/lookup-self' && isNamespaced)
        return json(response, { errors: ['operation unavailable in namespaces'] }, 400);
      if (seen.url === '/v1/sys/seal-status')
        return json(response, { initialized: true, sealed: false, version: '2.6.2', commit_date: '' });
      if (seen.url === '/v1/sys/health')
        return json(response, { initialized: true, sealed: false, standby: false, version: '2.6.2' });
      json(response, { data: { id: isNamespaced ? running.rootToken : 'another', expire_time: null } });
    });
    const { secrets } = await findings(
      { LANYARD_SECRETS_ADDR: bao.url, LANYARD_SECRETS_NAMESPACE: 'ns1' },
      0,
    );
    expect(secrets).toMatchObject({ state: 'ok', product: 'OpenBao', version: '2.6.2', token: 'valid' });
  });

  test.each([
    [429, { initialized: true, sealed: false, standby: true }, 'standby', 0, 0],
    [473, { initialized: true, sealed: false, standby: true }, 'standby', 0, 0],
    [472, { initialized: true, sealed: false, standby: true }, 'standby', 0, 8],
    [503, { initialized: true, sealed: true, standby: true }, 'sealed', 8, 8],
    [501, { initialized: false, sealed: true, standby: true }, 'not initialized', 8, 8],
    [503, { initialized: true, sealed: false, standby: false }, 'failed', 1, 1],
    [429, { errors: ['rate limit quota exceeded'] }, 'wrong service', 1, 1],
  ])('reads the health of a secrets service: %i %j', async (status, body, state, code, strict) => {
    const { url } = await serve((_seen, response) => json(response, body, status));
    const env = { LANYARD_SECRETS_ADDR: url };
    expect((await findings(env, code)).secrets).toMatchObject({ state, token: 'not checked' });
    expect((await run('status --check', { env })).code).toBe(strict);
  });

  test('reports that the account service has no database', async () => {
    const message =
      'iam.(Repository).LookupScope: failed for global: db.LookupById: unknown, unknown: error #0: dbw.LookupById: unexpected EOF';
    const { url, seen } = await serve((_seen, response) =>
      json(response, { kind: 'Internal', message }, 500),
    );
    const { accounts } = await findings({ LANYARD_ACCOUNTS_ADDR: url }, 8);
    expect(accounts).toMatchObject({
      state: 'database down',
      token: 'not checked',
      problem: 'it cannot reach its database',
    });
    expect(seen.map(({ url: path }) => path)).toEqual(['/v1/auth-methods?scope_id=global']);
  });

  test.each([
    ['ACCOUNTS', 'the scheduler responds at this address'],
    ['REGISTRY', 'the scheduler responds at this address'],
    ['BOX', 'the scheduler responds at this address'],
    ['SECRETS', 'the scheduler responds at this address'],
  ])('recognizes a scheduler at LANYARD_%s_ADDR', async (service, problem) => {
    const { url } = await serve(nomad);
    const found = (await findings({ [`LANYARD_${service}_ADDR`]: url }, 1))[service.toLowerCase()];
    expect(found).toMatchObject({ state: 'wrong service', product: null, token: 'not checked', problem });
  });

  test('recognizes every embedded service at the address of another one', async () => {
    const names = Object.keys(running.addresses) as (keyof typeof running.addresses)[];
    const titles = {
      secrets: 'secrets service',
      registry: 'service registry',
      box: 'box registry',
      scheduler: 'scheduler',
      accounts: 'account service',
    };
    for (const shift of [1, 2, 3, 4]) {
      const other = (index: number) => names[(index + shift) % names.length] ?? 'box';
      const env = Object.fromEntries(
        names.map((name, index) => [
          `LANYARD_${name.toUpperCase()}_ADDR`,
          running.addresses[other(index)] ?? '',
        ]),
      );
      const found = await findings(env, 1);
      for (const [index, name] of names.entries())
        expect(found[name], `${name} at ${other(index)}`).toMatchObject({
          state: 'wrong service',
          problem: `the ${titles[other(index)]} responds at this address`,
        });
    }
  });

  test('reports which part of an address is invalid', async () => {
    const { url } = await serve((seen, response) => {
      const isPage = seen.url.startsWith('/ui');
      if (isPage) response.writeHead(200, { 'Content-Type': 'text/html' }).end('<!DOCTYPE html><html>');
      else json(response, { initialized: true, sealed: false, standby: false, version: '2.6.2' });
    });
    const { secrets } = await findings({ LANYARD_SECRETS_ADDR: `${url}/ui` }, 1);
    expect(secrets).toMatchObject({
      state: 'wrong service',
      problem: `the secrets service responds at ${url}: remove "/ui" from the address`,
    });
  });

  test('tries each service once, without progress messages', async () => {
    const away = `http://127.0.0.1:${await freePort()}`;
    const env = Object.fromEntries(
      Object.keys(running.addresses).map((name) => [`LANYARD_${name.toUpperCase()}_ADDR`, away]),
    );
    expect(await run('status', { env })).toMatchObject({ code: 7, stderr: '' });
    const resetting = await serve((_seen, response) => void response.destroy());
    const ran = await run('status', { env: { LANYARD_BOX_ADDR: resetting.url } });
    expect(ran).toMatchObject({ code: 7, stderr: '' });
    expect(resetting.seen).toHaveLength(1);
  });

  test('with --check fails for an unusable token or service', async () => {
    expect((await run('status --check')).code).toBe(0);
    const check = async (env: Record<string, string>) => (await run('status --check', { env })).code;
    expect(await check({ LANYARD_SECRETS_TOKEN: 'hvs.wrong' })).toBe(4);
    expect(await check({ LANYARD_REGISTRY_TOKEN: '0b8f1f6e-9f5b-4f2f-8f0e-2f8f0f8f0f8f' })).toBe(4);
    const away = `http://127.0.0.1:${await freePort()}`;
    expect(await check({ LANYARD_SECRETS_TOKEN: 'hvs.wrong', LANYARD_BOX_ADDR: away })).toBe(7);
    const other = homeForTest();
    other.env.LANYARD_REGISTRY_ADDR = '';
    await other.run(
      words(`profile put gone registry.address=${running.addresses.registry} registry.token=env://NONE`),
    );
    const ran = await other.run(words('status --check -o json -p gone'));
    expect(ran.code).toBe(4);
    expect(JSON.parse(ran.stdout)[1]).toMatchObject({ token: 'not checked' });
    expect(ran.stdout).toContain('the environment variable NONE');
  });
});

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freePort } from '../support/ports.ts';
import { type Home, home, type Ran, type RunOptions } from '../support/run.ts';
import { services, type TestServices } from '../support/services.ts';
import { json, serve } from '../unit/api/support.ts';
import { words } from './signing.ts';

let at: Home;
let running: TestServices;
beforeAll(async () => {
  at = home();
  running = await services(at);
});
afterAll(async () => {
  await running.close();
  at.remove();
});
const run = (argv: string, options?: RunOptions): Promise<Ran> => at.run(words(argv), options);

/** What is found, by service. */
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
  test('of five services that answer ends with 0, and tells where each address came from', async () => {
    const { stdout, code, stderr } = await run('status');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toBe(
      Object.entries(running.addresses)
        .map(
          ([service, address]) =>
            `${service}\t${address}\tok\tLanyard 0.0.0-test\t${service === 'secrets' ? 'valid, no end' : 'none'}\tLANYARD_${service.toUpperCase()}_ADDR\n`,
        )
        .join(''),
    );
  });

  test('is a table with a header on a terminal, no wider than it', async () => {
    for (const columns of [80, 120]) {
      const { stdout } = await run('status --no-color', { columns });
      expect(stdout).toMatch(/^SERVICE +ADDRESS +STATE +PRODUCT +TOKEN +FROM\n/);
      for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(columns);
    }
  });

  test('has the members of each finding in one order', async () => {
    const { stdout } = await run('status -o jsonl', { env: { LANYARD_BOX_ADDR: '' } });
    const orders = stdout
      .trimEnd()
      .split('\n')
      .map((line) => Object.keys(JSON.parse(line)).join());
    expect(new Set(orders)).toEqual(
      new Set(['service,address,from,state,product,version,token,tokenValidUntil,problem']),
    );
  });

  test('of no service at all ends with 0', async () => {
    const fresh = home();
    const ran = await fresh.run(['status']);
    expect(ran).toMatchObject({ code: 0, stderr: '' });
    expect(ran.stdout.trimEnd().split('\n')).toEqual(
      ['secrets', 'registry', 'box', 'scheduler', 'accounts'].map(
        (name) => `${name}\t-\tnot set\t-\tnone\t-`,
      ),
    );
    fresh.remove();
  });

  test('of one service that is not there ends with 7, and still shows the others', async () => {
    const found = await findings({ LANYARD_REGISTRY_ADDR: `http://127.0.0.1:${await freePort()}` }, 7);
    expect(found.registry).toMatchObject({ state: 'unreachable', token: 'not checked' });
    expect(found.registry?.problem).toMatch(/connection refused/);
    expect(found.secrets).toMatchObject({ state: 'ok', token: 'valid' });
    expect(found.accounts).toMatchObject({ state: 'ok' });
  });

  test('of a sealed or not initialised service ends with 8', async () => {
    const other = home();
    const sealed = await services(other);
    await other.run(words('api secrets PUT sys/seal'));
    expect((await findings({ LANYARD_SECRETS_ADDR: sealed.addresses.secrets }, 8)).secrets).toMatchObject({
      state: 'sealed',
      token: 'not checked',
    });
    await sealed.close();
    const empty = await services(other, { uninitialised: true });
    expect((await findings({ LANYARD_SECRETS_ADDR: empty.addresses.secrets }, 8)).secrets).toMatchObject({
      state: 'not initialised',
    });
    await empty.close();
    other.remove();
  });

  test('tells a wrong token from none and from a valid one, without showing it', async () => {
    const refused = await run('status -o json', { env: { LANYARD_SECRETS_TOKEN: 'hvs.wrong' } });
    expect(refused.code).toBe(0);
    expect(JSON.parse(refused.stdout)[0]).toMatchObject({ state: 'ok', token: 'refused' });
    expect(refused.stdout + refused.stderr).not.toContain('hvs.wrong');
    expect((await findings({ LANYARD_SECRETS_TOKEN: '' }, 0)).secrets).toMatchObject({ token: 'none' });
  });

  test('asks the registry for the token that it is given', async () => {
    const other = home();
    const own = await services(other);
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
    expect(await found('0b8f1f6e-9f5b-4f2f-8f0e-2f8f0f8f0f8f')).toMatchObject({ token: 'refused' });
    expect(await found('')).toMatchObject({ token: 'none' });
    await own.close();
    other.remove();
  });

  test('says of a registry without access control that no token matters', async () => {
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

  test('tells when a token ends', async () => {
    const made = await run('api secrets POST auth/token/create --data - --field auth.client_token', {
      stdin: '{"ttl":"1h"}',
    });
    const LANYARD_SECRETS_TOKEN = made.stdout.trim();
    const found = (await findings({ LANYARD_SECRETS_TOKEN }, 0)).secrets;
    expect(found?.token).toBe('valid');
    expect(Date.parse(String(found?.tokenValidUntil)) - Date.now()).toBeGreaterThan(3_500_000);
    expect((await run('status', { env: { LANYARD_SECRETS_TOKEN } })).stdout).toMatch(
      /^secrets.*valid, ends in 59 minutes/,
    );
  });

  test('asks a scheduler for its version and about the token', async () => {
    const scheduler = (token: string, status: number) =>
      serve(({ url }, response) => {
        if (url === '/v1/agent/self') return json(response, { config: { Version: { Version: '1.9.3' } } });
        if (url === '/v1/acl/token/self') return void response.writeHead(status).end(token);
        return json(response, { server: { ok: true } });
      });
    const check = async (answer: string, status: number) => {
      const { url } = await scheduler(answer, status);
      const env = { LANYARD_SCHEDULER_ADDR: url, LANYARD_SCHEDULER_TOKEN: 'a-secret-token' };
      return (await findings(env, 0)).scheduler;
    };
    const ends = '2030-01-02T03:04:05Z';
    expect(await check(JSON.stringify({ AccessorID: 'a', ExpirationTime: ends }), 200)).toMatchObject({
      ...{ state: 'ok', version: '1.9.3', token: 'valid', tokenValidUntil: ends },
    });
    expect(await check('{"AccessorID":"a","ExpirationTime":null}', 200)).toMatchObject({
      token: 'valid',
      tokenValidUntil: null,
    });
    expect(await check('ACL token not found', 403)).toMatchObject({ token: 'refused' });
    expect(await check('ACL support disabled', 400)).toMatchObject({ token: 'not checked' });
  });

  test('of something else at an address ends with 1', async () => {
    const page = await serve((_seen, response) =>
      response.writeHead(200, { 'Content-Type': 'text/html' }).end('<html>'),
    );
    const found = await findings({ LANYARD_BOX_ADDR: page.url }, 1);
    expect(found.box).toMatchObject({ state: 'failed' });
    expect(found.box?.problem).toContain('an HTML page');
  });

  test('knows another product by its own variable', async () => {
    const found = await findings({ LANYARD_SECRETS_ADDR: '', VAULT_ADDR: running.addresses.secrets }, 0);
    expect(found.secrets).toMatchObject({ from: 'VAULT_ADDR', state: 'ok', token: 'valid' });
  });
});

import { chmodSync } from 'node:fs';
import { beforeEach, describe, expect, test } from 'vitest';
import { expectFailure, homeForEach, storedTokens } from '../support/command-tests.ts';
import type { Ran, RunOptions } from '../support/run.ts';
import { json, serve, type TestServer } from '../unit/api/support.ts';

const at = homeForEach();
let server: TestServer;
beforeEach(async () => {
  server = await serve((_seen, response) =>
    json(response, { initialized: true, sealed: false, data: { policies: ['default'] } }),
  );
});
const run = (line: string, options?: RunOptions): Promise<Ran> => at.run(line.split(' '), options);
const stored = () => storedTokens(at);
const secretsOf = async (): Promise<unknown> =>
  JSON.parse((await run('profile get p -o json')).stdout).secrets;

describe('profile put', () => {
  test.each(['', 'env://TOKEN', 'file:///run/token'])(
    'of the token %j removes the stored one',
    async (source) => {
      await run(`profile put p secrets.address=${server.url} secrets.token=-`, { stdin: 'hvs.before' });
      expect(stored()).toContain('hvs.before');
      expect((await run(`profile put p secrets.token=${source}`)).code).toBe(0);
      expect(stored()).not.toContain('hvs.before');
    },
  );

  test.each(['hvs.a b', 'hvs.a\nhvs.b', 'hvs.ä'])('rejects %j, which is not a token', async (token) => {
    const ran = await run('profile put p secrets.token=-', { stdin: token });
    expect(ran).toMatchObject({ code: 2, stdout: '' });
    expect(ran.stderr).not.toContain(token);
    expect(stored()).toBe('');
  });

  test('of a token that cannot be stored changes nothing', async () => {
    await run(`profile put p secrets.address=${server.url}`);
    chmodSync(at.file('config'), 0o755);
    const before = at.read('config/config.json');
    const ran = await run('profile put p secrets.token=- registry.address=http://127.0.0.1:1', {
      stdin: 'hvs.a',
    });
    expectFailure(ran, 1, 'other users have access to the directory');
    expect(at.read('config/config.json')).toBe(before);
  });

  test('takes the token back where the profiles cannot be changed', async () => {
    await run(`profile put p secrets.address=${server.url} secrets.token=-`, { stdin: 'hvs.before' });
    at.clear('config/config.json');
    at.write('config/config.json', '{');
    for (const name of ['p', 'q'])
      expect((await run(`profile put ${name} secrets.token=-`, { stdin: 'hvs.after' })).code).toBe(1);
    expect(stored()).toContain('hvs.before');
    expect(stored()).not.toContain('hvs.after');
  });
});

test('profile delete that cannot remove the tokens can be tried again', async () => {
  await run(`profile put p secrets.address=${server.url} secrets.token=-`, { stdin: 'hvs.before' });
  chmodSync(at.file('config/credentials.json'), 0o644);
  expect((await run('profile delete p --yes')).code).toBe(1);
  expect(await secretsOf()).toMatchObject({ token: 'stored' });
  chmodSync(at.file('config/credentials.json'), 0o600);
  expect((await run('profile delete p --yes')).code).toBe(0);
  expect(stored()).not.toContain('hvs.before');
});

describe('a stored token that is replaced', () => {
  const put = async (token: string) =>
    (await run(`profile put p secrets.address=${server.url} secrets.token=-`, { stdin: token })).stderr;

  test('is reported with profile put and import', async () => {
    expect(await put('hvs.a')).not.toContain('revoked');
    expect(await put('hvs.a')).not.toContain('revoked');
    expect(await put('hvs.b')).toContain(
      'The stored secrets token of profile "p" was replaced, not revoked.',
    );
    const removed = await run('profile put p secrets.token=env://TOKEN');
    expect(removed.stderr).toContain('The stored secrets token of profile "p" was removed, not revoked.');
    await put('hvs.c');
    const imported = await run('profile import p --force', { env: { VAULT_ADDR: server.url } });
    expect(imported.stderr).toContain('The stored secrets token of profile "p" was removed, not revoked.');
  });

  test('is reported by a login, with its end, until which it is valid', async () => {
    const now = new Date('2026-01-02T03:04:05Z');
    const expiring = await serve((_seen, response) =>
      json(response, { data: { policies: ['default'], expire_time: '2026-01-02T04:00:00Z' } }),
    );
    await run(`profile put p secrets.address=${expiring.url}`);
    const login = async (token: string, at: Date) =>
      (await run('secrets login --token -', { stdin: token, now: at })).stderr;
    expect(await login('hvs.a', now)).not.toContain('revoked');
    expect(await login('hvs.b', now)).toBe(
      'The stored secrets token of profile "p" was replaced, not revoked; it is valid until 2026-01-02T04:00:00Z.\n',
    );
    expect(await login('hvs.c', new Date('2026-01-02T04:00:00Z'))).toBe('');
  });

  test('by acl bootstrap is confirmed first', async () => {
    const registry = await serve((_seen, response) =>
      json(response, { AccessorID: '6a1253d2-1785-24fd-91c2-f8e78c745511', SecretID: 'x', Policies: [] }),
    );
    await run(`profile put p registry.address=${registry.url} registry.token=-`, { stdin: 'mine' });
    const before = stored();
    expectFailure(await run('acl bootstrap --store'), 2, 'Replace the token of profile "p"?');
    expect(stored()).toBe(before);
    expect(registry.seen.filter(({ method }) => method !== 'GET')).toEqual([]);
  });
});

test.each([
  ['secrets login --token -', 'secrets'],
  ['account login --auth-method ampw_1 --login-name a --password -', 'accounts'],
  ['acl login --method m --bearer-token -', 'registry'],
  ['acl bootstrap --store', 'registry'],
  ['box token create --login a --password -', 'box'],
])('%s sends nothing if no token can be stored', async (line, service) => {
  await run(`profile put p ${service}.address=${server.url}`);
  chmodSync(at.file('config'), 0o755);
  expectFailure(await run(line, { stdin: 'a-secret' }), 1, 'other users have access to the directory');
  expect(server.seen).toEqual([]);
});

describe('status', () => {
  test('after a logout neither status nor the profile shows a token', async () => {
    await run(`profile put p secrets.address=${server.url} secrets.token=-`, { stdin: 'hvs.a' });
    expect((await run('secrets logout')).code).toBe(0);
    expect(await secretsOf()).toEqual({ address: server.url });
    expect(JSON.parse((await run('status -o json')).stdout)[0]).toMatchObject({ state: 'ok', token: 'none' });
  });

  test('shows no token if the profile names one that is not stored', async () => {
    await run(`profile put p secrets.address=${server.url} secrets.token=-`, { stdin: 'hvs.a' });
    at.clear('config/credentials.json');
    expect(JSON.parse((await run('status -o json')).stdout)[0]).toMatchObject({ state: 'ok', token: 'none' });
  });

  test.each([
    ['unix://vault.sock', 'invalid address from VAULT_ADDR: expected the path of a unix socket'],
    ['ftp://example.com', 'invalid address from VAULT_ADDR: expected an http or https URL'],
  ])('of the address %s reports what is wrong with it', async (VAULT_ADDR, problem) => {
    const options = { env: { VAULT_ADDR } };
    const ran = await run('status -o json', options);
    expect(ran.code).toBe(1);
    expect(JSON.parse(ran.stdout)[0]).toMatchObject({ state: 'failed', address: null, problem });
    expect((await run('status', options)).stdout).toContain(`\nsecrets: ${problem}\n`);
    expect((await run('status -o table', options)).stdout).toContain('invalid address from VAULT_ADDR');
  });

  test('reports why a service failed as text', async () => {
    const page = await serve((_seen, response) => response.writeHead(500).end('broken'));
    const { stdout } = await run('status', { env: { LANYARD_BOX_ADDR: page.url } });
    expect(stdout).toMatch(/^box: .*500/m);
  });
});

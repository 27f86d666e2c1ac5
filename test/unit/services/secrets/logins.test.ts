import { describe, expect, test } from 'vitest';
import type { Json } from '../../../../src/wire/json.ts';
import { folder } from '../support.ts';
import { data, errors, secrets } from './support.ts';

const t0 = Date.parse('2026-03-01T00:00:00Z');

async function withMethod(type: string, options: Parameters<typeof secrets>[0] = {}) {
  const service = await secrets(options);
  const { ask } = service;
  expect((await ask('POST', `sys/auth/${type}`, { body: { type } })).status).toBe(204);
  const put = async (path: string, body: Record<string, Json>) =>
    errors(await ask('POST', `auth/${type}/${path}`, { body }));
  const login = (path: string, body: Record<string, Json>) =>
    ask('POST', `auth/${type}/${path}`, { token: null, body });
  return { ...service, put, login };
}

describe('auth methods', () => {
  test('are enabled, listed, shown, tuned and disabled', async () => {
    const { ask } = await secrets();
    expect(Object.keys(data(await ask('GET', 'sys/auth')) ?? {})).toEqual(['token/']);
    const body = { type: 'userpass', description: 'people' };
    expect((await ask('POST', 'sys/auth/a/people', { body })).status).toBe(204);
    expect(errors(await ask('POST', 'sys/auth/a', { body }))).toEqual([
      400,
      ['path is already in use at auth/a/people/'],
    ]);
    expect(errors(await ask('POST', 'sys/auth/x', { body: { type: 'shelf' } }))).toEqual([
      400,
      ['plugin not found in the catalog: shelf'],
    ]);
    expect((await ask('GET', 'sys/auth')).json?.['a/people/']).toMatchObject({
      type: 'userpass',
      accessor: expect.stringMatching(/^auth_userpass_[0-9a-f]{8}$/),
    });
    await ask('POST', 'sys/auth/a/people/tune', { body: { description: 'humans', default_lease_ttl: '1h' } });
    expect(data(await ask('GET', 'sys/auth/a/people/tune'))).toMatchObject({
      description: 'humans',
      default_lease_ttl: 3600,
    });
    for (const [method, path] of [
      ['POST', 'sys/mounts/auth/b'],
      ['DELETE', 'sys/mounts/auth/a/people'],
    ] as const) {
      expect(errors(await ask(method, path, { body }))).toEqual([
        400,
        [expect.stringContaining('use sys/auth')],
      ]);
    }
    const tuned = await ask('POST', 'sys/mounts/auth/a/people/tune', { body: { max_lease_ttl: '2h' } });
    expect(tuned.status).toBe(204);
    for (const path of ['sys/mounts/auth/a/people/tune', 'sys/auth/a/people/tune'])
      expect(data(await ask('GET', path))).toMatchObject({ description: 'humans', max_lease_ttl: 7200 });
    expect(data(await ask('GET', 'sys/mounts/auth/a/people'))).toMatchObject({ type: 'userpass' });
    expect((await ask('DELETE', 'sys/auth/a/people')).status).toBe(204);
    expect(errors(await ask('DELETE', 'sys/auth/token'))).toEqual([
      400,
      ['token credential backend cannot be disabled'],
    ]);
    expect((await ask('LIST', 'auth/a/people/users')).status).toBe(404);
  });

  test('revoke the tokens that they issued when they are disabled', async () => {
    const { ask, put, login } = await withMethod('userpass');
    await put('users/bob', { password: 'pw' });
    const auth = (await login('login/bob', { password: 'pw' })).json?.auth as { client_token: string };
    const alive = async () =>
      (await ask('GET', 'auth/token/lookup-self', { token: auth.client_token })).status;
    expect(await alive()).toBe(200);
    await ask('DELETE', 'sys/auth/userpass');
    expect(await alive()).toBe(403);
  });
});

describe('userpass', () => {
  test('logs a user in with the configured policies and lifetime', async () => {
    const { ask, put, login } = await withMethod('userpass', { clock: () => new Date(t0) });
    expect(await put('users/Bob', {})).toEqual([400, ['missing password']]);
    const terms = { token_policies: 'ops,Dev', token_ttl: '1h', token_max_ttl: '2h', token_num_uses: 3 };
    expect(await put('users/Bob', { password: 'p\u00e4ss', ...terms })).toEqual([204, undefined]);
    expect((await login('login/bob', { password: 'pa\u0308ss' })).json?.auth).toMatchObject({
      policies: ['default', 'dev', 'ops'],
      lease_duration: 3600,
      renewable: true,
      orphan: true,
      num_uses: 3,
      metadata: { username: 'bob' },
      entity_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
    expect(data(await ask('GET', 'auth/userpass/users/bob'))).toMatchObject({
      token_policies: ['ops', 'Dev'],
      token_ttl: 3600,
      token_max_ttl: 7200,
    });
    expect(data(await ask('LIST', 'auth/userpass/users'))).toEqual({ keys: ['bob'] });
  });

  test('rejects a wrong password and an unknown user with the same error', async () => {
    const { put, login } = await withMethod('userpass');
    await put('users/bob', { password: 'right' });
    for (const name of ['bob', 'nobody']) {
      expect(errors(await login(`login/${name}`, { password: 'wrong' }))).toEqual([
        400,
        ['invalid username or password'],
      ]);
    }
    expect(errors(await login('login/bob', {}))).toEqual([400, ['missing password']]);
    expect((await login('users/bob', { password: 'x' })).status).toBe(403);
  });

  test('changes a password or policies separately', async () => {
    const { ask, put, login } = await withMethod('userpass');
    await put('users/bob', { password: 'one', token_policies: ['a'] });
    expect((await put('users/bob/password', { password: 'two' }))[0]).toBe(204);
    expect((await put('users/bob/policies', { token_policies: ['b'] }))[0]).toBe(204);
    expect((await login('login/bob', { password: 'one' })).status).toBe(400);
    expect((await login('login/bob', { password: 'two' })).json?.auth).toMatchObject({
      policies: ['b', 'default'],
    });
    expect(await put('users/nobody/password', { password: 'x' })).toEqual([400, ['username does not exist']]);
    await put('users/bob', { token_policies: 'root' });
    expect(errors(await login('login/bob', { password: 'two' }))).toEqual([
      400,
      ['auth methods cannot create root tokens'],
    ]);
    expect((await ask('DELETE', 'auth/userpass/users/bob')).status).toBe(204);
    expect((await ask('GET', 'auth/userpass/users/bob')).status).toBe(404);
  });

  test('honors the older names of settings', async () => {
    const { ask, put, login } = await withMethod('userpass');
    await put('users/bob', { password: 'p', ttl: '10s', max_ttl: '20s', policies: 'a,b' });
    expect(data(await ask('GET', 'auth/userpass/users/bob'))).toMatchObject({
      token_ttl: 10,
      token_max_ttl: 20,
      token_policies: ['a', 'b'],
    });
    expect((await login('login/bob', { password: 'p' })).json?.auth).toMatchObject({ lease_duration: 10 });
    const shown = async () => data(await ask('GET', 'auth/userpass/users/bob'));
    expect(await shown()).toMatchObject({ ttl: 10, max_ttl: 20, policies: ['a', 'b'] });
    await put('users/bob', { token_ttl: '15s', ttl: '5s', token_max_ttl: '30s' });
    expect(await shown()).toMatchObject({ ttl: 15, token_ttl: 15, token_max_ttl: 30 });
    expect(await shown()).not.toHaveProperty('max_ttl');
    await put('users/bob/policies', { policies: '' });
    expect(await shown()).not.toHaveProperty('policies');
    expect(await put('users/bob', { token_strictly_bind_ip: false, token_type: 'default' })).toEqual([
      204,
      undefined,
    ]);
  });

  test('keeps users across a restart', async () => {
    const directory = await folder();
    const first = await withMethod('userpass', { dataDirectory: directory });
    await first.put('users/bob', { password: 'pw' });
    await first.close();
    const second = await secrets({ dataDirectory: directory });
    const again = await second.ask('POST', 'auth/userpass/login/bob', {
      token: null,
      body: { password: 'pw' },
    });
    expect(again.status).toBe(200);
  });
});

describe('approle', () => {
  async function withRole(body: Record<string, Json> = {}) {
    let now = t0;
    const service = await withMethod('approle', { clock: () => new Date(now) });
    const { ask, put } = service;
    expect(await put('role/ci', { token_policies: 'deploy', ...body })).toEqual([204, undefined]);
    const roleId = String(data(await ask('GET', 'auth/approle/role/ci/role-id'))?.role_id);
    const secretId = async (more: Record<string, Json> = {}) =>
      data(await ask('POST', 'auth/approle/role/ci/secret-id', { body: more })) as {
        secret_id: string;
        secret_id_accessor: string;
      };
    const pass = (seconds: number) => {
      now += seconds * 1000;
    };
    return { ...service, roleId, secretId, pass };
  }

  test('logs a machine in with its role ID and a secret ID', async () => {
    const { ask, login, roleId, secretId } = await withRole();
    const made = await secretId({ metadata: '{"job":"7"}' });
    expect(made).toEqual({
      secret_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      secret_id_accessor: expect.stringMatching(/^[0-9a-f-]{36}$/),
      secret_id_num_uses: 0,
      secret_id_ttl: 0,
    });
    const reply = await login('login', { role_id: roleId, secret_id: made.secret_id });
    const auth = reply.json?.auth as { client_token: string };
    expect(auth).toMatchObject({ policies: ['default', 'deploy'], metadata: { role_name: 'ci', job: '7' } });
    const self = await ask('GET', 'auth/token/lookup-self', { token: auth.client_token });
    expect(data(self)).toMatchObject({ display_name: 'approle', path: 'auth/approle/login' });
  });

  test('rejects missing or wrong credentials', async () => {
    const { login, roleId, secretId } = await withRole();
    const { secret_id: good } = await secretId();
    const invalid = [400, ['invalid role or secret ID']];
    expect(errors(await login('login', {}))).toEqual([400, ['missing role_id']]);
    expect(errors(await login('login', { role_id: roleId }))).toEqual([400, ['missing secret_id']]);
    expect(errors(await login('login', { role_id: 'x', secret_id: good }))).toEqual(invalid);
    expect(errors(await login('login', { role_id: roleId, secret_id: 'x' }))).toEqual(invalid);
  });

  test('accepts a secret ID within its uses and lifetime, also concurrently', async () => {
    const { login, roleId, secretId, pass } = await withRole({ secret_id_num_uses: 3, secret_id_ttl: '10m' });
    const attempt = async (id: string) => (await login('login', { role_id: roleId, secret_id: id })).status;
    const { secret_id: first } = await secretId();
    const statuses = await Promise.all(Array.from({ length: 10 }, () => attempt(first)));
    expect(statuses.filter((status) => status === 200)).toHaveLength(3);
    const { secret_id: second } = await secretId();
    pass(600);
    expect(await attempt(second)).toBe(400);
  });

  test('lists, shows and destroys secret IDs directly or by accessor', async () => {
    const { ask, put, login, roleId, secretId } = await withRole();
    const [a, b] = [await secretId(), await secretId({ num_uses: 5 })];
    const keys = data(await ask('LIST', 'auth/approle/role/ci/secret-id'))?.keys as string[];
    expect([...keys].sort()).toEqual([a.secret_id_accessor, b.secret_id_accessor].sort());
    const shown = await ask('POST', 'auth/approle/role/ci/secret-id/lookup', {
      body: { secret_id: b.secret_id },
    });
    expect(data(shown)).toMatchObject({ secret_id_accessor: b.secret_id_accessor, secret_id_num_uses: 5 });
    await put('role/ci/secret-id/destroy', { secret_id: a.secret_id });
    await put('role/ci/secret-id-accessor/destroy', { secret_id_accessor: b.secret_id_accessor });
    for (const { secret_id } of [a, b]) {
      expect((await login('login', { role_id: roleId, secret_id })).status).toBe(400);
    }
    expect((await put('role/ci/custom-secret-id', { secret_id: 'my-own' }))[0]).toBe(200);
    expect((await login('login', { role_id: roleId, secret_id: 'my-own' })).status).toBe(200);
  });

  test('rejects missing roles, secret IDs and accessors as the product does', async () => {
    const { ask, put } = await withRole();
    const missingRole = 'role "no" does not exist';
    expect(await put('role/no/secret-id', {})).toEqual([404, [missingRole]]);
    expect(await put('role/no/custom-secret-id', { secret_id: 'x' })).toEqual([404, [missingRole]]);
    expect(await put('role/no/secret-id/lookup', { secret_id: 'x' })).toEqual([404, [missingRole]]);
    expect(await put('role/no/secret-id/destroy', { secret_id: 'x' })).toEqual([404, [missingRole]]);
    expect(errors(await ask('LIST', 'auth/approle/role/no/secret-id'))).toEqual([400, [missingRole]]);
    for (const path of ['custom-secret-id', 'secret-id/lookup', 'secret-id/destroy'])
      expect(await put(`role/ci/${path}`, {}), path).toEqual([400, ['missing secret_id']]);
    for (const path of ['lookup', 'destroy'])
      expect(await put(`role/ci/secret-id-accessor/${path}`, {}), path).toEqual([
        400,
        ['missing secret_id_accessor'],
      ]);
    expect((await put('role/ci/secret-id/lookup', { secret_id: 'x' }))[0]).toBe(204);
    expect((await put('role/ci/secret-id/destroy', { secret_id: 'x' }))[0]).toBe(204);
    const error = 'failed to find accessor entry for secret_id_accessor: "x"';
    const body = { secret_id_accessor: 'x' };
    const shown = await ask('POST', 'auth/approle/role/ci/secret-id-accessor/lookup', { body });
    expect([shown.status, data(shown)]).toEqual([404, { error }]);
    expect(await put('role/ci/secret-id-accessor/destroy', body)).toEqual([404, [error]]);
  });

  test('supports logins without a secret ID, and custom role IDs', async () => {
    const { ask, put, login } = await withRole({ bind_secret_id: false, token_bound_cidrs: '127.0.0.0/8' });
    await put('role/ci/role-id', { role_id: 'chosen' });
    expect((await login('login', { role_id: 'chosen' })).status).toBe(200);
    expect(await put('role/other', { role_id: 'chosen' })).toEqual([400, ['role_id already in use']]);
    expect(data(await ask('GET', 'auth/approle/role/ci'))).toMatchObject({ bind_secret_id: false });
    expect(data(await ask('LIST', 'auth/approle/role'))).toEqual({ keys: ['ci'] });
    expect((await ask('DELETE', 'auth/approle/role/ci')).status).toBe(204);
    expect((await login('login', { role_id: 'chosen' })).status).toBe(400);
  });
});

import { describe, expect, test } from 'vitest';
import type { Json } from '../../../../src/wire/json.ts';
import { folder } from '../support.ts';
import { authOf, data, outcome, secrets } from './support.ts';

async function withMethod(type: string, options: Parameters<typeof secrets>[0] = {}) {
  const service = await secrets(options);
  const { post } = service;
  expect((await post(`sys/auth/${type}`, { type })).status).toBe(204);
  const put = async (path: string, body: Record<string, Json>) =>
    outcome(await post(`auth/${type}/${path}`, body));
  const login = (path: string, body: Record<string, Json>) => post(`auth/${type}/${path}`, body, null);
  return { ...service, put, login };
}

describe('auth methods', () => {
  test('are enabled, listed, shown, tuned and disabled', async () => {
    const { ask, post, get, list, remove } = await secrets();
    expect(Object.keys(data(await get('sys/auth')) ?? {})).toEqual(['token/']);
    const body = { type: 'userpass', description: 'people' };
    expect((await post('sys/auth/a/people', body)).status).toBe(204);
    expect(outcome(await post('sys/auth/a', body))).toBe('400 path is already in use at auth/a/people/');
    expect(outcome(await post('sys/auth/x', { type: 'shelf' }))).toBe(
      '400 plugin not found in the catalog: shelf',
    );
    expect((await get('sys/auth')).json?.['a/people/']).toMatchObject({
      type: 'userpass',
      accessor: expect.stringMatching(/^auth_userpass_[0-9a-f]{8}$/),
    });
    await post('sys/auth/a/people/tune', { description: 'humans', default_lease_ttl: '1h' });
    expect(data(await get('sys/auth/a/people/tune'))).toMatchObject({
      description: 'humans',
      default_lease_ttl: 3600,
    });
    for (const [method, path] of [
      ['POST', 'sys/mounts/auth/b'],
      ['DELETE', 'sys/mounts/auth/a/people'],
    ] as const) {
      expect(outcome(await ask(method, path, { body }))).toMatch(/^400 .*use sys\/auth/);
    }
    expect((await post('sys/mounts/auth/a/people/tune', { max_lease_ttl: '2h' })).status).toBe(204);
    for (const path of ['sys/mounts/auth/a/people/tune', 'sys/auth/a/people/tune'])
      expect(data(await get(path))).toMatchObject({ description: 'humans', max_lease_ttl: 7200 });
    expect(data(await get('sys/mounts/auth/a/people'))).toMatchObject({ type: 'userpass' });
    expect((await remove('sys/auth/a/people')).status).toBe(204);
    expect(outcome(await remove('sys/auth/token'))).toBe('400 token credential backend cannot be disabled');
    expect((await list('auth/a/people/users')).status).toBe(404);
  });

  test('revoke the tokens that they issued when they are disabled', async () => {
    const { put, login, get, remove } = await withMethod('userpass');
    await put('users/bob', { password: 'pw' });
    const { client_token: token } = authOf(await login('login/bob', { password: 'pw' }));
    const alive = async () => (await get('auth/token/lookup-self', token)).status;
    expect(await alive()).toBe(200);
    await remove('sys/auth/userpass');
    expect(await alive()).toBe(403);
  });
});

describe('userpass', () => {
  test('logs a user in with the configured policies and lifetime', async () => {
    const { put, login, get, list } = await withMethod('userpass');
    expect(await put('users/Bob', {})).toBe('400 missing password');
    const terms = { token_policies: 'ops,Dev', token_ttl: '1h', token_max_ttl: '2h', token_num_uses: 3 };
    expect(await put('users/Bob', { password: 'p\u00e4ss', ...terms })).toBe('204');
    expect(authOf(await login('login/bob', { password: 'pa\u0308ss' }))).toMatchObject({
      policies: ['default', 'dev', 'ops'],
      lease_duration: 3600,
      renewable: true,
      orphan: true,
      num_uses: 3,
      metadata: { username: 'bob' },
      entity_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
    expect(data(await get('auth/userpass/users/bob'))).toMatchObject({
      token_policies: ['ops', 'Dev'],
      token_ttl: 3600,
      token_max_ttl: 7200,
    });
    expect(data(await list('auth/userpass/users'))).toEqual({ keys: ['bob'] });
  });

  test('rejects a wrong password and an unknown user with the same error', async () => {
    const { put, login } = await withMethod('userpass');
    await put('users/bob', { password: 'right' });
    for (const name of ['bob', 'missing']) {
      expect(outcome(await login(`login/${name}`, { password: 'wrong' }))).toBe(
        '400 invalid username or password',
      );
    }
    expect(outcome(await login('login/bob', {}))).toBe('400 missing password');
    expect((await login('users/bob', { password: 'x' })).status).toBe(403);
  });

  test('changes a password or policies separately', async () => {
    const { put, login, get, remove } = await withMethod('userpass');
    await put('users/bob', { password: 'one', token_policies: ['a'] });
    expect(await put('users/bob/password', { password: 'two' })).toBe('204');
    expect(await put('users/bob/policies', { token_policies: ['b'] })).toBe('204');
    expect((await login('login/bob', { password: 'one' })).status).toBe(400);
    expect(authOf(await login('login/bob', { password: 'two' })).policies).toEqual(['b', 'default']);
    expect(await put('users/missing/password', { password: 'x' })).toBe('400 username does not exist');
    await put('users/bob', { token_policies: 'root' });
    expect(outcome(await login('login/bob', { password: 'two' }))).toBe(
      '400 auth methods cannot create root tokens',
    );
    expect((await remove('auth/userpass/users/bob')).status).toBe(204);
    expect((await get('auth/userpass/users/bob')).status).toBe(404);
  });

  test('honors the older names of settings', async () => {
    const { put, login, get } = await withMethod('userpass');
    const shown = async () => data(await get('auth/userpass/users/bob'));
    await put('users/bob', { password: 'p', ttl: '10s', max_ttl: '20s', policies: 'a,b' });
    expect(await shown()).toMatchObject({ ttl: 10, max_ttl: 20, policies: ['a', 'b'] });
    expect(await shown()).toMatchObject({ token_ttl: 10, token_max_ttl: 20, token_policies: ['a', 'b'] });
    expect(authOf(await login('login/bob', { password: 'p' })).lease_duration).toBe(10);
    await put('users/bob', { token_ttl: '15s', ttl: '5s', token_max_ttl: '30s' });
    expect(await shown()).toMatchObject({ ttl: 15, token_ttl: 15, token_max_ttl: 30 });
    expect(await shown()).not.toHaveProperty('max_ttl');
    await put('users/bob/policies', { policies: '' });
    expect(await shown()).not.toHaveProperty('policies');
    expect(await put('users/bob', { token_strictly_bind_ip: false, token_type: 'default' })).toBe('204');
  });

  test('keeps users across a restart', async () => {
    const directory = await folder();
    const first = await withMethod('userpass', { dataDirectory: directory });
    await first.put('users/bob', { password: 'pw' });
    await first.close();
    const { post } = await secrets({ dataDirectory: directory });
    expect((await post('auth/userpass/login/bob', { password: 'pw' }, null)).status).toBe(200);
  });
});

describe('approle', () => {
  async function withRole(body: Record<string, Json> = {}) {
    const service = await withMethod('approle');
    const { put, post, get } = service;
    expect(await put('role/ci', { token_policies: 'deploy', ...body })).toBe('204');
    const roleId = String(data(await get('auth/approle/role/ci/role-id'))?.role_id);
    const secretId = async (more: Record<string, Json> = {}) =>
      data(await post('auth/approle/role/ci/secret-id', more)) as {
        secret_id: string;
        secret_id_accessor: string;
      };
    const enter = (secret_id: string, role_id = roleId) => service.login('login', { role_id, secret_id });
    return { ...service, roleId, secretId, enter };
  }

  test('logs a machine in with its role ID and a secret ID', async () => {
    const { enter, secretId, get } = await withRole();
    const made = await secretId({ metadata: '{"job":"7"}' });
    expect(made).toEqual({
      secret_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      secret_id_accessor: expect.stringMatching(/^[0-9a-f-]{36}$/),
      secret_id_num_uses: 0,
      secret_id_ttl: 0,
    });
    const auth = authOf(await enter(made.secret_id));
    expect(auth).toMatchObject({ policies: ['default', 'deploy'], metadata: { role_name: 'ci', job: '7' } });
    const self = await get('auth/token/lookup-self', auth.client_token);
    expect(data(self)).toMatchObject({ display_name: 'approle', path: 'auth/approle/login' });
  });

  test('rejects missing or wrong credentials', async () => {
    const { enter, login, roleId, secretId } = await withRole();
    const { secret_id: good } = await secretId();
    expect(outcome(await login('login', {}))).toBe('400 missing role_id');
    expect(outcome(await login('login', { role_id: roleId }))).toBe('400 missing secret_id');
    for (const reply of [await enter(good, 'x'), await enter('x')])
      expect(outcome(reply)).toBe('400 invalid role or secret ID');
  });

  test('accepts a secret ID within its uses and lifetime, also concurrently', async () => {
    const { enter, secretId, pass } = await withRole({ secret_id_num_uses: 3, secret_id_ttl: '10m' });
    const { secret_id: first } = await secretId();
    const logins = await Promise.all(Array.from({ length: 10 }, () => enter(first)));
    expect(logins.filter(({ status }) => status === 200)).toHaveLength(3);
    const { secret_id: second } = await secretId();
    pass(600);
    expect((await enter(second)).status).toBe(400);
  });

  test('lists, shows and destroys secret IDs directly or by accessor', async () => {
    const { put, enter, secretId, post, list } = await withRole();
    const [a, b] = [await secretId(), await secretId({ num_uses: 5 })];
    const keys = data(await list('auth/approle/role/ci/secret-id'))?.keys as string[];
    expect([...keys].sort()).toEqual([a.secret_id_accessor, b.secret_id_accessor].sort());
    const shown = await post('auth/approle/role/ci/secret-id/lookup', { secret_id: b.secret_id });
    expect(data(shown)).toMatchObject({ secret_id_accessor: b.secret_id_accessor, secret_id_num_uses: 5 });
    await put('role/ci/secret-id/destroy', { secret_id: a.secret_id });
    await put('role/ci/secret-id-accessor/destroy', { secret_id_accessor: b.secret_id_accessor });
    for (const { secret_id } of [a, b]) expect((await enter(secret_id)).status).toBe(400);
    expect(await put('role/ci/custom-secret-id', { secret_id: 'my-own' })).toBe('200');
    expect((await enter('my-own')).status).toBe(200);
  });

  const noAccessor = 'failed to find accessor entry for secret_id_accessor: "x"';

  test.each([
    ['no/secret-id', {}, '404 role "no" does not exist'],
    ['no/custom-secret-id', { secret_id: 'x' }, '404 role "no" does not exist'],
    ['no/secret-id/lookup', { secret_id: 'x' }, '404 role "no" does not exist'],
    ['no/secret-id/destroy', { secret_id: 'x' }, '404 role "no" does not exist'],
    ['ci/custom-secret-id', {}, '400 missing secret_id'],
    ['ci/secret-id/lookup', {}, '400 missing secret_id'],
    ['ci/secret-id/destroy', {}, '400 missing secret_id'],
    ['ci/secret-id-accessor/lookup', {}, '400 missing secret_id_accessor'],
    ['ci/secret-id-accessor/destroy', {}, '400 missing secret_id_accessor'],
    ['ci/secret-id/lookup', { secret_id: 'x' }, '204'],
    ['ci/secret-id/destroy', { secret_id: 'x' }, '204'],
    ['ci/secret-id-accessor/destroy', { secret_id_accessor: 'x' }, `404 ${noAccessor}`],
  ])('responds as the product to role/%s with %o', async (path, body, expected) => {
    const { put } = await withRole();
    expect(await put(`role/${path}`, body)).toBe(expected);
  });

  test('responds as the product to a list of a missing role, and to a lookup of a missing accessor', async () => {
    const { post, list } = await withRole();
    expect(outcome(await list('auth/approle/role/no/secret-id'))).toBe('400 role "no" does not exist');
    const lookup = 'auth/approle/role/ci/secret-id-accessor/lookup';
    const shown = await post(lookup, { secret_id_accessor: 'x' });
    expect([shown.status, data(shown)]).toEqual([404, { error: noAccessor }]);
  });

  test('supports logins without a secret ID, and custom role IDs', async () => {
    const { put, login, get, list, remove } = await withRole({
      bind_secret_id: false,
      token_bound_cidrs: '127.0.0.0/8',
    });
    await put('role/ci/role-id', { role_id: 'chosen' });
    expect((await login('login', { role_id: 'chosen' })).status).toBe(200);
    expect(await put('role/other', { role_id: 'chosen' })).toBe('400 role_id already in use');
    expect(data(await get('auth/approle/role/ci'))).toMatchObject({ bind_secret_id: false });
    expect(data(await list('auth/approle/role'))).toEqual({ keys: ['ci'] });
    expect((await remove('auth/approle/role/ci')).status).toBe(204);
    expect((await login('login', { role_id: 'chosen' })).status).toBe(400);
  });
});

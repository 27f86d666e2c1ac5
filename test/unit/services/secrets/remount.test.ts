import { describe, expect, test } from 'vitest';
import type { Json } from '../../../../src/wire/json.ts';
import { folder } from '../support.ts';
import { authOf, data, denied, outcome, secrets } from './support.ts';

async function shelves(options: Parameters<typeof secrets>[0] = {}) {
  const service = await secrets(options);
  const { post, put } = service;
  const move = (from: Json, to: Json, token?: string) => post('sys/remount', { from, to }, token);
  expect((await post('sys/mounts/one', { type: 'shelf', description: 'mine' })).status).toBe(204);
  await put('one/things/a', { x: 1 });
  return { ...service, move };
}

describe('sys/remount', () => {
  test('moves a secrets engine with its data, and reports the move', async () => {
    const { move, post, get } = await shelves();
    const before = data(await get('sys/mounts/one'));
    const moved = await move('/one/', 'deep/two');
    expect(moved).toMatchObject({ status: 200, json: { warnings: null } });
    const id = String(data(moved)?.migration_id);
    expect(moved.json?.migration_id).toBe(id);
    expect(data(await get('deep/two/things/a'))).toEqual({ kept: { x: 1 } });
    expect((await get('one/things/a')).status).toBe(404);
    expect(data(await get('sys/mounts/deep/two'))).toEqual(before);
    expect(data(await get(`sys/remount/status/${id}`))).toEqual({
      migration_id: id,
      migration_info: { source_mount: 'one/', target_mount: 'deep/two/', status: 'success' },
    });
    expect((await get('sys/remount/status/none')).status).toBe(404);
    expect((await post('sys/mounts/one', { type: 'shelf' })).status).toBe(204);
    expect((await get('one/things/a')).status).toBe(404);
  });

  test('moves an auth method, and revokes the tokens that it issued', async () => {
    const { move, post, get } = await shelves();
    await post('sys/auth/people', { type: 'userpass' });
    await post('auth/people/users/bob', { password: 'pw' });
    const login = (mount: string) => post(`auth/${mount}/login/bob`, { password: 'pw' }, null);
    const { client_token: token } = authOf(await login('people'));
    expect((await move('auth/people', 'auth/staff')).status).toBe(200);
    expect((await get('auth/token/lookup-self', token)).status).toBe(403);
    expect((await login('staff')).status).toBe(200);
    expect((await login('people')).status).not.toBe(200);
  });

  test('revokes the leases of the mount', async () => {
    const { move, put } = await shelves();
    const lent = await put('shelf/lent/a');
    const lookup = () => put('sys/leases/lookup', { lease_id: lent.json?.lease_id ?? '' });
    expect((await lookup()).status).toBe(200);
    expect((await move('shelf', 'box')).status).toBe(200);
    expect(outcome(await lookup())).toBe('400 invalid lease');
  });

  test.each([
    ['none', 'two', 'no matching mount at "none/"'],
    ['one', 'shelf', 'path already in use at "shelf/"'],
    ['one', 'shelf/x', 'path already in use at "shelf/"'],
    ['one', 'one', 'path already in use at "one/"'],
    ['one', 'one/x', 'path already in use at "one/"'],
    ['one', 'sys/x', 'cannot remount to destination sys/x/'],
    ['one', 'cubbyhole', 'cannot remount to destination cubbyhole/'],
    ['one', 'identity/x', 'cannot remount to destination identity/x/'],
    ['one', 'auth/x', 'cannot remount to destination auth/x/'],
    ['sys', 'x', 'cannot remount "sys/"'],
    ['identity', 'x', 'cannot remount "identity/"'],
    ['cubbyhole', 'x', 'cannot remount "cubbyhole/"'],
    ['auth/token', 'auth/x', 'cannot remount "auth/token/"'],
    ['auth/people', 'people', 'cannot remount auth mount to non-auth mount "people/"'],
    ['auth/people', 'auth', 'cannot remount auth mount to non-auth mount "auth/"'],
    ['one', '/', 'invalid destination mount path "/"'],
    ['/', 'one', 'invalid source mount path "/"'],
    ['one', '', "both 'from' and 'to' path must be specified as a string"],
    ['one', null, "both 'from' and 'to' path must be specified as a string"],
    ['one', 'team/x', 'moving a mount to another namespace is not supported'],
    ['one', 'team', 'path already in use by a namespace'],
    ['one', 'a//b', 'empty segment in path'],
    ['one', '../b', 'relative segment in path'],
    ['one', 'a\nb', 'control character in path'],
  ])('from %j to %j is rejected', async (from, to, message) => {
    const { move, post, get } = await shelves();
    await post('sys/namespaces/team');
    await post('sys/auth/people', { type: 'userpass' });
    expect(outcome(await move(from, to))).toBe(`400 ${message}`);
    expect(data(await get('one/things/a'))).toEqual({ kept: { x: 1 } });
  });

  test('moves mounts of a namespace, in it and from above', async () => {
    const { move, post, get } = await shelves();
    await post('sys/namespaces/team');
    await post('team/sys/mounts/a', { type: 'shelf' });
    expect((await post('team/sys/remount', { from: 'a', to: 'b' })).status).toBe(200);
    expect((await move('team/b', 'team/c')).status).toBe(200);
    expect((await get('team/sys/mounts/c')).status).toBe(200);
  });

  test('requires sudo', async () => {
    const { move, tokenWith } = await shelves();
    const some = await tokenWith('path "sys/remount" { capabilities = ["update"] }');
    const all = await tokenWith('path "sys/remount" { capabilities = ["update", "sudo"] }');
    expect(outcome(await move('one', 'two', some))).toBe(denied);
    expect(await move('one', 'two', all)).toMatchObject({ status: 200 });
  });

  test('only one of two moves at a time succeeds', async () => {
    const { move } = await shelves();
    const both = await Promise.all([move('one', 'two'), move('one', 'three')]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 400]);
  });

  test('survives a restart, as do the IDs and settings of the parts of the service', async () => {
    const directory = await folder();
    const first = await shelves({ dataDirectory: directory });
    const id = data(await first.move('one', 'two'))?.migration_id;
    await first.post('sys/auth/token/tune', { max_lease_ttl: '2h' });
    const shown = data(await first.get('sys/internal/ui/mounts'));
    await first.close();
    const again = await secrets({ dataDirectory: directory });
    expect(data(await again.get('two/things/a'))).toEqual({ kept: { x: 1 } });
    expect((await again.get(`sys/remount/status/${id}`)).status).toBe(200);
    expect(data(await again.get('sys/internal/ui/mounts'))).toEqual(shown);
    const { lease_duration: lifetime } = await again.createToken({ policies: ['default'], ttl: '5h' });
    expect(lifetime).toBe(7200);
  });
});

describe('sys/internal/ui/mounts', () => {
  test('lists the mounts that a token can use', async () => {
    const { policy, createToken, get } = await shelves();
    await policy('some', 'path "one/*" { capabilities = ["read"] }');
    const { client_token: token } = await createToken({ policies: ['some'], no_default_policy: true });
    expect(data(await get('sys/internal/ui/mounts', token))).toEqual({
      auth: {},
      secret: { 'one/': data(await get('sys/mounts/one')) },
    });
    const all = data(await get('sys/internal/ui/mounts'));
    expect(Object.keys(all?.secret as object)).toEqual(expect.arrayContaining(['identity/', 'one/', 'sys/']));
    expect(Object.keys(all?.auth as object)).toEqual(['token/']);
  });

  test('without a token lists those with `listing_visibility` unauth', async () => {
    const { post, get } = await shelves();
    const open = () => get('sys/internal/ui/mounts', null);
    expect(data(await open())).toEqual({ auth: {}, secret: {} });
    await post('sys/mounts/one/tune', { listing_visibility: 'unauth' });
    expect(data(await open())).toEqual({
      auth: {},
      secret: { 'one/': { type: 'shelf', description: 'mine', options: {} } },
    });
    expect((await get('sys/internal/ui/mounts', 'hvs.invalid')).status).toBe(403);
  });

  test('counts a use of a token with limited uses', async () => {
    const { createToken, get } = await shelves();
    const { client_token: token } = await createToken({ policies: ['default'], num_uses: 1 });
    expect((await get('sys/internal/ui/mounts', token)).status).toBe(200);
    expect((await get('sys/internal/ui/mounts', token)).status).toBe(403);
  });
});

describe('the parts of the service in the list of mounts', () => {
  test('have IDs, descriptions and the version of the service', async () => {
    const { get } = await secrets();
    for (const [path, name, type, accessor] of [
      ['sys/mounts', 'sys/', 'system', /^system_[0-9a-f]{8}$/],
      ['sys/mounts', 'identity/', 'identity', /^identity_[0-9a-f]{8}$/],
      ['sys/auth', 'token/', 'token', /^auth_token_[0-9a-f]{8}$/],
    ] as const) {
      expect(data(await get(path))?.[name]).toMatchObject({
        type,
        accessor: expect.stringMatching(accessor),
        uuid: expect.stringMatching(/^[0-9a-f-]{36}$/),
        options: null,
        description: expect.stringMatching(/./),
        plugin_version: '',
        running_plugin_version: expect.stringMatching(/^v.+\+builtin\.lanyard$/),
        running_sha256: '',
        external_entropy_access: false,
      });
    }
  });

  test('sys/auth/token can be tuned, the others cannot', async () => {
    const { post, get } = await secrets();
    const tune = async (path: string) => outcome(await post(`sys/${path}/tune`, { default_lease_ttl: '1h' }));
    expect(await tune('auth/token')).toBe('204');
    expect(data(await get('sys/auth/token/tune'))).toMatchObject({ default_lease_ttl: 3600 });
    for (const path of ['sys', 'identity'])
      expect(await tune(`mounts/${path}`)).toBe(`400 cannot tune parameter default_lease_ttl of ${path}/`);
  });
});

describe('sys/auth/:path', () => {
  test('requires sudo, as in the product; the list and sys/mounts/auth/:path/tune do not', async () => {
    const { policy, createToken, post, get, remove } = await secrets();
    await policy('some', 'path "sys/*" { capabilities = ["create", "read", "update", "delete"] }');
    const { client_token: token } = await createToken({ policies: ['some'] });
    const body = { type: 'userpass' };
    expect(outcome(await post('sys/auth/people', body, token))).toBe(denied);
    await post('sys/auth/people', body);
    for (const path of ['people', 'people/tune']) {
      expect(outcome(await get(`sys/auth/${path}`, token))).toBe(denied);
      expect(outcome(await post(`sys/auth/${path}`, {}, token))).toBe(denied);
    }
    expect(outcome(await remove('sys/auth/people', token))).toBe(denied);
    expect((await get('sys/auth', token)).status).toBe(200);
    expect((await post('sys/mounts/auth/people/tune', {}, token)).status).toBe(204);
  });
});

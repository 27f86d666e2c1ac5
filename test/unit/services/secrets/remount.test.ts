import { describe, expect, test } from 'vitest';
import type { Json } from '../../../../src/wire/json.ts';
import { folder } from '../support.ts';
import { decorated } from './engine-calls.ts';
import { authOf, data, errors, secrets } from './support.ts';

async function shelves(options: Parameters<typeof secrets>[0] = {}) {
  const service = await secrets(options);
  const { ask } = service;
  const move = (from: Json, to: Json, token?: string) =>
    ask('POST', 'sys/remount', { body: { from, to }, ...(token !== undefined && { token }) });
  expect((await ask('POST', 'sys/mounts/one', { body: { type: 'shelf', description: 'mine' } })).status).toBe(
    204,
  );
  await ask('PUT', 'one/things/a', { body: { x: 1 } });
  return { ...service, move };
}

describe('sys/remount', () => {
  test('moves a secrets engine with its data, and reports the move', async () => {
    const { ask, move } = await shelves();
    const before = data(await ask('GET', 'sys/mounts/one'));
    const moved = await move('/one/', 'deep/two');
    expect(moved).toMatchObject({ status: 200, json: { warnings: null } });
    const id = String(data(moved)?.migration_id);
    expect(moved.json?.migration_id).toBe(id);
    expect(data(await ask('GET', 'deep/two/things/a'))).toEqual({ kept: { x: 1 } });
    expect((await ask('GET', 'one/things/a')).status).toBe(404);
    expect(data(await ask('GET', 'sys/mounts/deep/two'))).toEqual(before);
    expect(data(await ask('GET', `sys/remount/status/${id}`))).toEqual({
      migration_id: id,
      migration_info: { source_mount: 'one/', target_mount: 'deep/two/', status: 'success' },
    });
    expect((await ask('GET', 'sys/remount/status/none')).status).toBe(404);
    expect((await ask('POST', 'sys/mounts/one', { body: { type: 'shelf' } })).status).toBe(204);
    expect((await ask('GET', 'one/things/a')).status).toBe(404);
  });

  test('moves an auth method, and revokes the tokens that it issued', async () => {
    const { ask, move } = await shelves();
    await ask('POST', 'sys/auth/people', { body: { type: 'userpass' } });
    await ask('POST', 'auth/people/users/bob', { body: { password: 'pw' } });
    const login = { body: { password: 'pw' }, token: null };
    const { client_token: token } = authOf(await ask('POST', 'auth/people/login/bob', login));
    expect((await move('auth/people', 'auth/staff')).status).toBe(200);
    expect((await ask('GET', 'auth/token/lookup-self', { token })).status).toBe(403);
    expect((await ask('POST', 'auth/staff/login/bob', login)).status).toBe(200);
    expect((await ask('POST', 'auth/people/login/bob', login)).status).not.toBe(200);
  });

  test('revokes the leases of the mount', async () => {
    const { ask, move } = await shelves();
    const lent = await ask('PUT', 'shelf/lent/a', { body: {} });
    const lookup = () => ask('PUT', 'sys/leases/lookup', { body: { lease_id: lent.json?.lease_id ?? '' } });
    expect((await lookup()).status).toBe(200);
    expect((await move('shelf', 'box')).status).toBe(200);
    expect(errors(await lookup())).toEqual([400, ['invalid lease']]);
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
    const { ask, move } = await shelves();
    await ask('POST', 'sys/namespaces/team', { body: {} });
    await ask('POST', 'sys/auth/people', { body: { type: 'userpass' } });
    expect(errors(await move(from, to))).toEqual([400, [message]]);
    expect(data(await ask('GET', 'one/things/a'))).toEqual({ kept: { x: 1 } });
  });

  test('moves mounts of a namespace, in it and from above', async () => {
    const { ask, move } = await shelves();
    await ask('POST', 'sys/namespaces/team', { body: {} });
    await ask('POST', 'team/sys/mounts/a', { body: { type: 'shelf' } });
    expect((await ask('POST', 'team/sys/remount', { body: { from: 'a', to: 'b' } })).status).toBe(200);
    expect((await move('team/b', 'team/c')).status).toBe(200);
    expect((await ask('GET', 'team/sys/mounts/c')).status).toBe(200);
  });

  test('requires sudo', async () => {
    const { move, policy, createToken } = await shelves();
    await policy('some', 'path "sys/remount" { capabilities = ["update"] }');
    await policy('all', 'path "sys/remount" { capabilities = ["update", "sudo"] }');
    const token = async (name: string) => (await createToken({ policies: [name] })).client_token;
    expect(errors(await move('one', 'two', await token('some')))).toEqual([
      403,
      [decorated('permission denied')],
    ]);
    expect((await move('one', 'two', await token('all'))).status).toBe(200);
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
    await first.ask('POST', 'sys/auth/token/tune', { body: { max_lease_ttl: '2h' } });
    const shown = data(await first.ask('GET', 'sys/internal/ui/mounts'));
    await first.close();
    const again = await secrets({ dataDirectory: directory });
    expect(data(await again.ask('GET', 'two/things/a'))).toEqual({ kept: { x: 1 } });
    expect((await again.ask('GET', `sys/remount/status/${id}`)).status).toBe(200);
    expect(data(await again.ask('GET', 'sys/internal/ui/mounts'))).toEqual(shown);
    const { lease_duration: lifetime } = await again.createToken({ policies: ['default'], ttl: '5h' });
    expect(lifetime).toBe(7200);
  });
});

describe('sys/internal/ui/mounts', () => {
  test('lists the mounts that a token can use', async () => {
    const { ask, policy, createToken } = await shelves();
    await policy('some', 'path "one/*" { capabilities = ["read"] }');
    const { client_token: token } = await createToken({ policies: ['some'], no_default_policy: true });
    expect(data(await ask('GET', 'sys/internal/ui/mounts', { token }))).toEqual({
      auth: {},
      secret: { 'one/': data(await ask('GET', 'sys/mounts/one')) },
    });
    const all = data(await ask('GET', 'sys/internal/ui/mounts'));
    expect(Object.keys(all?.secret as object)).toEqual(expect.arrayContaining(['identity/', 'one/', 'sys/']));
    expect(Object.keys(all?.auth as object)).toEqual(['token/']);
  });

  test('without a token lists those with `listing_visibility` unauth', async () => {
    const { ask } = await shelves();
    const open = () => ask('GET', 'sys/internal/ui/mounts', { token: null });
    expect(data(await open())).toEqual({ auth: {}, secret: {} });
    await ask('POST', 'sys/mounts/one/tune', { body: { listing_visibility: 'unauth' } });
    expect(data(await open())).toEqual({
      auth: {},
      secret: { 'one/': { type: 'shelf', description: 'mine', options: {} } },
    });
    expect((await ask('GET', 'sys/internal/ui/mounts', { token: 'hvs.invalid' })).status).toBe(403);
  });

  test('counts a use of a token with limited uses', async () => {
    const { ask, createToken } = await shelves();
    const { client_token: token } = await createToken({ policies: ['default'], num_uses: 1 });
    expect((await ask('GET', 'sys/internal/ui/mounts', { token })).status).toBe(200);
    expect((await ask('GET', 'sys/internal/ui/mounts', { token })).status).toBe(403);
  });
});

describe('the parts of the service in the list of mounts', () => {
  test('have IDs, descriptions and the version of the service', async () => {
    const { ask } = await secrets();
    for (const [path, name, type, accessor] of [
      ['sys/mounts', 'sys/', 'system', /^system_[0-9a-f]{8}$/],
      ['sys/mounts', 'identity/', 'identity', /^identity_[0-9a-f]{8}$/],
      ['sys/auth', 'token/', 'token', /^auth_token_[0-9a-f]{8}$/],
    ] as const) {
      expect(data(await ask('GET', path))?.[name]).toMatchObject({
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
    const { ask } = await secrets();
    const tune = (path: string, body: object) => ask('POST', `sys/${path}/tune`, { body: body as never });
    expect((await tune('auth/token', { default_lease_ttl: '1h' })).status).toBe(204);
    expect(data(await ask('GET', 'sys/auth/token/tune'))).toMatchObject({ default_lease_ttl: 3600 });
    for (const path of ['sys', 'identity'])
      expect(errors(await tune(`mounts/${path}`, { default_lease_ttl: '1h' }))).toEqual([
        400,
        [`cannot tune parameter default_lease_ttl of ${path}/`],
      ]);
  });
});

describe('sys/auth/:path', () => {
  test('requires sudo, as in the product; the list and sys/mounts/auth/:path/tune do not', async () => {
    const { ask, policy, createToken } = await secrets();
    await policy('some', 'path "sys/*" { capabilities = ["create", "read", "update", "delete"] }');
    const { client_token: token } = await createToken({ policies: ['some'] });
    const denied = [403, [decorated('permission denied')]];
    const body = { type: 'userpass' };
    expect(errors(await ask('POST', 'sys/auth/people', { body, token }))).toEqual(denied);
    await ask('POST', 'sys/auth/people', { body });
    for (const path of ['people', 'people/tune']) {
      expect(errors(await ask('GET', `sys/auth/${path}`, { token }))).toEqual(denied);
      expect(errors(await ask('POST', `sys/auth/${path}`, { body: {}, token }))).toEqual(denied);
    }
    expect(errors(await ask('DELETE', 'sys/auth/people', { token }))).toEqual(denied);
    expect((await ask('GET', 'sys/auth', { token })).status).toBe(200);
    expect((await ask('POST', 'sys/mounts/auth/people/tune', { body: {}, token })).status).toBe(204);
  });
});

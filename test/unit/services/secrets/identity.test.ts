import { describe, expect, test } from 'vitest';
import type { Json } from '../../../../src/wire/json.ts';
import { authOf, data, denied, outcome, secrets } from './support.ts';

/** A service with the user `bob`, and functions to log in. */
async function people() {
  const service = await secrets();
  const { post, get } = service;
  await post('sys/auth/userpass', { type: 'userpass' });
  await post('auth/userpass/users/bob', { password: 'pw', token_policies: 'shelf' });
  await service.policy('shelf', 'path "shelf/*" { capabilities = ["read"] }');
  const accessor = String(data(await get('sys/auth/userpass'))?.accessor);
  const attempt = () => post('auth/userpass/login/bob', { password: 'pw' }, null);
  return { ...service, accessor, attempt, login: async () => authOf(await attempt()) };
}

describe('an entity', () => {
  test('is created at the first login, and engines see it with every request', async () => {
    const { login, accessor, post, get } = await people();
    const first = await login();
    expect((await login()).entity_id).toBe(first.entity_id);
    expect(data(await get(`identity/entity/id/${first.entity_id}`))).toMatchObject({
      id: first.entity_id,
      name: expect.stringMatching(/^entity_[0-9a-f]{8}$/),
      disabled: false,
      aliases: [
        {
          name: 'bob',
          mount_accessor: accessor,
          mount_type: 'userpass',
          mount_path: 'auth/userpass/',
          canonical_id: first.entity_id,
        },
      ],
    });
    await post(`identity/entity/id/${first.entity_id}`, { name: 'Bob', metadata: { team: 'ops' } });
    const seen = await get('shelf/who', first.client_token);
    expect(data(seen)?.entity).toEqual({
      id: first.entity_id,
      name: 'Bob',
      metadata: { team: 'ops' },
      aliases: [{ mountAccessor: accessor, name: 'bob', metadata: {} }],
    });
    expect(data(await get('shelf/who'))?.entity).toBeNull();
    expect(data(await get('auth/token/lookup-self', first.client_token))).toMatchObject({
      entity_id: first.entity_id,
      display_name: 'userpass-bob',
      path: 'auth/userpass/login/bob',
    });
  });

  test('created beforehand is used by the login that its alias names', async () => {
    const { login, accessor, post, get } = await people();
    const made = await post('identity/entity', { name: 'bob-smith', metadata: { a: 'b' } });
    const id = String(data(made)?.id);
    const alias = { name: 'bob', canonical_id: id, mount_accessor: accessor, custom_metadata: { desk: '7' } };
    expect(data(await post('identity/entity-alias', alias))?.canonical_id).toBe(id);
    const { client_token: token, entity_id } = await login();
    expect(entity_id).toBe(id);
    expect(data(await get('shelf/who', token))?.entity).toMatchObject({
      name: 'bob-smith',
      aliases: [{ name: 'bob', metadata: { desk: '7' } }],
    });
    expect(data(await post('identity/lookup/entity', { name: 'bob-smith' }))?.id).toBe(id);
    const byAlias = { alias_name: 'bob', alias_mount_accessor: accessor };
    expect(data(await post('identity/lookup/entity', byAlias))?.id).toBe(id);
    expect((await post('identity/lookup/entity', { name: 'none' })).status).toBe(204);
  });

  test('is written, listed and deleted by name and by ID', async () => {
    const { post, get, list, remove } = await people();
    const put = (path: string, body: Record<string, Json>) => post(`identity/entity/${path}`, body);
    const made = data(await put('name/Carol', { metadata: { x: 'y' }, policies: 'P1,p2' }));
    expect(made).toEqual({ id: expect.any(String), name: 'Carol', aliases: null });
    expect((await put('name/carol', { metadata: { x: 'z' } })).status).toBe(204);
    expect(data(await get('identity/entity/name/CAROL'))).toMatchObject({
      name: 'carol',
      metadata: { x: 'z' },
      policies: ['p1', 'p2'],
    });
    expect(data(await list('identity/entity/id'))?.keys).toEqual([made?.id]);
    expect(data(await list('identity/entity/name'))?.keys).toEqual(['carol']);
    await put('name/dave', {});
    expect(outcome(await put(`id/${made?.id}`, { name: 'Dave' }))).toBe('400 entity name is already in use');
    expect(outcome(await put('name/eve', { policies: ['root'] }))).toBe('400 policies cannot contain root');
    expect((await remove(`identity/entity/id/${made?.id}`)).status).toBe(204);
    expect((await get('identity/entity/name/carol')).status).toBe(404);
    expect((await remove('identity/entity/name/dave')).status).toBe(204);
    expect(outcome(await list('identity/entity/id'))).toBe('404');
  });

  test('has one alias per auth method, which no other entity can have', async () => {
    const { accessor, login, post, get, list, remove } = await people();
    const { entity_id: bob } = await login();
    for (const [name, mount_accessor, canonical_id, error] of [
      ['bob', accessor, undefined, 'alias is already tied to a different entity'],
      ['robert', accessor, bob, 'Entity already has an alias for the given mount accessor'],
      ['x', 'none', undefined, 'invalid mount accessor "none"'],
      ['x', accessor, 'none', 'entity not found from id'],
    ]) {
      const alias = { name, mount_accessor, ...(canonical_id && { canonical_id }) };
      expect(outcome(await post('identity/entity-alias', alias))).toBe(`400 ${error}`);
    }
    const listed = data(await list('identity/entity-alias/id'));
    const id = String(listed?.keys);
    expect(data(await get(`identity/entity-alias/id/${id}`))).toMatchObject({ id, name: 'bob' });
    await post(`identity/entity-alias/id/${id}`, { custom_metadata: { a: 'b' } });
    expect(data(await get(`identity/entity-alias/id/${id}`))).toMatchObject({
      name: 'bob',
      custom_metadata: { a: 'b' },
    });
    expect((await remove(`identity/entity-alias/id/${id}`)).status).toBe(204);
    expect((await get(`identity/entity-alias/id/${id}`)).status).toBe(404);
    expect((await login()).entity_id).not.toBe(bob);
  });

  test('adds its policies to its tokens, and invalidates its tokens when disabled or deleted', async () => {
    const { attempt, login, policy, post, put, remove } = await people();
    await policy('writer', 'path "shelf/*" { capabilities = ["update", "create"] }');
    const { client_token: token, entity_id: id } = await login();
    const write = async () => outcome(await put('shelf/things/a', {}, token));
    expect(await write()).toBe(denied);
    await post(`identity/entity/id/${id}`, { policies: ['writer'] });
    expect(await write()).toBe('204');
    expect(await login()).toMatchObject({
      policies: ['default', 'shelf', 'writer'],
      token_policies: ['default', 'shelf'],
      identity_policies: ['writer'],
    });
    await post(`identity/entity/id/${id}`, { disabled: true });
    expect(await write()).toBe(denied);
    expect((await attempt()).json).not.toHaveProperty('auth');
    await post(`identity/entity/id/${id}`, { disabled: false });
    expect(await write()).toBe('204');
    await remove(`identity/entity/id/${id}`);
    expect(await write()).toBe(denied);
  });
});

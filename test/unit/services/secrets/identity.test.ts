import { describe, expect, test } from 'vitest';
import type { Json } from '../../../../src/wire/json.ts';
import { data, errors, secrets } from './support.ts';

interface Shown {
  readonly id: string;
  readonly aliases: readonly { readonly id: string; readonly name: string }[];
}

/** A service with the user `bob`, and functions to log in. */
async function people() {
  const service = await secrets();
  const { ask } = service;
  await ask('POST', 'sys/auth/userpass', { body: { type: 'userpass' } });
  await ask('POST', 'auth/userpass/users/bob', { body: { password: 'pw', token_policies: 'shelf' } });
  await service.policy('shelf', 'path "shelf/*" { capabilities = ["read"] }');
  const accessor = String(data(await ask('GET', 'sys/auth/userpass'))?.accessor);
  const login = async (name = 'bob') => {
    const reply = await ask('POST', `auth/userpass/login/${name}`, { token: null, body: { password: 'pw' } });
    return reply.json?.auth as { client_token: string; entity_id: string; policies: string[] };
  };
  const entity = async (path: string) =>
    data(await ask('GET', `identity/entity/${path}`)) as unknown as Shown;
  return { ...service, accessor, login, entity };
}

describe('an entity', () => {
  test('is created at the first login, and engines see it with every request', async () => {
    const { ask, login, accessor, entity } = await people();
    const first = await login();
    expect((await login()).entity_id).toBe(first.entity_id);
    expect(await entity(`id/${first.entity_id}`)).toMatchObject({
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
    await ask('POST', `identity/entity/id/${first.entity_id}`, {
      body: { name: 'Bob', metadata: { team: 'ops' } },
    });
    const seen = await ask('GET', 'shelf/who', { token: first.client_token });
    expect(data(seen)?.entity).toEqual({
      id: first.entity_id,
      name: 'Bob',
      metadata: { team: 'ops' },
      aliases: [{ mountAccessor: accessor, name: 'bob', metadata: {} }],
    });
    expect(data(await ask('GET', 'shelf/who'))?.entity).toBeNull();
    expect(data(await ask('GET', 'auth/token/lookup-self', { token: first.client_token }))).toMatchObject({
      entity_id: first.entity_id,
      display_name: 'userpass-bob',
      path: 'auth/userpass/login/bob',
    });
  });

  test('created beforehand is used by the login that its alias names', async () => {
    const { ask, login, accessor } = await people();
    const made = await ask('POST', 'identity/entity', { body: { name: 'bob-smith', metadata: { a: 'b' } } });
    const id = String(data(made)?.id);
    const alias = await ask('POST', 'identity/entity-alias', {
      body: { name: 'bob', canonical_id: id, mount_accessor: accessor, custom_metadata: { desk: '7' } },
    });
    expect(data(alias)?.canonical_id).toBe(id);
    const { client_token: token, entity_id: entityId } = await login();
    expect(entityId).toBe(id);
    expect(data(await ask('GET', 'shelf/who', { token }))?.entity).toMatchObject({
      name: 'bob-smith',
      aliases: [{ name: 'bob', metadata: { desk: '7' } }],
    });
    expect(data(await ask('POST', 'identity/lookup/entity', { body: { name: 'bob-smith' } }))?.id).toBe(id);
    const byAlias = { alias_name: 'bob', alias_mount_accessor: accessor };
    expect(data(await ask('POST', 'identity/lookup/entity', { body: byAlias }))?.id).toBe(id);
    expect((await ask('POST', 'identity/lookup/entity', { body: { name: 'none' } })).status).toBe(204);
  });

  test('is written, listed and deleted by name and by ID', async () => {
    const { ask } = await people();
    const put = (path: string, body: Record<string, Json>) =>
      ask('POST', `identity/entity/${path}`, { body });
    const made = data(await put('name/Carol', { metadata: { x: 'y' }, policies: 'P1,p2' }));
    expect(made).toEqual({ id: expect.any(String), name: 'Carol', aliases: null });
    expect((await put('name/carol', { metadata: { x: 'z' } })).status).toBe(204);
    expect(data(await ask('GET', 'identity/entity/name/CAROL'))).toMatchObject({
      name: 'carol',
      metadata: { x: 'z' },
      policies: ['p1', 'p2'],
    });
    expect(data(await ask('LIST', 'identity/entity/id'))?.keys).toEqual([made?.id]);
    expect(data(await ask('LIST', 'identity/entity/name'))?.keys).toEqual(['carol']);
    await put('name/dave', {});
    expect(errors(await put(`id/${made?.id}`, { name: 'Dave' }))).toEqual([
      400,
      ['entity name is already in use'],
    ]);
    expect(errors(await put('name/eve', { policies: ['root'] }))).toEqual([
      400,
      ['policies cannot contain root'],
    ]);
    expect((await ask('DELETE', `identity/entity/id/${made?.id}`)).status).toBe(204);
    expect((await ask('GET', 'identity/entity/name/carol')).status).toBe(404);
    expect((await ask('DELETE', 'identity/entity/name/dave')).status).toBe(204);
    expect(errors(await ask('LIST', 'identity/entity/id'))).toEqual([404, []]);
  });

  test('has one alias per auth method, which no other entity can have', async () => {
    const { ask, accessor, login } = await people();
    const { entity_id: bob } = await login();
    const put = async (body: Record<string, Json>) =>
      errors(await ask('POST', 'identity/entity-alias', { body }));
    expect(await put({ name: 'bob', mount_accessor: accessor })).toEqual([
      400,
      ['alias is already tied to a different entity'],
    ]);
    expect(await put({ name: 'robert', mount_accessor: accessor, canonical_id: bob })).toEqual([
      400,
      ['Entity already has an alias for the given mount accessor'],
    ]);
    expect(await put({ name: 'x', mount_accessor: 'none' })).toEqual([
      400,
      ['invalid mount accessor "none"'],
    ]);
    expect(await put({ name: 'x', mount_accessor: accessor, canonical_id: 'none' })).toEqual([
      400,
      ['entity not found from id'],
    ]);
    const listed = data(await ask('LIST', 'identity/entity-alias/id'));
    const id = String(listed?.keys);
    expect(data(await ask('GET', `identity/entity-alias/id/${id}`))).toMatchObject({ id, name: 'bob' });
    await ask('POST', `identity/entity-alias/id/${id}`, { body: { custom_metadata: { a: 'b' } } });
    expect(data(await ask('GET', `identity/entity-alias/id/${id}`))).toMatchObject({
      name: 'bob',
      custom_metadata: { a: 'b' },
    });
    expect((await ask('DELETE', `identity/entity-alias/id/${id}`)).status).toBe(204);
    expect((await ask('GET', `identity/entity-alias/id/${id}`)).status).toBe(404);
    expect((await login()).entity_id).not.toBe(bob);
  });

  test('adds its policies to its tokens, and invalidates its tokens when disabled or deleted', async () => {
    const { ask, login, policy } = await people();
    await policy('writer', 'path "shelf/*" { capabilities = ["update", "create"] }');
    const { client_token: token, entity_id: id } = await login();
    const write = async () => (await ask('PUT', 'shelf/things/a', { token, body: {} })).status;
    expect(await write()).toBe(403);
    await ask('POST', `identity/entity/id/${id}`, { body: { policies: ['writer'] } });
    expect(await write()).toBe(204);
    expect(await login()).toMatchObject({
      policies: ['default', 'shelf', 'writer'],
      token_policies: ['default', 'shelf'],
      identity_policies: ['writer'],
    });
    await ask('POST', `identity/entity/id/${id}`, { body: { disabled: true } });
    expect(await write()).toBe(403);
    expect(await login()).toBeUndefined();
    await ask('POST', `identity/entity/id/${id}`, { body: { disabled: false } });
    expect(await write()).toBe(204);
    await ask('DELETE', `identity/entity/id/${id}`);
    expect(await write()).toBe(403);
  });
});

import { describe, expect, test } from 'vitest';
import type { Json } from '../../../../src/wire/json.ts';
import { decorated } from './engine-calls.ts';
import { authOf, data, errors, secrets } from './support.ts';

describe('tokens', () => {
  const t0 = Date.parse('2026-03-01T00:00:00Z');

  test('are created with a name, policies and a lifetime', async () => {
    const { ask, createToken } = await secrets({ clock: () => new Date(t0) });
    const auth = await createToken({
      display_name: 'bob smith!',
      ttl: '1h',
      policies: ['x', 'Y'],
      meta: { a: 'b' },
    });
    expect(auth).toEqual({
      client_token: expect.stringMatching(/^hvs\.[\w-]{32}$/),
      accessor: expect.any(String),
      policies: ['default', 'x', 'y'],
      token_policies: ['default', 'x', 'y'],
      metadata: { a: 'b' },
      lease_duration: 3600,
      renewable: true,
      entity_id: '',
      token_type: 'service',
      orphan: false,
      mfa_requirement: null,
      num_uses: 0,
    });
    expect(data(await ask('GET', 'auth/token/lookup-self', { token: auth.client_token }))).toEqual({
      id: auth.client_token,
      accessor: auth.accessor,
      policies: ['default', 'x', 'y'],
      path: 'auth/token/create',
      meta: { a: 'b' },
      display_name: 'token-bob-smith',
      num_uses: 0,
      orphan: false,
      creation_time: t0 / 1000,
      creation_ttl: 3600,
      expire_time: '2026-03-01T01:00:00.000Z',
      issue_time: '2026-03-01T00:00:00.000Z',
      ttl: 3600,
      explicit_max_ttl: 0,
      entity_id: '',
      type: 'service',
      renewable: true,
    });
    expect(data(await ask('GET', 'auth/token/lookup-self'))).toMatchObject({
      display_name: 'root',
      ttl: 0,
      expire_time: null,
    });
    expect(await createToken({ policies: ['x'] })).toMatchObject({ lease_duration: 2_764_800 });
    expect(await createToken({})).toMatchObject({ policies: ['root'], lease_duration: 0 });
  });

  test('are renewed without an increment by their last lifetime, those of logins by that of the login', async () => {
    const { ask, createToken } = await secrets({ clock: () => new Date(t0) });
    const lifetimes = async (token: string) => {
      const seconds: unknown[] = [];
      for (const increment of [0, 600, 0, '2h', 0]) {
        const { json } = await ask('POST', 'auth/token/renew', { body: { token, increment } });
        seconds.push((json?.auth as { lease_duration?: number } | undefined)?.lease_duration);
      }
      return seconds;
    };
    const created = await createToken({ ttl: '30m', policies: ['x'] });
    expect(await lifetimes(created.client_token)).toEqual([1800, 600, 600, 7200, 7200]);
    const lookup = await ask('POST', 'auth/token/lookup', { body: { token: created.client_token } });
    expect(data(lookup)).toMatchObject({ creation_ttl: 1800, ttl: 7200 });
    await ask('POST', 'sys/auth/people', { body: { type: 'userpass' } });
    await ask('POST', 'auth/people/users/ann', { body: { password: 'pw', token_ttl: '20m' } });
    const login = await ask('POST', 'auth/people/login/ann', { token: null, body: { password: 'pw' } });
    expect(await lifetimes(authOf(login).client_token)).toEqual([1200, 600, 1200, 7200, 1200]);
  });

  test('expire, and live longer when renewed', async () => {
    let now = t0;
    const { ask, createToken } = await secrets({ clock: () => new Date(now) });
    const body = { ttl: '1h', explicit_max_ttl: '2h', policies: ['x'] };
    const { client_token: token } = await createToken(body);
    now += 3_599_000;
    expect(data(await ask('GET', 'auth/token/lookup-self', { token }))).toMatchObject({ ttl: 1 });
    const renewed = await ask('POST', 'auth/token/renew-self', { token, body: { increment: '30m' } });
    expect(renewed.json?.auth).toMatchObject({ client_token: token, lease_duration: 1800 });
    now += 1_799_000;
    const limited = await ask('POST', 'auth/token/renew-self', { token, body: { increment: '1h' } });
    expect(limited.json?.auth).toMatchObject({ lease_duration: 7200 - 3599 - 1799 });
    now += 1_802_000;
    expect(errors(await ask('GET', 'auth/token/lookup-self', { token }))).toEqual([
      403,
      ['permission denied', 'invalid token'],
    ]);
    expect(errors(await ask('POST', 'auth/token/renew-self', { body: {} }))).toEqual([
      400,
      ['lease is not renewable'],
    ]);
  });

  test('are revoked with their child tokens', async () => {
    const { ask, createToken } = await secrets();
    const parent = (await createToken({})).client_token;
    const child = (await createToken({}, { token: parent })).client_token;
    const orphan = (await createToken({ no_parent: true }, { token: parent })).client_token;
    expect((await ask('POST', 'auth/token/revoke-self', { token: parent })).status).toBe(204);
    const works = async (token: string) => (await ask('GET', 'shelf/echo/x', { token })).status;
    expect(await Promise.all([works(parent), works(child), works(orphan)])).toEqual([403, 403, 200]);
    expect((await ask('POST', 'auth/token/revoke', { body: { token: orphan } })).status).toBe(204);
    expect(await works(orphan)).toBe(403);
    const other = await createToken({});
    expect(
      (await ask('POST', 'auth/token/revoke-accessor', { body: { accessor: other.accessor } })).status,
    ).toBe(204);
    expect(await works(other.client_token)).toBe(403);
  });

  test('are looked up, renewed, revoked and listed by accessor', async () => {
    const { ask, createToken } = await secrets();
    const { client_token: token, accessor } = await createToken({ ttl: '1h', policies: ['default'] });
    const by = (operation: string, body: object) => ask('POST', `auth/token/${operation}-accessor`, { body });
    expect((await by('renew', { accessor, increment: '10m' })).json?.auth).toMatchObject({
      client_token: '',
      accessor,
      lease_duration: 600,
    });
    const listed = data(await ask('LIST', 'auth/token/accessors'))?.keys;
    expect(listed).toContain(accessor);
    expect((await ask('LIST', 'auth/token/accessors', { token })).status).toBe(403);
    expect((await by('revoke', { accessor })).status).toBe(204);
    const again = await by('revoke', { accessor });
    expect([again.status, again.json?.warnings]).toEqual([200, ['No token found with this accessor']]);
    expect(data(await ask('LIST', 'auth/token/accessors'))?.keys).not.toContain(accessor);
    for (const operation of ['lookup', 'renew']) {
      expect(errors(await by(operation, { accessor }))).toEqual([400, [decorated('invalid accessor')]]);
    }
    for (const operation of ['lookup', 'renew', 'revoke']) {
      expect(errors(await by(operation, {}))).toEqual([400, [decorated('missing accessor')]]);
    }
  });

  test('can be revoked again, and are looked up as those of the caller by default', async () => {
    const { ask, createToken } = await secrets();
    const { client_token: token } = await createToken({ policies: ['default'] });
    const revoke = async (body: object) => errors(await ask('POST', 'auth/token/revoke', { body }));
    expect(await revoke({ token })).toEqual([204, undefined]);
    expect(await revoke({ token })).toEqual([204, undefined]);
    expect(await revoke({})).toEqual([400, ['missing token ID']]);
    const renew = async (body: object) => errors(await ask('POST', 'auth/token/renew', { body }));
    expect(await renew({ token })).toEqual([400, ['token not found']]);
    expect(await renew({})).toEqual([400, ['missing token ID']]);
    expect(data(await ask('POST', 'auth/token/lookup', { body: {} }))).toMatchObject({ policies: ['root'] });
    expect(data(await ask('GET', 'auth/token/lookup'))).toMatchObject({ policies: ['root'] });
  });

  test('work for their number of uses, also concurrently', async () => {
    const { ask, createToken } = await secrets();
    const { client_token: token } = await createToken({ num_uses: 3 });
    const replies = await Promise.all(
      Array.from({ length: 10 }, () => ask('GET', 'shelf/echo/x', { token })),
    );
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(3);
    expect(errors(await ask('POST', 'auth/token/lookup', { body: { token } }))).toEqual([403, ['bad token']]);
  });

  test('cannot have more permissions than their parent', async () => {
    const { ask, createToken, policy } = await secrets();
    await policy('maker', 'path "auth/token/*" { capabilities = ["create", "update"] }');
    const { client_token: token } = await createToken({ policies: ['maker'] });
    const attempt = async (body: object, path = 'create') =>
      errors(await ask('POST', `auth/token/${path}`, { token, body }));
    expect(await attempt({ policies: ['root'] })).toEqual([400, ['child policies must be subset of parent']]);
    expect(await attempt({ policies: ['other'] })).toEqual([
      400,
      ['child policies must be subset of parent'],
    ]);
    expect(await attempt({ id: 'chosen-by-me' })).toEqual([
      400,
      ['root or sudo privileges required to specify token id'],
    ]);
    expect(await attempt({ no_parent: true })).toEqual([
      400,
      ['root or sudo privileges required to create orphan token'],
    ]);
    expect((await attempt({}, 'create-orphan'))[0]).toBe(200);
    expect((await attempt({ policies: ['maker'] }))[0]).toBe(200);
  });

  test('are returned with warnings about ignored fields', async () => {
    const { ask, createToken } = await secrets();
    const { client_token: token } = await createToken({ policies: ['default'], ttl: '1h' });
    const ignored = ['Endpoint ignored these unrecognized parameters: [nonsense]'];
    const warnings = async (method: string, path: string, body?: Record<string, Json>) =>
      (await ask(method, path, body && { body })).json?.warnings;
    expect(await warnings('POST', 'auth/token/lookup', { token, nonsense: 1 })).toEqual(ignored);
    expect(await warnings('GET', 'auth/token/lookup-self?nonsense=1')).toEqual(ignored);
    expect(await warnings('POST', 'auth/token/renew', { token, nonsense: 1 })).toEqual(ignored);
    await ask('POST', 'sys/auth/ar', { body: { type: 'approle' } });
    await ask('POST', 'auth/ar/role/r', { body: {} });
    expect(await warnings('POST', 'auth/ar/role/r/secret-id', { nonsense: 1, role_name: 'x' })).toEqual([
      ...ignored,
      "Endpoint replaced the value of these parameters with the values captured from the endpoint's path: [role_name]",
    ]);
    await ask('POST', 'cubbyhole/a', { body: { nonsense: 1 } });
    expect(await warnings('GET', 'cubbyhole/a?nonsense=1')).toBeNull();
  });

  test('are generated if not given', async () => {
    const { startServices: embedded } = await import('../../../../src/services/start-services.ts');
    const services = await embedded({
      clock: () => new Date(),
      random: (n) => new Uint8Array(n).fill(7),
      version: '1',
    });
    expect(services.rootToken).toMatch(/^hvs\.[\w-]{32}$/);
    await services.close();
  });
});

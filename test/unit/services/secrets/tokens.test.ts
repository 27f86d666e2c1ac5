import { describe, expect, test } from 'vitest';
import type { Json } from '../../../../src/wire/json.ts';
import { decorated } from './engine-calls.ts';
import { authOf, badToken, data, outcome, secrets, t0 } from './support.ts';

describe('tokens', () => {
  test('are created with a name, policies and a lifetime', async () => {
    const { createToken, get } = await secrets();
    const body = { display_name: 'bob smith!', ttl: '1h', policies: ['x', 'Y'], meta: { a: 'b' } };
    const auth = await createToken(body);
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
    expect(data(await get('auth/token/lookup-self', auth.client_token))).toEqual({
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
    const root = { display_name: 'root', ttl: 0, expire_time: null };
    expect(data(await get('auth/token/lookup-self'))).toMatchObject(root);
    expect(await createToken({ policies: ['x'] })).toMatchObject({ lease_duration: 2_764_800 });
    expect(await createToken({})).toMatchObject({ policies: ['root'], lease_duration: 0 });
  });

  test('are renewed without an increment by their last lifetime, those of logins by that of the login', async () => {
    const { createToken, post } = await secrets();
    const lifetimes = async (token: string) => {
      const seconds: number[] = [];
      for (const increment of [0, 600, 0, '2h', 0])
        seconds.push(authOf(await post('auth/token/renew', { token, increment })).lease_duration);
      return seconds;
    };
    const created = await createToken({ ttl: '30m', policies: ['x'] });
    expect(await lifetimes(created.client_token)).toEqual([1800, 600, 600, 7200, 7200]);
    const lookup = await post('auth/token/lookup', { token: created.client_token });
    expect(data(lookup)).toMatchObject({ creation_ttl: 1800, ttl: 7200 });
    await post('sys/auth/people', { type: 'userpass' });
    await post('auth/people/users/ann', { password: 'pw', token_ttl: '20m' });
    const login = await post('auth/people/login/ann', { password: 'pw' }, null);
    expect(await lifetimes(authOf(login).client_token)).toEqual([1200, 600, 1200, 7200, 1200]);
  });

  test('expire, and live longer when renewed', async () => {
    const { createToken, post, get, pass } = await secrets();
    const body = { ttl: '1h', explicit_max_ttl: '2h', policies: ['x'] };
    const { client_token: token } = await createToken(body);
    const renew = async (increment: string) =>
      authOf(await post('auth/token/renew-self', { increment }, token));
    pass(3599);
    expect(data(await get('auth/token/lookup-self', token))).toMatchObject({ ttl: 1 });
    expect(await renew('30m')).toMatchObject({ client_token: token, lease_duration: 1800 });
    pass(1799);
    expect(await renew('1h')).toMatchObject({ lease_duration: 7200 - 3599 - 1799 });
    pass(1802);
    expect(outcome(await get('auth/token/lookup-self', token))).toBe(badToken);
    expect(outcome(await post('auth/token/renew-self'))).toBe('400 lease is not renewable');
  });

  test('are revoked with their child tokens', async () => {
    const { ask, createToken, post, get } = await secrets();
    const parent = (await createToken({})).client_token;
    const child = (await createToken({}, { token: parent })).client_token;
    const orphan = (await createToken({ no_parent: true }, { token: parent })).client_token;
    expect((await ask('POST', 'auth/token/revoke-self', { token: parent })).status).toBe(204);
    const works = async (token: string) => (await get('shelf/echo/x', token)).status;
    expect(await Promise.all([works(parent), works(child), works(orphan)])).toEqual([403, 403, 200]);
    expect((await post('auth/token/revoke', { token: orphan })).status).toBe(204);
    expect(await works(orphan)).toBe(403);
    const other = await createToken({});
    expect((await post('auth/token/revoke-accessor', { accessor: other.accessor })).status).toBe(204);
    expect(await works(other.client_token)).toBe(403);
  });

  test('are looked up, renewed, revoked and listed by accessor', async () => {
    const { createToken, post, list } = await secrets();
    const { client_token: token, accessor } = await createToken({ ttl: '1h', policies: ['default'] });
    const by = (operation: string, body: object) => post(`auth/token/${operation}-accessor`, body);
    const renewed = authOf(await by('renew', { accessor, increment: '10m' }));
    expect(renewed).toMatchObject({ client_token: '', accessor, lease_duration: 600 });
    expect(data(await list('auth/token/accessors'))?.keys).toContain(accessor);
    expect((await list('auth/token/accessors', token)).status).toBe(403);
    expect((await by('revoke', { accessor })).status).toBe(204);
    const again = await by('revoke', { accessor });
    expect(again).toMatchObject({ status: 200, json: { warnings: ['No token found with this accessor'] } });
    expect(data(await list('auth/token/accessors'))?.keys).not.toContain(accessor);
    for (const operation of ['lookup', 'renew'])
      expect(outcome(await by(operation, { accessor }))).toBe(`400 ${decorated('invalid accessor')}`);
    for (const operation of ['lookup', 'renew', 'revoke'])
      expect(outcome(await by(operation, {}))).toBe(`400 ${decorated('missing accessor')}`);
  });

  test('can be revoked again, and are looked up as those of the caller by default', async () => {
    const { createToken, post, get } = await secrets();
    const { client_token: token } = await createToken({ policies: ['default'] });
    const revoke = async (body: object) => outcome(await post('auth/token/revoke', body));
    expect(await revoke({ token })).toBe('204');
    expect(await revoke({ token })).toBe('204');
    expect(await revoke({})).toBe('400 missing token ID');
    const renew = async (body: object) => outcome(await post('auth/token/renew', body));
    expect(await renew({ token })).toBe('400 token not found');
    expect(await renew({})).toBe('400 missing token ID');
    expect(data(await post('auth/token/lookup'))).toMatchObject({ policies: ['root'] });
    expect(data(await get('auth/token/lookup'))).toMatchObject({ policies: ['root'] });
  });

  test('work for their number of uses, also concurrently', async () => {
    const { createToken, post, get } = await secrets();
    const { client_token: token } = await createToken({ num_uses: 3 });
    const replies = await Promise.all(Array.from({ length: 10 }, () => get('shelf/echo/x', token)));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(3);
    expect(outcome(await post('auth/token/lookup', { token }))).toBe('403 bad token');
  });

  test.each([
    ['create', { policies: ['root'] }, '400 child policies must be subset of parent'],
    ['create', { policies: ['other'] }, '400 child policies must be subset of parent'],
    ['create', { id: 'chosen-by-me' }, '400 root or sudo privileges required to specify token id'],
    ['create', { no_parent: true }, '400 root or sudo privileges required to create orphan token'],
    ['create-orphan', {}, '200'],
    ['create', { policies: ['maker'] }, '200'],
  ])('cannot have more permissions than their parent: %s %o', async (path, body, expected) => {
    const { createToken, policy, post } = await secrets();
    await policy('maker', 'path "auth/token/*" { capabilities = ["create", "update"] }');
    const { client_token: token } = await createToken({ policies: ['maker'] });
    expect(outcome(await post(`auth/token/${path}`, body, token))).toBe(expected);
  });

  test('are returned with warnings about ignored fields', async () => {
    const { ask, createToken, post } = await secrets();
    const { client_token: token } = await createToken({ policies: ['default'], ttl: '1h' });
    const ignored = ['Endpoint ignored these unrecognized parameters: [nonsense]'];
    const warnings = async (method: string, path: string, body?: Record<string, Json>) =>
      (await ask(method, path, body && { body })).json?.warnings;
    expect(await warnings('POST', 'auth/token/lookup', { token, nonsense: 1 })).toEqual(ignored);
    expect(await warnings('GET', 'auth/token/lookup-self?nonsense=1')).toEqual(ignored);
    expect(await warnings('POST', 'auth/token/renew', { token, nonsense: 1 })).toEqual(ignored);
    await post('sys/auth/ar', { type: 'approle' });
    await post('auth/ar/role/r');
    expect(await warnings('POST', 'auth/ar/role/r/secret-id', { nonsense: 1, role_name: 'x' })).toEqual([
      ...ignored,
      "Endpoint replaced the value of these parameters with the values captured from the endpoint's path: [role_name]",
    ]);
    await post('cubbyhole/a', { nonsense: 1 });
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

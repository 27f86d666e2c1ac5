import { describe, expect, test } from 'vitest';
import { engines } from '../../../../src/services/secrets/engines.ts';
import type { Json } from '../../../../src/wire/json.ts';
import { folder, rootToken } from '../support.ts';
import { authOf, data, everything, outcome, secrets, t0 } from './support.ts';

/** A service with a clock and a policy that permits everything. */
async function batched(options: Parameters<typeof secrets>[0] = {}) {
  const service = await secrets({ engines, ...options });
  const { post } = service;
  await service.policy('all', everything);
  return {
    ...service,
    batch: async (body: Record<string, Json> = {}, token = rootToken) =>
      authOf(await post('auth/token/create', { type: 'batch', policies: ['all'], ...body }, token))
        .client_token,
    status: async (token: string) => (await service.get('sys/mounts', token)).status,
  };
}

describe('a batch token', () => {
  test('is not stored and has no accessor', async () => {
    const { post, get, list } = await batched();
    const body = { type: 'batch', policies: ['default'], ttl: '1h', meta: { a: 'b' }, display_name: 'x' };
    const auth = authOf(await post('auth/token/create', body));
    expect(auth).toMatchObject({
      client_token: expect.stringMatching(/^hvb\.[\w-]{100,}$/),
      accessor: '',
      policies: ['default'],
      lease_duration: 3600,
      renewable: false,
      token_type: 'batch',
      orphan: false,
      num_uses: 0,
      metadata: { a: 'b' },
    });
    expect(data(await get('auth/token/lookup-self', auth.client_token))).toMatchObject({
      id: auth.client_token,
      accessor: '',
      type: 'batch',
      display_name: 'token-x',
      path: 'auth/token/create',
      creation_time: t0 / 1000,
      creation_ttl: 3600,
      expire_time: '2026-03-01T01:00:00.000Z',
      ttl: 3600,
      explicit_max_ttl: 0,
      renewable: false,
      orphan: false,
    });
    expect(data(await list('auth/token/accessors'))?.keys).toHaveLength(1);
  });

  test('cannot be renewed or revoked, have children or a cubbyhole', async () => {
    const { post, batch, status, get } = await batched();
    const token = await batch();
    for (const [path, body, as, error] of [
      ['renew-self', {}, token, 'be renewed'],
      ['renew', { token }, rootToken, 'be renewed'],
      ['revoke-self', {}, token, 'be revoked'],
      ['revoke', { token }, rootToken, 'be revoked'],
      ['revoke-orphan', { token }, rootToken, 'be revoked'],
      ['create', {}, token, 'create more tokens'],
    ] as const)
      expect(outcome(await post(`auth/token/${path}`, body, as))).toBe(`400 batch tokens cannot ${error}`);
    expect(outcome(await get('cubbyhole/a', token))).toBe(
      "400 cubbyhole operations are only supported by 'service' type tokens",
    );
    expect(await status(token)).toBe(200);
  });

  test('ends with its lifetime, and with its parent', async () => {
    const { batch, createToken, status, pass, post } = await batched();
    const token = await batch({ ttl: '10m' });
    const parent = (await createToken({ policies: ['all'] })).client_token;
    const child = await batch({}, parent);
    const orphan = await batch({ no_parent: true }, parent);
    await post('auth/token/revoke', { token: parent });
    expect([await status(token), await status(child), await status(orphan)]).toEqual([200, 403, 200]);
    pass(599);
    expect(await status(token)).toBe(200);
    pass(1);
    expect(await status(token)).toBe(403);
    expect(outcome(await post('auth/token/lookup', { token }))).toBe('403 bad token');
  });

  test('is only valid as it was issued, at the service that issued it', async () => {
    const { batch, status } = await batched();
    expect(await status('hvb.AAAA')).toBe(403);
    const token = await batch();
    expect(await status(token)).toBe(200);
    const changed = `${token.slice(0, 40)}${token[40] === 'x' ? 'y' : 'x'}${token.slice(41)}`;
    for (const each of [changed, token.slice(0, -4)]) expect(await status(each)).toBe(403);
    const other = await batched();
    await other.batch();
    expect(await other.status(token)).toBe(403);
  });

  test('is valid after a restart', async () => {
    const dataDirectory = await folder();
    const first = await batched({ dataDirectory });
    const token = await first.batch({ ttl: '1h' });
    await first.close();
    const { get } = await secrets({ dataDirectory, engines });
    expect((await get('sys/mounts', token)).status).toBe(200);
  });

  test('limits its leases, which its parent revokes', async () => {
    const { post, createToken, batch, get } = await batched();
    await post('ssh/roles/o', { key_type: 'otp', default_user: 'u', cidr_list: '0.0.0.0/0' });
    const parent = (await createToken({ policies: ['all'] })).client_token;
    const token = await batch({ ttl: '10m' }, parent);
    const credentials = async (as: string) =>
      (await post('ssh/creds/o', { ip: '192.0.2.1' }, as)).json as Record<string, Json>;
    const { lease_id: id = '', lease_duration: duration } = await credentials(token);
    expect(duration).toBe(600);
    const orphan = await credentials(await batch({ no_parent: true }));
    const lookup = async (lease: Json) => (await post('sys/leases/lookup', { lease_id: lease })).status;
    expect([await lookup(id), await lookup(orphan.lease_id ?? '')]).toEqual([200, 200]);
    await post('auth/token/revoke', { token: parent });
    expect([await lookup(id), await lookup(orphan.lease_id ?? '')]).toEqual([400, 200]);
    expect((await get('sys/mounts')).status).toBe(200);
  });

  test.each([
    [{ num_uses: 1 }, 'batch tokens cannot have "num_uses" set'],
    [{ period: '1h' }, 'batch tokens cannot have "period" set'],
    [{ period: 'x' }, "'period' value could not be parsed"],
    [{ explicit_max_ttl: '1h' }, 'batch tokens cannot have "explicit_max_ttl" set'],
    [{ id: 'custom-token-1' }, 'batch tokens cannot have "id" set'],
    [{ policies: ['root'] }, 'batch tokens cannot be root tokens'],
    [{ type: 'banana' }, "invalid 'token_type' value"],
    [{ type: 'service', id: 'hvb.custom-token' }, "custom token ID cannot have the 'hvb.' prefix"],
  ] satisfies readonly [Record<string, Json>, string][])('is not created with %j', async (body, error) => {
    const { post } = await batched();
    const request = { type: 'batch', policies: ['default'], ...body };
    expect(outcome(await post('auth/token/create', request))).toBe(`400 ${error}`);
  });

  test('belongs to a namespace, and is invalid when that is deleted', async () => {
    const { post, get, remove } = await batched();
    await post('sys/namespaces/ns1');
    const body = { type: 'batch', policies: ['default'] };
    const { client_token: token } = authOf(await post('ns1/auth/token/create', body));
    const self = 'auth/token/lookup-self';
    expect((await get(`ns1/${self}`, token)).status).toBe(200);
    expect((await get(self, token)).status).toBe(403);
    await remove('sys/namespaces/ns1');
    await post('sys/namespaces/ns1');
    expect((await get(`ns1/${self}`, token)).status).toBe(403);
  });
});

describe('the token type of a login', () => {
  async function withUser(options: Parameters<typeof secrets>[0] = {}) {
    const service = await batched(options);
    const { post } = service;
    await post('sys/auth/up', { type: 'userpass' });
    await post('auth/up/users/u', { password: 'p' });
    const login = () => post('auth/up/login/u', { password: 'p' }, null);
    return {
      ...service,
      login,
      user: async (body: Record<string, Json>) => outcome(await post('auth/up/users/u', body)),
      tune: async (tokenType: string) => outcome(await post('sys/auth/up/tune', { token_type: tokenType })),
    };
  }

  test.each([
    ['default-service', 'default', 'service'],
    ['default-service', 'batch', 'batch'],
    ['default-service', 'service', 'service'],
    ['default-batch', 'default', 'batch'],
    ['default-batch', 'service', 'service'],
    ['default-batch', 'batch', 'batch'],
    ['batch', 'service', 'batch'],
    ['service', 'batch', 'service'],
  ])('of the mount %s and the user %s is %s', async (ofMount, ofUser, type) => {
    const { login, user, tune, get } = await withUser();
    expect([await tune(ofMount), await user({ token_type: ofUser })]).toEqual(['204', '204']);
    expect(data(await get('auth/up/users/u'))).toMatchObject({ token_type: ofUser });
    expect(authOf(await login())).toMatchObject({ token_type: type, orphan: true });
  });

  test('batch is a token with the identity and the maximum lifetime of the login', async () => {
    const { login, user, get } = await withUser();
    await user({ token_type: 'batch', token_explicit_max_ttl: '1h' });
    const reply = await login();
    expect(reply.json?.warnings).toEqual([
      'TTL of "768h" exceeded the effective max_ttl of "1h"; TTL value is capped accordingly',
    ]);
    const { client_token: token, lease_duration: seconds } = authOf(reply);
    expect(seconds).toBe(3600);
    expect(data(await get('auth/token/lookup-self', token))).toMatchObject({
      display_name: 'up-u',
      meta: { username: 'u' },
      entity_id: expect.stringMatching(/./),
      path: 'auth/up/login/u',
    });
  });

  test('is rejected with settings that batch tokens cannot have', async () => {
    const { login, user, tune } = await withUser();
    const prefix = "'token_type' cannot be 'batch' or 'default_batch' when set to generate";
    expect(await user({ token_type: 'batch', token_num_uses: 1 })).toBe(
      `400 ${prefix} tokens with limited use count`,
    );
    expect(await user({ token_type: 'batch', token_period: '1h' })).toBe(`400 ${prefix} periodic tokens`);
    for (const type of ['banana', 'default-batch', 'default-service'])
      expect(await user({ token_type: type })).toBe(`400 invalid 'token_type' value "${type}"`);
    for (const type of ['banana', 'default'])
      expect(await tune(type)).toBe("400 invalid value for 'token_type'");
    await user({ token_num_uses: 1 });
    await tune('batch');
    expect(outcome(await login())).toBe('400 batch tokens cannot have "num_uses" set');
    await user({ token_num_uses: 0, token_period: '1h' });
    expect(outcome(await login())).toBe('400 batch tokens cannot have "period" set');
  });

  test('can be set in a role of approle, too', async () => {
    const { post, get } = await withUser();
    await post('sys/auth/ar', { type: 'approle' });
    await post('auth/ar/role/r', { token_type: 'batch' });
    const { role_id } = data(await get('auth/ar/role/r/role-id')) ?? {};
    const { secret_id } = data(await post('auth/ar/role/r/secret-id')) ?? {};
    const login = await post('auth/ar/login', { role_id, secret_id }, null);
    expect(authOf(login)).toMatchObject({ token_type: 'batch', accessor: '' });
  });
});

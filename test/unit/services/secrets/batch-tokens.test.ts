import { describe, expect, test } from 'vitest';
import { engines } from '../../../../src/services/secrets/engines.ts';
import type { Json } from '../../../../src/wire/json.ts';
import { folder, rootToken } from '../support.ts';
import { authOf, data, errors, secrets } from './support.ts';

const t0 = Date.parse('2026-03-01T00:00:00Z');
const everything = 'path "*" { capabilities = ["create", "read", "update", "delete", "list", "sudo"] }';

/** A service with a clock and a policy that permits everything. */
async function batched(options: Parameters<typeof secrets>[0] = {}) {
  let now = t0;
  const service = await secrets({ engines, clock: () => new Date(now), ...options });
  const post = (path: string, body: Record<string, Json> = {}, token: string | null = rootToken) =>
    service.ask('POST', path, { body, token });
  await service.policy('all', everything);
  return {
    ...service,
    post,
    batch: async (body: Record<string, Json> = {}, token = rootToken) =>
      authOf(await post('auth/token/create', { type: 'batch', policies: ['all'], ...body }, token))
        .client_token,
    status: async (token: string) => (await service.ask('GET', 'sys/mounts', { token })).status,
    pass(seconds: number) {
      now += seconds * 1000;
    },
  };
}

describe('a batch token', () => {
  test('is not stored and has no accessor', async () => {
    const { post, ask } = await batched();
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
    expect(data(await ask('GET', 'auth/token/lookup-self', { token: auth.client_token }))).toMatchObject({
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
    expect(data(await ask('LIST', 'auth/token/accessors'))?.keys).toHaveLength(1);
  });

  test('cannot be renewed or revoked, have children or a cubbyhole', async () => {
    const { post, ask, batch, status } = await batched();
    const token = await batch();
    for (const [path, body, as] of [
      ['renew-self', {}, token],
      ['renew', { token }, rootToken],
    ] as const)
      expect(errors(await post(`auth/token/${path}`, body, as))).toEqual([
        400,
        ['batch tokens cannot be renewed'],
      ]);
    for (const [path, body, as] of [
      ['revoke-self', {}, token],
      ['revoke', { token }, rootToken],
      ['revoke-orphan', { token }, rootToken],
    ] as const)
      expect(errors(await post(`auth/token/${path}`, body, as))).toEqual([
        400,
        ['batch tokens cannot be revoked'],
      ]);
    expect(errors(await post('auth/token/create', {}, token))).toEqual([
      400,
      ['batch tokens cannot create more tokens'],
    ]);
    expect(errors(await ask('GET', 'cubbyhole/a', { token }))).toEqual([
      400,
      ["cubbyhole operations are only supported by 'service' type tokens"],
    ]);
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
    expect(errors(await post('auth/token/lookup', { token }))).toEqual([403, ['bad token']]);
  });

  test('is only valid as it was issued, at the service that issued it', async () => {
    const { batch, status } = await batched();
    expect(await status('hvb.AAAA')).toBe(403);
    const token = await batch();
    const changed = token.slice(0, -1) + (token.endsWith('A') ? 'B' : 'A');
    expect([
      await status(token),
      await status(`${token.slice(0, 40)}${token[40] === 'x' ? 'y' : 'x'}${token.slice(41)}`),
    ]).toEqual([200, 403]);
    expect(await status(changed.slice(0, -4))).toBe(403);
    const other = await batched();
    await other.batch();
    expect(await other.status(token)).toBe(403);
  });

  test('is valid after a restart', async () => {
    const dataDirectory = await folder();
    const first = await batched({ dataDirectory });
    const token = await first.batch({ ttl: '1h' });
    await first.close();
    const second = await secrets({ dataDirectory, engines, clock: () => new Date(t0 + 1000) });
    expect((await second.ask('GET', 'sys/mounts', { token })).status).toBe(200);
  });

  test('limits its leases, which its parent revokes', async () => {
    const { post, createToken, batch, ask } = await batched();
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
    expect((await ask('GET', 'sys/mounts')).status).toBe(200);
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
    expect(errors(await post('auth/token/create', request))).toEqual([400, [error]]);
  });

  test('belongs to a namespace, and is invalid when that is deleted', async () => {
    const { post, ask } = await batched();
    await post('sys/namespaces/ns1');
    const body = { type: 'batch', policies: ['default'] };
    const { client_token: token } = authOf(await post('ns1/auth/token/create', body));
    const self = 'auth/token/lookup-self';
    expect((await ask('GET', `ns1/${self}`, { token })).status).toBe(200);
    expect((await ask('GET', self, { token })).status).toBe(403);
    await ask('DELETE', 'sys/namespaces/ns1');
    await post('sys/namespaces/ns1');
    expect((await ask('GET', `ns1/${self}`, { token })).status).toBe(403);
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
      user: async (body: Record<string, Json>) => errors(await post('auth/up/users/u', body)),
      tune: async (tokenType: string) => errors(await post('sys/auth/up/tune', { token_type: tokenType })),
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
    const { login, user, tune, ask } = await withUser();
    expect([await tune(ofMount), await user({ token_type: ofUser })]).toEqual([
      [204, undefined],
      [204, undefined],
    ]);
    expect(data(await ask('GET', 'auth/up/users/u'))).toMatchObject({ token_type: ofUser });
    expect(authOf(await login())).toMatchObject({ token_type: type, orphan: true });
  });

  test('batch is a token with the identity and the maximum lifetime of the login', async () => {
    const { login, user, ask } = await withUser();
    await user({ token_type: 'batch', token_explicit_max_ttl: '1h' });
    const reply = await login();
    expect(reply.json?.warnings).toEqual([
      'TTL of "768h" exceeded the effective max_ttl of "1h"; TTL value is capped accordingly',
    ]);
    const { client_token: token, lease_duration: seconds } = authOf(reply);
    expect(seconds).toBe(3600);
    expect(data(await ask('GET', 'auth/token/lookup-self', { token }))).toMatchObject({
      display_name: 'up-u',
      meta: { username: 'u' },
      entity_id: expect.stringMatching(/./),
      path: 'auth/up/login/u',
    });
  });

  test('is rejected with settings that batch tokens cannot have', async () => {
    const { login, user, tune } = await withUser();
    const prefix = "'token_type' cannot be 'batch' or 'default_batch' when set to generate";
    expect(await user({ token_type: 'batch', token_num_uses: 1 })).toEqual([
      400,
      [`${prefix} tokens with limited use count`],
    ]);
    expect(await user({ token_type: 'batch', token_period: '1h' })).toEqual([
      400,
      [`${prefix} periodic tokens`],
    ]);
    for (const type of ['banana', 'default-batch', 'default-service'])
      expect(await user({ token_type: type })).toEqual([400, [`invalid 'token_type' value "${type}"`]]);
    for (const type of ['banana', 'default'])
      expect(await tune(type)).toEqual([400, ["invalid value for 'token_type'"]]);
    await user({ token_num_uses: 1 });
    await tune('batch');
    expect(errors(await login())).toEqual([400, ['batch tokens cannot have "num_uses" set']]);
    await user({ token_num_uses: 0, token_period: '1h' });
    expect(errors(await login())).toEqual([400, ['batch tokens cannot have "period" set']]);
  });

  test('is that of a role of approle, too', async () => {
    const { post, ask } = await withUser();
    await post('sys/auth/ar', { type: 'approle' });
    await post('auth/ar/role/r', { token_type: 'batch' });
    const { role_id: roleId = '' } = data(await ask('GET', 'auth/ar/role/r/role-id')) ?? {};
    const { secret_id: secretId = '' } = data(await post('auth/ar/role/r/secret-id')) ?? {};
    const login = await post('auth/ar/login', { role_id: roleId, secret_id: secretId }, null);
    expect(authOf(login)).toMatchObject({ token_type: 'batch', accessor: '' });
  });
});

import { describe, expect, test } from 'vitest';
import type { Json } from '../../../../src/wire/json.ts';
import { folder, rootToken } from '../support.ts';
import { authOf, data, errors, secrets } from './support.ts';

/** Clients of the service have the address 127.0.0.1. */
const own = '127.0.0.0/8';
const other = '10.0.0.0/8';
const denied = [403, ['permission denied']];
const written = [204, undefined];

async function bound(options: Parameters<typeof secrets>[0] = {}) {
  const service = await secrets(options);
  const post = (path: string, body: Record<string, Json> = {}, token: string | null = rootToken) =>
    service.ask('POST', path, { body, token });
  return {
    ...service,
    post,
    put: async (path: string, body: Record<string, Json>) => errors(await post(path, body)),
    self: async (token: string) => service.ask('GET', 'auth/token/lookup-self', { token }),
  };
}

describe('a token bound to addresses', () => {
  test('is valid only from these', async () => {
    const { post, put, self } = await bound();
    const created = async (cidrs: Json) => {
      await put('auth/token/roles/r', { token_bound_cidrs: cidrs });
      return authOf(await post('auth/token/create/r', { policies: ['default'] })).client_token;
    };
    const away = await created(other);
    expect(errors(await self(away))).toEqual(denied);
    expect(data(await post('auth/token/lookup', { token: away }))).toMatchObject({ bound_cidrs: [other] });
    expect(data(await self(await created([other, '127.0.0.1'])))).toMatchObject({
      bound_cidrs: [other, '127.0.0.1'],
    });
    expect((await self(await created('::ffff:127.0.0.1'))).status).toBe(200);
    expect((await self(await created('::1/128'))).status).toBe(403);
    expect((await self(await created(''))).status).toBe(200);
  });

  test('binds its children, but not orphans', async () => {
    const { post, put, self, policy } = await bound();
    await policy('all', 'path "*" { capabilities = ["create", "read", "update", "sudo"] }');
    await put('auth/token/roles/r', { token_bound_cidrs: own });
    const parent = authOf(await post('auth/token/create/r', { policies: ['all'] })).client_token;
    const child = authOf(await post('auth/token/create', {}, parent)).client_token;
    expect(data(await self(child))).toMatchObject({ bound_cidrs: [own] });
    const orphan = authOf(await post('auth/token/create-orphan', {}, parent)).client_token;
    expect(data(await self(orphan))).not.toHaveProperty('bound_cidrs');
  });

  test('stays bound as a batch token and after a restart', async () => {
    const dataDirectory = await folder();
    const { post, put, close } = await bound({ dataDirectory });
    const created = async (cidrs: string, type: string) => {
      await put('auth/token/roles/r', { token_bound_cidrs: cidrs });
      return authOf(await post('auth/token/create/r', { policies: ['default'], type })).client_token;
    };
    const tokens = [
      await created(own, 'batch'),
      await created(other, 'batch'),
      await created(own, 'service'),
      await created(other, 'service'),
    ];
    await close();
    const { self } = await bound({ dataDirectory });
    const replies = await Promise.all(tokens.map(self));
    expect(replies.map(({ status }) => status)).toEqual([200, 403, 200, 403]);
  });
});

describe('a user bound to addresses', () => {
  async function withUser() {
    const service = await bound();
    const { put, post, ask } = service;
    await put('sys/auth/up', { type: 'userpass' });
    await put('auth/up/users/u', { password: 'p' });
    return {
      ...service,
      user: (body: Record<string, Json>) => put('auth/up/users/u', body),
      shown: async () => data(await ask('GET', 'auth/up/users/u')),
      login: (password = 'p') => post('auth/up/login/u', { password }, null),
    };
  }

  test('logs in only from these', async () => {
    const { user, login, shown, self } = await withUser();
    expect(await user({ token_bound_cidrs: [other] })).toEqual(written);
    expect(await shown()).toMatchObject({ token_bound_cidrs: [other] });
    expect(errors(await login())).toEqual(denied);
    expect(errors(await login('wrong'))).toEqual([400, ['invalid username or password']]);
    await user({ token_bound_cidrs: `127.0.0.1/32,${other}` });
    expect(await shown()).toMatchObject({ token_bound_cidrs: ['127.0.0.1', other] });
    const { client_token: token } = authOf(await login());
    expect(data(await self(token))).toMatchObject({ bound_cidrs: ['127.0.0.1', other] });
    await user({ bound_cidrs: ['::1/128'] });
    expect(await shown()).toMatchObject({ token_bound_cidrs: ['::1'] });
    await user({ token_bound_cidrs: '' });
    expect(await shown()).toMatchObject({ token_bound_cidrs: [] });
    expect(data(await self(authOf(await login()).client_token))).not.toHaveProperty('bound_cidrs');
  });

  test('may be bound to the address of the login', async () => {
    const { user, login, shown, self } = await withUser();
    await user({ token_strictly_bind_ip: true });
    expect(await shown()).toMatchObject({ token_strictly_bind_ip: true });
    const { client_token: token } = authOf(await login());
    expect(data(await self(token))).toMatchObject({ bound_cidrs: ['127.0.0.1'] });
    await user({ token_strictly_bind_ip: false });
    expect(await shown()).toMatchObject({ token_strictly_bind_ip: false });
  });

  test.each(['banana', '300.1.1.1/8', '10.0.0.0/33'])('is rejected with the address %s', async (address) => {
    const { user } = await withUser();
    expect(await user({ token_bound_cidrs: [address] })).toEqual([
      400,
      [`error parsing address "${address}": Unable to convert "${address}" to an IPv4 or IPv6 address`],
    ]);
  });
});

describe('a role of approle bound to addresses', () => {
  async function withRole(body: Record<string, Json>) {
    const service = await bound();
    const { put, post, ask } = service;
    await put('sys/auth/ar', { type: 'approle' });
    expect(await put('auth/ar/role/r', body)).toEqual(written);
    const { role_id: roleId = '' } = data(await ask('GET', 'auth/ar/role/r/role-id')) ?? {};
    return {
      ...service,
      role: (more: Record<string, Json>) => put('auth/ar/role/r', more),
      shown: async () => data(await ask('GET', 'auth/ar/role/r')),
      secretId: (more: Record<string, Json> = {}) => post('auth/ar/role/r/secret-id', more),
      login: (secretId?: Json) =>
        post('auth/ar/login', { role_id: roleId, ...(secretId && { secret_id: secretId }) }, null),
    };
  }

  test('is used only from these', async () => {
    const { role, shown, secretId, login, self } = await withRole({
      secret_id_bound_cidrs: [other],
      token_bound_cidrs: ['127.0.0.1/32'],
    });
    expect(await shown()).toMatchObject({
      secret_id_bound_cidrs: [other],
      token_bound_cidrs: ['127.0.0.1'],
    });
    const { secret_id: plain } = data(await secretId()) ?? {};
    expect(errors(await login(plain))).toEqual([
      400,
      ['source address "127.0.0.1" unauthorized by CIDR restrictions on the role'],
    ]);
    await role({ bound_cidr_list: own });
    expect(await shown()).toMatchObject({ secret_id_bound_cidrs: [own] });
    const { client_token: token } = authOf(await login(plain));
    expect(data(await self(token))).toMatchObject({ bound_cidrs: ['127.0.0.1'] });
    await role({ secret_id_bound_cidrs: '' });
    expect(await shown()).toMatchObject({ secret_id_bound_cidrs: [] });
    expect((await login(plain)).status).toBe(200);
  });

  test('limits the addresses of its secret IDs', async () => {
    const { role, secretId, login, post, self } = await withRole({
      secret_id_bound_cidrs: [other],
      token_bound_cidrs: [own],
    });
    const subset = 'failed to verify subset relationship between CIDR blocks on the role';
    expect(errors(await secretId({ cidr_list: '11.1.0.0/16' }))).toEqual([
      400,
      [`${subset} ["10.0.0.0/8"] and CIDR blocks on the secret ID ["11.1.0.0/16"]`],
    ]);
    expect(errors(await secretId({ cidr_list: '0.0.0.0/0' }))[0]).toBe(400);
    expect(errors(await secretId({ cidr_list: '::/0' }))[0]).toBe(400);
    expect(errors(await secretId({ token_bound_cidrs: other }))[0]).toBe(400);
    expect(errors(await secretId({ cidr_list: 'banana' }))).toEqual([
      400,
      ['failed to validate CIDR blocks: invalid CIDR address: banana'],
    ]);
    expect(errors(await secretId({ token_bound_cidrs: '127.0.0.1' }))).toEqual([
      400,
      ['failed to validate token CIDR blocks: invalid CIDR address: 127.0.0.1'],
    ]);
    const issued =
      data(await secretId({ cidr_list: ['10.1.0.0/16'], token_bound_cidrs: '127.0.0.1/32' })) ?? {};
    const { secret_id: id = '', secret_id_accessor: accessor = '' } = issued;
    for (const [path, body] of [
      ['secret-id', { secret_id: id }],
      ['secret-id-accessor', { secret_id_accessor: accessor }],
    ] as const)
      expect(data(await post(`auth/ar/role/r/${path}/lookup`, body))).toMatchObject({
        cidr_list: ['10.1.0.0/16'],
        token_bound_cidrs: ['127.0.0.1/32'],
      });
    expect(errors(await login(id))).toEqual([
      400,
      ['source address "127.0.0.1" unauthorized through CIDR restrictions on the secret ID'],
    ]);
    await role({ secret_id_bound_cidrs: own });
    expect(errors(await login(id))).toEqual([400, [expect.stringContaining(subset)]]);
    const { secret_id: near } =
      data(await secretId({ cidr_list: '127.0.0.1/32', token_bound_cidrs: '127.0.0.1/32' })) ?? {};
    expect(data(await self(authOf(await login(near)).client_token))).toMatchObject({
      bound_cidrs: ['127.0.0.1'],
    });
  });

  test('needs a secret ID or addresses', async () => {
    const { role, login, put } = await withRole({ bind_secret_id: false, secret_id_bound_cidrs: other });
    expect(errors(await login())).toEqual([
      400,
      ['source address "127.0.0.1" unauthorized by CIDR restrictions on the role'],
    ]);
    await role({ secret_id_bound_cidrs: own });
    expect((await login()).status).toBe(200);
    expect(await role({ secret_id_bound_cidrs: '' })).toEqual([
      400,
      ['at least one constraint should be enabled on the role'],
    ]);
    expect(await put('auth/ar/role/s', { secret_id_bound_cidrs: '127.0.0.1' })).toEqual([
      400,
      ['failed to validate CIDR blocks: invalid CIDR address: 127.0.0.1'],
    ]);
  });
});

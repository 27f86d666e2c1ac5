import { describe, expect, test } from 'vitest';
import type { Json } from '../../../../src/wire/json.ts';
import { folder } from '../support.ts';
import { authOf, data, everything, outcome, secrets } from './support.ts';

/** Clients of the service have the address 127.0.0.1. */
const own = '127.0.0.0/8';
const other = '10.0.0.0/8';
const denied = '403 permission denied';
const notThere = '400 source address "127.0.0.1" unauthorized by CIDR restrictions on the role';

async function bound(options: Parameters<typeof secrets>[0] = {}) {
  const service = await secrets(options);
  const { post, get } = service;
  const set = async (path: string, body: Record<string, Json>) => outcome(await post(path, body));
  return {
    ...service,
    set,
    self: (token: string) => get('auth/token/lookup-self', token),
    /** A token of a role with these addresses. */
    async created(token_bound_cidrs: Json, more: Record<string, Json> = {}) {
      await set('auth/token/roles/r', { token_bound_cidrs });
      const reply = await post('auth/token/create/r', { policies: ['default'], ...more });
      return authOf(reply).client_token;
    },
  };
}

describe('a token bound to addresses', () => {
  test('is valid only from these', async () => {
    const { post, created, self } = await bound();
    const away = await created(other);
    expect(outcome(await self(away))).toBe(denied);
    expect(data(await post('auth/token/lookup', { token: away }))).toMatchObject({ bound_cidrs: [other] });
    expect(data(await self(await created([other, '127.0.0.1'])))).toMatchObject({
      bound_cidrs: [other, '127.0.0.1'],
    });
    expect((await self(await created('::ffff:127.0.0.1'))).status).toBe(200);
    expect((await self(await created('::1/128'))).status).toBe(403);
    expect((await self(await created(''))).status).toBe(200);
  });

  test('binds its children, but not orphans', async () => {
    const { post, created, self, policy } = await bound();
    await policy('all', everything);
    const parent = await created(own, { policies: ['all'] });
    const child = authOf(await post('auth/token/create', {}, parent)).client_token;
    expect(data(await self(child))).toMatchObject({ bound_cidrs: [own] });
    const orphan = authOf(await post('auth/token/create-orphan', {}, parent)).client_token;
    expect(data(await self(orphan))).not.toHaveProperty('bound_cidrs');
  });

  test('stays bound as a batch token and after a restart', async () => {
    const dataDirectory = await folder();
    const { created, close } = await bound({ dataDirectory });
    const tokens: string[] = [];
    for (const type of ['batch', 'service'])
      for (const cidrs of [own, other]) tokens.push(await created(cidrs, { type }));
    await close();
    const { self } = await bound({ dataDirectory });
    const replies = await Promise.all(tokens.map(self));
    expect(replies.map(({ status }) => status)).toEqual([200, 403, 200, 403]);
  });
});

describe('a user bound to addresses', () => {
  async function withUser() {
    const service = await bound();
    const { set, post, get } = service;
    await set('sys/auth/up', { type: 'userpass' });
    await set('auth/up/users/u', { password: 'p' });
    return {
      ...service,
      user: (body: Record<string, Json>) => set('auth/up/users/u', body),
      shown: async () => data(await get('auth/up/users/u')),
      login: (password = 'p') => post('auth/up/login/u', { password }, null),
    };
  }

  test('logs in only from these', async () => {
    const { user, login, shown, self } = await withUser();
    expect(await user({ token_bound_cidrs: [other] })).toBe('204');
    expect(await shown()).toMatchObject({ token_bound_cidrs: [other] });
    expect(outcome(await login())).toBe(denied);
    expect(outcome(await login('wrong'))).toBe('400 invalid username or password');
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
    expect(await user({ token_bound_cidrs: '10.0.0.0/8' })).toBe(
      "400 'token_strictly_bind_ip' conflicts with 'token_bound_cidrs'; set only one",
    );
    await user({ token_strictly_bind_ip: false });
    expect(await shown()).toMatchObject({ token_strictly_bind_ip: false });
  });

  test.each(['banana', '300.1.1.1/8', '10.0.0.0/33'])('is rejected with the address %s', async (address) => {
    const { user } = await withUser();
    expect(await user({ token_bound_cidrs: [address] })).toBe(
      `400 error parsing address "${address}": Unable to convert "${address}" to an IPv4 or IPv6 address`,
    );
  });
});

describe('a role of approle bound to addresses', () => {
  async function withRole(body: Record<string, Json>) {
    const service = await bound();
    const { set, post, get } = service;
    await set('sys/auth/ar', { type: 'approle' });
    expect(await set('auth/ar/role/r', body)).toBe('204');
    const { role_id: roleId = '' } = data(await get('auth/ar/role/r/role-id')) ?? {};
    return {
      ...service,
      role: (more: Record<string, Json>) => set('auth/ar/role/r', more),
      shown: async () => data(await get('auth/ar/role/r')),
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
    const bound = { secret_id_bound_cidrs: [other], token_bound_cidrs: ['127.0.0.1'] };
    expect(await shown()).toMatchObject(bound);
    const { secret_id: plain } = data(await secretId()) ?? {};
    expect(outcome(await login(plain))).toBe(notThere);
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
    const blocks = 'failed to validate CIDR blocks: invalid CIDR address';
    for (const [settings, error] of [
      [
        { cidr_list: '11.1.0.0/16' },
        `${subset} ["10.0.0.0/8"] and CIDR blocks on the secret ID ["11.1.0.0/16"]`,
      ],
      [{ cidr_list: '0.0.0.0/0' }, subset],
      [{ cidr_list: '::/0' }, subset],
      [{ token_bound_cidrs: other }, subset],
      [{ cidr_list: 'banana' }, `${blocks}: banana`],
      [{ token_bound_cidrs: '127.0.0.1' }, `${blocks.replace('CIDR', 'token CIDR')}: 127.0.0.1`],
    ] as const)
      expect(outcome(await secretId(settings))).toContain(`400 ${error}`);
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
    expect(outcome(await login(id))).toBe(
      '400 source address "127.0.0.1" unauthorized through CIDR restrictions on the secret ID',
    );
    await role({ secret_id_bound_cidrs: own });
    expect(outcome(await login(id))).toContain(`400 ${subset}`);
    const { secret_id: near } =
      data(await secretId({ cidr_list: '127.0.0.1/32', token_bound_cidrs: '127.0.0.1/32' })) ?? {};
    expect(data(await self(authOf(await login(near)).client_token))).toMatchObject({
      bound_cidrs: ['127.0.0.1'],
    });
  });

  test('needs a secret ID or addresses', async () => {
    const { role, login, set } = await withRole({ bind_secret_id: false, secret_id_bound_cidrs: other });
    expect(outcome(await login())).toBe(notThere);
    await role({ secret_id_bound_cidrs: own });
    expect((await login()).status).toBe(200);
    expect(await role({ secret_id_bound_cidrs: '' })).toBe(
      '400 at least one constraint should be enabled on the role',
    );
    expect(await set('auth/ar/role/s', { secret_id_bound_cidrs: '127.0.0.1' })).toBe(
      '400 failed to validate CIDR blocks: invalid CIDR address: 127.0.0.1',
    );
  });
});

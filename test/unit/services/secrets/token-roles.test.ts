import { describe, expect, test } from 'vitest';
import type { Json } from '../../../../src/wire/json.ts';
import { folder, rootToken } from '../support.ts';
import { decorated } from './engine-calls.ts';
import { authOf, data, outcome, secrets } from './support.ts';

/** A service with a clock, and a token that may use `auth/token/`, without sudo. */
async function withRoles(options: Parameters<typeof secrets>[0] = {}) {
  const service = await secrets(options);
  const { post } = service;
  await service.policy(
    'maker',
    'path "auth/token/*" { capabilities = ["create", "read", "update", "delete", "list"] }',
  );
  const { client_token: maker } = await service.createToken({ policies: ['maker'] });
  return {
    ...service,
    maker,
    role: async (body: Record<string, Json>, name = 'r') =>
      outcome(await post(`auth/token/roles/${name}`, body)),
    create: (body: Record<string, Json> = {}, token = maker) => post('auth/token/create/r', body, token),
  };
}

describe('a token role', () => {
  test('is written, shown, listed and deleted', async () => {
    const { role, get, list, remove } = await withRoles();
    for (const reply of [await list('auth/token/roles'), await get('auth/token/roles/r')])
      expect(outcome(reply)).toBe('404');
    expect(await role({})).toBe('204');
    const defaults = {
      allowed_entity_aliases: null,
      allowed_policies: [],
      allowed_policies_glob: [],
      disallowed_policies: [],
      disallowed_policies_glob: [],
      explicit_max_ttl: 0,
      name: 'r',
      orphan: false,
      path_suffix: '',
      period: 0,
      renewable: true,
      token_explicit_max_ttl: 0,
      token_no_default_policy: false,
      token_period: 0,
      token_type: 'default-service',
    };
    expect(data(await get('auth/token/roles/r'))).toEqual(defaults);
    const token_bound_cidrs = ['127.0.0.1/32', '10.0.0.0/8'];
    expect(await role({ allowed_policies: ['B', 'a'], orphan: true, token_num_uses: 3 })).toBe('204');
    expect(await role({ path_suffix: 'abc', token_period: '1h', token_bound_cidrs })).toBe('204');
    expect(data(await get('auth/token/roles/r'))).toEqual({
      ...defaults,
      allowed_policies: ['a', 'b'],
      orphan: true,
      token_num_uses: 3,
      path_suffix: 'abc',
      token_period: 3600,
      token_bound_cidrs: ['127.0.0.1', '10.0.0.0/8'],
    });
    expect(data(await list('auth/token/roles'))).toEqual({ keys: ['r'] });
    for (let times = 0; times < 2; times += 1) expect((await remove('auth/token/roles/r')).status).toBe(204);
    expect(outcome(await get('auth/token/roles/r'))).toBe('404');
  });

  test('has older names of settings, which the newer ones replace', async () => {
    const { role, post, get } = await withRoles();
    const show = async () => data(await get('auth/token/roles/r'));
    await role({ period: '1h', explicit_max_ttl: '2h', bound_cidrs: '127.0.0.0/8' });
    expect(await show()).toMatchObject({
      period: 3600,
      token_period: 3600,
      explicit_max_ttl: 7200,
      token_explicit_max_ttl: 7200,
      bound_cidrs: ['127.0.0.0/8'],
      token_bound_cidrs: ['127.0.0.0/8'],
    });
    const settings = { period: '1h', token_period: '3h', token_bound_cidrs: '' };
    const both = await post('auth/token/roles/r', settings);
    expect(both).toMatchObject({
      status: 200,
      json: {
        warnings: [
          "Both 'token_period' and deprecated 'period' value supplied, ignoring the deprecated value",
        ],
      },
    });
    expect(await show()).toMatchObject({ period: 0, token_period: 10_800, explicit_max_ttl: 7200 });
    expect(await show()).not.toHaveProperty('token_bound_cidrs');
  });

  test('warns about settings without an effect', async () => {
    const { post } = await withRoles();
    const reply = await post('auth/token/roles/r', { token_ttl: '1h', token_policies: 'a' });
    expect(reply).toMatchObject({
      status: 200,
      json: { warnings: ['Endpoint ignored these unrecognized parameters: [token_policies token_ttl]'] },
    });
    const long = await post('auth/token/roles/r', { token_explicit_max_ttl: '9999h' });
    expect(long.json?.warnings).toEqual([expect.stringContaining('is greater than system/mount allowed')]);
  });

  const batch = { token_type: 'batch', orphan: true, renewable: false };
  const noBatch = "'token_type' cannot be 'batch' when role is set to generate";

  test.each([
    [{ path_suffix: 'a/b' }, 'given role path suffix contains invalid characters; must match \\w[\\w-.]+\\w'],
    [{ path_suffix: 'a..b' }, 'error registering path suffix: path cannot contain parent references'],
    [{ token_type: 'banana' }, 'invalid \'token_type\' value "banana"'],
    [{ token_type: null }, "Invalid 'token_type' value: null"],
    [{ token_type: 'default' }, 'invalid \'token_type\' value "default"'],
    [{ token_num_uses: -1 }, "'token_num_uses' cannot be negative"],
    [{ allowed_entity_aliases: ['a'] }, 'allowed_entity_aliases is not supported'],
    [
      { token_bound_cidrs: 'banana' },
      'error parsing address "banana": Unable to convert "banana" to an IPv4 or IPv6 address',
    ],
    [{ token_type: 'batch' }, `${noBatch} non-orphan tokens`],
    [{ token_type: 'batch', orphan: true }, `${noBatch} renewable tokens`],
    [{ ...batch, token_period: '1h' }, `${noBatch} periodic tokens`],
    [{ ...batch, token_explicit_max_ttl: '1h' }, `${noBatch} tokens with an explicit max TTL`],
    [
      { token_period: 'banana' },
      'Field validation failed: error converting input for field "token_period": expected a duration, got an invalid string',
    ],
  ] satisfies readonly [Record<string, Json>, string][])('rejects %j', async (body, error) => {
    const { role, get } = await withRoles();
    expect(await role(body)).toBe(`400 ${error}`);
    expect((await get('auth/token/roles/r')).status).toBe(404);
  });

  test('has a valid name, and a permission', async () => {
    const { role, createToken, post, get } = await withRoles();
    expect(await role({}, 'bad%20name')).toBe(`404 ${decorated('unsupported path')}`);
    expect((await post('auth/token/create/bad%20name')).status).toBe(404);
    const { client_token: token } = await createToken({ policies: ['default'] });
    expect((await get('auth/token/roles/r', token)).status).toBe(403);
    expect((await post('auth/token/create/r', {}, token)).status).toBe(403);
  });

  test('is durable, and belongs to a namespace', async () => {
    const dataDirectory = await folder();
    const first = await withRoles({ dataDirectory });
    await first.role({ token_period: '1h' });
    await first.post('sys/namespaces/ns1');
    expect((await first.get('ns1/auth/token/roles/r')).status).toBe(404);
    await first.close();
    const { get } = await secrets({ dataDirectory });
    expect(data(await get('auth/token/roles/r'))).toMatchObject({ token_period: 3600 });
  });
});

describe('a token of a role', () => {
  test('has the settings of the role', async () => {
    const { role, create, post } = await withRoles();
    await role({
      allowed_policies: 'default,foo',
      token_period: '1h',
      token_num_uses: 4,
      orphan: true,
      path_suffix: 'abc',
      token_bound_cidrs: '127.0.0.0/8',
      renewable: false,
    });
    const auth = authOf(await create({ policies: 'foo' }));
    expect(auth).toMatchObject({
      policies: ['default', 'foo'],
      lease_duration: 3600,
      num_uses: 4,
      orphan: true,
      renewable: false,
    });
    expect(data(await post('auth/token/lookup', { token: auth.client_token }))).toMatchObject({
      path: 'auth/token/create/r/abc',
      role: 'r',
      period: 3600,
      bound_cidrs: ['127.0.0.0/8'],
    });
  });

  test.each([
    [{ allowed_policies: 'default,foo' }, {}, ['default', 'foo']],
    [{ allowed_policies: 'foo' }, { policies: ['foo'] }, ['default', 'foo']],
    [{ allowed_policies: 'foo', token_no_default_policy: true }, {}, ['foo']],
    [{ allowed_policies: 'foo' }, { no_default_policy: true }, ['foo']],
    [{ allowed_policies_glob: 'a-*,*x*y' }, { policies: ['a-1', '1x2y'] }, ['1x2y', 'a-1', 'default']],
    [{ disallowed_policies: 'foo' }, { policies: ['other'] }, ['default', 'other']],
    [{ disallowed_policies: 'foo' }, {}, ['default', 'maker']],
    [{ disallowed_policies: 'default' }, { policies: ['other'] }, ['other']],
    [{ disallowed_policies_glob: 'def*' }, { policies: ['other'] }, ['other']],
    [{}, {}, ['default', 'maker']],
    [{}, { policies: ['maker'] }, ['default', 'maker']],
  ] satisfies readonly [Record<string, Json>, Record<string, Json>, string[]][])(
    'of %j, requested with %j, has the policies %j',
    async (settings, body, policies) => {
      const { role, create } = await withRoles();
      expect(await role(settings)).toBe('204');
      expect(authOf(await create(body)).policies).toEqual(policies);
    },
  );

  test.each([
    [
      { allowed_policies: 'default,foo' },
      { policies: 'bar' },
      'token policies (["bar" "default"]) must be subset of the role\'s allowed policies (["default" "foo"]) or glob policies ([])',
    ],
    [
      { allowed_policies_glob: 'a*b' },
      { policies: 'axc', no_default_policy: true },
      'token policies (["axc"]) must be subset of the role\'s allowed policies ([]) or glob policies (["a*b"])',
    ],
    [{ disallowed_policies: 'foo' }, { policies: 'foo' }, 'token policy "foo" is disallowed by this role'],
    [{ disallowed_policies_glob: 'x*' }, { policies: 'xa' }, 'token policy "xa" is disallowed by this role'],
    [{ disallowed_policies: 'default' }, {}, 'token policy "default" is disallowed by this role'],
    [{}, { policies: 'zzz' }, 'child policies must be subset of parent'],
    [{ allowed_policies: 'response-wrapping' }, {}, 'cannot assign policy "response-wrapping"'],
    [{ allowed_policies: 'root' }, {}, 'root tokens may not be created without parent token being root'],
    [{}, { id: 'aaaaaaaaaaaa' }, 'root or sudo privileges required to specify token id'],
    [{}, { period: '2h' }, 'root or sudo privileges required to create periodic token'],
    [{}, { entity_alias: 'a' }, "invalid 'entity_alias' value"],
  ] satisfies readonly [Record<string, Json>, Record<string, Json>, string][])(
    'of %j is not created with %j',
    async (settings, body, error) => {
      const { role, create } = await withRoles();
      expect(await role(settings)).toBe('204');
      expect(outcome(await create(body))).toBe(`400 ${error}`);
    },
  );

  test('is not created for an unknown role', async () => {
    const { create } = await withRoles();
    expect(outcome(await create())).toBe('400 unknown role r');
  });

  test('has the lower of two limits, with a warning', async () => {
    const { role, create } = await withRoles();
    await role({ token_period: '1h', token_explicit_max_ttl: '30m', token_num_uses: 3 });
    const body = { explicit_max_ttl: '2h', period: '10m', num_uses: 5, policies: ['default'] };
    const reply = await create(body, rootToken);
    expect(reply.json).toMatchObject({
      auth: { lease_duration: 600, num_uses: 3 },
      warnings: [
        'Explicit max TTL specified both during creation call and in role; using the lesser value of 1800 seconds',
        'Period specified both during creation call and in role; using the lesser value of 600 seconds',
      ],
    });
    expect(authOf(await create({ num_uses: 2 }))).toMatchObject({ num_uses: 2, lease_duration: 1800 });
  });

  test('is of the type of the role, or of the request', async () => {
    const { role, create } = await withRoles();
    const type = async (body: Record<string, Json> = {}) => authOf(await create(body)).token_type;
    await role({ token_type: 'default-batch' });
    expect([await type(), await type({ type: 'service' })]).toEqual(['batch', 'service']);
    await role({ token_type: 'default-service' });
    expect([await type(), await type({ type: 'batch' })]).toEqual(['service', 'batch']);
    await role({ token_type: 'service' });
    expect(await type({ type: 'batch' })).toBe('service');
    await role({ token_type: 'batch', orphan: true, renewable: false });
    expect([await type(), await type({ type: 'service' })]).toEqual(['batch', 'batch']);
  });

  test('is renewed as its role says, while it exists', async () => {
    const { role, create, post, pass, remove } = await withRoles();
    await role({ token_period: '1h' });
    const { client_token: token } = authOf(await create());
    const renew = () => post('auth/token/renew', { token });
    pass(600);
    expect(authOf(await renew()).lease_duration).toBe(3600);
    await role({ token_period: '2h' });
    expect(authOf(await renew()).lease_duration).toBe(7200);
    await remove('auth/token/roles/r');
    expect(outcome(await renew())).toBe('400 original token role "r" could not be found, not renewing');
  });
});

describe('a token', () => {
  test('is created as an orphan by the path, or with sudo', async () => {
    const { post, maker } = await withRoles();
    expect(authOf(await post('auth/token/create-orphan', {}, maker)).orphan).toBe(true);
    expect(outcome(await post('auth/token/create', { no_parent: true }, maker))).toBe(
      '400 root or sudo privileges required to create orphan token',
    );
  });

  test('inherits the policies of its parent, and default only if that has it', async () => {
    const { post, createToken } = await withRoles();
    const { client_token: token } = await createToken({ policies: ['maker'], no_default_policy: true });
    const policies = async (body: Record<string, Json>) =>
      authOf(await post('auth/token/create', body, token)).policies;
    expect(await policies({})).toEqual(['maker']);
    expect(await policies({ policies: ['maker'] })).toEqual(['maker']);
    expect((await post('auth/token/create', { policies: ['default'] }, token)).status).toBe(400);
  });

  test('needs sudo to be created from a parent namespace', async () => {
    const { post, tokenWith } = await withRoles();
    await post('sys/namespaces/ns1');
    const token = await tokenWith('path "ns1/auth/token/create" { capabilities = ["update"] }');
    expect(outcome(await post('ns1/auth/token/create', {}, token))).toBe(
      '400 root or sudo privileges required to directly generate a token in a child namespace',
    );
  });

  test('store is tidied by request', async () => {
    const { post } = await withRoles();
    expect(await post('auth/token/tidy')).toMatchObject({
      status: 202,
      json: { warnings: [expect.stringContaining('Tidy operation successfully started.')] },
    });
  });
});

import { describe, expect, test } from 'vitest';
import { parseJson } from '../../../../src/wire/json.ts';
import { start } from '../support.ts';
import { accounts, admin, type Listed, seeded } from './support.ts';

const provided = 'Error in provided request.';

describe('the initial state', () => {
  test('is the global scope, an auth method of type password, and the administrator', async () => {
    const { json, list } = await accounts();
    const scope = { id: 'global', type: 'global', name: 'global', description: 'Global Scope' };
    expect(await json('GET', 'scopes/global')).toMatchObject({ ...scope, version: 1 });
    expect(await json('GET', `auth-methods/${seeded}`)).toMatchObject({
      id: seeded,
      scope_id: 'global',
      scope,
      type: 'password',
      attributes: { min_login_name_length: 3, min_password_length: 8 },
      authorized_collection_actions: { accounts: ['create', 'list'] },
    });
    expect((await list()).items).toMatchObject([
      { id: admin, scope, type: 'password', auth_method_id: seeded, attributes: { login_name: 'admin' } },
    ]);
  });
});

describe('the start', () => {
  test('generates a token and a password for the administrator', async () => {
    const { accountsPassword, accountsToken } = await start();
    expect(accountsToken).toMatch(/^at_[0-9A-Za-z]{10}_[0-9A-Za-z]{43}$/);
    expect(accountsPassword).toMatch(/^[0-9A-Za-z]{24}$/);
    const { json, login } = await accounts({
      accounts: { token: accountsToken, password: accountsPassword ?? '' },
    });
    expect(await login('admin', accountsPassword ?? '')).toMatch(/^at_/);
    expect((await json('GET', `accounts/${admin}`, undefined, accountsToken)).version).toBe(1);
  });

  test('rejects an invalid token, and a password that is too short', async () => {
    await expect(start({ accounts: { token: 'token' } })).rejects.toThrow('at_<id>_<secret>');
    await expect(start({ accounts: { password: 'short' } })).rejects.toThrow('at least 8 characters');
  });
});

describe('an account', () => {
  test('is made, read, changed and deleted', async () => {
    const { json, ask, rejected, made, pass } = await accounts();
    const ada = await made(
      'ada',
      { name: 'Ada', description: 'first', unknown: { ignored: true } },
      'long enough',
    );
    expect(ada.id).toMatch(/^acctpw_[0-9A-Za-z]{10}$/);
    const time = '2026-01-02T12:00:00.000Z';
    expect(ada).toEqual({
      id: ada.id,
      scope: { id: 'global', type: 'global', name: 'global', description: 'Global Scope' },
      name: 'Ada',
      description: 'first',
      created_time: time,
      updated_time: time,
      version: 1,
      type: 'password',
      auth_method_id: seeded,
      attributes: { login_name: 'ada' },
      authorized_actions: ['no-op', 'read', 'update', 'delete', 'set-password', 'change-password'],
    });
    expect(await json('GET', `accounts/${ada.id}`)).toEqual(ada);
    pass(1);
    const changed = await json('PATCH', `accounts/${ada.id}`, {
      version: 1,
      name: null,
      attributes: { login_name: 'ada.l' },
    });
    const { name: _name, ...rest } = ada;
    const after = {
      version: 2,
      updated_time: '2026-01-02T12:00:01.000Z',
      attributes: { login_name: 'ada.l' },
    };
    expect(changed).toEqual({ ...rest, ...after });
    const gone = await ask('DELETE', `accounts/${ada.id}`);
    expect([gone.status, gone.text]).toEqual([204, '']);
    const notFound = [404, 'NotFound', 'Resource not found.'];
    expect(await rejected('GET', `accounts/${ada.id}`)).toEqual(notFound);
    expect(await rejected('DELETE', `accounts/${ada.id}`)).toEqual(notFound);
  });

  test('of a provider or a directory has the attributes of its type', async () => {
    const { ask, json, rejected } = await accounts();
    const oidc = await json('POST', 'auth-methods', {
      scope_id: 'global',
      type: 'oidc',
      attributes: {
        issuer: 'https://id.example',
        client_id: 'c',
        client_secret: 'not to be kept',
        max_age: 60,
      },
    });
    expect(oidc.id).toMatch(/^amoidc_[0-9A-Za-z]{10}$/);
    expect(oidc.attributes).toEqual({
      state: 'inactive',
      issuer: 'https://id.example',
      client_id: 'c',
      max_age: 60,
    });
    const claims = { full_name: 'Eve E', email: 'eve@example.org', token_claims: { sub: 'eve', n: 2 } };
    const odd = '{"__proto__":{"a":1},"\\u0000":"\\n=\'😀","n":9007199254740993}';
    const eve = await json('POST', 'accounts', {
      auth_method_id: oidc.id,
      type: 'oidc',
      attributes: { subject: 'eve', ...claims, userinfo_claims: parseJson(odd) },
    });
    expect(eve.id).toMatch(/^acctoidc_/);
    expect(eve.attributes).toMatchObject({ issuer: 'https://id.example', subject: 'eve', ...claims });
    expect(eve.authorized_actions).toEqual(['no-op', 'read', 'update', 'delete']);
    expect((await ask('GET', `accounts/${eve.id}`)).text).toContain(`"userinfo_claims":${odd}`);

    const ldap = await json('POST', 'auth-methods', {
      scope_id: 'global',
      type: 'ldap',
      attributes: { urls: ['ldaps://directory.example'], bind_dn: 'cn=a', bind_password: 'not to be kept' },
    });
    expect(ldap.attributes).toEqual({
      state: 'inactive',
      urls: ['ldaps://directory.example'],
      bind_dn: 'cn=a',
    });
    const attributes = { login_name: 'eve e.', dn: 'cn=eve', member_of_groups: ['a', 'b'] };
    const directory = await json('POST', 'accounts', { auth_method_id: ldap.id, attributes });
    expect(directory).toMatchObject({ type: 'ldap', attributes });
    expect(directory.id).toMatch(/^acctldap_/);
    const upperCase = { auth_method_id: ldap.id, attributes: { ...attributes, login_name: 'Eve' } };
    expect(await rejected('POST', 'accounts', upperCase)).toEqual([
      400,
      'InvalidArgument',
      provided,
      'attributes.login_name: Must be lower case.',
    ]);
  });

  test('that is invalid is rejected with every wrong field', async () => {
    const { ask, rejected, made, json } = await accounts();
    const create = (body: object) => rejected('POST', 'accounts', body);
    const bad = (...fields: string[]) => [400, 'InvalidArgument', provided, ...fields.sort()];
    expect(await create({})).toEqual(bad('auth_method_id: This field is required.'));
    expect(await create({ auth_method_id: 'x_1' })).toEqual(
      bad('auth_method_id: Unknown auth method type from ID.'),
    );
    const attributes = { login_name: 'ada' };
    expect(await create({ auth_method_id: 'ampw_0000000000', attributes })).toEqual([
      404,
      'NotFound',
      'Resource not found.',
    ]);
    expect(await create({ auth_method_id: seeded, version: 1, type: 'oidc', id: 'x', name: 5 })).toEqual(
      bad(
        "type: Doesn't match the parent resource's type.",
        'version: Cannot specify this field in a create request.',
        'id: This is a read only field.',
        'attributes: This is a required field.',
        'name: This field must be a string.',
      ),
    );
    const required = 'This is a required field for this type.';
    expect(await create({ auth_method_id: seeded, attributes: { password: 'short' } })).toEqual(
      bad(`attributes.login_name: ${required}`),
    );
    expect(
      await create({ auth_method_id: seeded, attributes: { login_name: 'a', password: 'short' } }),
    ).toEqual(bad('attributes.login_name: Length too short.', 'attributes.password: Password is too short.'));
    expect(await create({ auth_method_id: seeded, attributes: { ...attributes, password: '' } })).toEqual(
      bad('attributes.password: Password is too short.'),
    );
    for (const [login, text] of [
      ['ab', 'Length too short.'],
      ['', required],
      ['Ada', 'Only lower-case letters, digits, "." and "-" are allowed.'],
      ['a b c', 'Only lower-case letters, digits, "." and "-" are allowed.'],
    ] as const) {
      const fields = bad(`attributes.login_name: ${text}`);
      expect(await create({ auth_method_id: seeded, attributes: { login_name: login } })).toEqual(fields);
    }
    const oidc = await json('POST', 'auth-methods', {
      scope_id: 'global',
      type: 'oidc',
      attributes: { issuer: 'https://id.example' },
    });
    expect(await create({ auth_method_id: oidc.id, attributes: {} })).toEqual(
      bad(`attributes.subject: ${required}`),
    );
    await made('ada', { name: 'Ada' });
    for (const body of [{ attributes }, { name: 'Ada', attributes: { login_name: 'other' } }]) {
      const reply = await ask('POST', 'accounts', { auth_method_id: seeded, ...body });
      expect([reply.status, reply.json]).toEqual([
        400,
        {
          kind: 'InvalidArgument',
          message:
            'Invalid request.  Request attempted to make second resource with the same field value that must be unique.',
        },
      ]);
    }
    expect((await rejected('POST', 'accounts', '{'))[0]).toBe(400);
    expect((await rejected('POST', 'accounts', []))[0]).toBe(400);
    expect((await rejected('POST', 'accounts', { name: 'x'.repeat(262_144) }))[0]).toBe(413);
    const long = { auth_method_id: seeded, name: 'x'.repeat(4_097), attributes };
    expect(await create(long)).toEqual(bad('name: This field has at most 4096 characters.'));
    const format = bad('attributes: Attribute fields do not match the expected format.');
    for (const login_name of [['a'], 7, true])
      expect(await create({ auth_method_id: seeded, attributes: { login_name } })).toEqual(format);
    expect(await create({ auth_method_id: oidc.id, attributes })).toEqual(format);
    for (const [issuer, text] of [
      ['not a url', 'The path segment of the url should be empty.'],
      ['http://[::1', 'Cannot be parsed as a url.'],
    ]) {
      expect(await create({ auth_method_id: oidc.id, attributes: { subject: 'x', issuer } })).toEqual(
        bad(`attributes.issuer: ${text}`),
      );
    }
  });

  test('is changed only with its version, and only in its mutable fields', async () => {
    const { rejected, made, json } = await accounts();
    const ada = await made('ada');
    await made('bob', { name: 'Bob' });
    const change = (body: object, query = '') => rejected('PATCH', `accounts/${ada.id}${query}`, body);
    const bad = (...fields: string[]) => [400, 'InvalidArgument', provided, ...fields.sort()];
    const nothing = 'update_mask: No valid fields provided in the update mask.';
    expect(await change({ name: 'A' })).toEqual(
      bad('version: Existing resource version is required for an update.'),
    );
    for (const version of ['one', '0', '-1', '1.5', '', {}])
      expect(await change({ version, name: 'A' })).toEqual(
        bad('version: This field must be a positive integer.'),
      );
    expect(await change({ version: 1 })).toEqual(bad(nothing));
    expect(await change({ version: 1, nonsense: 1, attributes: {} })).toEqual(bad(nothing));
    const format = 'attributes: Attribute fields do not match the expected format.';
    for (const attributes of [{ nonsense: 1 }, { subject: 'x' }])
      expect(await change({ version: 1, name: 'A', attributes })).toEqual(bad(format));
    const body = { auth_method_id: seeded, attributes: { login_name: 'abc', subject: 'x' } };
    expect(await rejected('POST', 'accounts', body)).toEqual(bad(format));
    const fixed = 'This is a read only field and cannot be specified in an update request.';
    expect(await change({ version: 1, name: 'A', id: 'x', created_time: 'x', updated_time: 'x' })).toEqual(
      bad(`id: ${fixed}`, `created_time: ${fixed}`, `updated_time: ${fixed}`),
    );
    expect(await change({ version: 1, name: 'A' }, '?update_mask=nonsense')).toEqual(bad(nothing));
    expect(await change({ version: 1, type: 'ldap', auth_method_id: 'ampw_2', name: 'A' })).toEqual(
      bad('type: Cannot modify the resource type.'),
    );
    expect(await change({ version: 1, auth_method_id: 'ampw_2', name: 'A' })).toEqual(
      bad('auth_method_id: This is a read only field.'),
    );
    expect(await change({ version: 1, attributes: { login_name: null } })).toEqual(
      bad('attributes.login_name: Length too short.'),
    );
    expect(await change({ version: 1, attributes: { password: 'not like this' } })).toEqual(
      bad('attributes.password: A password is not updated: set-password and change-password do that.'),
    );
    expect((await change({ version: 1, name: 'Bob' }))[2]).toMatch(/second resource/);
    const stale = `Account "${ada.id}" doesn't exist or incorrect version provided.`;
    expect(await change({ version: 2, name: 'A' })).toEqual([404, 'NotFound', stale]);
    expect(await json('GET', `accounts/${ada.id}`)).toEqual(ada);

    const masked = { version: 1, type: 'password', name: 'A', description: 'D' };
    const described = await json('PATCH', `accounts/${ada.id}?update_mask=description`, masked);
    expect(described).toMatchObject({ version: 2, description: 'D' });
    expect(described.name).toBeUndefined();
    // Protocol Buffers in JSON have numbers as text too.
    expect(await json('PATCH', `accounts/${ada.id}`, { version: '2', name: 'A' })).toMatchObject({
      version: 3,
    });
  });

  test('has a name and a description without the space around them, and none that is empty', async () => {
    const { rejected, made, json } = await accounts();
    const ada = await made('ada', { name: ' Ada\n', description: '\tof  engines ' });
    expect(ada).toMatchObject({ name: 'Ada', description: 'of  engines' });
    const change = (body: object) => rejected('PATCH', `accounts/${ada.id}`, { version: 1, ...body });
    const bad = (...fields: string[]) => [400, 'InvalidArgument', provided, ...fields.sort()];
    const empty = bad(
      'name: Cannot set empty string as name',
      'description: Cannot set empty string as description',
    );
    expect(await change({ name: '', description: ' \n' })).toEqual(empty);
    const body = { auth_method_id: seeded, attributes: { login_name: 'bob' } };
    expect(await rejected('POST', 'accounts', { ...body, name: '', description: '' })).toEqual(empty);
    expect(await change({ name: 'a\tb', description: 'a\u0000b' })).toEqual(
      bad(
        'name: Name contains unprintable characters',
        'description: Description contains unprintable characters',
      ),
    );
    const changed = { version: 1, name: ' Zoë 😀 ', description: 'a\n\tb' };
    expect(await json('PATCH', `accounts/${ada.id}`, changed)).toMatchObject({
      version: 2,
      name: 'Zoë 😀',
      description: 'a\n\tb',
    });
  });

  test('of another type keeps fields of its provider', async () => {
    const { rejected, json } = await accounts();
    const oidc = await json('POST', 'auth-methods', {
      scope_id: 'global',
      type: 'oidc',
      attributes: { issuer: 'https://id.example' },
    });
    const eve = await json('POST', 'accounts', { auth_method_id: oidc.id, attributes: { subject: 'eve' } });
    const attributes = { issuer: 'https://x.example', subject: 'x', full_name: 'X' };
    expect(await rejected('PATCH', `accounts/${eve.id}`, { version: 1, attributes })).toEqual([
      400,
      'InvalidArgument',
      provided,
      'attributes.full_name: Field is read only.',
      'attributes.issuer: Field cannot be updated.',
      'attributes.subject: Field cannot be updated.',
    ]);
    expect(await json('PATCH', `accounts/${eve.id}`, { version: 1, name: 'Eve' })).toMatchObject({
      version: 2,
    });
    const passwords = {
      password: 'long enough',
      current_password: 'long enough',
      new_password: 'another one',
    };
    for (const act of ['set-password', 'change-password']) {
      const rejection = await rejected('POST', `accounts/${eve.id}:${act}`, { version: 2, ...passwords });
      expect(rejection).toEqual([400, 'InvalidArgument', provided, 'id: Improperly formatted identifier.']);
    }
  });
});

test('a page of large accounts ends before it is too much to write', async () => {
  const { json } = await accounts();
  const attributes = { issuer: 'https://id.example' };
  const method = await json('POST', 'auth-methods', { scope_id: 'global', type: 'oidc', attributes });
  const large = { a: 'x'.repeat(65_000) };
  const make = (subject: string, claims: object) => {
    const body = { subject, token_claims: claims, userinfo_claims: claims };
    return json('POST', 'accounts', { auth_method_id: method.id, attributes: body });
  };
  for (let at = 0; at < 35; at++) await make(`user-${at}`, large);
  await expect(make('too-large', { a: 'x'.repeat(65_536) })).rejects.toThrow(
    /token_claims.*65536 characters/,
  );
  const page = (token: string) =>
    json('GET', `accounts?auth_method_id=${method.id}&list_token=${token}`) as unknown as Promise<Listed>;
  const first = await page('');
  const second = await page(first.list_token);
  expect([first.response_type, second.response_type]).toEqual(['delta', 'complete']);
  expect(first.items.length + second.items.length).toBe(35);
});

describe('scopes and auth methods', () => {
  test('nest: projects in organisations in the global scope; auth methods in the first two', async () => {
    const { json, rejected } = await accounts();
    const org = await json('POST', 'scopes', { scope_id: 'global', name: 'Org' });
    expect(org).toMatchObject({ type: 'org', scope_id: 'global', name: 'Org', version: 1 });
    const project = await json('POST', 'scopes', { scope_id: org.id });
    expect(project).toMatchObject({
      type: 'project',
      scope: { id: org.id, type: 'org', parent_scope_id: 'global' },
    });
    expect([org.id.slice(0, 2), project.id.slice(0, 2)]).toEqual(['o_', 'p_']);
    expect((await rejected('POST', 'scopes', { scope_id: project.id }))[0]).toBe(400);
    expect((await rejected('POST', 'scopes', { scope_id: 'o_none' }))[0]).toBe(404);
    const problem = (...fields: string[]) => [400, 'InvalidArgument', provided, ...fields.sort()];
    expect(await rejected('POST', 'scopes', { scope_id: 'global', type: 'project' })).toEqual(
      problem('type: Project scopes can only be created under an org scope.'),
    );
    expect(await rejected('POST', 'scopes', { scope_id: org.id, type: 'org' })).toEqual(
      problem('type: Org scopes can only be created under the global scope.'),
    );
    expect(await rejected('POST', 'scopes', { scope_id: 'global', type: 'global' })).toEqual(
      problem('type: Cannot create a global scope.'),
    );
    expect(await rejected('PATCH', `scopes/${org.id}`, { version: 1, type: 'project', name: 'x' })).toEqual(
      problem('type: Cannot modify the resource type.'),
    );
    const given = { scope_id: 'global', id: 'o_1', version: 1, created_time: '2020-01-01T00:00:00Z' };
    expect(await rejected('POST', 'scopes', given)).toEqual(
      problem(
        'id: This is a read only field.',
        'created_time: This is a read only field.',
        'version: Cannot specify this field in a create request.',
      ),
    );
    expect(await json('GET', `scopes?scope_id=${org.id}`)).toMatchObject({
      items: [{ id: project.id }],
      response_type: 'complete',
    });
    const body = { type: 'password', attributes: { min_login_name_length: 5, min_password_length: 12 } };
    expect((await rejected('POST', 'auth-methods', { ...body, scope_id: project.id }))[0]).toBe(400);
    const method = await json('POST', 'auth-methods', { ...body, scope_id: org.id });
    expect(await json('GET', `auth-methods?scope_id=${org.id}`)).toMatchObject({
      items: [{ id: method.id }],
    });
    const attributes = { login_name: 'four', password: 'not so long' };
    expect(await rejected('POST', 'accounts', { auth_method_id: method.id, attributes })).toEqual([
      400,
      'InvalidArgument',
      provided,
      'attributes.login_name: Length too short.',
      'attributes.password: Password is too short.',
    ]);
  });

  test('have names that are unique in their scope', async () => {
    const { json, rejected } = await accounts();
    const one = await json('POST', 'scopes', { scope_id: 'global', name: 'one' });
    const two = await json('POST', 'scopes', { scope_id: 'global', name: 'two' });
    const body = { type: 'password', name: 'one' };
    await json('POST', 'auth-methods', { ...body, scope_id: one.id });
    await json('POST', 'auth-methods', { ...body, scope_id: two.id });
    await json('POST', 'scopes', { scope_id: one.id, name: 'one' });
    for (const [method, path, again] of [
      ['POST', 'scopes', { scope_id: 'global', name: 'one' }],
      ['POST', 'scopes', { scope_id: one.id, name: 'one' }],
      ['PATCH', `scopes/${two.id}`, { version: 1, name: 'one' }],
      ['POST', 'auth-methods', { ...body, scope_id: one.id }],
    ] as const)
      expect(await rejected(method, path, again)).toEqual([
        400,
        'InvalidArgument',
        expect.stringContaining('second resource'),
      ]);
    const given = { version: 1, name: 'two', description: 'not named' };
    const changed = await json('PATCH', `scopes/${two.id}?update_mask=name`, given);
    expect(changed).not.toHaveProperty('description');
    expect(changed).toMatchObject({
      version: 2,
    });
  });

  test('that are invalid are rejected', async () => {
    const { rejected } = await accounts();
    const scopeExpected = "This field must be 'global' or a valid org scope id.";
    const create = (body: object) => rejected('POST', 'auth-methods', body);
    expect(await create({ scope_id: 'global', type: 'oidc', attributes: { max_age: 'x' } })).toEqual([
      400,
      'InvalidArgument',
      provided,
      'attributes: Attribute fields do not match the expected format.',
    ]);
    expect((await create({ scope_id: 'global', type: 'oidc' }))[3]).toBe(
      'attributes.issuer: This is a required field.',
    );
    expect(await create({ type: 'kerberos' })).toEqual([
      400,
      'InvalidArgument',
      provided,
      `scope_id: ${scopeExpected}`,
      'type: This field must be password, oidc or ldap.',
    ]);
    expect(await create({})).toMatchObject([400, 'InvalidArgument', provided, /^scope_id: /, /^type: /]);
    const fixed = { id: 'x', created_time: 'x', updated_time: 'x' };
    expect(
      await create({ scope_id: 'p_1', type: 'password', version: 1, is_primary: true, ...fixed }),
    ).toEqual([
      400,
      'InvalidArgument',
      provided,
      'created_time: This is a read only field.',
      'id: This is a read only field.',
      'is_primary: This field is read only.',
      `scope_id: ${scopeExpected}`,
      'updated_time: This is a read only field.',
      'version: Cannot specify this field in a create request.',
    ]);
    const named = { scope_id: 'global', type: 'password', name: 'password' };
    expect((await create(named))[2]).toMatch(/second resource/);

    expect(await create({ scope_id: 'global', type: 'ldap' })).toEqual([
      400,
      'InvalidArgument',
      provided,
      'attributes.urls: This is a required field.',
    ]);
    expect(await rejected('GET', 'auth-methods')).toEqual([
      400,
      'InvalidArgument',
      'Improperly formatted identifier.',
      `scope_id: ${scopeExpected}`,
    ]);
    expect((await rejected('GET', 'scopes?scope_id=o_none'))[0]).toBe(404);
    expect((await rejected('GET', 'scopes?scope_id=p_1'))[3]).toBe(
      "scope_id: Must be 'global' or a valid org scope id when listing.",
    );
    expect((await rejected('GET', 'auth-methods/ampw_0'))[0]).toBe(404);
  });
});

test('unknown paths, actions and methods are rejected without a body, as in the product', async () => {
  const { rejected, ask } = await accounts();
  const bare = async (method: string, path: string) => {
    const { status, headers, text } = await ask(method, path);
    return [status, headers['content-type'], text];
  };
  expect(await bare('GET', 'nothing')).toEqual([404, undefined, '']);
  expect(await bare('POST', 'nothing/x:odd')).toEqual([404, undefined, '']);
  for (const method of ['GET', 'POST', 'PUT', 'DELETE'])
    expect(await bare(method, `accounts/${admin}:nothing`), method).toEqual([400, undefined, '']);
  expect(await bare('POST', 'scopes:odd')).toEqual([400, undefined, '']);
  expect(await bare('POST', 'scopes/global:set-password')).toEqual([405, undefined, '']);
  expect(await bare('PUT', `accounts/${admin}`)).toEqual([405, undefined, '']);
  expect((await ask('PUT', `accounts/${admin}`)).headers.allow).toBe('GET, PATCH, DELETE');
  // With another method, the action is part of the ID.
  expect(await rejected('GET', `accounts/${admin}:set-password`)).toEqual([
    400,
    'InvalidArgument',
    provided,
    'id: Invalid formatted identifier.',
  ]);
  expect(await rejected('GET', `auth-methods/${seeded}:authenticate`, undefined, null)).toEqual([
    400,
    'InvalidArgument',
    provided,
    'id: Invalid formatted identifier.',
  ]);
  expect((await ask('GET', 'health', undefined, null)).status).toBe(200);
});

import { describe, expect, test } from 'vitest';
import { parseJson } from '../../../../src/wire/json.ts';
import { start } from '../support.ts';
import {
  accounts,
  admin,
  bad,
  format,
  type Listed,
  notFound,
  provided,
  required,
  seeded,
} from './support.ts';

const requiredForType = 'This is a required field for this type.';
const characters = 'Only lower-case letters, digits, "." and "-" are allowed.';
const ofSeeded = (attributes: object) => ({ auth_method_id: seeded, attributes });

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
    expect(await rejected('POST', 'accounts', upperCase)).toEqual(
      bad('attributes.login_name: Must be lower case.'),
    );
  });

  test.each<[title: string, body: object, ...fields: string[]]>([
    ['a missing auth method', {}, 'auth_method_id: This field is required.'],
    [
      'read-only fields and another type',
      { auth_method_id: seeded, version: 1, type: 'oidc', id: 'x', name: 5 },
      "type: Doesn't match the parent resource's type.",
      'version: Cannot specify this field in a create request.',
      'id: This is a read only field.',
      `attributes: ${required}`,
      'name: This field must be a string.',
    ],
    [
      'a password without a login name',
      ofSeeded({ password: 'short' }),
      `attributes.login_name: ${requiredForType}`,
    ],
    [
      'a short login name and password',
      ofSeeded({ login_name: 'a', password: 'short' }),
      'attributes.login_name: Length too short.',
      'attributes.password: Password is too short.',
    ],
    [
      'an empty password',
      ofSeeded({ login_name: 'ada', password: '' }),
      'attributes.password: Password is too short.',
    ],
    ['two letters as login name', ofSeeded({ login_name: 'ab' }), 'attributes.login_name: Length too short.'],
    ['an empty login name', ofSeeded({ login_name: '' }), `attributes.login_name: ${requiredForType}`],
    ['a login name in upper case', ofSeeded({ login_name: 'Ada' }), `attributes.login_name: ${characters}`],
    ['a login name with spaces', ofSeeded({ login_name: 'a b c' }), `attributes.login_name: ${characters}`],
    ['a login name that is a list', ofSeeded({ login_name: ['a'] }), format],
    ['a login name that is a number', ofSeeded({ login_name: 7 }), format],
    ['a login name that is a boolean', ofSeeded({ login_name: true }), format],
    ['an attribute of another type', ofSeeded({ login_name: 'abc', subject: 'x' }), format],
    [
      'a name of 4097 characters',
      { ...ofSeeded({ login_name: 'ada' }), name: 'x'.repeat(4_097) },
      'name: This field has at most 4096 characters.',
    ],
  ])('is rejected with %s', async (_title, body, ...fields) => {
    const { rejected } = await accounts();
    expect(await rejected('POST', 'accounts', body)).toEqual(bad(...fields));
  });

  test.each([
    ['without a subject', {}, `attributes.subject: ${requiredForType}`],
    ['with a login name', { login_name: 'ada' }, format],
    [
      'with an issuer that is a path',
      { subject: 'x', issuer: 'not a url' },
      'attributes.issuer: The path segment of the url should be empty.',
    ],
    [
      'with an issuer that is not a URL',
      { subject: 'x', issuer: 'http://[::1' },
      'attributes.issuer: Cannot be parsed as a url.',
    ],
  ])('of a provider is rejected %s', async (_title, attributes, field) => {
    const { provider, rejected } = await accounts();
    const { id } = await provider();
    expect(await rejected('POST', 'accounts', { auth_method_id: id, attributes })).toEqual(bad(field));
  });

  test('of more than 256 KiB is rejected', async () => {
    const { rejected } = await accounts();
    expect((await rejected('POST', 'accounts', { name: 'x'.repeat(262_144) }))[0]).toBe(413);
  });

  const fixed = 'This is a read only field and cannot be specified in an update request.';
  const nothing = 'update_mask: No valid fields provided in the update mask.';
  test.each<[title: string, body: object, ...fields: string[]]>([
    ['without fields', { version: 1, nonsense: 1, attributes: {} }, nothing],
    ['with an attribute of another type', { version: 1, name: 'A', attributes: { subject: 'x' } }, format],
    [
      'with read-only fields',
      { version: 1, name: 'A', id: 'x', created_time: 'x', updated_time: 'x' },
      `id: ${fixed}`,
      `created_time: ${fixed}`,
      `updated_time: ${fixed}`,
    ],
    [
      'with another auth method',
      { version: 1, auth_method_id: 'ampw_2', name: 'A' },
      'auth_method_id: This is a read only field.',
    ],
    [
      'without a login name',
      { version: 1, attributes: { login_name: null } },
      'attributes.login_name: Length too short.',
    ],
    [
      'with a password',
      { version: 1, attributes: { password: 'not like this' } },
      'attributes.password: A password is not updated: set-password and change-password do that.',
    ],
    ...['one', '0', '-1', '1.5', '', {}].map((version): [string, object, string] => [
      `with the version ${JSON.stringify(version)}`,
      { version, name: 'A' },
      'version: This field must be a positive integer.',
    ]),
  ])('is not changed %s', async (_title, body, ...fields) => {
    const { rejected, made, json } = await accounts();
    const ada = await made('ada');
    expect(await rejected('PATCH', `accounts/${ada.id}`, body)).toEqual(bad(...fields));
    expect(await json('GET', `accounts/${ada.id}`)).toEqual(ada);
  });

  test('is changed with its current version, in the fields of the update mask', async () => {
    const { rejected, made, json } = await accounts();
    const { id } = await made('ada');
    const path = `accounts/${id}`;
    const stale = `Account "${id}" doesn't exist or incorrect version provided.`;
    expect(await rejected('PATCH', path, { version: 2, name: 'A' })).toEqual([404, 'NotFound', stale]);
    const body = { version: 1, type: 'password', name: 'A', description: 'D' };
    expect(await rejected('PATCH', `${path}?update_mask=nonsense`, body)).toEqual(bad(nothing));
    const described = await json('PATCH', `${path}?update_mask=description`, body);
    expect(described).toMatchObject({ version: 2, description: 'D' });
    expect(described.name).toBeUndefined();
  });

  test('has a name and a description without the space around them, and none that is empty', async () => {
    const { rejected, made, json } = await accounts();
    const ada = await made('ada', { name: ' Ada\n', description: '\tof  engines ' });
    expect(ada).toMatchObject({ name: 'Ada', description: 'of  engines' });
    const change = (body: object) => rejected('PATCH', `accounts/${ada.id}`, { version: 1, ...body });
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
    const { provider, rejected, json } = await accounts();
    const oidc = await provider();
    const eve = await json('POST', 'accounts', { auth_method_id: oidc.id, attributes: { subject: 'eve' } });
    const attributes = { issuer: 'https://x.example', subject: 'x', full_name: 'X' };
    expect(await rejected('PATCH', `accounts/${eve.id}`, { version: 1, attributes })).toEqual(
      bad(
        'attributes.full_name: Field is read only.',
        'attributes.issuer: Field cannot be updated.',
        'attributes.subject: Field cannot be updated.',
      ),
    );
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
      expect(rejection).toEqual(bad('id: Improperly formatted identifier.'));
    }
  });
});

test('a page of large accounts ends before it is too much to write', async () => {
  const { json, provider } = await accounts();
  const method = await provider();
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
    for (const [scope_id, type, problem] of [
      ['global', 'project', 'Project scopes can only be created under an org scope.'],
      [org.id, 'org', 'Org scopes can only be created under the global scope.'],
      ['global', 'global', 'Cannot create a global scope.'],
    ])
      expect(await rejected('POST', 'scopes', { scope_id, type })).toEqual(bad(`type: ${problem}`));
    expect(await rejected('PATCH', `scopes/${org.id}`, { version: 1, type: 'project', name: 'x' })).toEqual(
      bad('type: Cannot modify the resource type.'),
    );
    const given = { scope_id: 'global', id: 'o_1', version: 1, created_time: '2020-01-01T00:00:00Z' };
    expect(await rejected('POST', 'scopes', given)).toEqual(
      bad(
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
    expect(await rejected('POST', 'accounts', { auth_method_id: method.id, attributes })).toEqual(
      bad('attributes.login_name: Length too short.', 'attributes.password: Password is too short.'),
    );
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
    expect(changed).toMatchObject({ version: 2 });
  });

  test('that are invalid are rejected', async () => {
    const { rejected } = await accounts();
    const scopeExpected = "This field must be 'global' or a valid org scope id.";
    const create = (body: object) => rejected('POST', 'auth-methods', body);
    expect(await create({ scope_id: 'global', type: 'oidc', attributes: { max_age: 'x' } })).toEqual(
      bad('attributes: Attribute fields do not match the expected format.'),
    );
    expect((await create({ scope_id: 'global', type: 'oidc' }))[3]).toBe(
      'attributes.issuer: This is a required field.',
    );
    expect(await create({ type: 'kerberos' })).toEqual(
      bad(`scope_id: ${scopeExpected}`, 'type: This field must be password, oidc or ldap.'),
    );
    expect(await create({})).toMatchObject([400, 'InvalidArgument', provided, /^scope_id: /, /^type: /]);
    const fixed = { id: 'x', created_time: 'x', updated_time: 'x' };
    expect(
      await create({ scope_id: 'p_1', type: 'password', version: 1, is_primary: true, ...fixed }),
    ).toEqual(
      bad(
        'created_time: This is a read only field.',
        'id: This is a read only field.',
        'is_primary: This field is read only.',
        `scope_id: ${scopeExpected}`,
        'updated_time: This is a read only field.',
        'version: Cannot specify this field in a create request.',
      ),
    );
    const named = { scope_id: 'global', type: 'password', name: 'password' };
    expect((await create(named))[2]).toMatch(/second resource/);

    expect(await create({ scope_id: 'global', type: 'ldap' })).toEqual(
      bad('attributes.urls: This is a required field.'),
    );
    expect(await rejected('GET', 'auth-methods')).toEqual([
      400,
      'InvalidArgument',
      'Improperly formatted identifier.',
      `scope_id: ${scopeExpected}`,
    ]);
    expect((await rejected('GET', 'scopes?scope_id=p_1'))[3]).toBe(
      "scope_id: Must be 'global' or a valid org scope id when listing.",
    );
  });
});

test('unknown paths, actions and methods are rejected without a body, as in the product', async () => {
  const { rejected, ask } = await accounts();
  const bare = async (method: string, path: string) => {
    const { status, headers, text } = await ask(method, path);
    return [status, headers['content-type'], text];
  };
  expect(await bare('POST', 'nothing/x:odd')).toEqual([404, undefined, '']);
  for (const method of ['GET', 'POST', 'PUT', 'DELETE'])
    expect(await bare(method, `accounts/${admin}:nothing`), method).toEqual([400, undefined, '']);
  expect(await bare('POST', 'scopes:odd')).toEqual([400, undefined, '']);
  expect(await bare('POST', 'scopes/global:set-password')).toEqual([405, undefined, '']);
  expect(await bare('PUT', `accounts/${admin}`)).toEqual([405, undefined, '']);
  expect((await ask('PUT', `accounts/${admin}`)).headers.allow).toBe('GET, PATCH, DELETE');
  // With another method, the action is part of the ID.
  expect(await rejected('GET', `accounts/${admin}:set-password`)).toEqual(
    bad('id: Invalid formatted identifier.'),
  );
  expect(await rejected('GET', `auth-methods/${seeded}:authenticate`, undefined, null)).toEqual(
    bad('id: Invalid formatted identifier.'),
  );
  expect((await ask('GET', 'health', undefined, null)).status).toBe(200);
});

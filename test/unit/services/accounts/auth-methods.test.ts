import { describe, expect, test } from 'vitest';
import { accounts, bad, forbidden, format, type Listed, noToken, notFound, seeded } from './support.ts';

type Service = Awaited<ReturnType<typeof accounts>>;

const passwordMethod = ({ json }: Service, scope: string, name: string) =>
  json('POST', 'auth-methods', { scope_id: scope, type: 'password', name });

describe('an auth method', () => {
  test('is changed in the fields of the request, with its version', async () => {
    const service = await accounts();
    const { json, pass, rejected } = service;
    const method = await passwordMethod(service, 'global', 'one');
    pass(1);
    const lengths = { min_login_name_length: 5, min_password_length: 10 };
    const changed = await json('PATCH', `auth-methods/${method.id}`, {
      version: 1,
      name: 'two',
      description: 'of all',
      attributes: lengths,
    });
    expect(changed).toEqual({
      ...method,
      version: 2,
      name: 'two',
      description: 'of all',
      updated_time: '2026-01-02T12:00:01.000Z',
      attributes: lengths,
    });
    expect(await json('GET', `auth-methods/${method.id}`)).toEqual(changed);
    const short = { login_name: 'adal', password: 'too short' };
    expect(await rejected('POST', 'accounts', { auth_method_id: method.id, attributes: short })).toEqual(
      bad('attributes.login_name: Length too short.', 'attributes.password: Password is too short.'),
    );
    const reset = { version: 2, name: null, attributes: { min_password_length: null } };
    const { name: _name, ...unnamed } = changed;
    expect(await json('PATCH', `auth-methods/${method.id}`, reset)).toEqual({
      ...unnamed,
      version: 3,
      attributes: { min_login_name_length: 5, min_password_length: 8 },
    });
    const masked = { version: 3, name: 'three', description: 'masked', attributes: lengths };
    const path = `auth-methods/${method.id}?update_mask=description`;
    expect(await json('PATCH', path, masked)).toEqual({
      ...unnamed,
      version: 4,
      description: 'masked',
      attributes: { min_login_name_length: 5, min_password_length: 8 },
    });
  });

  test('of a provider or a directory is changed without storing its secrets', async () => {
    const { json, rejected } = await accounts();
    const create = (type: string, attributes: object) =>
      json('POST', 'auth-methods', { scope_id: 'global', type, attributes });
    const oidc = await create('oidc', { issuer: 'https://id.example', max_age: 60 });
    const path = `auth-methods/${oidc.id}`;
    const attributes = { client_id: 'c', client_secret: 'hidden', max_age: null, dry_run: true };
    expect((await json('PATCH', path, { version: 1, attributes })).attributes).toEqual({
      state: 'inactive',
      issuer: 'https://id.example',
      client_id: 'c',
    });
    const change = (more: object) => rejected('PATCH', path, { version: 2, attributes: more });
    expect(await change({ issuer: null })).toEqual(
      bad('attributes.issuer: Can change but cannot unset this field.'),
    );
    expect(await change({ state: 'active-public', callback_url: 'x' })).toEqual(
      bad('attributes.state: Field is read only.', 'attributes.callback_url: Field is read only.'),
    );
    const ldap = await create('ldap', { urls: ['ldaps://a.example'], bind_dn: 'cn=a' });
    const changed = { state: 'active-public', urls: ['ldaps://b.example'], bind_dn: '', start_tls: true };
    expect(
      (await json('PATCH', `auth-methods/${ldap.id}`, { version: 1, attributes: changed })).attributes,
    ).toEqual({ state: 'active-public', urls: ['ldaps://b.example'], start_tls: true });
    for (const urls of [[], null])
      expect(
        await rejected('PATCH', `auth-methods/${ldap.id}`, { version: 2, attributes: { urls } }),
      ).toEqual(bad('attributes.urls: Can change but cannot unset this field.'));
    for (const [type, more] of [
      ['password', { urls: ['ldap://a'] }],
      ['oidc', { issuer: 'https://id.example', nonsense: 1 }],
    ] as const)
      expect(await rejected('POST', 'auth-methods', { scope_id: 'global', type, attributes: more })).toEqual(
        bad(format),
      );
  });

  test('is not changed by an invalid request', async () => {
    const service = await accounts();
    const { json, login, made, rejected } = service;
    const method = await passwordMethod(service, 'global', 'one');
    const path = `auth-methods/${method.id}`;
    const change = (body: object, query = '') => rejected('PATCH', path + query, { version: 1, ...body });
    const nothing = bad('update_mask: No valid fields provided in the update mask.');
    expect(await change({})).toEqual(nothing);
    expect(await change({ nonsense: 1 })).toEqual(nothing);
    expect(await change({ name: 'x' }, '?update_mask=nonsense,attributes.nonsense')).toEqual(nothing);
    expect(await change({ attributes: { nonsense: 1 } })).toEqual(bad(format));
    expect(await change({ attributes: { min_password_length: 'long' } })).toEqual(bad(format));
    const fixed = 'This is a read only field and cannot be specified in an update request.';
    expect(await change({ version: 0, type: 'ldap', id: 'x', is_primary: true, name: '' })).toEqual(
      bad(
        'version: Existing resource version is required for an update.',
        'type: Cannot modify the resource type.',
        `id: ${fixed}`,
        'is_primary: This field is read only.',
        'name: Cannot set empty string as name',
      ),
    );
    expect((await change({ name: 'password' }))[2]).toMatch(/second resource/);
    const stale = `AuthMethod "${method.id}" doesn't exist or incorrect version provided.`;
    expect(await change({ version: 2, name: 'x' })).toEqual([404, 'NotFound', stale]);
    expect(await json('GET', path)).toEqual(method);
    // Its own name is not that of another one.
    expect(await json('PATCH', path, { version: 1, name: 'one' })).toMatchObject({ version: 2 });

    await made('ada', {}, 'long enough');
    const token = await login('ada', 'long enough');
    for (const [verb, body] of [
      ['PATCH', { version: 2, name: 'x' }],
      ['DELETE', undefined],
    ] as const) {
      expect(await rejected(verb, path, body, token), verb).toEqual(forbidden);
      expect(await rejected(verb, path, body, null), verb).toEqual(noToken);
      expect(await rejected(verb, 'auth-methods/ampw_0000000000', body, null), verb).toEqual(notFound);
      const malformed = bad('id: Incorrectly formatted identifier.');
      for (const id of ['ampw_!', 'x_1'])
        expect(await rejected(verb, `auth-methods/${id}`, body, null), verb).toEqual(malformed);
    }
  });

  test('is deleted with its accounts and their tokens, and is no longer the primary one', async () => {
    const service = await accounts();
    const { ask, json, rejected } = service;
    const org = await json('POST', 'scopes', { scope_id: 'global', name: 'Org' });
    const method = await passwordMethod(service, org.id, 'one');
    const other = await passwordMethod(service, org.id, 'two');
    await json('PATCH', `scopes/${org.id}`, { version: 1, primary_auth_method_id: method.id });
    const ids: string[] = [];
    // More than are removed in one batch.
    for (let at = 0; at < 70; at++) {
      const attributes = { login_name: `user-${at}`, ...(at === 0 && { password: 'long enough' }) };
      ids.push((await json('POST', 'accounts', { auth_method_id: method.id, attributes })).id);
    }
    const attributes = { login_name: 'user-0', password: 'long enough' };
    const { attributes: token } = await json(
      'POST',
      `auth-methods/${method.id}:authenticate`,
      { attributes },
      null,
    );
    const { list_token } = (await json('GET', `auth-methods?scope_id=${org.id}`)) as unknown as Listed;
    const deleted = await ask('DELETE', `auth-methods/${method.id}`);
    expect([deleted.status, deleted.json]).toEqual([200, {}]);
    expect(await rejected('DELETE', `auth-methods/${method.id}`)).toEqual(notFound);
    for (const id of [ids[0], ids[69]]) expect(await rejected('GET', `accounts/${id}`)).toEqual(notFound);
    expect(await rejected('GET', `auth-tokens/${token.id}`)).toEqual(notFound);
    expect((await json('GET', `users/${token.user_id}`)).account_ids).toBeUndefined();
    const own = await rejected('GET', 'auth-tokens?scope_id=global', undefined, String(token.token));
    expect(own).toEqual(noToken);
    const list = await json('GET', `auth-methods?scope_id=${org.id}&list_token=${list_token}`);
    expect(list).toMatchObject({ items: [{ id: other.id }], removed_ids: [method.id] });
    const scope = await json('GET', `scopes/${org.id}`);
    expect([scope.version, scope.primary_auth_method_id]).toEqual([2, undefined]);
  });
});

describe('a scope', () => {
  test('is deleted with everything in it', async () => {
    const service = await accounts();
    const { ask, json, login, made, rejected } = service;
    const org = await json('POST', 'scopes', { scope_id: 'global', name: 'Org' });
    const project = await json('POST', 'scopes', { scope_id: org.id, name: 'Project' });
    const other = await json('POST', 'scopes', { scope_id: 'global', name: 'Other' });
    const method = await passwordMethod(service, org.id, 'one');
    const account = await json('POST', 'accounts', {
      auth_method_id: method.id,
      attributes: { login_name: 'ada' },
    });
    const user = await json('POST', 'users', { scope_id: org.id });
    await made('eve', {}, 'long enough');
    const token = await login('eve', 'long enough');
    expect(await rejected('DELETE', `scopes/${org.id}`, undefined, token)).toEqual(forbidden);
    expect(await rejected('DELETE', `scopes/${org.id}`, undefined, null)).toEqual(noToken);
    expect(await rejected('DELETE', 'scopes/o_0000000000', undefined, null)).toEqual(notFound);
    expect(await rejected('DELETE', 'scopes/x')).toEqual(bad('id: Invalidly formatted scope id.'));
    expect(await rejected('DELETE', 'scopes/global')).toEqual(bad('id: Invalid to delete the global scope.'));

    const path = 'scopes?scope_id=global&recursive=true';
    const { list_token } = (await json('GET', path)) as unknown as Listed;
    expect((await ask('DELETE', `scopes/${org.id}`)).status).toBe(204);
    for (const gone of [
      `scopes/${org.id}`,
      `scopes/${project.id}`,
      `auth-methods/${method.id}`,
      `accounts/${account.id}`,
      `users/${user.id}`,
    ])
      expect(await rejected('GET', gone), gone).toEqual(notFound);
    const list = await json('GET', path);
    expect(list).toMatchObject({ items: [{ id: other.id }], est_item_count: 1 });
    const refresh = (await json('GET', `${path}&list_token=${list_token}`)) as unknown as Listed;
    expect(refresh.removed_ids).toContain(org.id);
    expect((await json('GET', `auth-methods/${seeded}`)).id).toBe(seeded);
    // The names are free again.
    await json('POST', 'scopes', { scope_id: 'global', name: 'Org' });
  });
});

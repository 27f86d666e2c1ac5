import { expect, test } from 'vitest';
import { openStore } from '../../../../src/services/core/store/store.ts';
import { call, folder } from '../support.ts';
import { accounts, admin, adminToken, forbidden, type Listed, noToken, notFound, seeded } from './support.ts';

const time = '2026-01-02T12:00:00.000Z';
const globalInfo = { id: 'global', type: 'global', name: 'global', description: 'Global Scope' };

type Service = Awaited<ReturnType<typeof accounts>>;

/** The IDs of a list without those of built-in users, and what else it has. */
async function listed({ json }: Pick<Service, 'json'>, path: string, token?: string | null) {
  const list = (await json('GET', path, undefined, token)) as unknown as Partial<Listed>;
  const { items: all = [], ...rest } = list;
  const items = all.filter(({ id }) => !['u_anon', 'u_auth', 'u_recovery'].includes(id));
  return { ids: items.map(({ id }) => id), items, ...rest };
}

/** A password account of an organisation, whose auth method is the primary one. */
async function organisation({ json }: Pick<Service, 'json'>) {
  const org = await json('POST', 'scopes', { scope_id: 'global', name: 'Org' });
  const method = await json('POST', 'auth-methods', { scope_id: org.id, type: 'password', name: 'Of Org' });
  await json('PATCH', `scopes/${org.id}`, { version: 1, primary_auth_method_id: method.id });
  const attributes = { login_name: 'eve', password: 'long enough' };
  const account = await json('POST', 'accounts', { auth_method_id: method.id, attributes });
  const login = async () => {
    const path = `auth-methods/${method.id}:authenticate`;
    const { attributes: token } = await json('POST', path, { attributes }, null);
    return { id: String(token.id), token: String(token.token) };
  };
  return { org, method, account, login };
}

test('an account gets a user with its first login, which remains after the account is deleted', async () => {
  const service = await accounts();
  const { json, rejected, made, login } = service;
  const administrator = admin.replace('acctpw_', 'u_');
  expect((await listed(service, 'users?scope_id=global')).ids).toEqual([administrator]);
  const ada = await made('ada', {}, 'long enough');
  const id = ada.id.replace('acctpw_', 'u_');
  expect(await rejected('GET', `users/${id}`)).toEqual(notFound);
  const token = await login('ada', 'long enough');
  await login('ada', 'long enough');
  const user = {
    id,
    scope_id: 'global',
    scope: globalInfo,
    created_time: time,
    updated_time: time,
    version: 1,
    login_name: 'ada',
    primary_account_id: ada.id,
    authorized_actions: [
      ...['no-op', 'read', 'update', 'delete'],
      ...['add-accounts', 'set-accounts', 'remove-accounts'],
    ],
  };
  const list = await listed(service, 'users?scope_id=global');
  expect([list.ids, list.items[0]]).toEqual([[id, administrator], user]);
  expect(await json('GET', `users/${id}`)).toEqual({
    ...user,
    account_ids: [ada.id],
    accounts: [{ id: ada.id, scope_id: 'global' }],
  });
  for (const path of ['users?scope_id=global', `users/${id}`]) {
    expect(await rejected('GET', path, undefined, token), path).toEqual(forbidden);
    expect(await rejected('GET', path, undefined, null), path).toEqual(noToken);
  }
  await service.ask('DELETE', `accounts/${ada.id}`);
  const { login_name: _login, primary_account_id: _primary, ...rest } = user;
  expect(await json('GET', `users/${id}`)).toEqual(rest);
  await service.ask('DELETE', `users/${id}`);
  const after = await listed(service, `users?scope_id=global&list_token=${list.list_token}`);
  expect([after.ids, after.removed_ids]).toEqual([[administrator], [id]]);
});

test('tokens are listed to the account that they belong to, and all to the administrator', async () => {
  const service = await accounts();
  const { json, rejected, made, login, pass } = service;
  const startUp = adminToken.slice(0, adminToken.lastIndexOf('_'));
  const ada = await made('ada', {}, 'long enough');
  const texts = [await login('ada', 'long enough'), await login('ada', 'long enough')];
  const [first = '', second = ''] = texts.map((text) => text.slice(0, text.lastIndexOf('_')));
  const path = 'auth-tokens?scope_id=global';
  const all = await listed(service, path);
  expect(all.ids).toEqual([second, first, startUp]);
  const own = await listed(service, path, texts[0]);
  expect(own.ids).toEqual([second, first]);
  const fields = {
    id: first,
    scope_id: 'global',
    scope: globalInfo,
    user_id: ada.id.replace('acctpw_', 'u_'),
    auth_method_id: seeded,
    account_id: ada.id,
    created_time: time,
    updated_time: time,
    approximate_last_used_time: time,
    expiration_time: '2026-01-09T12:00:00.000Z',
  };
  expect(own.items[1]).toEqual({ ...fields, authorized_actions: ['read:self', 'delete:self'] });
  expect(await json('GET', `auth-tokens/${first}`)).toEqual({
    ...fields,
    authorized_actions: ['no-op', 'read', 'read:self', 'delete', 'delete:self'],
  });
  expect((await json('GET', `auth-tokens/${startUp}`)).authorized_actions).toEqual([
    ...['no-op', 'read', 'read:self', 'delete', 'delete:self'],
  ]);
  expect(await rejected('GET', path, undefined, null)).toEqual(noToken);

  await service.ask('DELETE', `auth-tokens/${first}`);
  const rest = await listed(service, `${path}&list_token=${all.list_token}`);
  expect([rest.ids, rest.removed_ids]).toEqual([[second, startUp], [first]]);
  pass(7 * 24 * 3600);
  expect((await listed(service, path)).ids).toEqual([startUp]);
  // The next login removes the expired token from the list.
  await login('ada', 'long enough');
  expect((await listed(service, `${path}&list_token=${all.list_token}`)).removed_ids).toEqual([
    second,
    first,
  ]);
  expect(await json('GET', path)).toMatchObject({ est_item_count: 2 });
});

test.each([
  ['users', "Must be 'global' or a valid org scope id when listing."],
  ['auth-tokens', "This field must be 'global' or a valid org scope id."],
  ['auth-methods', "This field must be 'global' or a valid org scope id."],
])('a list of %s needs the ID of a scope', async (resource, description) => {
  const { rejected } = await accounts();
  const malformed = [400, 'InvalidArgument', 'Improperly formatted identifier.', `scope_id: ${description}`];
  for (const query of ['', '?scope_id=', '?scope_id=p_1234567890', '?scope_id=o_!'])
    expect(await rejected('GET', resource + query), query).toEqual(malformed);
  expect(await rejected('GET', `${resource}?scope_id=o_0000000000`)).toEqual(notFound);
  expect(await rejected('GET', `${resource}?scope_id=global&recursive=maybe`)).toEqual([
    ...[400, 'InvalidArgument', 'Error in provided request.', 'recursive: This field must be true or false.'],
  ]);
});

test('a recursive list has the resources of all scopes below, the newest first, page by page', async () => {
  const service = await accounts();
  const { json, made, login, ask, pass } = service;
  const { org, method, account, login: loginToOrg } = await organisation(service);
  const project = await json('POST', 'scopes', { scope_id: org.id, name: 'Project' });
  const other = await json('POST', 'scopes', { scope_id: 'global', name: 'Other' });
  const last = await json('POST', 'auth-methods', { scope_id: 'global', type: 'password', name: 'Last' });
  const everything = 'scope_id=global&recursive=true';
  const ids = async (path: string, token?: string) => (await listed(service, path, token)).ids;
  expect(await ids('scopes?scope_id=global')).toEqual([other.id, org.id]);
  expect(await ids(`scopes?${everything}`)).toEqual([other.id, project.id, org.id]);
  expect(await ids(`scopes?scope_id=${org.id}&recursive=true`)).toEqual([project.id]);
  expect(await ids('auth-methods?scope_id=global&recursive=false')).toEqual([last.id, seeded]);
  const methods = [last.id, method.id, seeded];
  expect(await ids(`auth-methods?${everything}`)).toEqual(methods);
  const first = await listed(service, `auth-methods?${everything}&page_size=1`);
  const second = await listed(
    service,
    `auth-methods?${everything}&page_size=1&list_token=${first.list_token}`,
  );
  const third = await listed(service, `auth-methods?${everything}&list_token=${second.list_token}`);
  expect([...first.ids, ...second.ids, ...third.ids]).toEqual(methods);
  expect(first).toMatchObject({ est_item_count: 3 });
  // A token of the recursive list is none of the other one.
  expect((await ask('GET', `auth-methods?scope_id=global&list_token=${first.list_token}`)).status).toBe(400);

  await made('ada', {}, 'long enough');
  const ada = await login('ada', 'long enough');
  const eve = await loginToOrg();
  expect((await ids(`auth-tokens?${everything}`))[0]).toBe(eve.id);
  expect(await ids(`auth-tokens?scope_id=${org.id}`)).toEqual([eve.id]);
  expect(await ids(`auth-tokens?${everything}`, eve.token)).toEqual([eve.id]);
  expect(await ids(`auth-tokens?scope_id=${org.id}`, ada)).toEqual([]);
  expect((await ids(`users?${everything}`))[0]).toBe(account.id.replace('acctpw_', 'u_'));
  expect(await ids(`users?scope_id=${org.id}`)).toHaveLength(1);
  pass(30);
  const refresh = await listed(service, `users?${everything}`);
  await ask('DELETE', `accounts/${account.id}`);
  await ask('DELETE', `users/${account.id.replace('acctpw_', 'u_')}`);
  const after = await listed(service, `users?${everything}&list_token=${refresh.list_token}`);
  expect([after.ids, after.removed_ids]).toEqual([[], [account.id.replace('acctpw_', 'u_')]]);
  expect(await ids(`auth-tokens?scope_id=${org.id}`)).toEqual([]);
});

test('callers without a token see scopes and auth methods without times and versions', async () => {
  const service = await accounts();
  const { made, login } = service;
  await organisation(service);
  await made('ada', {}, 'long enough');
  const token = await login('ada', 'long enough');
  const one = async (path: string, caller?: string | null) =>
    (await listed(service, path, caller)).items.at(-1);
  expect(await one('auth-methods?scope_id=global', null)).toEqual({
    id: seeded,
    scope_id: 'global',
    scope: globalInfo,
    name: 'password',
    description: 'Login names and passwords',
    type: 'password',
    is_primary: true,
    authorized_actions: ['authenticate'],
  });
  const org = {
    id: expect.stringMatching(/^o_/),
    scope_id: 'global',
    scope: globalInfo,
    name: 'Org',
    type: 'org',
    primary_auth_method_id: expect.stringMatching(/^ampw_/),
  };
  const actions = { 'auth-methods': ['list'], scopes: ['list'] };
  expect(await one('scopes?scope_id=global', null)).toEqual({
    ...org,
    authorized_actions: ['no-op'],
    authorized_collection_actions: actions,
  });
  const times = { created_time: time, updated_time: time, version: 2 };
  expect(await one('scopes?scope_id=global', token)).toEqual({
    ...org,
    ...times,
    authorized_actions: ['no-op', 'read'],
    authorized_collection_actions: { ...actions, 'auth-tokens': ['list'] },
  });
  const id = (await one('scopes'))?.id;
  // Alone, an organization has no actions on collections; every caller with a token may read it.
  expect(await service.json('GET', `scopes/${id}`, undefined, token)).toEqual({
    ...org,
    ...times,
    authorized_actions: ['no-op', 'read'],
  });
  expect(await service.json('GET', 'scopes/global', undefined, token)).toMatchObject({
    authorized_collection_actions: { ...actions, 'auth-tokens': ['list'] },
  });
  expect((await service.rejected('GET', `scopes/${id}`, undefined, null))[0]).toBe(401);
  expect(await one('auth-methods?scope_id=global', token)).toMatchObject({ version: 1, created_time: time });
});

test('HEAD is not allowed, as in the product', async () => {
  const { address } = await accounts();
  for (const path of ['/v1/auth-methods?scope_id=global', `/v1/accounts/${admin}`, '/health'])
    expect((await call(address, 'HEAD', path, { token: null })).status, path).toBe(405);
});

test('lists users and tokens that an earlier release stored', async () => {
  const dataDirectory = await folder();
  const first = await accounts({ dataDirectory });
  await first.made('ada', {}, 'long enough');
  const text = await first.login('ada', 'long enough');
  const before = {
    users: (await listed(first, 'users?scope_id=global')).ids,
    tokens: (await listed(first, 'auth-tokens?scope_id=global')).ids,
  };
  await first.close();
  const store = await openStore(dataDirectory);
  const storage = store.withPrefix('accounts/');
  // As the earlier release wrote it: marks instead of users, and tokens without a scope and a place in lists.
  const members = storage.keys('account-user/');
  const marks = members.map((key) => ({ key: key.replace('account-user/', 'users/'), value: true }));
  const logs = ['users/', 'auth-tokens/'].flatMap((name) =>
    ['created/', 'changed/', 'counts/'].flatMap((log) => storage.keys(log + name)),
  );
  const rows = storage.keys('tokens/').map((key) => {
    const { scope: _scope, created: _created, ...row } = storage.get(key) as { [name: string]: string };
    return { key, value: row };
  });
  expect([marks.length, rows.length]).toEqual([2, 2]);
  await storage.write([
    ...[...logs, ...members, ...storage.keys('account-users/')].map((key) => ({ key })),
    ...storage.keys('user-accounts/').map((key) => ({ key })),
    ...[...marks, ...rows, { key: 'users/acctpw_0000000000', value: true }],
  ]);
  await store.close();
  for (let start = 0; start < 2; start++) {
    const again = await accounts({ dataDirectory });
    const users = await listed(again, 'users?scope_id=global');
    expect(users.ids.toSorted()).toEqual(before.users.toSorted());
    const tokens = await listed(again, 'auth-tokens?scope_id=global');
    expect(tokens.ids.toSorted()).toEqual(before.tokens.toSorted());
    expect([users, tokens]).toMatchObject([{ est_item_count: 5 }, { est_item_count: 2 }]);
    expect((await listed(again, 'auth-tokens?scope_id=global', text)).ids).toHaveLength(1);
    await again.close();
  }
});

import { describe, expect, test } from 'vitest';
import { openStore } from '../../../../src/services/core/store/store.ts';
import { folder } from '../support.ts';
import {
  accounts,
  admin,
  adminToken,
  forbidden,
  type Item,
  type Listed,
  noToken,
  notFound,
  seeded,
} from './support.ts';

type Service = Awaited<ReturnType<typeof accounts>>;

const skip = 'skip_admin_role_creation=true&skip_default_role_creation=true';

/** A user with an account that is logged in, and what it may do. */
async function person(service: Service, login: string) {
  const { json, made } = service;
  const account = await made(login, {}, 'long enough');
  const token = await service.login(login, 'long enough');
  const user = account.id.replace('acctpw_', 'u_');
  /** Gives principals grants in a scope, which apply to some scopes. */
  const role = async (
    grants: readonly string[],
    { scope = 'global', to = ['this'], principals = [user] } = {},
  ) => {
    const { id } = await json('POST', 'roles', { scope_id: scope });
    await json('POST', `roles/${id}:set-grant-scopes`, { version: 1, grant_scope_ids: to });
    const { version } = await json('GET', `roles/${id}`);
    await json('POST', `roles/${id}:add-grants`, { version, grant_strings: grants });
    return json('POST', `roles/${id}:add-principals`, { version: version + 1, principal_ids: principals });
  };
  const ids = async (path: string) => {
    const { items = [] } = (await json('GET', path, undefined, token)) as unknown as Partial<Listed>;
    return items.map(({ id }) => id);
  };
  const status = async (method: string, path: string, body?: object) =>
    (await service.ask(method, path, body, token)).status;
  return { account, token, user, role, ids, status };
}

/** Two organizations with a project each, without roles. */
async function tree({ json }: Service) {
  const scope = async (parent: string, name: string) =>
    (await json('POST', `scopes?${skip}`, { scope_id: parent, name })).id;
  const [red, blue] = [await scope('global', 'red'), await scope('global', 'blue')];
  return { red, blue, redProject: await scope(red, 'project'), blueProject: await scope(blue, 'project') };
}

describe('a role gives its users what its grants say', () => {
  test('as soon as they have it, and as long as they have it', async () => {
    const service = await accounts();
    const { json, rejected, ask } = service;
    const ada = await person(service, 'ada');
    const path = `accounts/${admin}`;
    expect(await rejected('GET', path, undefined, ada.token)).toEqual(forbidden);
    const role = await ada.role([`ids=${seeded};type=account;actions=read,list`]);
    expect(await json('GET', path, undefined, ada.token)).toMatchObject({
      id: admin,
      authorized_actions: ['read'],
    });
    expect(await ada.ids(`accounts?auth_method_id=${seeded}`)).toEqual([ada.account.id, admin]);
    expect(await ada.status('DELETE', path)).toBe(403);
    expect(await ada.status('PATCH', path, { version: 1, name: 'x' })).toBe(403);
    await ask('DELETE', `roles/${role.id}`);
    expect(await rejected('GET', path, undefined, ada.token)).toEqual(forbidden);
  });

  test('for every operation, and says which actions are permitted', async () => {
    const service = await accounts();
    const { json } = service;
    const ada = await person(service, 'ada');
    await ada.role([
      'ids=*;type=user;actions=create,list,read,update,add-accounts',
      'ids=*;type=role;actions=create,read,add-grants',
      'type=scope;actions=create',
      'ids=*;type=auth-method;actions=create,update',
    ]);
    const send = (method: string, path: string, body?: object) => json(method, path, body, ada.token);
    const user = await send('POST', 'users', { scope_id: 'global', name: 'new' });
    expect(user.authorized_actions).toEqual(['read', 'update', 'add-accounts']);
    expect(await send('PATCH', `users/${user.id}`, { version: 1, name: 'newer' })).toMatchObject({
      version: 2,
    });
    for (const [method, path] of [
      ['DELETE', `users/${user.id}`],
      ['POST', `users/${user.id}:set-accounts`],
      ['POST', `users/${user.id}:remove-accounts`],
    ] as const)
      expect(await ada.status(method, path, { version: 2, account_ids: [admin] }), path).toBe(403);
    const role = await send('POST', 'roles', { scope_id: 'global' });
    expect(role.authorized_actions).toEqual(['read', 'add-grants']);
    const grants = { version: 1, grant_strings: ['type=user;actions=list'] };
    expect(await send('POST', `roles/${role.id}:add-grants`, grants)).toMatchObject({ version: 2 });
    for (const action of ['set-grants', 'remove-grants'])
      expect(await ada.status('POST', `roles/${role.id}:${action}`, { ...grants, version: 2 })).toBe(403);
    const members = { principal_ids: ['u_auth'], grant_scope_ids: ['this'] };
    for (const name of ['principals', 'grant-scopes'])
      expect(await ada.status('POST', `roles/${role.id}:set-${name}`, { version: 2, ...members })).toBe(403);
    for (const method of ['PATCH', 'DELETE'])
      expect(await ada.status(method, `roles/${role.id}`, { version: 2, name: 'x' })).toBe(403);
    expect(await ada.status('GET', 'roles?scope_id=global')).toBe(403);
    const scope = await send('POST', 'scopes', { scope_id: 'global' });
    // It has an administration role, which lets its creator delete what is in it.
    expect(await ada.status('GET', `roles?scope_id=${scope.id}`)).toBe(200);
    expect(await ada.status('DELETE', `scopes/${scope.id}`)).toBe(403);
    const method = await send('POST', 'auth-methods', { scope_id: 'global', type: 'password' });
    expect(method.authorized_actions).toEqual(['update', 'authenticate']);
    expect(await ada.status('DELETE', `auth-methods/${method.id}`)).toBe(403);
    expect(await ada.status('GET', `auth-methods/${method.id}`)).toBe(403);
  });

  test('about the user and the account of the caller by templates', async () => {
    const service = await accounts();
    const ada = await person(service, 'ada');
    const eve = await person(service, 'eve');
    await ada.role(['ids={{.User.Id}};actions=read', 'ids={{.Account.Id}};actions=update'], {
      principals: ['u_auth'],
    });
    for (const [own, other] of [
      [ada, eve],
      [eve, ada],
    ] as const) {
      expect(await own.status('GET', `users/${own.user}`)).toBe(200);
      expect(await own.status('GET', `users/${other.user}`)).toBe(403);
      expect(await own.status('PATCH', `accounts/${own.account.id}`, { version: 1, name: own.user })).toBe(
        200,
      );
      expect(await own.status('PATCH', `accounts/${other.account.id}`, { version: 2, name: 'x' })).toBe(403);
    }
  });

  test('without the fields that it does not state', async () => {
    const service = await accounts();
    const { json } = service;
    const ada = await person(service, 'ada');
    const grant = 'ids=*;type=user;actions=list,read;output_fields=';
    await ada.role([`${grant}id,login_name`]);
    const id = ada.user;
    expect(await json('GET', `users/${id}`, undefined, ada.token)).toEqual({ id, login_name: 'ada' });
    const list = async (query: string) =>
      ((await json('GET', `users?scope_id=global${query}`, undefined, ada.token)) as unknown as Listed).items;
    expect((await list(''))[0]).toEqual({ id, login_name: 'ada' });
    // A filter finds what the caller sees.
    expect(await list(`&filter=${encodeURIComponent('"/item/version" == 1')}`)).toBeUndefined();
    await ada.role(['ids=*;type=user;output_fields=version']);
    expect(await json('GET', `users/${id}`, undefined, ada.token)).toEqual({
      id,
      login_name: 'ada',
      version: 1,
    });
    await ada.role(['ids=*;type=user;output_fields=*']);
    expect(await json('GET', `users/${id}`, undefined, ada.token)).toMatchObject({
      scope_id: 'global',
      authorized_actions: ['read'],
    });
  });

  test('for everybody, if it is a role of u_anon, where it concerns logging in', async () => {
    const service = await accounts();
    const { json, rejected } = service;
    const ada = await person(service, 'ada');
    await ada.role(['ids=*;type=*;actions=*'], { principals: ['u_anon'] });
    // Callers with a token have it too.
    expect(await ada.status('GET', `accounts/${admin}`)).toBe(200);
    expect(await rejected('GET', `accounts/${admin}`, undefined, null)).toEqual(noToken);
    await ada.role(['ids=*;type=scope;output_fields=id,version'], { principals: ['u_anon'] });
    await json('POST', 'scopes', { scope_id: 'global', name: 'org' });
    const { items } = (await json('GET', 'scopes', undefined, null)) as unknown as Listed;
    expect(items[0]).toEqual({ id: expect.stringMatching(/^o_/), version: 1 });
  });
});

describe('a role applies', () => {
  test.each([
    ['this', ['global'], []],
    ['children', ['red', 'blue'], ['global', 'redProject', 'blueProject']],
    ['descendants', ['red', 'blue', 'redProject', 'blueProject'], ['global']],
    ['red', ['red'], ['global', 'blue', 'redProject', 'blueProject']],
    ['redProject', ['redProject'], ['global', 'red', 'blue', 'blueProject']],
  ] as const)('of the global scope to %s: %j, not to %j', async (to, included, others) => {
    const service = await accounts();
    const ada = await person(service, 'ada');
    const scopes: { readonly [name: string]: string } = { global: 'global', ...(await tree(service)) };
    await ada.role(['ids=*;type=role;actions=create,list,read'], { to: [scopes[to] ?? to] });
    for (const name of included)
      expect(await ada.status('GET', `roles?scope_id=${scopes[name]}`), name).toBe(200);
    for (const name of others)
      expect(await ada.status('GET', `roles?scope_id=${scopes[name]}`), name).toBe(403);
  });

  test.each([
    ['this', ['red'], ['global', 'blue', 'redProject', 'blueProject']],
    ['children', ['redProject'], ['global', 'red', 'blue', 'blueProject']],
    ['redProject', ['redProject'], ['global', 'red', 'blue', 'blueProject']],
  ] as const)('of an organization to %s: %j, not to %j', async (to, included, others) => {
    const service = await accounts();
    const ada = await person(service, 'ada');
    const scopes: { readonly [name: string]: string } = { global: 'global', ...(await tree(service)) };
    await ada.role(['type=role;actions=create,list'], { scope: scopes.red, to: [scopes[to] ?? to] });
    for (const name of included)
      expect(await ada.status('GET', `roles?scope_id=${scopes[name]}`), name).toBe(200);
    for (const name of others)
      expect(await ada.status('GET', `roles?scope_id=${scopes[name]}`), name).toBe(403);
  });
});

describe('a list', () => {
  test('has only what the caller may do something with, and a recursive one only scopes that it may list', async () => {
    const service = await accounts();
    const { json } = service;
    const ada = await person(service, 'ada');
    const { red, blue } = await tree(service);
    const user = async (scope: string) => (await json('POST', 'users', { scope_id: scope })).id;
    const [first, second, third] = [await user(red), await user(red), await user(blue)];
    const recursive = 'users?scope_id=global&recursive=true';
    expect(await ada.status('GET', recursive)).toBe(403);
    await ada.role(['type=user;actions=list', `ids=${second};actions=no-op`], { scope: red });
    expect(await ada.ids(`users?scope_id=${red}`)).toEqual([second]);
    expect(await ada.ids(recursive)).toEqual([second]);
    expect(await ada.status('GET', `users?scope_id=${blue}`)).toBe(403);
    await ada.role(['ids=*;type=user;actions=list,read'], { to: ['children'] });
    expect(await ada.ids(recursive)).toEqual([third, second, first]);
    const { est_item_count: count } = (await json(
      'GET',
      `users?scope_id=${red}`,
      undefined,
      ada.token,
    )) as Item;
    expect(count).toBe(2);
  });

  test('says what the caller may do in each scope', async () => {
    const service = await accounts();
    const { json } = service;
    const ada = await person(service, 'ada');
    const { red, redProject } = await tree(service);
    await ada.role(['type=user;actions=create', 'type=role;actions=list'], {
      scope: red,
      to: ['this', 'children'],
    });
    const of = async (parent: string, id: string) => {
      const { items } = (await json(
        'GET',
        `scopes?scope_id=${parent}`,
        undefined,
        ada.token,
      )) as unknown as Listed;
      return items.find((item) => item.id === id)?.authorized_collection_actions;
    };
    const everybody = { 'auth-methods': ['list'], 'auth-tokens': ['list'], scopes: ['list'] };
    expect(await of('global', red)).toEqual({ ...everybody, roles: ['list'], users: ['create'] });
    expect(await of(red, redProject)).toEqual({ roles: ['list'] });
    // Of a scope alone, only grants for its parent and for all descendants count, as in the product.
    expect(await json('GET', `scopes/${red}`, undefined, ada.token)).not.toHaveProperty(
      'authorized_collection_actions',
    );
    expect(await json('GET', `scopes/${redProject}`)).toMatchObject({
      authorized_collection_actions: { roles: ['create', 'list'] },
    });
  });
});

test('nobody logs in or finds auth methods without the role for it', async () => {
  const service = await accounts();
  const { ask, json, rejected, authenticate } = service;
  await service.made('ada', {}, 'long enough');
  const { items } = (await json('GET', 'roles?scope_id=global')) as unknown as Listed;
  const login = items.find(({ name }) => name === 'Login Grants');
  await ask('DELETE', `roles/${login?.id}`);
  expect((await authenticate('ada', 'long enough')).status).toBe(401);
  for (const path of ['scopes', 'auth-methods?scope_id=global'])
    expect(await rejected('GET', path, undefined, null), path).toEqual(noToken);
});

test('a token whose account has no user any more is as none', async () => {
  const service = await accounts();
  const ada = await person(service, 'ada');
  const { version } = await service.json('GET', `users/${ada.user}`);
  await service.json('POST', `users/${ada.user}:set-accounts`, { version });
  expect(await ada.status('GET', `accounts/${ada.account.id}`)).toBe(401);
});

describe('a start', () => {
  test('adds the roles to data of an earlier release, whose users and tokens have what they had', async () => {
    const dataDirectory = await folder();
    const first = await accounts({ dataDirectory });
    const ada = await person(first, 'ada');
    const org = await first.json('POST', `scopes?${skip}`, { scope_id: 'global', name: 'org' });
    await first.close();
    const store = await openStore(dataDirectory);
    const storage = store.withPrefix('accounts/');
    const logs = ['created/', 'changed/', 'counts/'].map((log) => `${log}roles/`);
    const builtIn = ['u_anon', 'u_auth', 'u_recovery'].map((id) => `account-users/${id}`);
    const keys = ['roles/', 'role-principals/', 'login-roles', 'unique/roles/', ...logs, ...builtIn];
    await storage.write(keys.flatMap((key) => storage.keys(key)).map((key) => ({ key })));
    await store.close();
    const again = await accounts({ dataDirectory });
    const { json, rejected, ask } = again;
    expect(await json('GET', `accounts/${ada.account.id}`, undefined, ada.token)).toMatchObject({
      authorized_actions: ['read', 'change-password'],
    });
    expect(await rejected('GET', `accounts/${admin}`, undefined, ada.token)).toEqual(forbidden);
    expect(await json('GET', `scopes/${org.id}`, undefined, ada.token)).toMatchObject({ name: 'org' });
    expect((await ask('GET', `auth-methods?scope_id=${org.id}`, undefined, null)).status).toBe(200);
    expect(await json('POST', 'users', { scope_id: org.id })).toMatchObject({ scope_id: org.id });
    const { items } = (await json('GET', 'roles?scope_id=global')) as unknown as Listed;
    expect(items.map(({ name }) => name).sort()).toEqual([
      ...['Administration', 'Authenticated User Grants', 'Login Grants'],
    ]);
    await again.close();
  });

  test('restores the role of the administrator, and no other one', async () => {
    const dataDirectory = await folder();
    const first = await accounts({ dataDirectory });
    const { items } = (await first.json('GET', 'roles?scope_id=global')) as unknown as Listed;
    const administration = items.find(({ name }) => name === 'Administration');
    for (const { id } of items.filter((each) => each !== administration))
      await first.ask('DELETE', `roles/${id}`);
    await first.ask('DELETE', `roles/${administration?.id}`);
    expect((await first.ask('GET', `accounts/${admin}`)).status).toBe(403);
    await first.close();
    const second = await accounts({ dataDirectory });
    const left = (await second.json('GET', 'roles?scope_id=global')) as unknown as Listed;
    expect(left.items.map(({ id }) => id)).toEqual([administration?.id]);
    const { version } = await second.json('GET', `roles/${administration?.id}`);
    await second.json('POST', `roles/${administration?.id}:set-principals`, { version });
    expect((await second.ask('GET', `accounts/${admin}`, undefined, adminToken)).status).toBe(403);
    await second.close();
    const third = await accounts({ dataDirectory });
    expect(await third.json('GET', `roles/${administration?.id}`)).toMatchObject({
      principal_ids: ['u_1234567890'],
    });
    expect(await third.rejected('GET', 'roles/r_0000000000')).toEqual(notFound);
    await third.close();
  });
});

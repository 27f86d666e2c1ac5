import { describe, expect, test } from 'vitest';
import { accounts, bad, forbidden, noToken, notFound } from './support.ts';

const invalid = (...fields: string[]) => [
  400,
  'InvalidArgument',
  'Errors in provided fields.',
  ...fields.sort(),
];

type Service = Awaited<ReturnType<typeof accounts>>;

/** An auth method that is not the primary one of its scope, and a way to make accounts of it. */
async function otherMethod({ json }: Service) {
  const method = await json('POST', 'auth-methods', { scope_id: 'global', type: 'password' });
  const made = async (login: string) => {
    const attributes = { login_name: login, password: 'long enough' };
    return (await json('POST', 'accounts', { auth_method_id: method.id, attributes })).id;
  };
  const path = `auth-methods/${method.id}:authenticate`;
  const credentials = (login: string) => ({ attributes: { login_name: login, password: 'long enough' } });
  return { made, path, credentials };
}

describe('a user', () => {
  test('is created, changed with its version, and deleted', async () => {
    const { ask, json, pass, rejected } = await accounts();
    const user = await json('POST', 'users', { scope_id: 'global', name: ' Ada\n', description: 'first' });
    expect(user).toEqual({
      id: expect.stringMatching(/^u_[0-9A-Za-z]{10}$/),
      scope_id: 'global',
      scope: { id: 'global', type: 'global', name: 'global', description: 'Global Scope' },
      name: 'Ada',
      description: 'first',
      created_time: '2026-01-02T12:00:00.000Z',
      updated_time: '2026-01-02T12:00:00.000Z',
      version: 1,
      authorized_actions: [
        ...['no-op', 'read', 'update', 'delete', 'add-accounts', 'set-accounts', 'remove-accounts'],
      ],
    });
    const path = `users/${user.id}`;
    pass(1);
    const { description: _description, ...rest } = user;
    const changed = await json('PATCH', path, { version: 1, name: 'Eve', description: null });
    const time = '2026-01-02T12:00:01.000Z';
    expect(changed).toEqual({ ...rest, name: 'Eve', version: 2, updated_time: time });
    const masked = await json('PATCH', `${path}?update_mask=description`, {
      version: 2,
      name: 'Bob',
      description: 'second',
    });
    expect(masked).toEqual({ ...changed, version: 3, description: 'second' });
    expect(await json('GET', path)).toEqual(masked);
    expect((await ask('DELETE', path)).status).toBe(204);
    for (const method of ['GET', 'DELETE']) expect(await rejected(method, path)).toEqual(notFound);
    await json('POST', 'users', { scope_id: 'global', name: 'Eve' });
  });

  test('that stands for a kind of callers is listed, and cannot be deleted', async () => {
    const { json, rejected } = await accounts();
    const filter = encodeURIComponent('"/item/id" matches "^u_[a-z]+$"');
    expect(await json('GET', `users?scope_id=global&filter=${filter}`)).toMatchObject({
      items: [
        { id: 'u_recovery', name: 'recovery' },
        { id: 'u_auth', name: 'authenticated' },
        { id: 'u_anon', name: 'anonymous' },
      ],
    });
    expect(await rejected('DELETE', 'users/u_anon')).toEqual(
      bad('id: Deletion of the anonymous user is not allowed.'),
    );
  });

  test('is not created or changed by an invalid request', async () => {
    const { json, login, made, rejected } = await accounts();
    const create = (body: object) => rejected('POST', 'users', body);
    const scope = "scope_id: Must be 'global' or a valid org scope id.";
    const fixed = { id: 'x', created_time: 'x', updated_time: 'x' };
    expect(await create({ scope_id: 'p_1234567890', version: 1, name: '', ...fixed })).toEqual(
      bad(
        scope,
        'version: Cannot specify this field in a create request.',
        'id: This is a read only field.',
        'created_time: This is a read only field.',
        'updated_time: This is a read only field.',
        'name: Cannot set empty string as name',
      ),
    );
    expect(await create({})).toEqual(bad(scope));
    expect(await create({ scope_id: 'o_0000000000' })).toEqual(notFound);
    const user = await json('POST', 'users', { scope_id: 'global', name: 'Ada' });
    const other = await json('POST', 'users', { scope_id: 'global', name: 'Eve' });
    expect((await create({ scope_id: 'global', name: 'Ada' }))[2]).toMatch(/second resource/);
    const path = `users/${user.id}`;
    const change = (body: object, query = '') => rejected('PATCH', path + query, { version: 1, ...body });
    expect((await change({ name: 'Eve' }))[2]).toMatch(/second resource/);
    const nothing = [
      ...[400, 'InvalidArgument', 'No valid fields included in the update mask.'],
      'update_mask: No valid fields provided in the update mask.',
    ];
    expect(await change({})).toEqual(nothing);
    expect(await change({ name: 'x' }, '?update_mask=nonsense')).toEqual(nothing);
    const readOnly = 'This is a read only field and cannot be specified in an update request.';
    expect(await change({ version: 0, id: 'x', name: '' })).toEqual(
      bad(
        'version: Existing resource version is required for an update.',
        `id: ${readOnly}`,
        'name: Cannot set empty string as name',
      ),
    );
    const stale = `User "${user.id}" doesn't exist or incorrect version provided.`;
    expect(await change({ version: 2, name: 'x' })).toEqual([404, 'NotFound', stale]);
    expect(await json('GET', path)).toEqual(user);
    expect(await json('PATCH', path, { version: 1, name: 'Ada' })).toMatchObject({ version: 2 });

    await made('bob', {}, 'long enough');
    const token = await login('bob', 'long enough');
    for (const [method, target, body] of [
      ['POST', 'users', { scope_id: 'global' }],
      ['PATCH', path, { version: 1, name: 'x' }],
      ['DELETE', path, undefined],
      ['POST', `${path}:set-accounts`, { version: 1 }],
    ] as const) {
      expect(await rejected(method, target, body, token), target).toEqual(forbidden);
      expect(await rejected(method, target, body, null), target).toEqual(noToken);
    }
    expect(await rejected('PATCH', 'users/u_!', {})).toEqual(
      bad('id: Improperly formatted path identifier.'),
    );
    expect(await rejected('DELETE', 'users/u_!')).toEqual(bad('id: Incorrectly formatted identifier.'));
    expect(await json('GET', `users/${other.id}`)).toEqual(other);
  });

  test('lets its accounts log in, until they are removed from it', async () => {
    const service = await accounts();
    const { ask, json, rejected } = service;
    const { made, path, credentials } = await otherMethod(service);
    const account = await made('ada');
    const noUser = [404, 'NotFound', 'Unable to find requested resource.'];
    expect(await rejected('POST', path, credentials('ada'), null)).toEqual(noUser);
    const user = await json('POST', 'users', { scope_id: 'global' });
    const add = { version: 1, account_ids: [account] };
    expect(await json('POST', `users/${user.id}:add-accounts`, add)).toEqual({
      ...user,
      version: 2,
      account_ids: [account],
      accounts: [{ id: account, scope_id: 'global' }],
    });
    const login = async () => {
      const { attributes } = await json('POST', path, credentials('ada'), null);
      expect(attributes.user_id).toBe(user.id);
      return String(attributes.token);
    };
    const token = await login();
    expect((await ask('GET', `accounts/${account}`, undefined, token)).status).toBe(200);
    // An account that it has already is no error.
    await json('POST', `users/${user.id}:add-accounts`, { ...add, version: 2 });
    expect((await ask('GET', `accounts/${account}`, undefined, token)).status).toBe(200);
    const removed = await json('POST', `users/${user.id}:remove-accounts`, { ...add, version: 3 });
    expect([removed.version, removed.account_ids]).toEqual([4, undefined]);
    expect(await rejected('GET', `accounts/${account}`, undefined, token)).toEqual(noToken);
    expect(await rejected('POST', path, credentials('ada'), null)).toEqual(noUser);
    const set = (version: number, account_ids: readonly string[]) =>
      json('POST', `users/${user.id}:set-accounts`, { version, account_ids });
    expect((await set(4, [account])).account_ids).toEqual([account]);
    const second = await login();
    expect((await set(5, [])).account_ids).toBeUndefined();
    expect(await rejected('GET', `accounts/${account}`, undefined, second)).toEqual(noToken);
    await set(6, [account]);
    const third = await login();
    expect((await ask('DELETE', `users/${user.id}`)).status).toBe(204);
    expect(await rejected('GET', `accounts/${account}`, undefined, third)).toEqual(noToken);
    expect((await json('GET', `accounts/${account}`)).id).toBe(account);
    expect(await rejected('POST', path, credentials('ada'), null)).toEqual(noUser);
  });

  test('has only accounts that no other user has, one of an auth method', async () => {
    const service = await accounts();
    const { json, login, made: primary, rejected } = service;
    const { made } = await otherMethod(service);
    const [one, two] = [await made('one'), await made('two')];
    const { id: own } = await primary('own', {}, 'long enough');
    const org = await json('POST', 'scopes', { scope_id: 'global', name: 'Org' });
    const user = await json('POST', 'users', { scope_id: 'global' });
    const other = await json('POST', 'users', { scope_id: 'global' });
    const ofOrg = await json('POST', 'users', { scope_id: org.id });
    const path = `users/${user.id}`;
    await json('POST', `${path}:set-accounts`, { version: 1, account_ids: [one, own] });
    expect(await json('GET', path)).toMatchObject({
      version: 2,
      account_ids: [own, one].toSorted(),
      login_name: 'own',
      primary_account_id: own,
    });
    const problem = (text: string) => invalid(`account_ids: ${text}`);
    const add = (id: string, account: string, version = 1) =>
      rejected('POST', `users/${id}:add-accounts`, { version, account_ids: [account] });
    expect(await add(user.id, two, 2)).toEqual(problem('A user has at most one account of an auth method.'));
    expect(await add(other.id, one)).toEqual(
      problem(`Account ${one} is already associated with another user.`),
    );
    for (const [id, account] of [
      [other.id, 'acctpw_0000000000'],
      [ofOrg.id, two],
    ] as const)
      expect(await add(id, account)).toEqual(
        problem(`Account ${account} does not exist in the scope of the user.`),
      );
    const remove = { version: 1, account_ids: [one] };
    expect(await rejected('POST', `users/${other.id}:remove-accounts`, remove)).toEqual(
      problem(`Account ${one} is not associated with the user.`),
    );
    const stale = `User "${user.id}" doesn't exist or incorrect version provided.`;
    expect(await add(user.id, two)).toEqual([404, 'NotFound', stale]);
    for (const action of ['add-accounts', 'remove-accounts'])
      expect(await rejected('POST', `users/u_!:${action}`, {})).toEqual(
        invalid(
          'id: Incorrectly formatted identifier.',
          'version: Required field.',
          'account_ids: Must be non-empty.',
        ),
      );
    expect(await rejected('POST', `${path}:set-accounts`, { version: 2, account_ids: ['x'] })).toEqual(
      problem('Values must be valid account ids.'),
    );
    expect(await rejected('POST', 'users/u_0000000000:set-accounts', { version: 1 })).toEqual(notFound);
    // An account that lost its user gets another one with its next login to the primary auth method.
    await json('POST', `${path}:set-accounts`, { version: 2, account_ids: [] });
    const name = own.replace('acctpw_', 'u_');
    await login('own', 'long enough');
    expect(await json('GET', `users/${name}`)).toMatchObject({ account_ids: [own] });
    await json('POST', `users/${name}:set-accounts`, { version: 1, account_ids: [] });
    const token = await login('own', 'long enough');
    const tokens = await json('GET', 'auth-tokens?scope_id=global', undefined, token);
    expect(tokens).toMatchObject({ items: [{ user_id: expect.stringMatching(/^u_[0-9A-Za-z]{10}$/) }] });
    expect(tokens).not.toMatchObject({ items: [{ user_id: name }] });
  });
});

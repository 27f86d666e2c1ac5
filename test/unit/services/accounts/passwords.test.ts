import { describe, expect, test } from 'vitest';
import {
  accounts,
  admin,
  adminToken,
  bad,
  forbidden,
  type Item,
  noToken,
  notFound,
  required,
  seeded,
} from './support.ts';

const failed = [401, 'Unauthenticated', 'Unable to authenticate.'];

describe('to log in', () => {
  test('creates a token that is valid for a week', async () => {
    const { authenticate, made, json, rejected, pass } = await accounts();
    const ada = await made('ada', {}, 'long enough');
    const { status, json: body } = await authenticate('ada', 'long enough');
    const token = (body as unknown as { attributes: { token: string; id: string } }).attributes;
    const time = '2026-01-02T12:00:00.000Z';
    expect([status, body]).toEqual([
      200,
      {
        command: 'login',
        attributes: {
          id: expect.stringMatching(/^at_[0-9A-Za-z]{10}$/),
          scope_id: 'global',
          scope: { id: 'global', type: 'global' },
          token: expect.stringMatching(new RegExp(`^${token.id}_[0-9A-Za-z]{43}$`)),
          user_id: ada.id.replace('acctpw_', 'u_'),
          auth_method_id: seeded,
          account_id: ada.id,
          created_time: time,
          updated_time: time,
          approximate_last_used_time: time,
          expiration_time: '2026-01-09T12:00:00.000Z',
        },
      },
    ]);
    // The token has the type of the request.
    const ofType = { type: 'token', attributes: { login_name: 'ada', password: 'long enough' } };
    const typed = await json('POST', `auth-methods/${seeded}:authenticate`, ofType, null);
    expect(typed).toMatchObject({ command: 'login', type: 'token' });
    pass(7 * 24 * 3600 - 1);
    expect((await json('GET', `accounts/${ada.id}`, undefined, token.token)).id).toBe(ada.id);
    pass(1);
    expect(await rejected('GET', `accounts/${ada.id}`, undefined, token.token)).toEqual(noToken);
  });

  test('takes the right password of an account that has one', async () => {
    const { rejected, made, json } = await accounts();
    const invalid = 'Invalid fields provided in request.';
    await made('ada', {}, 'long enough');
    await made('bare');
    const login = (attributes: object, more: object = {}) =>
      rejected('POST', `auth-methods/${seeded}:authenticate`, { attributes, ...more }, null);
    expect(await login({ login_name: 'bare', password: 'long enough' })).toEqual(failed);
    expect(await login({}, { command: 'start', type: 'cookie' })).toEqual([
      400,
      'InvalidArgument',
      invalid,
      'attributes.login_name: This is a required field.',
      'attributes.password: This is a required field.',
      'command: Invalid command for this auth method type.',
      'type: The only accepted type is "token".',
    ]);
    const attributes = { urls: ['ldap://directory.example'] };
    const ldap = await json('POST', 'auth-methods', { scope_id: 'global', type: 'ldap', attributes });
    for (const [id, message] of [
      [seeded, 'attributes: This is a required field.'],
      [ldap.id, 'id: Logins with auth methods of type ldap are not supported.'],
    ])
      expect((await rejected('POST', `auth-methods/${id}:authenticate`, {}, null))[3]).toBe(message);
  });

  test('with an unknown token ID of an auth method of type oidc is forbidden', async () => {
    const { rejected, provider } = await accounts();
    const body = { command: 'token', attributes: { token_id: 'x' } };
    const { id } = await provider();
    expect(await rejected('POST', `auth-methods/${id}:authenticate`, body, null)).toEqual(forbidden);
  });

  test('works without a user in the primary auth method of the scope only', async () => {
    const { json, made, rejected, ask } = await accounts();
    const scope = await json('GET', 'scopes/global');
    expect(scope.primary_auth_method_id).toBe(seeded);
    expect(await json('GET', `auth-methods/${seeded}`)).toHaveProperty('is_primary', true);
    const other = await json('POST', 'auth-methods', { scope_id: 'global', type: 'password' });
    expect(other).not.toHaveProperty('is_primary');
    await made('ada', {}, 'long enough');
    await made('bob', {}, 'long enough');
    await made('eve', { auth_method_id: other.id }, 'long enough');
    const logIn = (method: string, login_name: string, password = 'long enough') =>
      ask('POST', `auth-methods/${method}:authenticate`, { attributes: { login_name, password } }, null);
    expect((await logIn(seeded, 'ada')).status).toBe(200);
    const eve = await logIn(other.id, 'eve');
    expect([eve.status, eve.json]).toMatchObject([
      404,
      { kind: 'NotFound', message: 'Unable to find requested resource.' },
    ]);
    expect((await logIn(other.id, 'eve', 'not the one')).status).toBe(401);

    const change = (body: object) => rejected('PATCH', 'scopes/global', body);
    const primary = { primary_auth_method_id: other.id };
    expect((await change({ version: 1, primary_auth_method_id: 'x' }))[3]).toMatch(
      /^primary_auth_method_id: /,
    );
    expect((await change({ version: 1, primary_auth_method_id: 'ampw_0000000000' }))[0]).toBe(400);
    const changed = await json('PATCH', 'scopes/global', { version: 1, ...primary });
    expect(changed).toMatchObject({ version: 2, ...primary });
    expect((await logIn(other.id, 'eve')).status).toBe(200);
    // An account that logged in while the auth method was the primary one has its user.
    expect((await logIn(seeded, 'ada')).status).toBe(200);
    expect((await logIn(seeded, 'bob')).status).toBe(404);
    const unset = await json('PATCH', 'scopes/global', { version: 2, primary_auth_method_id: null });
    expect(unset).not.toHaveProperty('primary_auth_method_id');
    expect((await logIn(seeded, 'bob')).status).toBe(404);
  });

  test('is the same however a letter with an accent is written', async () => {
    const { login, made } = await accounts();
    await made('ada', {}, 'caf\u00e9 caf\u00e9');
    expect(await login('ada', 'cafe\u0301 cafe\u0301')).toMatch(/^at_/);
  });

  test('does not work after the account was deleted, with its tokens', async () => {
    const { ask, authenticate, login, made, rejected } = await accounts();
    const ada = await made('ada', {}, 'long enough');
    const token = await login('ada', 'long enough');
    await ask('DELETE', `accounts/${ada.id}`);
    expect(await rejected('GET', `accounts/${admin}`, undefined, token)).toEqual(noToken);
    expect((await authenticate('ada', 'long enough')).status).toBe(401);
    await made('ada', {}, 'another one');
    expect(await rejected('GET', `accounts/${admin}`, undefined, token)).toEqual(noToken);
  });
});

describe('a password', () => {
  test('is set by the administrator, and removed by an empty one', async () => {
    const { authenticate, json, login, made } = await accounts();
    const { id } = await made('ada', {}, 'long enough');
    const set = await json('POST', `accounts/${id}:set-password`, { version: 1, password: 'the second one' });
    expect(set).toMatchObject({ id, version: 2, attributes: { login_name: 'ada' } });
    expect((await authenticate('ada', 'long enough')).status).toBe(401);
    expect(await login('ada', 'the second one')).toMatch(/^at_/);
    expect(await json('POST', `accounts/${id}:set-password`, { version: 2, password: '' })).toMatchObject({
      version: 3,
    });
    expect((await authenticate('ada', 'the second one')).status).toBe(401);
  });

  test('is changed with the current password', async () => {
    const { authenticate, json, login, made } = await accounts();
    const { id } = await made('ada', {}, 'long enough');
    const token = await login('ada', 'long enough');
    const body = { version: 1, current_password: 'long enough', new_password: 'the second one' };
    expect(await json('POST', `accounts/${id}:change-password`, body, token)).toMatchObject({
      id,
      version: 2,
    });
    expect((await authenticate('ada', 'long enough')).status).toBe(401);
    expect(await login('ada', 'the second one')).toMatch(/^at_/);
  });

  test('is not set or changed by an invalid request', async () => {
    const { login, made, rejected } = await accounts();
    const { id } = await made('ada', {}, 'long enough');
    const stale = [404, 'NotFound', `Account "${id}" doesn't exist or incorrect version provided.`];
    const set = (body: object) => rejected('POST', `accounts/${id}:set-password`, body);
    expect(await set({})).toEqual(
      bad(
        'version: Existing resource version is required for an update.',
        'password: This is a required field.',
      ),
    );
    expect(await set({ version: 2, password: 'the second one' })).toEqual(stale);
    const change = (body: object) => rejected('POST', `accounts/${id}:change-password`, body);
    expect(await change({ version: 1 })).toEqual(
      bad('current_password: This is a required field.', 'new_password: This is a required field.'),
    );
    const body = { version: 1, current_password: 'long enough', new_password: 'the second one' };
    expect(await change({ ...body, version: 2 })).toEqual(stale);
    // The current password is checked before the length of the new one and the version.
    for (const more of [{}, { new_password: 'short' }, { version: 2 }])
      expect(await change({ ...body, current_password: 'not the one', ...more })).toEqual([
        403,
        'PermissionDenied',
        'Failed to change password.',
      ]);
    expect(await change({ ...body, new_password: 'long enough' })).toEqual([
      400,
      'InvalidArgument',
      'New password equal to current password.',
      'new_password: New password equal to current password.',
    ]);
    expect(await login('ada', 'long enough')).toMatch(/^at_/);
  });

  test('is set by one of several concurrent writers only', async () => {
    const { ask, login, made } = await accounts();
    const { id } = await made('ada');
    const passwords = Array.from({ length: 8 }, (_, at) => `password ${at}`);
    const replies = await Promise.all(
      passwords.map((password) => ask('POST', `accounts/${id}:set-password`, { version: 1, password })),
    );
    const winners = passwords.filter((_, at) => replies[at]?.status === 200);
    expect(winners).toHaveLength(1);
    expect(await login('ada', winners[0] ?? '')).toMatch(/^at_/);
    expect(replies.filter(({ status }) => status === 404)).toHaveLength(7);
  });
});

describe('permissions', () => {
  test('the administrator logs in, too, and may do everything', async () => {
    const { accountsPassword = '', json, login, list } = await accounts();
    const token = await login('admin', accountsPassword);
    expect((await list()).items.map(({ id }) => id)).toEqual([admin]);
    const body = { auth_method_id: seeded, attributes: { login_name: 'ada' } };
    expect(await json('POST', 'accounts', body, token)).toMatchObject({ version: 1 });
  });

  test('an account may read itself and change its own password, and nothing else', async () => {
    const { json, login, made, rejected } = await accounts();
    const { id } = await made('ada', {}, 'long enough');
    const token = await login('ada', 'long enough');
    const own = await json('GET', `accounts/${id}`, undefined, token);
    expect(own.authorized_actions).toEqual(['read', 'change-password']);
    const change = { version: 1, current_password: 'long enough', new_password: 'the second one' };
    for (const [method, path, body] of [
      ['GET', `accounts?auth_method_id=${seeded}`],
      ['GET', `accounts/${admin}`],
      ['POST', 'accounts', { auth_method_id: seeded, attributes: { login_name: 'eve' } }],
      ['PATCH', `accounts/${id}`, { version: 1, name: 'x' }],
      ['DELETE', `accounts/${id}`],
      ['POST', `accounts/${id}:set-password`, { version: 1, password: 'the second one' }],
      ['POST', `accounts/${admin}:change-password`, change],
      ['POST', 'scopes', { scope_id: 'global' }],
      ['PATCH', 'scopes/global', { version: 1, name: 'x' }],
      ['POST', 'auth-methods', { scope_id: 'global', type: 'password' }],
      ['GET', `auth-methods/${seeded}`],
    ] as const) {
      expect(await rejected(method, path, body, token), `${method} ${path}`).toEqual(forbidden);
      expect(await rejected(method, path, body, null), `${method} ${path}`).toEqual(noToken);
    }
  });

  test('a malformed request is rejected before the resource and the token are looked up', async () => {
    const { rejected } = await accounts();
    const malformed = 'Improperly formatted identifier.';
    const version = 'version: Existing resource version is required for an update.';
    for (const [method, path, ...fields] of [
      ['PATCH', 'accounts/x', 'id: Improperly formatted path identifier.', version],
      ['PATCH', 'accounts/acctpw_0000000000', version],
      ['POST', 'accounts/x:set-password', `id: ${malformed}`, version, `password: ${required}`],
      [
        'POST',
        'accounts/acctoidc_0000000000:change-password',
        `id: ${malformed}`,
        version,
        `current_password: ${required}`,
        `new_password: ${required}`,
      ],
      ['POST', 'scopes', 'scope_id: Missing value for scope_id.'],
      ['PATCH', 'scopes/global', version],
    ] as const) {
      expect(await rejected(method, path, {}, null), `${method} ${path}`).toEqual(bad(...fields));
    }
    const body = { auth_method_id: seeded, attributes: {} };
    expect(await rejected('POST', 'accounts', body, null)).toEqual(
      bad('attributes.login_name: This is a required field for this type.'),
    );
  });

  test('what does not exist is not found before the token is looked at', async () => {
    const { login, made, rejected } = await accounts();
    await made('ada', {}, 'long enough');
    const token = await login('ada', 'long enough');
    const missing = { auth_method_id: 'ampw_0000000000', attributes: { login_name: 'eve' } };
    for (const [method, path, body] of [
      ['GET', 'accounts/acctpw_0000000000'],
      ['PATCH', 'accounts/acctpw_0000000000', { version: 1, name: 'x' }],
      ['DELETE', 'accounts/acctpw_0000000000'],
      ['POST', 'accounts/acctpw_0000000000:set-password', { version: 1, password: 'the second one' }],
      ['GET', 'accounts?auth_method_id=ampw_0000000000'],
      ['POST', 'accounts', missing],
      ['GET', 'auth-tokens/at_0000000000'],
      ['DELETE', 'auth-tokens/at_0000000000'],
      ['GET', 'auth-methods/ampw_0000000000'],
      ['GET', 'scopes/o_0000000000'],
    ] as const) {
      for (const caller of [token, 'at_1_x', null]) {
        const rejection = await rejected(method, path, body, caller);
        expect(rejection, `${method} ${path}`).toEqual(notFound);
      }
    }
  });

  test('an ID that no resource can have is invalid before the token is looked at', async () => {
    const { rejected } = await accounts();
    for (const id of ['x', 'acct_1', 'ampw_1234567890', 'acctpw_a-b']) {
      for (const [method, more, description, body] of [
        ['GET', '', 'Invalid formatted identifier.'],
        ['PATCH', '', 'Improperly formatted path identifier.', { version: 1, name: 'x' }],
        ['DELETE', '', 'Incorrectly formatted identifier.'],
        ['POST', ':set-password', 'Improperly formatted identifier.', { version: 1, password: 'x' }],
      ] as const) {
        for (const caller of [undefined, null])
          expect(await rejected(method, `accounts/${id}${more}`, body, caller)).toEqual(
            bad(`id: ${description}`),
          );
      }
    }
    for (const [method, path, field] of [
      ['GET', 'auth-tokens/at_1_', 'id: Invalid formatted identifier.'],
      ['DELETE', 'auth-tokens/x', 'id: Incorrectly formatted identifier.'],
      ['GET', 'auth-methods/x', 'id: Invalid formatted identifier.'],
      ['GET', 'scopes/x', 'id: Invalidly formatted scope id.'],
      ['POST', 'auth-methods/x:authenticate', 'attributes: unknown subtype in ID: x'],
    ] as const)
      expect(await rejected(method, path, undefined, null)).toEqual(bad(field));
  });

  test('a caller without a valid token is anonymous', async () => {
    const { json, rejected } = await accounts();
    for (const token of [null, 'nonsense', 'at_1', `${adminToken}x`, 'at_AbCdEf0123_x', 'at__proto___x']) {
      expect(await rejected('GET', `accounts/${admin}`, undefined, token)).toEqual(noToken);
      expect(await json('GET', 'scopes', undefined, token)).toMatchObject({ response_type: 'complete' });
    }
  });

  test('anonymous callers see the auth methods, and not their configuration', async () => {
    const { json } = await accounts();
    const list = await json('GET', 'auth-methods?scope_id=global', undefined, null);
    const shown = { id: seeded, type: 'password', authorized_actions: ['authenticate'] };
    expect(list).toMatchObject({ items: [shown] });
    expect(list).not.toHaveProperty('items[0].attributes');
  });
});

describe('a token', () => {
  test('is read and deleted by its account and by the administrator, and by no other', async () => {
    const { ask, authenticate, json, rejected } = await accounts({
      accounts: { password: 'the first password' },
    });
    const logIn = async () =>
      ((await authenticate('admin', 'the first password')).json as unknown as Item).attributes;
    const { id, token } = await logIn();
    const path = `auth-tokens/${id}`;
    expect(await json('GET', path, undefined, String(token))).toMatchObject({ id, account_id: admin });
    expect(await json('GET', path, undefined, String(token))).not.toHaveProperty('token');
    expect(await rejected('GET', path, undefined, null)).toEqual(noToken);
    expect(await json('GET', 'auth-tokens/at_AbCdEf0123')).not.toHaveProperty('expiration_time');
    expect((await ask('DELETE', path)).status).toBe(204);
    expect(await rejected('GET', `accounts/${admin}`, undefined, String(token))).toEqual(noToken);
    for (const caller of [undefined, String(token), null])
      expect(await rejected('GET', path, undefined, caller)).toEqual(notFound);
  });
});

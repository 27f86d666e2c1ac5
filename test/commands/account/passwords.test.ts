import { describe, expect, test } from 'vitest';
import { expectExit, expectFailure, homeForAll, quietOutputOf } from '../../support/command-tests.ts';
import { id, method, reject, runAt, shelf, written } from './shelf.ts';

const at = homeForAll();
const run = runAt(at);
const bob = { name: 'Bob', attributes: { login_name: 'bob' }, version: 3 };
const env = { OLD: 'old-password', NEW: 'new-password' };
const change = ['change-password', id(1), '--current-password', 'env://OLD', '--new-password', 'env://NEW'];
const set = ['set-password', id(1), '--password', 'env://NEW'];

describe('account change-password', () => {
  test('sends both passwords with the current version', async () => {
    const server = await shelf([bob]);
    expect(await run(server, change, { env })).toEqual({
      code: 0,
      stdout: 'Changed the password of account bob (acctpw_0000000001), now version 4.\n',
      stderr: '',
    });
    expect(server.writes()).toEqual([`POST /v1/accounts/${id(1)}:change-password`]);
    expect(server.bodies()).toEqual([
      { version: 3, current_password: 'old-password', new_password: 'new-password' },
    ]);
  });

  test('prompts for both passwords, and for the new one twice', async () => {
    const server = await shelf([bob]);
    const ran = await run(server, ['change-password', id(1)], {
      columns: 80,
      typed: 'old-password\nnew-password\nnew-password\n',
    });
    expect(ran.code, ran.stderr).toBe(0);
    expect(ran.stderr).toBe('current password: \nnew password: \nnew password, again: \n');
    expect(server.bodies()).toMatchObject([{ new_password: 'new-password' }]);
  });

  test.each([
    [{ OLD: 'same-password', NEW: 'same-password' }, 'new_password: must differ from the current password'],
    [{ OLD: 'old-password' }, 'NEW is not set'],
  ])('with %j sends nothing', async (given, said) => {
    const server = await shelf([bob]);
    expectFailure(await run(server, change, { env: given }), 2, said);
    expect(server.seen).toEqual([]);
  });

  test('cannot read both passwords from standard input', async () => {
    const server = await shelf([bob]);
    const argv = ['change-password', id(1), '--current-password', '-', '--new-password', '-'];
    const ran = await run(server, argv, { stdin: 'both-of-them' });
    expectFailure(ran, 2, 'standard input can be read only once');
  });

  test('with a wrong password reports that, with exit code 5', async () => {
    const server = await shelf([bob], ({ method }, response) => {
      if (method === 'POST') reject(response, 403, 'PermissionDenied', 'Failed to change password.');
    });
    const ran = await run(server, change, { env });
    expectFailure(ran, 5, 'the current password is wrong (403)');
    expect(ran.stderr).not.toMatch(/old-password|new-password/);
  });

  test('without permission reports that, with exit code 5', async () => {
    const server = await shelf([bob], ({ method }, response) => {
      if (method === 'POST') reject(response, 403, 'PermissionDenied', 'Forbidden.');
    });
    expectFailure(await run(server, change, { env }), 5, 'cannot change password: permission denied (403)');
  });
});

describe('account set-password', () => {
  test('sends the password with the version of --at', async () => {
    const server = await shelf([bob]);
    const ran = await run(server, [...set, '--at', '3', '-o', 'json'], { env });
    expect(JSON.parse(ran.stdout)).toMatchObject({ id: id(1), version: 4 });
    expect(server.seen.map(({ url }) => url)).toEqual([`/v1/accounts/${id(1)}:set-password`]);
    expect(server.bodies()).toEqual([{ version: 3, password: 'new-password' }]);
  });

  test('prompts twice', async () => {
    const server = await shelf([bob]);
    const typed = 'new-password\nnew-password\n';
    const ran = await run(server, ['set-password', id(1)], { columns: 80, typed });
    expect(ran.code, ran.stderr).toBe(0);
    expect(ran.stderr).toBe('password: \npassword, again: \n');
  });

  test('without a terminal, cannot prompt', async () => {
    const server = await shelf([bob]);
    expectFailure(await run(server, ['set-password', id(1)]), 2, 'cannot prompt for ');
    expect(server.writes()).toEqual([]);
  });

  test('checks the account before it prompts', async () => {
    const server = await shelf([bob]);
    const ran = await run(server, ['set-password', id(9)], { columns: 80, typed: 'x\nx\n' });
    expect(ran).toMatchObject({ code: 3, stdout: '', stderr: expect.not.stringContaining('password:') });
  });

  test('rejects a login name of several accounts', async () => {
    const server = await shelf([bob, bob]);
    const argv = ['set-password', 'bob', '--no-password', '--yes'];
    const ran = await run(server, argv, { env: { BOUNDARY_AUTH_METHOD_ID: method } });
    expectFailure(ran, 2, 'several accounts have the login name "bob"');
    expect(server.writes()).toEqual([]);
  });

  test('removes a password after confirmation', async () => {
    const server = await shelf([bob]);
    const argv = ['set-password', id(1), '--no-password'];
    expect((await run(server, argv)).code).toBe(2);
    expect(server.writes()).toEqual([]);
    const stdout = quietOutputOf(await run(server, [...argv, '--yes']));
    expect(stdout).toContain('Removed the password of account bob');
    expect(server.bodies()).toEqual([{ version: 3, password: '' }]);
  });

  test.each([
    [[...set, '--no-password'], 'cannot be combined'],
    [['set-password', id(1), '--password', 'secret-in-argv'], 'not accepted on the command line'],
    [['set-password', id(1), '--password', 'env://EMPTY'], 'EMPTY'],
    [['set-password'], 'missing argument ACCOUNT'],
    [['set-password', 'acctoidc_1', '--password', 'env://NEW'], 'account acctoidc_1 has type oidc'],
    [
      ['change-password', 'acctldap_1'],
      'account acctldap_1 has type ldap, whose password is not stored in the service',
    ],
  ])('rejects %j', async (argv, said) => {
    const server = await shelf([bob]);
    const ran = await run(server, argv, { env: { ...env, EMPTY: '' } });
    expectFailure(ran, 2, said);
    expect(ran.stderr).not.toMatch(/secret-in-argv/);
    expect(server.seen).toEqual([]);
  });
});

describe('the length of a password', () => {
  test.each([
    ['change-password', change],
    ['set-password', set],
  ])('is not checked by %s', async (_verb, argv) => {
    const server = await shelf([bob]);
    const ran = await run(server, argv, { env: { OLD: 'old', NEW: 'four' } });
    expect(ran).toMatchObject({ code: 0, stderr: '' });
    const rejecting = await shelf([bob], ({ method }, response) => {
      if (method === 'POST')
        reject(response, 400, 'InvalidArgument', 'Error in provided request.', [
          { name: 'password', description: 'Password is too short.' },
        ]);
    });
    const rejected = await run(rejecting, argv, { env: { OLD: 'old', NEW: 'four' } });
    expectFailure(rejected, 1, 'password: Password is too short.');
  });
});

describe.each([
  ['change-password', change],
  ['set-password', set],
])('account %s', (_verb, argv) => {
  test('with a stale version, which the service reports as 500, exits with 6', async () => {
    const server = await shelf([bob]);
    const ran = await run(server, [...argv, '--at', '2'], { env });
    expectFailure(ran, 6, 'it has version 3, not 2; nothing was written');
    expect(server.writes()).toHaveLength(1);
  });

  test('with a missing account exits with 3, with and without --at', async () => {
    const server = await shelf([]);
    for (const more of [[], ['--at', '1']])
      expect(await run(server, [...argv, ...more], { env })).toMatchObject({ code: 3, stdout: '' });
  });

  test('with a 500 for the current version exits with 1', async () => {
    const server = await shelf([bob], ({ method }, response) => {
      if (method === 'POST') reject(response, 500, 'Internal', 'disk on fire');
    });
    expectFailure(await run(server, argv, { env }), 1, 'disk on fire');
  });

  test.each([
    [1, 0, 'the response was lost, but the account now has version 4'],
    [0, 9, 'still has version 3'],
    [2, 9, 'the account has version 5, not 3: it was changed by another request'],
  ])('after a lost response, with a version increased by %i, exits with %i', async (moved, code, said) => {
    const server = await shelf([bob], ({ method }, response, { accounts }) => {
      if (method !== 'POST') return;
      for (let n = 0; n < moved; n++) accounts.set(id(1), written(accounts.get(id(1)) ?? {}, {}));
      response.destroy();
    });
    expectExit(await run(server, argv, { env }), code, said);
    expect(server.writes()).toHaveLength(1);
  });
});

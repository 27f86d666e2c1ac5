import { afterAll, describe, expect, test } from 'vitest';
import { home } from '../support/run.ts';
import { id, refuse, runAt, shelf, written } from './account-shelf.ts';

const at = home();
afterAll(() => at.remove());
const run = runAt(at);
const bob = { name: 'Bob', attributes: { login_name: 'bob' }, version: 3 };
const env = { OLD: 'old-password', NEW: 'new-password' };
const change = ['change-password', id(1), '--current-password', 'env://OLD', '--new-password', 'env://NEW'];
const set = ['set-password', id(1), '--password', 'env://NEW'];

describe('account change-password', () => {
  test('sends both passwords at the version that is there', async () => {
    const server = await shelf([bob]);
    const ran = await run(server, change, { env });
    expect(ran).toEqual({
      code: 0,
      stdout: 'The account bob (acctpw_0000000001) has its new password, now at version 4.\n',
      stderr: '',
    });
    expect(server.writes()).toEqual([`POST /v1/accounts/${id(1)}:change-password`]);
    expect(server.bodies()).toEqual([
      { version: 3, current_password: 'old-password', new_password: 'new-password' },
    ]);
  });

  test('asks for both, and for the new one twice', async () => {
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
    [{ OLD: 'same-password', NEW: 'same-password' }, 'new_password: it is the current password'],
    [{ OLD: 'old-password' }, 'NEW is not set'],
  ])('with %j sends nothing', async (given, said) => {
    const server = await shelf([bob]);
    const ran = await run(server, change, { env: given });
    expect(ran).toMatchObject({ code: 2, stdout: '' });
    expect(ran.stderr).toContain(said);
    expect(server.seen).toEqual([]);
  });

  test('cannot take both from standard input', async () => {
    const server = await shelf([bob]);
    const argv = ['change-password', id(1), '--current-password', '-', '--new-password', '-'];
    const ran = await run(server, argv, { stdin: 'both-of-them' });
    expect(ran.code).toBe(2);
    expect(ran.stderr).toContain('standard input can be read only once');
  });

  test('with a wrong password is forbidden, in words', async () => {
    const server = await shelf([bob], ({ method }, response) => {
      if (method !== 'POST') return undefined;
      refuse(response, 403, 'PermissionDenied', 'Failed to change password.');
      return true;
    });
    const ran = await run(server, change, { env });
    expect(ran).toMatchObject({ code: 5, stdout: '' });
    expect(ran.stderr).toContain('the current password is wrong (403)');
    expect(ran.stderr).not.toMatch(/old-password|new-password/);
  });

  test('without the permission is forbidden, in the words of that', async () => {
    const server = await shelf([bob], ({ method }, response) => {
      if (method !== 'POST') return undefined;
      refuse(response, 403, 'PermissionDenied', 'Forbidden.');
      return true;
    });
    const ran = await run(server, change, { env });
    expect(ran.code).toBe(5);
    expect(ran.stderr).toContain('cannot change password: permission denied (403)');
  });
});

describe('account set-password', () => {
  test('sends the password at the version of --at', async () => {
    const server = await shelf([bob]);
    const ran = await run(server, [...set, '--at', '3', '-o', 'json'], { env });
    expect(JSON.parse(ran.stdout)).toMatchObject({ id: id(1), version: 4 });
    expect(server.seen.map(({ url }) => url)).toEqual([`/v1/accounts/${id(1)}:set-password`]);
    expect(server.bodies()).toEqual([{ version: 3, password: 'new-password' }]);
  });

  test('asks twice', async () => {
    const server = await shelf([bob]);
    const typed = 'new-password\nnew-password\n';
    const ran = await run(server, ['set-password', id(1)], { columns: 80, typed });
    expect(ran.code, ran.stderr).toBe(0);
    expect(ran.stderr).toBe('password: \npassword, again: \n');
  });

  test('takes a password away after asking', async () => {
    const server = await shelf([bob]);
    const argv = ['set-password', id(1), '--no-password'];
    expect((await run(server, argv)).code).toBe(2);
    expect(server.writes()).toEqual([]);
    const ran = await run(server, [...argv, '--yes']);
    expect(ran).toMatchObject({ code: 0, stderr: '' });
    expect(ran.stdout).toContain('has no password any more');
    expect(server.bodies()).toEqual([{ version: 3, password: '' }]);
  });

  test.each([
    [[...set, '--no-password'], 'exclude each other'],
    [['set-password', id(1), '--password', 'secret-in-argv'], 'not accepted on the command line'],
    [['set-password', id(1), '--password', 'env://EMPTY'], 'EMPTY'],
    [['set-password', id(1)], 'cannot prompt for '],
    [['set-password'], 'ID'],
    [['set-password', 'acctoidc_1', '--password', 'env://NEW'], 'is an account of type oidc'],
    [['change-password', 'acctldap_1'], 'is an account of type ldap, whose password is kept elsewhere'],
  ])('%j is refused', async (argv, said) => {
    const server = await shelf([bob]);
    const ran = await run(server, argv, { env: { ...env, EMPTY: '' } });
    expect(ran).toMatchObject({ code: 2, stdout: '' });
    expect(ran.stderr).toContain(said);
    expect(ran.stderr).not.toMatch(/secret-in-argv/);
    expect(server.seen).toEqual([]);
  });
});

describe('the length of a password', () => {
  test.each([
    ['change-password', change],
    ['set-password', set],
  ])('is left to the auth method by %s', async (_verb, argv) => {
    const server = await shelf([bob]);
    const ran = await run(server, argv, { env: { OLD: 'old', NEW: 'four' } });
    expect(ran).toMatchObject({ code: 0, stderr: '' });
    const rejecting = await shelf([bob], ({ method }, response) => {
      if (method !== 'POST') return undefined;
      refuse(response, 400, 'InvalidArgument', 'Error in provided request.', [
        { name: 'password', description: 'Password is too short.' },
      ]);
      return true;
    });
    const rejected = await run(rejecting, argv, { env: { OLD: 'old', NEW: 'four' } });
    expect(rejected).toMatchObject({ code: 1, stdout: '' });
    expect(rejected.stderr).toContain('password: Password is too short.');
  });
});

describe.each([
  ['change-password', change],
  ['set-password', set],
])('account %s', (_verb, argv) => {
  test('at a stale version, for which the service fails with 500, ends with 6', async () => {
    const server = await shelf([bob]);
    const ran = await run(server, [...argv, '--at', '2'], { env });
    expect(ran).toMatchObject({ code: 6, stdout: '' });
    expect(ran.stderr).toContain('is at version 3, not 2; nothing was written');
    expect(server.writes()).toHaveLength(1);
  });

  test('of an account that is not there ends with 3, read first or not', async () => {
    const server = await shelf([]);
    for (const more of [[], ['--at', '1']])
      expect(await run(server, [...argv, ...more], { env })).toMatchObject({ code: 3, stdout: '' });
  });

  test('that fails with 500 at the right version is a failure of the service', async () => {
    const server = await shelf([bob], ({ method }, response) => {
      if (method !== 'POST') return undefined;
      refuse(response, 500, 'Internal', 'disk on fire');
      return true;
    });
    const ran = await run(server, argv, { env });
    expect(ran).toMatchObject({ code: 1, stdout: '' });
    expect(ran.stderr).toContain('disk on fire');
  });

  test.each([
    [1, 0, 'the account is at version 4 now, as the change makes it'],
    [0, 9, 'still at version 3'],
    [2, 9, 'The account is at version 5, and was at 3: somebody else changed it.'],
  ])('whose answer is lost, with the version moved by %i', async (moved, code, said) => {
    const server = await shelf([bob], ({ method }, response, { accounts }) => {
      if (method !== 'POST') return undefined;
      for (let n = 0; n < moved; n++) accounts.set(id(1), written(accounts.get(id(1)) ?? {}, {}));
      response.destroy();
      return true;
    });
    const ran = await run(server, argv, { env });
    expect(ran.code, ran.stderr).toBe(code);
    expect(ran.stderr).toContain(said);
    expect(server.writes()).toHaveLength(1);
  });

  test.each(['--dry-run', '--curl'])('with %s shows the request, and no password', async (flag) => {
    const server = await shelf([bob]);
    const ran = await run(server, [...argv, flag], { env });
    expect(ran).toMatchObject({ code: 0, stderr: '' });
    expect(ran.stdout).toContain(`${server.url}/v1/accounts/${id(1)}:`);
    expect(ran.stdout).toContain('<redacted>');
    expect(ran.stdout).not.toMatch(/old-password|new-password|s3cret/);
    expect(server.writes()).toEqual([]);
  });
});

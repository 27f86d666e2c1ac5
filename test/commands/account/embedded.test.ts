import { beforeEach, describe, expect, test } from 'vitest';
import {
  embeddedForEach,
  expectExit,
  expectFailure,
  linesOf,
  outputOf,
} from '../../support/command-tests.ts';
import type { Ran, RunOptions } from '../../support/run.ts';

const method = 'ampw_1234567890';
const { at, running } = embeddedForEach();
let token: string;

beforeEach(async () => {
  token = running.embedded.accountsToken;
});

/** Runs a command of `account` as the administrator. */
const run = (line: string, options: RunOptions = {}): Promise<Ran> =>
  at.run(['account', ...line.split(' ')], {
    ...options,
    env: { LANYARD_ACCOUNTS_TOKEN: token, ...options.env },
  });
const create = async (name: string): Promise<string> => {
  const ran = await run(
    `create --auth-method ${method} --login-name ${name} --password env://PW --field id`,
    { env: { PW: 'first-password' } },
  );
  expect(ran.code, ran.stderr).toBe(0);
  return ran.stdout.trim();
};
const logIn = (name: string, password: string): Promise<Ran> =>
  run(`login --auth-method ${method} --login-name ${name} --password env://PW --no-store`, {
    env: { PW: password },
  });
const version = async (id: string): Promise<number> =>
  Number((await run(`get ${id} --field version`)).stdout);

describe('accounts of the embedded service', () => {
  test('are reached by an address with the base path of the API', async () => {
    const env = { LANYARD_ACCOUNTS_ADDR: `${running.addresses.accounts}/v1/` };
    expect((await run('get acctpw_1234567890', { env })).code).toBe(0);
  });

  test('are created, read, updated and deleted', async () => {
    const id = await create('bob');
    expect((await run(`get ${id}`)).stdout).toMatch(/^version\t1$/m);
    const updated = await run(`update ${id} --name Bob --description null --login-name robert -o json`);
    expect(updated.code, updated.stderr).toBe(0);
    expect(JSON.parse(updated.stdout)).toMatchObject({
      id,
      name: 'Bob',
      version: 2,
      attributes: { login_name: 'robert' },
    });
    const cleared = await run(`update ${id} --name null -o json`);
    expect(JSON.parse(cleared.stdout)).not.toHaveProperty('name');
    const stale = await run(`update ${id} --name late --at 1`);
    expectFailure(stale, 6, `cannot change account "${id}": it has version 3, not 1`);
    expect((await run(`delete ${id} --yes`)).code).toBe(0);
    expect((await run(`delete ${id} --yes`)).code).toBe(3);
    expect((await run(`update ${id} --name x --at 3`)).code).toBe(3);
  });

  test('have passwords that can be changed and removed', async () => {
    const id = await create('bob');
    const stdout = outputOf(await logIn('bob', 'first-password'));
    const own = { LANYARD_ACCOUNTS_TOKEN: stdout.trim() };
    const changing = (old: string): Promise<Ran> =>
      run(`change-password ${id} --current-password env://OLD --new-password env://NEW`, {
        env: { ...own, OLD: old, NEW: 'second-password' },
      });
    expect(await changing('wrong-password')).toMatchObject({ code: 5, stdout: '' });
    expectExit(await changing('first-password'), 0);
    expect((await logIn('bob', 'first-password')).code).toBe(4);
    expect((await logIn('bob', 'second-password')).code).toBe(0);

    const setting = `set-password ${id} --password env://PW`;
    const env = { PW: 'third-password' };
    expect((await run(`${setting} --at 1`, { env })).code).toBe(6);
    expect((await run(setting, { env })).code).toBe(0);
    expect((await logIn('bob', 'third-password')).code).toBe(0);
    expect((await run(`set-password ${id} --no-password --yes`)).code).toBe(0);
    expect((await logIn('bob', 'third-password')).code).toBe(4);
    expect(await version(id)).toBe(4);
  });

  test('are listed by pages, with changes since a list token', async () => {
    const ids = [await create('user-1'), await create('user-2'), await create('user-3')];
    const list = `list --auth-method ${method} --page-size 2`;
    const all = JSON.parse((await run(`${list} -o json`)).stdout);
    expect(all.items).toHaveLength(4);
    expect(all.response_type).toBe('complete');
    await run(`update ${ids[0]} --name one`);
    await run(`delete ${ids[1]} --yes`);
    const fresh = await create('user-4');
    const stdout = outputOf(await run(`${list} --since ${all.list_token}`));
    // Changes of the last 30 seconds before the list may be repeated.
    expect(linesOf(stdout).map((line) => line.split('\t').slice(0, 2).join(' '))).toEqual(
      expect.arrayContaining([`changed ${ids[0]}`, `new ${fresh}`, `removed ${ids[1]}`]),
    );
    const lines = await run(`${list} --since ${all.list_token} --page-size 1 -o jsonl`);
    expect(lines.stdout.split('\n').filter((line) => line.includes('"removed"'))).toEqual([
      JSON.stringify({ id: ids[1], removed: true }),
    ]);
    const broken = await run(`${list} --since nonsense`);
    expectFailure(broken, 1, 'list_token: ', 'Run the command again without --since');
  });

  test('are filtered, and an invalid filter is rejected by its field', async () => {
    await create('bob');
    await create('ci-deploy');
    const list = ['account', 'list', '--auth-method', method, '--field', 'items.0.attributes.login_name'];
    const env = { LANYARD_ACCOUNTS_TOKEN: token };
    const found = await at.run([...list, '--filter', '"/item/attributes/login_name" matches "^ci-"'], {
      env,
    });
    expect(found.stdout).toBe('ci-deploy\n');
    const rejected = await at.run([...list, '--filter', '"/item/name" =='], { env });
    expectFailure(rejected, 1, 'filter: This field could not be parsed.');
  });

  test('reject a duplicate login name and a caller without permission', async () => {
    const id = await create('bob');
    const again = await run(`create --auth-method ${method} --login-name bob --no-password`);
    expectFailure(again, 6, 'another account of the auth method already has this value');
    const { stdout } = await logIn('bob', 'first-password');
    const env = { LANYARD_ACCOUNTS_TOKEN: stdout.trim() };
    expect((await run(`get ${id}`, { env })).code).toBe(0);
    expect((await run(`update ${id} --name x`, { env })).code).toBe(5);
    expect((await run(`get ${id}`, { env: { LANYARD_ACCOUNTS_TOKEN: 'at_none_none' } })).code).toBe(4);
  });

  test('are found by their login name, before a prompt', async () => {
    const id = await create('bob');
    expect((await run('get bob --field id')).stdout).toBe(`${id}\n`);
    const set = await run('set-password bob --password env://PW', { env: { PW: 'second-password' } });
    expect(set.stdout).toBe(`Set the password of account bob (${id}), now version 2.\n`);
    const typed = 'second-password\nthird-password\nthird-password\n';
    expect(await run('change-password bob', { columns: 80, typed })).toMatchObject({ code: 0 });
    expect((await logIn('bob', 'third-password')).code).toBe(0);
    expect((await run('delete bob --yes')).code).toBe(0);
    for (const line of ['get bob', 'set-password bob', 'change-password bob'])
      expect(await run(line, { columns: 80, typed: 'x\n' })).toEqual({
        code: 3,
        stdout: '',
        stderr: expect.stringContaining(`account "bob" not found in auth method "${method}"`),
      });
    const none = await run('get bob', { env: { BOUNDARY_AUTH_METHOD_ID: 'ampw_0000000000' } });
    expect(none.stderr).toContain('auth method "ampw_0000000000" not found');
  });

  test('reject an invalid ID', async () => {
    for (const line of [
      'get acct_x',
      'delete acct_x --yes',
      'update acct_x --name y',
      'update acct_x --name y --at 1',
    ]) {
      const ran = await run(line);
      expect(ran, line).toMatchObject({ code: 1, stdout: '' });
      expect(ran.stderr, line).toContain('invalid account ID "acct_x" (400)');
    }
    const ran = await run('list --auth-method x');
    expectFailure(ran, 1, 'invalid auth method ID "x" (400)');
    expect((await run('get acctpw_0000000000')).code).toBe(3);
  });

  test('accept one of several concurrent writes to the same version', async () => {
    const id = await create('bob');
    const codes = await Promise.all(
      Array.from({ length: 50 }, async (_each, n) => (await run(`update ${id} --name n${n} --at 1`)).code),
    );
    expect(codes.filter((code) => code === 0)).toHaveLength(1);
    expect(codes.filter((code) => code === 6)).toHaveLength(49);
    expect(await version(id)).toBe(2);
  });

  test('log in, send later requests, and log out', async () => {
    const id = await create('bob');
    delete at.env.LANYARD_ACCOUNTS_ADDR;
    const env = { LANYARD_ACCOUNTS_TOKEN: '', PW: 'first-password' };
    await at.run(['profile', 'put', 'dev', `accounts.address=${running.addresses.accounts}`]);
    expectExit(await run(`login --auth-method ${method} --login-name bob --password env://PW`, { env }), 0);
    expect((await run(`get ${id}`, { env })).code).toBe(0);
    expect((await run('logout', { env })).code).toBe(0);
    expect((await run(`get ${id}`, { env })).code).toBe(4);
  });
});

import { beforeEach, describe, expect, test } from 'vitest';
import { embeddedForEach, expectFailure, outputOf } from '../../support/command-tests.ts';
import type { RunOptions } from '../../support/run.ts';

const { at, running, run } = embeddedForEach();
let adminId: string;
const env = { PW: 'some-password' };

const done = async (line: string, options?: RunOptions): Promise<string> => {
  return outputOf(await run(line, options));
};
/** The environment of a new login of bob. */
const logIn = async (): Promise<{ readonly LANYARD_ACCOUNTS_TOKEN: string; readonly id: string }> => {
  const token = (await done('account login --login-name bob --password env://PW --no-store', { env })).trim();
  return { LANYARD_ACCOUNTS_TOKEN: token, id: /^at_[^_]+/.exec(token)?.[0] ?? '' };
};

beforeEach(async () => {
  at.env.LANYARD_ACCOUNTS_TOKEN = running.embedded.accountsToken;
  adminId = /^at_[^_]+/.exec(running.embedded.accountsToken)?.[0] ?? '';
  await done('account create --login-name bob --password env://PW', { env });
});

describe('account token list', () => {
  test('lists the tokens of the current user and marks the current one', async () => {
    const first = await logIn();
    const second = await logIn();
    const list = await done('account token list', { env: second });
    expect(list.trim().split('\n')).toHaveLength(2);
    expect(list).toMatch(new RegExp(`^${second.id}\t.*\tyes$`, 'm'));
    expect(list).toMatch(new RegExp(`^${first.id}\t.*\t-$`, 'm'));
    expect(list).not.toContain(adminId);
  });

  test('--all lists the tokens of other users', async () => {
    const { id } = await logIn();
    const own = JSON.parse(await done('account token list -o json'));
    expect(own.items.map((each: { id: string }) => each.id)).toEqual([adminId]);
    const all = JSON.parse(await done('account token list --all -o json'));
    expect(all.items.map((each: { id: string }) => each.id).toSorted()).toEqual([id, adminId].toSorted());
    const filter = `"/item/id"=="${id}"`;
    expect(await done(`account token list --all --field items.0.id --filter ${filter}`)).toBe(`${id}\n`);
  });

  test('--all warns if the token may not see the tokens of other users', async () => {
    const env = await logIn();
    const warning =
      'warning: list auth tokens: some results were omitted: the token has no permission to read them\n';
    expect(await run('account token list --all', { env })).toMatchObject({ code: 0, stderr: warning });
    expect(await run('account token list', { env })).toMatchObject({ code: 0, stderr: '' });
    expect(await run('account token list --all')).toMatchObject({ code: 0, stderr: '' });
  });

  test.each([
    ['', 4, 'no token is set for accounts'],
    ['--scope o_0000000000', 3, 'scope "o_0000000000" not found'],
    ['--scope x', 3, 'scope "x" not found'],
  ])('reports %j', async (flags, code, problem) => {
    const ran = await run(
      `account token list ${flags}`.trim(),
      flags === '' ? { env: { LANYARD_ACCOUNTS_TOKEN: '' } } : {},
    );
    expectFailure(ran, code, problem);
  });
});

describe('account token get', () => {
  test('shows the current token, without its secret', async () => {
    const { LANYARD_ACCOUNTS_TOKEN, id } = await logIn();
    const shown = await done('account token get', { env: { LANYARD_ACCOUNTS_TOKEN } });
    expect(shown).toContain(`ID\t${id}\n`);
    expect(shown).toMatch(/^expires\t/m);
    expect(shown).not.toContain(LANYARD_ACCOUNTS_TOKEN);
    expect(await done('account token get -o env')).toContain('scope_id=');
    expect(JSON.parse(await done('account token get -o json'))).toHaveProperty('scope.id', 'global');
    expect(await done('account token get --field scope.id')).toBe('global\n');
    expect(JSON.parse(await done(`account token get ${id} -o json`))).toMatchObject({ id });
    expect((await run(`account token get ${adminId}`, { env: { LANYARD_ACCOUNTS_TOKEN } })).code).toBe(5);
  });

  test.each([
    ['at_0000000000', 3, 'token "at_0000000000" not found'],
    ['x', 1, 'invalid token ID "x" (400)'],
    ['at_1234567890_s3cret', 2, 'expected the ID of a token, not the token'],
  ])('reports %s', async (id, code, problem) => {
    const ran = await run(`account token get ${id}`);
    expectFailure(ran, code, problem);
    expect(ran.stderr).not.toContain('s3cret');
  });

  test('a token without an ID needs the ID', async () => {
    const ran = await run('account token get', { env: { LANYARD_ACCOUNTS_TOKEN: 'other-form' } });
    expect(ran).toMatchObject({ code: 2, stderr: expect.stringContaining('the current token has no ID') });
  });
});

describe('account token delete', () => {
  test('asks, and logs out what uses the token', async () => {
    const { LANYARD_ACCOUNTS_TOKEN, id } = await logIn();
    const ran = await run(`account token delete ${id} --no-color`, { columns: 100, typed: 'y\n' });
    expect(ran.stderr).toMatch(
      new RegExp(`Delete token ${id} of account acctpw_\\w+\\? Everything that uses it is logged out\\.`),
    );
    expect(ran).toMatchObject({ code: 0, stdout: `Deleted token ${id}.\n` });
    expect((await run('account token get', { env: { LANYARD_ACCOUNTS_TOKEN } })).code).toBe(3);
    expect((await run(`account token delete ${id} --yes`)).code).toBe(3);
  });

  test('of the current token is a logout, which removes a stored one', async () => {
    delete at.env.LANYARD_ACCOUNTS_TOKEN;
    await done(`profile put dev accounts.address=${running.addresses.accounts}`);
    await done('profile use dev');
    await done('account login --login-name bob --password env://PW', { env });
    const prompted = await run('account token delete', { columns: 100, typed: 'n\n' });
    expect(prompted.stderr).toMatch(/Delete the current token at_\w+ of account \w+\? This logs you out\./);
    expect(await done('account token get --field id')).toMatch(/^at_/);
    expect(await done('account token delete --yes')).toMatch(
      /^Deleted token at_\w+\. Removed it from profile dev\.\n$/,
    );
    expect((await run('account token get')).code).toBe(4);
  });

  test('names the variable that still has a current token that is not stored', async () => {
    const { LANYARD_ACCOUNTS_TOKEN } = await logIn();
    expect(await done('account token delete --yes', { env: { LANYARD_ACCOUNTS_TOKEN } })).toMatch(
      /It is still set in LANYARD_ACCOUNTS_TOKEN\.\n$/,
    );
  });
});

import { beforeAll, describe, expect, test } from 'vitest';
import { embeddedForAll, expectExit, expectFailure, outputOf } from '../../support/command-tests.ts';
import type { Ran, RunOptions } from '../../support/run.ts';
import { json as respond, serve } from '../../unit/api/support.ts';

const { at, running } = embeddedForAll();

/** Runs a command of `account` as the administrator; words in single quotes are one argument. */
const run = (line: string, options: RunOptions = {}): Promise<Ran> =>
  at.run(
    ['account', ...[...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, word]) => quoted ?? word ?? '')],
    {
      ...options,
      env: { LANYARD_ACCOUNTS_TOKEN: running.embedded.accountsToken, PW: 'correct-horse', ...options.env },
    },
  );
const field = async (line: string, path: string): Promise<string> =>
  outputOf(await run(`${line} --field ${path}`)).trim();
const json = async (line: string): Promise<Record<string, unknown>> =>
  JSON.parse(outputOf(await run(`${line} -o json`)));

const readUsers = 'ids=*;type=user;actions=read,list';

beforeAll(async () => {
  outputOf(await run('scope create team-a --description Team'));
  outputOf(await run('scope create shop --scope team-a'));
});

describe('account scope', () => {
  // The response of Boundary 0.21.
  test('of Boundary that has accounts with passwords is not deleted', async () => {
    const server = await serve(({ method, url }, response) => {
      if (method === 'DELETE')
        return respond(
          response,
          {
            kind: 'Internal',
            message:
              'scope.(Service).deleteFromRepo: unable to delete scope: iam.(Repository).DeleteScope: failed for o_1: update or delete on table "kms_data_key_version" violates foreign key constraint "kms_data_key_version_fkey" on table "auth_password_argon2_cred": integrity violation: error #1003',
          },
          500,
        );
      respond(response, { id: url.split('/').at(-1), name: 'old', version: 1 });
    });
    const ran = await run('scope delete o_1234567890 --yes', { env: { LANYARD_ACCOUNTS_ADDR: server.url } });
    expectFailure(ran, 6, 'error: cannot delete scope old (o_1234567890): it has accounts with passwords\n');
    expect(ran.stderr).toContain('`lanyard account auth-method list --scope o_1234567890`');
  });

  test('is given by its name, the path of a project, or its ID', async () => {
    const id = await field('scope get team-a', 'id');
    expect(id).toMatch(/^o_/);
    const project = await field('scope get team-a/shop', 'id');
    expect(project).toMatch(/^p_/);
    expect(await field(`scope get ${project}`, 'name')).toBe('shop');
    expect((await run('scope list')).stdout).toContain(`${id}\tteam-a\tTeam\torg`);
    expect((await run('scope list --recursive')).stdout).toContain(`${project}\tshop\t-\tproject\tteam-a`);
    expect((await run('scope list --scope team-a')).stdout).toContain(project);
  });

  test('is changed with the version that was read, and deleted with a warning of what is in it', async () => {
    outputOf(await run('scope create gone'));
    const updated = await run('scope update gone --name old --description x');
    expect(updated.stdout).toMatch(/^Updated scope old \(o_\w+\), now version 2\.\n/);
    expect(await run('scope update old --description x')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('is unchanged'),
    });
    expectFailure(await run('scope update old --description y --at 1'), 6, 'it has version 2, not 1');
    expect(await json('scope update old --unset description')).not.toHaveProperty('description');
    expectFailure(
      await run('scope delete old --no-input'),
      2,
      'with everything in it? This cannot be undone.',
    );
    expect((await run('scope delete old --yes')).stdout).toMatch(/^Deleted scope old \(o_\w+\)\.\n/);
    expectFailure(await run('scope get old'), 3, 'scope "old" not found');
  });

  test.each([
    ['scope create team-a', 6, 'scope "team-a" already exists'],
    ['scope create p_1234567890', 2, 'it looks like the ID of a scope'],
    ['scope delete global --yes', 2, 'it must always exist'],
    ['scope get nowhere/shop', 3, 'scope "nowhere/shop" not found'],
    ['scope get team-a/nothing', 3, 'scope "team-a/nothing" not found'],
    ['scope get o_0000000000', 3, 'scope "o_0000000000" not found'],
    ['scope update team-a', 2, 'nothing to change'],
    ['scope update team-a --description x --unset description', 2, 'cannot be combined'],
  ])('%s ends with %i: %s', async (line, code, text) => {
    expectFailure(await run(line), code, text);
  });
});

describe('account user', () => {
  test('is created, listed, changed and deleted by its name', async () => {
    const created = await json("user create bob --description 'Build server'");
    expect(created).toMatchObject({ name: 'bob', description: 'Build server', version: 1 });
    expect((await run('user list')).stdout).toContain(`${created.id}\tbob\tBuild server\t-`);
    expect(await field('user get bob', 'id')).toBe(created.id);
    outputOf(await run('user create bob --scope team-a'));
    expect((await run('user list --recursive --filter \'"/item/name" == "bob"\'')).stdout).toMatch(
      /team-a.*\n.*global|global.*\n.*team-a/,
    );
    const updated = await run('user update bob --name robert');
    expect(updated.stdout).toContain('name\t"bob"\t"robert"');
    expectFailure(await run('user get bob'), 3, 'user "bob" not found in scope "global"');
    expect((await run('user delete robert --yes')).stdout).toMatch(/^Deleted user robert \(u_\w+\)\.\n/);
    expect((await run('user get bob --scope team-a')).code).toBe(0);
  });

  test('logs in with the accounts that it was given, by login name or ID', async () => {
    const method = String(
      (
        JSON.parse(
          outputOf(
            await at.run(['api', 'accounts', 'POST', 'auth-methods', '--data', '-'], {
              env: { LANYARD_ACCOUNTS_TOKEN: running.embedded.accountsToken },
              stdin: '{"type":"password","scope_id":"global","name":"second"}',
            }),
          ),
        ) as { id: string }
      ).id,
    );
    outputOf(await run(`create --auth-method ${method} --login-name carol --password env://PW`));
    const logIn = () =>
      run(`login --auth-method ${method} --login-name carol --password env://PW --no-store --field user_id`);
    expectFailure(
      await logIn(),
      3,
      'the account has no user',
      `\`lanyard account user add-accounts USER carol --auth-method ${method}\``,
    );
    outputOf(await run('user create carol'));
    const added = await run(`user add-accounts carol carol --auth-method ${method}`);
    expect(added.stdout).toMatch(/^Added an account to user carol \(u_\w+\), now version 2\.\n/);
    expect(outputOf(await logIn()).trim()).toBe(await field('user get carol', 'id'));
    expect((await run(`user add-accounts carol carol --auth-method ${method}`)).stdout).toMatch(
      /^User carol \(u_\w+\) already has these accounts\.\n/,
    );
    outputOf(await run('user create other'));
    expectFailure(
      await run(`user add-accounts other carol --auth-method ${method}`),
      6,
      'an account already has another user',
    );
    expectFailure(
      await run(`user remove-accounts other carol --auth-method ${method}`),
      3,
      'does not have them',
    );
    expectFailure(await run(`user add-accounts carol nobody --auth-method ${method}`), 3, 'account "nobody"');
    expectFailure(
      await run(`user remove-accounts carol carol --auth-method ${method} --at 1`),
      6,
      'has version 2, not 1',
    );
    const id = await field(`get carol --auth-method ${method}`, 'id');
    expect((await run(`user remove-accounts carol ${id}`)).code).toBe(0);
    expectFailure(await logIn(), 3, 'the account has no user');
  });

  test('with --dry-run is not created, and names are looked up', async () => {
    const ran = await run('user create dave --scope team-a --dry-run -o json');
    const { body } = JSON.parse(outputOf(ran));
    expect(body).toEqual({ name: 'dave', scope_id: await field('scope get team-a', 'id') });
    expectFailure(await run('user get dave --scope team-a'), 3, 'not found');
  });

  test.each([
    ['user create u_1234567890', 2, 'it looks like the ID of a user'],
    ['user create eve --scope nowhere', 3, 'scope "nowhere" not found'],
    ['user get u_0000000000', 3, 'user "u_0000000000" not found'],
    ['user list --scope team-a/shop', 1, 'invalid scope ID'],
    ["user list --filter '('", 1, 'filter'],
  ])('%s ends with %i: %s', async (line, code, text) => {
    expectFailure(await run(line), code, text);
  });

  test('without a token exits with 4', async () => {
    expectFailure(await run('user list', { env: { LANYARD_ACCOUNTS_TOKEN: '' } }), 4, 'token');
  });
});

describe('account role', () => {
  test('is created with its grant scopes, grants and principals', async () => {
    outputOf(await run('user create erin'));
    const role = await json(
      `role create ops --grant-scope this --grant-scope descendants --grant '${readUsers}' --principal erin --principal u_auth`,
    );
    expect(role).toMatchObject({
      name: 'ops',
      grant_scope_ids: expect.arrayContaining(['this', 'descendants']),
      grant_strings: [readUsers],
      principal_ids: expect.arrayContaining(['u_auth', await field('user get erin', 'id')]),
    });
    expect((await run('role get ops')).stdout).toContain(`grants\t${readUsers}`);
    const updated = await run('role update ops --grant-scope children --description Operators');
    expect(updated.stdout).toContain('grant_scope_ids');
    expect(await field('role get ops', 'grant_scope_ids.0')).toBe('children');
    expect((await run('role update ops --grant-scope children')).stdout).toContain('is unchanged');
    expect((await run('role delete ops --yes')).code).toBe(0);
  });

  test('permits what its grants say, until they are removed', async () => {
    outputOf(await run('create --login-name frank --password env://PW'));
    const token = await field('login --login-name frank --password env://PW --no-store', 'token');
    const user = await field('login --login-name frank --password env://PW --no-store', 'user_id');
    const asFrank = { env: { LANYARD_ACCOUNTS_TOKEN: token } };
    expectFailure(await run('user list', asFrank), 5, 'permission denied');
    outputOf(await run(`user update ${user} --name frank`));
    outputOf(await run('role create readers'));
    outputOf(await run(`role add-grants readers '${readUsers}'`));
    outputOf(await run('role add-principals readers frank'));
    expect((await run('user list', asFrank)).code).toBe(0);
    expect((await run(`role add-grants readers 'type=user;actions=list,read;ids=*'`)).stdout).toContain(
      'already has these grants',
    );
    expect((await run('role add-principals readers frank')).stdout).toContain('already has these principals');
    expectFailure(
      await run(`role remove-grants readers 'ids=*;type=user;actions=read'`),
      3,
      'does not have them',
      'ids=*;type=user;actions=read',
    );
    outputOf(await run(`role remove-grants readers 'type=user;ids=*;actions=list,read'`));
    expectFailure(await run('user list', asFrank), 5, 'permission denied');
    expectFailure(await run('role remove-principals readers erin'), 3, 'does not have them');
    outputOf(await run('role remove-principals readers frank'));
    expect(await json('role get readers')).not.toHaveProperty('principal_ids');
  });

  test('of a project takes users of the scopes above it', async () => {
    outputOf(await run('user create gina --scope team-a'));
    outputOf(await run('role create shopkeepers --scope team-a/shop --principal gina'));
    const user = await field('user get gina --scope team-a', 'id');
    expect(await json('role get shopkeepers --scope team-a/shop')).toMatchObject({ principal_ids: [user] });
    outputOf(await run('user create gina'));
    expectFailure(
      await run('role add-principals shopkeepers gina --scope team-a/shop'),
      2,
      'several users have the name "gina"',
      user,
    );
  });

  test('with an invalid grant is not created, and the error says where it is wrong', async () => {
    const ran = await run(
      `role create bad --grant 'ids=*;type=usr;actions=read' --grant 'ids=*;actions=fly'`,
    );
    expectFailure(ran, 2, 'invalid grants', 'character 12: unknown type "usr"', 'unknown action "fly"');
    expectFailure(await run('role get bad'), 3, 'not found');
  });

  test('that is created in part says what was done and how to continue', async () => {
    const ran = await run(`role create partial --grant '${readUsers}' --principal u_0000000000`);
    expectFailure(ran, 9, 'partially applied: cannot add principals to role', 'Created role partial (r_');
    const { id } = await json('role get partial');
    expect(ran.stderr).toContain('Added a grant.');
    expect(ran.stderr).toContain(`\`lanyard account role add-principals ${id} u_0000000000\``);
  });

  test('with another version than --at is unchanged', async () => {
    outputOf(await run('role create guarded'));
    outputOf(await run(`role add-grants guarded '${readUsers}'`));
    for (const line of [
      `role add-grants guarded 'type=user;actions=list' --at 1`,
      `role remove-grants guarded '${readUsers}' --at 1`,
      'role add-principals guarded u_auth --at 1',
      'role update guarded --description x --at 1',
      'role update guarded --grant-scope children --at 1',
    ])
      expectFailure(await run(line), 6, 'it has version 2, not 1');
    expectExit(await run('role update guarded --description x --at 2'), 0);
  });

  test.each([
    ['role create readers', 6, 'role "readers" already exists'],
    ['role create r_1234567890', 2, 'it looks like the ID of a role'],
    ['role create nobody --principal nobody', 3, 'user "nobody" not found in "global"'],
    ['role get r_0000000000', 3, 'role "r_0000000000" not found'],
    ['role get missing', 3, 'role "missing" not found in scope "global"'],
    ['role update readers', 2, 'nothing to change'],
    ['role create x --grant-scope nowhere', 3, 'scope "nowhere" not found'],
  ])('%s ends with %i: %s', async (line, code, text) => {
    expectFailure(await run(line), code, text);
  });
});

describe('account create --user', () => {
  test('creates a missing user, and adds the account to it', async () => {
    const ran = await run('create --login-name hana --password env://PW --user hana');
    expect(ran.stdout).toMatch(
      /^Created account hana \(acctpw_\w+\), now version 1\.\nAdded it to user hana \(u_/,
    );
    const user = await field('user get hana', 'id');
    expect(await field('login --login-name hana --password env://PW --no-store', 'user_id')).toBe(user);
  });

  test('adds the account to an existing user, given by its name or ID', async () => {
    const { id } = await json('user create iris');
    const account = await json('create --login-name iris --no-password --user iris');
    expect(await json('user get iris')).toMatchObject({ account_ids: [account.id] });
    expect(await json('user create jane')).toMatchObject({ version: 1 });
    outputOf(
      await run(`create --login-name jane --no-password --user ${await field('user get jane', 'id')}`),
    );
    expect(await json('user get jane')).toMatchObject({ login_name: 'jane' });
    expect(id).toMatch(/^u_/);
  });

  test('says what was done if the user cannot get the account', async () => {
    outputOf(await run('create --login-name kate --no-password --user kate'));
    const ran = await run('create --login-name kate2 --no-password --user kate');
    expectFailure(ran, 9, 'partially applied: ', 'Created account kate2 (acctpw_');
    const id = await field('get kate2', 'id');
    expect(ran.stderr).toMatch(
      `\`lanyard account user add-accounts ${await field('user get kate', 'id')} ${id}\``,
    );
  });

  test.each([
    ['u_0000000000', 3, 'user "u_0000000000" not found'],
    ["''", 2, 'must not be empty'],
  ])('with %s creates no account', async (user, code, text) => {
    expectFailure(await run(`create --login-name lost --no-password --user ${user}`), code, text);
    expectFailure(await run('get lost'), 3, 'account "lost" not found');
  });
});

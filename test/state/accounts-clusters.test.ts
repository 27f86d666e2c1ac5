import { expect, test } from 'vitest';
import { homeForTest, servicesForTest } from '../support/command-tests.ts';
import type { Home } from '../support/run.ts';
import { setTokens } from '../support/services.ts';
import { sized } from '../support/soak.ts';
import { type Stated, writeSet } from './bench.ts';

// Scopes, users and roles are stated by names, so that a set fits a cluster with other IDs.

interface Cluster {
  readonly at: Home;
  /** The requests to lists, without their queries, since the last `clear`. */
  readonly lists: string[];
  /** The items of a list, with their IDs and names. */
  items(line: string): Promise<readonly { readonly id: string; readonly name?: string }[]>;
  /** Runs a line. @param code the expected exit code; undefined: any */
  run(line: string, code?: number): Promise<{ readonly stdout: string; readonly stderr: string }>;
}

async function cluster(options: Parameters<typeof servicesForTest>[1] = {}): Promise<Cluster> {
  const at = homeForTest();
  const running = await servicesForTest(at, options);
  await setTokens(at, running);
  const lists: string[] = [];
  const { accounts } = running.embedded.services;
  const { handle } = accounts;
  accounts.handle = (request) => {
    if (request.method === 'GET' && request.path.segments.length === 2)
      lists.push(request.path.segments.join('/'));
    return handle(request);
  };
  const run: Cluster['run'] = async (line, code = 0) => {
    const ran = await at.run(line.split(' '));
    expect(ran.code, `${line}\n${ran.stdout}${ran.stderr}`).toBe(code);
    return ran;
  };
  const items: Cluster['items'] = async (line) => JSON.parse((await run(`${line} -o json`)).stdout).items;
  return { at, lists, run, items };
}

const namesOf = (items: Awaited<ReturnType<Cluster['items']>>) => items.map(({ name }) => name).sort();

const inScope = (kind: string, scope: string, key: string, spec: Stated['spec'] = {}): Stated => ({
  kind,
  identity: { scope: { scope }, key },
  spec,
});

const account = (scope: string, authMethod: string, key: string): Stated => ({
  kind: 'accounts.account',
  identity: { scope: { scope, authMethod }, key },
  spec: { attributes: { password: `password-of-${key}` } },
});

/** An organization with a project, logins, two users and roles in all three scopes. */
const organization: readonly Stated[] = [
  inScope('accounts.scope', 'global', 'web', { description: 'Web' }),
  inScope('accounts.scope', 'web', 'prod'),
  inScope('accounts.auth-method', 'web', 'staff', { type: 'password', is_primary: true }),
  account('web', 'staff', 'bob'),
  account('web', 'staff', 'eve'),
  inScope('accounts.user', 'web', 'bob', { accounts: [{ authMethod: 'staff', name: 'bob' }] }),
  inScope('accounts.user', 'web', 'eve', { accounts: [{ authMethod: 'staff', name: 'eve' }] }),
  inScope('accounts.role', 'global', 'readers', {
    grant_scopes: ['web', 'web/prod'],
    grant_strings: ['ids=*;type=scope;actions=read,list'],
    principals: [{ scope: 'web', name: 'eve' }],
  }),
  inScope('accounts.role', 'web', 'admins', {
    grant_scopes: ['this', 'children'],
    grant_strings: ['ids=*;type=user;actions=read,list', 'ids={{.Account.Id}};actions=read'],
    principals: [{ scope: 'web', name: 'bob' }],
  }),
  inScope('accounts.role', 'web/prod', 'ops', {
    grant_strings: ['type=target;actions=list'],
    principals: [{ id: 'u_auth' }],
  }),
];

const record = (id: string) => ({ id, spec: { record: `registry:lanyard/sets/${id}` } });

/** The exported files without those of the cluster itself. */
const exported = ({ at }: Cluster): Readonly<Record<string, string>> =>
  Object.fromEntries(
    at
      .list('exported')
      .filter((name) => /accounts\/.*(web|bob|eve|readers)/.test(name))
      .map((name) => [name.replace(/^exported\//, ''), at.read(name)]),
  );

test('creates an organization with everything in it, on two clusters from the same files', async () => {
  const [first, second] = [await cluster(), await cluster()];
  const set = record('twoclusters'.slice(0, 10));
  for (const { at, run, lists } of [first, second]) {
    writeSet({ at }, organization, set);
    expect((await run('apply state --yes')).stdout).toContain(`${organization.length} created`);
    await run('plan state');
    await run('export exported --service accounts --no-targets');
    expect(lists.length).toBeGreaterThan(0);
  }
  expect(Object.keys(exported(first))).toHaveLength(organization.length);
  expect(exported(second)).toEqual(exported(first));
  const ids = async ({ items }: Cluster) => (await items('account scope list')).map(({ id }) => id);
  expect(await ids(second)).not.toEqual(await ids(first));
});

test('applies an export to an empty cluster, where an account logs in and has the permissions of its role', async () => {
  const [first, second] = [await cluster(), await cluster()];
  writeSet({ at: first.at }, organization, record('portableaa'));
  await first.run('apply state --yes');
  await first.run('export exported --service accounts --no-targets');
  // Passwords are not exported.
  const withPassword = (text: string): string =>
    text
      .replace('metadata:\n', 'metadata:\n  allowLiteral: true\n')
      .replace(/^( +)login_name: (\w+)$/m, '$1password: password-of-$2');
  for (const [name, text] of Object.entries(exported(first)))
    second.at.write(`state/${name}`, name.includes('/account/') ? withPassword(text) : text);
  second.at.write(
    'state/set.yaml',
    'apiVersion: lanyard/v1\nkind: Set\nmetadata: {name: test, id: portablebb}\nspec: {record: "registry:lanyard/sets/portablebb"}\n',
  );
  await second.run('apply state --yes');
  await second.run('plan state');
  await second.run('export exported --service accounts --no-targets');
  expect(exported(second)).toEqual(exported(first));

  second.at.env.PASSWORD = 'password-of-bob';
  const [{ id: method } = { id: '' }] = await second.items('account auth-method list --scope web');
  const login = `account login --auth-method ${method} --login-name bob --password env://PASSWORD`;
  const { stdout } = await second.run(`${login} --no-store -o json`);
  const bob = { LANYARD_ACCOUNTS_TOKEN: JSON.parse(stdout).attributes?.token ?? JSON.parse(stdout).token };
  const [{ id: scope } = { id: '' }] = await second.items('account scope list');
  const asBob = (line: string) => second.at.run(line.split(' '), { env: bob });
  const users = await asBob(`account user list --scope ${scope} -o json`);
  expect(namesOf(JSON.parse(users.stdout).items)).toEqual(['bob', 'eve']);
  expect((await asBob(`account user create mallory --scope ${scope}`)).code).toBe(5);
});

test('creates no roles that the files do not state', async () => {
  const { at, run, items } = await cluster();
  writeSet({ at }, organization, record('onlystated'));
  await run('apply state --yes');
  expect(namesOf(await items('account role list --scope web'))).toEqual(['admins']);
});

test('accepts the ID of a scope, and an export and a prune keep it', async () => {
  const { at, run, items } = await cluster();
  await run('account scope create web --skip-admin-role-creation --skip-default-role-creation');
  const [{ id: scope } = { id: '' }] = await items('account scope list');
  const byId = [inScope('accounts.user', scope, 'bob'), inScope('accounts.user', scope, 'eve')];
  const set = record('withscopei');
  writeSet({ at }, byId, set);
  await run('apply state --yes');
  await run('plan state');
  const { stdout } = await run('export state --service accounts -o json', 0);
  expect(stdout).not.toContain('"path":"accounts/user/web');
  // The same user by the name of its scope, and the other one gone.
  writeSet({ at }, [inScope('accounts.user', 'web', 'bob')], set);
  await run('apply state --yes --prune --prune-max 5');
  expect(namesOf(await items(`account user list --scope ${scope}`))).toEqual(['bob']);
});

test('deletes a scope only if it is empty, and prunes what it has before it', async () => {
  const { at, run, items } = await cluster();
  const deletable = (object: Stated): Stated => ({ ...object, metadata: { deletion: 'allow' } });
  const set = {
    id: 'prunescope',
    spec: {
      record: 'registry:lanyard/sets/prunescope',
      prune: { max: 20, kinds: organization.map(({ kind }) => kind) },
    },
  };
  const other = inScope('accounts.user', 'global', 'other');
  writeSet({ at }, [...organization.map(deletable), other], set);
  await run('apply state --yes');
  await run('account user create by-hand --scope web');
  writeSet({ at }, [other], set);
  const kept = await run('apply state --yes --prune --prune-max 20', 9);
  expect(kept.stderr).toContain('cannot delete scope "web": it has users');
  expect(namesOf(await items('account user list --scope web'))).toEqual(['by-hand']);
  await run('account user delete by-hand --scope web --yes');
  await run('apply state --yes --prune --prune-max 20');
  expect(await items('account scope list')).toEqual([]);
});

test('an object of a scope that was deleted is gone, for ensure: absent and for a prune', async () => {
  const { at, run } = await cluster();
  const set = {
    id: 'scopegone0',
    spec: { record: 'registry:lanyard/sets/scopegone0', prune: { kinds: ['accounts.user'] } },
  };
  const user = inScope('accounts.user', 'web', 'bob');
  const other = inScope('accounts.user', 'global', 'other');
  writeSet({ at }, [inScope('accounts.scope', 'global', 'web'), user, other], set);
  await run('apply state --yes');
  await run('account scope delete web --yes');
  writeSet({ at }, [{ ...user, metadata: { ensure: 'absent' } }, other], set);
  await run('plan state');
  writeSet({ at }, [other], set);
  await run('apply state --yes --prune');
});

test('names a scope, an account and a user that do not exist', async () => {
  const { at, items } = await cluster();
  const planned = async (object: Stated) => {
    writeSet({ at }, [object], record('missing000'));
    const ran = await at.run(['apply', 'state', '--yes']);
    expect(ran.code, ran.stdout + ran.stderr).toBe(3);
    return ran.stderr + ran.stdout;
  };
  expect(await planned(inScope('accounts.user', 'nope', 'bob'))).toContain('scope "nope" not found');
  const accounts = [{ authMethod: 'password', name: 'nobody' }];
  expect(await planned(inScope('accounts.user', 'global', 'bob', { accounts }))).toContain(
    'account "nobody" not found in auth method "password" of scope global',
  );
  const principals = [{ name: 'nobody' }];
  expect(await planned(inScope('accounts.role', 'global', 'ops', { principals }))).toContain(
    'user "nobody" not found in scope global',
  );
  expect(namesOf(await items('account user list'))).not.toContain('bob');
});

test('rejects wrong names of scopes, grants and principals before anything is sent', async () => {
  const { at } = await cluster();
  const wrong: readonly (readonly [Stated, string])[] = [
    [inScope('accounts.user', 'web/prod', 'bob'), 'invalid scope: expected global, ORGANIZATION'],
    [inScope('accounts.role', 'a/b/c', 'x'), 'expected global, ORGANIZATION or ORGANIZATION/PROJECT'],
    [inScope('accounts.scope', 'global', 'a/b'), 'invalid name: must not contain "/"'],
    [inScope('accounts.scope', 'global', 'o_1234567890'), 'invalid name: must be a name, not an ID'],
    [inScope('accounts.scope', 'global', 'this'), 'invalid name: must not be "this"'],
    [
      inScope('accounts.user', 'web', 'bob', {
        accounts: ['bob', 'eve', 'bob'].map((name) => ({ authMethod: 'staff', name })),
      }),
      '"accounts" has several accounts of auth method "staff": a user has at most one',
    ],
    [inScope('accounts.role', 'global', 'x', { grant_strings: ['ids=*;types=user'] }), 'invalid grant'],
    [inScope('accounts.role', 'web', 'x', { grant_scopes: ['web'] }), 'must have "this" instead of "web"'],
    [
      inScope('accounts.role', 'global', 'x', { principals: [{ name: 'bob', id: 'u_auth' }] }),
      'must have either a name or an id',
    ],
  ];
  for (const [object, problem] of wrong) {
    writeSet({ at }, [object], record('wrongnames'));
    const ran = await at.run(['validate', 'state']);
    expect([ran.code, ran.stdout + ran.stderr]).toEqual([2, expect.stringContaining(problem)]);
  }
});

test('notes the IDs that a role of an export has', async () => {
  const { at, run } = await cluster();
  await run('account role create ops --grant ids=ampw_1234567890;actions=read --principal u_auth');
  await run('export exported --kind accounts.role --no-targets');
  expect(at.read('exported/accounts/role/global/ops.yaml')).toMatch(
    /^# IDs that only this cluster has: ampw_1234567890\n/,
  );
});

test('rejects a list whose objects have no visible scope', async () => {
  const { run } = await cluster();
  await run('account role create x --grant ids=*;type=user;output_fields=id,name --principal u_auth');
  const { stderr } = await run('export - --kind accounts.user', 5);
  expect(stderr).toContain('cannot list all objects: the token cannot see the scope of "');
});

test('counts what has no name as not exported', async () => {
  const { at, run } = await cluster();
  expect((await run('export - --service accounts')).stderr).not.toContain('users');
  at.env.PASSWORD = 'a-long-password';
  await run('account create --login-name bob --password env://PASSWORD');
  // The first login with the primary auth method creates a user.
  await run('account login --login-name bob --password env://PASSWORD --no-store');
  const { stderr } = await run('export - --service accounts');
  expect(stderr).toContain('accounts: users without a usable name: 1');
});

test('lists do not grow with the number of users, within the default limits of Boundary', async () => {
  const lists: number[] = [];
  for (const count of [10, sized(500, 60)]) {
    const run = await cluster({ rateLimits: { accounts: 'boundary' } });
    const many = Array.from({ length: count }, (_, n) => n).flatMap((n): readonly Stated[] => [
      { ...account('web', 'staff', `many-${n}`), spec: {} },
      inScope('accounts.user', 'web', `many-${n}`, {
        accounts: [{ authMethod: 'staff', name: `many-${n}` }],
      }),
    ]);
    const role = inScope('accounts.role', 'web', 'all', {
      principals: Array.from({ length: count }, (_, n) => ({ scope: 'web', name: `many-${n}` })),
    });
    writeSet({ at: run.at }, [...organization.slice(0, 3), ...many, role], record('manyusers0'));
    await run.run('apply state --yes');
    run.lists.length = 0;
    await run.run('plan state');
    await run.run('export exported --service accounts --no-targets');
    lists.push(run.lists.length);
  }
  expect(lists[1]).toBe(lists[0]);
});

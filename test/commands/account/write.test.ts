import { describe, expect, test } from 'vitest';
import { expectExit, expectFailure, homeForAll, quietOutputOf } from '../../support/command-tests.ts';
import { json } from '../../unit/api/support.ts';
import { id, reject, runAt, type Shelf, shelf, written } from './shelf.ts';

const at = homeForAll();
const run = runAt(at);
const bob = { name: 'Bob', attributes: { login_name: 'bob' }, version: 3 };

describe('account update', () => {
  test('sends only the given fields with the current version', async () => {
    const server = await shelf([bob]);
    const ran = await run(server, ['update', id(1), '--name', 'null', '--description', 'on call']);
    expect(ran).toMatchObject({ code: 0, stderr: '' });
    expect(ran.stdout).toBe(
      'Updated account bob (acctpw_0000000001), now version 4.\nname\t"Bob"\t(none)\ndescription\t(none)\t"on call"\n',
    );
    expect(server.bodies()).toEqual([{ version: 3, name: null, description: 'on call' }]);
  });

  test('can name an account "null"', async () => {
    const server = await shelf([bob]);
    await run(server, `update ${id(1)} --name "null"`);
    expect(server.bodies()).toEqual([{ version: 3, name: 'null' }]);
  });

  test('with --at does not read the account', async () => {
    const server = await shelf([bob]);
    const ran = await run(server, `update ${id(1)} --login-name robert --at 3 -o json`);
    expect(JSON.parse(ran.stdout)).toMatchObject({ version: 4, attributes: { login_name: 'robert' } });
    expect(server.seen.map(({ method: verb }) => verb)).toEqual(['PATCH']);
    expect(server.bodies()).toEqual([{ version: 3, attributes: { login_name: 'robert' } }]);
  });

  test('writes nothing if nothing changes', async () => {
    const server = await shelf([bob]);
    expect(await run(server, `update ${id(1)} --name Bob --description null`)).toMatchObject({
      code: 0,
      stdout: 'Account bob (acctpw_0000000001) is unchanged.\n',
    });
    expect(server.writes()).toEqual([]);
  });

  test('treats an omitted field like an empty string', async () => {
    const server = await shelf([{ ...bob, description: undefined }]);
    expect(await run(server, ['update', id(1), '--description', ''])).toMatchObject({
      code: 0,
      stdout: 'Account bob (acctpw_0000000001) is unchanged.\n',
    });
    expect(server.writes()).toEqual([]);
  });

  /** A service that trims strings. */
  const trimming = (isLost: boolean): Promise<Shelf> =>
    shelf([bob], ({ method: verb, body }, response, { accounts }) => {
      if (verb !== 'PATCH') return;
      const { name, ...rest } = JSON.parse(body);
      const next = written(accounts.get(id(1)) ?? {}, { ...rest, name: name.trim() });
      accounts.set(id(1), next);
      if (isLost) response.destroy();
      else json(response, next);
    });

  test('shows the stored name', async () => {
    const server = await trimming(false);
    const stdout = quietOutputOf(await run(server, ['update', id(1), '--name', '  Rob  ']));
    expect(stdout).toContain('\nname\t"Bob"\t"Rob"\n');
    expect(await run(server, ['update', id(1), '--name', ' Rob '])).toMatchObject({
      code: 0,
      stdout: 'Account bob (acctpw_0000000001) is unchanged.\n',
    });
    expect(server.writes()).toHaveLength(1);
  });

  test('after a lost response, accepts a trimmed name as written', async () => {
    const ran = await run(await trimming(true), ['update', id(1), '--name', '  Rob  ']);
    expectExit(ran, 0, 'the response was lost, but the account now has version 4');
  });

  test('clears a field with an empty string', async () => {
    const server = await shelf([bob]);
    expect(await run(server, ['update', id(1), '--name', ''])).toMatchObject({ code: 0, stderr: '' });
    expect(server.bodies()).toEqual([{ version: 3, name: null }]);
  });

  test('with a stale version exits with 6 and names both versions', async () => {
    const server = await shelf([bob]);
    const argv = ['update', id(1), '--name', 'Rob', '--at', '2'];
    const ran = await run(server, argv);
    expect(ran).toMatchObject({ code: 6, stdout: '' });
    expect(ran.stderr).toContain(
      'cannot change account "acctpw_0000000001": it has version 3, not 2; nothing was written',
    );
    expect(ran.stderr).toContain('incorrect version provided');
    expect(ran.stderr).toContain('--at 3');
    const { error } = JSON.parse((await run(server, [...argv, '-o', 'json'])).stderr);
    expect(error).toMatchObject({ code: 6, kind: 'conflict', status: 404 });
  });

  test('shows the changes of a concurrent request', async () => {
    const server = await shelf([bob], ({ method: verb }, _response, { accounts }) => {
      const there = accounts.get(id(1));
      if (verb === 'PATCH' && there?.version === 3) accounts.set(id(1), written(there, { name: 'Bobby' }));
    });
    const ran = await run(server, `update ${id(1)} --description x`);
    expectFailure(ran, 6, 'it has version 4, not 3', 'changed meanwhile: name: "Bob" → "Bobby"');
  });

  test.each([409, 412, 400])('detects a stale version with status %i', async (status) => {
    const server = await shelf([bob], ({ method: verb }, response) => {
      if (verb === 'PATCH') reject(response, status, 'Aborted', 'version mismatch');
    });
    expect((await run(server, `update ${id(1)} --name x --at 1`)).code).toBe(6);
  });

  test('with a missing account exits with 3', async () => {
    const server = await shelf([]);
    for (const more of [[], ['--at', '1']]) {
      const ran = await run(server, ['update', id(7), '--name', 'x', ...more]);
      expectFailure(ran, 3, 'account "acctpw_0000000007" not found');
    }
  });

  test('reports the error of the service if the version is current', async () => {
    const server = await shelf([bob], ({ method: verb }, response) => {
      if (verb === 'PATCH')
        reject(response, 400, 'InvalidArgument', 'Error in provided request.', [
          { name: 'attributes.subject', description: 'Cannot be changed.' },
        ]);
    });
    expectFailure(await run(server, `update ${id(1)} --name x`), 1, 'attributes.subject: Cannot be changed.');
  });

  test.each([
    ['applied', true, 0, 'the response was lost, but the account now has version 4'],
    ['not applied', false, 9, 'still has version 3: the change was not applied, or not yet'],
  ])(
    'after a lost response and a change that was %s, reads the account',
    async (_what, isMade, code, text) => {
      const server = await shelf([bob], ({ method: verb, body }, response, { accounts }) => {
        if (verb !== 'PATCH') return;
        if (isMade) accounts.set(id(1), written(accounts.get(id(1)) ?? {}, JSON.parse(body)));
        response.destroy();
      });
      expectExit(await run(server, `update ${id(1)} --name Rob`), code, text);
      expect(server.writes()).toHaveLength(1);
    },
  );

  test('after a lost response and a concurrent change exits with 9', async () => {
    const server = await shelf([bob], ({ method: verb }, response, { accounts }) => {
      if (verb !== 'PATCH') return;
      accounts.set(id(1), written(accounts.get(id(1)) ?? {}, { name: 'theirs' }));
      response.destroy();
    });
    const ran = await run(server, `update ${id(1)} --name mine`);
    expectFailure(ran, 9, 'has version 4, but not the requested values');
  });

  test('with --dry-run reads the account and shows the change', async () => {
    const server = await shelf([bob]);
    const ran = await run(server, `update ${id(1)} --name Rob --dry-run -o json`);
    expect(JSON.parse(ran.stdout)).toMatchObject({ method: 'PATCH', body: { version: 3, name: 'Rob' } });
    expect(server.writes()).toEqual([]);
  });

  test.each([
    [['update', id(1)], 'nothing to change'],
    [['update', id(1), '--at', 'x', '--name', 'a'], 'invalid --at "x": expected a non-negative integer'],
    [['update', id(1), '--login-name', 'B'], 'attributes.login_name: invalid login name "B"'],
    [
      ['update', id(1), '--subject', 's'],
      'attributes.subject: not supported by account type password, only by oidc',
    ],
    [['update', '..', '--name', 'a'], 'must not contain ".." as a path segment'],
    [['get', 'a/../b'], 'must not contain ".." as a path segment'],
    [['delete', ''], 'contains an empty path segment'],
  ])('rejects %j', async (argv, text) => {
    const server = await shelf([bob]);
    expectFailure(await run(server, argv), 2, text);
    expect(server.seen).toEqual([]);
  });
});

describe('account delete', () => {
  test('prompts with the name, and deletes', async () => {
    const server = await shelf([bob]);
    const ran = await run(server, `delete ${id(1)}`, { columns: 100, typed: 'y\n' });
    expectExit(ran, 0, 'Delete account bob (acctpw_0000000001)? This cannot be undone. [y/N]');
    expect(ran.stdout).toMatch(/^Deleted account .*bob /);
    expect(server.accounts.size).toBe(0);
  });

  test('requires --yes without a terminal', async () => {
    const server = await shelf([bob]);
    expect(await run(server, `delete ${id(1)}`)).toMatchObject({ code: 2, stdout: '' });
    expect(server.accounts.size).toBe(1);
    expect((await run(server, `delete ${id(1)} --yes`)).code).toBe(0);
    expect((await run(server, `delete ${id(1)} --yes`)).code).toBe(3);
  });

  test('after a lost response, reads the account', async () => {
    const server = await shelf([bob], ({ method: verb }, response, { accounts }) => {
      if (verb !== 'DELETE') return;
      accounts.clear();
      response.destroy();
    });
    expect((await run(server, `delete ${id(1)} --yes`)).code).toBe(0);
  });
});

test('account get omits empty fields', async () => {
  const server = await shelf([
    {
      ...bob,
      scope: { id: 'global', name: 'Global' },
      created_time: '2026-11-20T10:00:00.123456Z',
      managed_group_ids: ['mgldap_1'],
      authorized_actions: ['set-password', 'no-op', 'read'],
    },
  ]);
  expect(await run(server, `get ${id(1)}`)).toEqual({
    code: 0,
    stdout: [
      'ID\tacctpw_0000000001',
      'name\tBob',
      'type\tpassword',
      'auth method\tampw_1234567890',
      'scope\tGlobal (global)',
      'version\t3',
      'created\t2026-11-20 10:00:00 UTC',
      'login name\tbob',
      'managed groups\tmgldap_1',
      'authorized actions\tread, set-password\n',
    ].join('\n'),
    stderr: '',
  });
  expect((await run(server, `get ${id(1)} --field version`)).stdout).toBe('3\n');
  expect((await run(server, `get ${id(9)}`)).code).toBe(3);
});

test('rejects a response that is not an account', async () => {
  const server = await shelf([], (_seen, response) => json(response, { version: 1 }));
  expectFailure(await run(server, `get ${id(1)}`), 1, 'unexpected response from the account service');
});

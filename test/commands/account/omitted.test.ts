import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { expectExit, expectFailure, homeForAll, runnerOf } from '../../support/command-tests.ts';
import { listening } from '../../support/ports.ts';

const at = homeForAll();
let server: Server;
let counts: { methods: number; accounts: number };
const requests: string[] = [];

const method = {
  id: 'ampw_1234567890',
  scope_id: 'global',
  type: 'password',
  name: 'login',
  is_primary: true,
};
const account = (id: string, login: string) => ({
  id,
  auth_method_id: method.id,
  type: 'password',
  version: 1,
  attributes: { login_name: login },
  authorized_actions: ['no-op', 'read'],
});
const accounts = [account('acctpw_YNFySZ16II', 'bob2'), account('acctpw_EGxnuWc0p9', 'bob1')];

/** A list as Boundary 0.21.0 returns it: the count includes items that the caller may do nothing with. */
const listOf = (items: readonly object[], count: number, token: string | null) => ({
  ...(items.length > 0 && { items }),
  response_type: token === 'more' ? 'delta' : 'complete',
  list_token: token === 'more' ? 'next' : 'end',
  sort_by: 'created_time',
  sort_dir: 'desc',
  est_item_count: count,
});

beforeAll(async () => {
  server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://127.0.0.1');
    requests.push(`${request.method} ${pathname}`);
    const bodies: Record<string, object> = {
      '/v1/auth-methods': listOf([method], counts.methods, null),
      [`/v1/auth-methods/${method.id}`]: { ...method, version: 1 },
      '/v1/accounts': listOf(
        accounts,
        counts.accounts,
        searchParams.get('page_size') === '2' ? 'more' : null,
      ),
      '/v1/scopes': listOf([], 0, null),
    };
    const found =
      pathname === '/v1/accounts' && searchParams.has('list_token') ? listOf([], 6, null) : bodies[pathname];
    response.writeHead(found ? 200 : 403, { 'content-type': 'application/json' });
    response.end(JSON.stringify(found ?? { kind: 'PermissionDenied', message: 'Forbidden.' }));
  });
  at.env.LANYARD_ACCOUNTS_ADDR = (await listening(server)).address;
  at.env.LANYARD_ACCOUNTS_TOKEN = 'at_1234567890_limited';
});
beforeEach(() => {
  counts = { methods: 1, accounts: accounts.length };
  requests.length = 0;
});
afterAll(() => {
  server.close();
});

const run = runnerOf(at);
const omitted = (name: string, reason: string) => `warning: ${name}: some results were omitted: ${reason}\n`;

test('account list warns that accounts are missing which the token may not see', async () => {
  expect(await run('account list')).toMatchObject({ code: 0, stderr: '' });
  counts.accounts = 6;
  const stderr = omitted('list accounts', 'the token has no permission to read them');
  expect(await run('account list')).toMatchObject({ code: 0, stderr });
  expectExit(await run('account list -o jsonl'), 0, stderr);
});

test('the estimate of a list of several pages is not taken for a count', async () => {
  counts.accounts = 6;
  expect((await run('account list --page-size 2')).stderr).not.toContain('omitted');
  expect((await run('account list --since token')).stderr).not.toContain('omitted');
});

test('account auth-method list warns that auth methods are missing', async () => {
  counts.methods = 2;
  const stderr = omitted('list auth methods', 'no token was sent');
  expect(await run('account auth-method list')).toMatchObject({ code: 0, stderr });
  // The lookup of the primary auth method says nothing of others.
  expect(await run('account list')).toMatchObject({ code: 0, stderr: '' });
});

test.each([
  ['accounts', 'accounts.account'],
  ['auth methods', 'accounts.account'],
  ['auth methods', 'accounts.auth-method'],
])('export fails if %s are missing (%s), and --skip-forbidden names the kind', async (what, kind) => {
  if (what === 'accounts') counts.accounts = 6;
  else counts.methods = 2;
  const missing = what === 'accounts' ? 4 : 1;
  const problem = `cannot list all ${what}: the token cannot read ${missing} of them`;
  expectFailure(await run(`export ${join(at.path, kind)} --kind ${kind}`), 5, problem);
  const skipped = await run(`export ${join(at.path, `${kind}-skipped`)} --kind ${kind} --skip-forbidden`);
  expect(skipped).toMatchObject({ stderr: expect.stringContaining(`not exported: ${kind}: ${problem}`) });
});

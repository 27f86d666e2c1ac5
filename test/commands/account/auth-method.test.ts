import { beforeEach, describe, expect, test } from 'vitest';
import { expectFailure, homeForEach, quietOutputOf, servicesForEach } from '../../support/command-tests.ts';
import type { Ran, RunOptions } from '../../support/run.ts';
import { json, serve } from '../../unit/api/support.ts';
import { reject } from './shelf.ts';

const method = 'ampw_1234567890';
const admin = 'acctpw_1234567890';
const at = homeForEach();

const running = servicesForEach(at, { accounts: { password: 'admin-password' } });
beforeEach(async () => {
  at.env.LANYARD_ACCOUNTS_TOKEN = running.embedded.accountsToken;
});

const run = (line: string, options?: RunOptions): Promise<Ran> => at.run(line.split(' '), options);
const done = async (line: string, options?: RunOptions): Promise<string> => {
  const stdout = quietOutputOf(await run(line, options));
  return stdout;
};
const createMethod = async (): Promise<string> => {
  const body = '{"type":"password","scope_id":"global","name":"second"}';
  return JSON.parse(await done('api accounts POST auth-methods --data - -o json', { stdin: body })).id;
};

describe('account auth-method list', () => {
  test('shows which one is the primary', async () => {
    const second = await createMethod();
    expect(await done('account auth-method list')).toBe(
      `${second}\tpassword\tsecond\t-\tglobal\n${method}\tpassword\tpassword\tyes\tglobal\n`,
    );
    expect((await run('account auth-method list --no-color', { columns: 100 })).stdout).toMatch(
      /^ID +TYPE +NAME +PRIMARY +SCOPE/,
    );
  });

  test('has the fields of the service in JSON', async () => {
    const list = JSON.parse(await done('account auth-method list -o json'));
    expect(list).toMatchObject({ response_type: 'complete', items: [{ id: method, is_primary: true }] });
    expect(await done('account auth-method list --field items.0.id')).toBe(`${method}\n`);
  });

  test('sends no token and reads all pages', async () => {
    const server = await serve(({ url }, response) => {
      const isSecond = url.includes('list_token=next');
      json(
        response,
        isSecond
          ? { items: [{ id: 'ampw_2' }], response_type: 'complete' }
          : { items: [{ id: 'ampw_1' }], response_type: 'delta', list_token: 'next' },
      );
    });
    expect(await done(`account auth-method list --address ${server.url} --field items.1.id`)).toBe(
      'ampw_2\n',
    );
    for (const { headers } of server.seen) expect(headers).not.toHaveProperty('authorization');
  });

  test('an incomplete list without a next page is an error', async () => {
    const server = await serve((_seen, response) => json(response, { items: [], response_type: 'delta' }));
    const ran = await run(`account auth-method list --address ${server.url}`);
    expectFailure(ran, 1, 'the list is incomplete, but has no next page');
  });

  test.each([
    ['--scope o_0000000000', 3, 'scope "o_0000000000" not found'],
    ['--scope p_1234567890', 1, 'invalid scope ID "p_1234567890" (400)'],
    ['--filter x', 1, 'filter: '],
  ])('reports %s', async (flags, code, problem) => {
    expectFailure(await run(`account auth-method list ${flags}`), code, problem);
  });
});

describe('account auth-method get', () => {
  test('shows the primary one without an ID', async () => {
    expect(await done('account auth-method get')).toContain('min password length\t8\n');
    expect(await done('account auth-method get -o env')).toContain('scope_id=');
    const second = await createMethod();
    expect(await done(`account auth-method get ${second} --field name`)).toBe('second\n');
    const env = { BOUNDARY_AUTH_METHOD_ID: second };
    expect(await done('account auth-method get --field id', { env })).toBe(`${second}\n`);
  });

  test.each([
    ['ampw_0000000000', 3, 'auth method "ampw_0000000000" not found'],
    ['x', 1, 'invalid auth method ID "x" (400)'],
  ])('reports %s', async (id, code, problem) => {
    expectFailure(await run(`account auth-method get ${id}`), code, problem);
  });
});

describe('the primary auth method is the default', () => {
  test('of account list, create and login', async () => {
    expect(await done('account list --field items.0.id')).toBe(`${admin}\n`);
    const env = { PW: 'some-password' };
    const created = await done('account create --login-name bob --password env://PW --field auth_method_id', {
      env,
    });
    expect(created).toBe(`${method}\n`);
    const token = await done('account login --login-name bob --password env://PW --no-store', { env });
    expect(token).toMatch(/^at_/);
  });

  test('of a dry run, which sends only the search', async () => {
    const shown = await done('account create --login-name bob --no-password --dry-run -o json');
    expect(JSON.parse(shown)).toMatchObject({ method: 'POST', body: { auth_method_id: method } });
    expect(await done('account list --filter "/item/attributes/login_name"=="bob"')).toBe('');
  });

  test.each([
    ['has no primary one', 200, '{"items":[{"id":"ampw_1"}],"response_type":"complete"}'],
    ['has no such route', 404, ''],
  ])('unless the service %s', async (_what, status, body) => {
    const server = await serve((_seen, response) => {
      response.writeHead(status, { 'Content-Type': 'application/json' }).end(body);
    });
    for (const command of ['list', 'create --login-name bob --no-password']) {
      const ran = await run(`account ${command} --address ${server.url}`);
      expect(ran).toMatchObject({ code: 2, stdout: '' });
      expect(ran.stderr).toContain(
        'missing auth method: --auth-method is required, the global scope has no primary one',
      );
      expect(ran.stderr).toContain('account auth-method list');
    }
    // A 404 without a body may be from another service: their health is read.
    expect(server.seen.every(({ method }) => method === 'GET')).toBe(true);
    expect(server.seen.some(({ url }) => url.startsWith('/v1/accounts'))).toBe(false);
  });

  test('unless the service does not list them without a token', async () => {
    const server = await serve((_seen, response) => reject(response, 403, 'PermissionDenied', 'Forbidden.'));
    expectFailure(await run(`account list --address ${server.url}`), 5, 'Pass --auth-method ID');
    const login = await run(`account login --address ${server.url} --login-name bob --no-store`);
    expectFailure(login, 2, 'cannot prompt for auth method ID');
  });

  test('and a service that fails is reported', async () => {
    const server = await serve((_seen, response) => reject(response, 500, 'Internal', 'broken'));
    expectFailure(await run(`account list --address ${server.url}`), 1, 'broken');
  });
});

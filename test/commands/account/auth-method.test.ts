import { beforeEach, describe, expect, test } from 'vitest';
import { embeddedForEach, expectFailure } from '../../support/command-tests.ts';
import { json, serve } from '../../unit/api/support.ts';
import { reject } from './shelf.ts';

const method = 'ampw_1234567890';
const admin = 'acctpw_1234567890';

const { at, running, run, done } = embeddedForEach({ accounts: { password: 'admin-password' } });
beforeEach(async () => {
  at.env.LANYARD_ACCOUNTS_TOKEN = running.embedded.accountsToken;
});

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

test('scopes are found and listed without a token, whose lists have no versions', async () => {
  const org = await done('account scope create team-a --field id');
  const env = { LANYARD_ACCOUNTS_TOKEN: '' };
  expect(await done('account scope list --field items.0.id', { env })).toBe(org);
  expect((await run('account auth-method list --scope team-a', { env })).stderr).toBe('');
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
    ['x', 3, 'auth method "x" not found in scope "global"'],
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

const oidc =
  '--type oidc --issuer https://idp.example.com --client-id boundary --client-secret env://SECRET --api-url-prefix https://boundary.example.com';
const secret = { env: { SECRET: 'battery-staple-secret' } };
const fieldsOf = async (line: string) => JSON.parse(await done(`account auth-method ${line} -o json`));

describe('account auth-method create', () => {
  test('creates each type with its settings', async () => {
    const password = await fieldsOf('get ampw_1234567890');
    expect(password.attributes).toEqual({ min_login_name_length: 3, min_password_length: 8 });
    await done('account auth-method create strict --min-password-length 12 --description Strict');
    expect(await fieldsOf('get strict')).toMatchObject({
      description: 'Strict',
      attributes: { min_login_name_length: 3, min_password_length: 12 },
    });
    at.write('ca.pem', 'first\n');
    await done(
      'account auth-method create directory --type ldap --url ldaps://a.example.com --url ldaps://b.example.com --start-tls --certificate @ca.pem --state active-public --max-page-size 50 --deref-aliases DerefAlways --bind-dn cn=search --bind-password env://SECRET',
      secret,
    );
    expect((await fieldsOf('get directory')).attributes).toMatchObject({
      state: 'active-public',
      urls: ['ldaps://a.example.com', 'ldaps://b.example.com'],
      start_tls: true,
      certificates: ['first\n'],
      maximum_page_size: 50,
      dereference_aliases: 'DerefAlways',
      bind_dn: 'cn=search',
    });
    await done(
      `account auth-method create corp ${oidc} --signing-algorithm RS256 --signing-algorithm ES256 --max-age 60`,
      secret,
    );
    expect((await fieldsOf('get corp')).attributes).toMatchObject({
      state: 'inactive',
      client_id: 'boundary',
      signing_algorithms: ['RS256', 'ES256'],
      max_age: 60,
    });
  });

  test('sends a secret from a source, and shows it nowhere', async () => {
    const server = await serve((_seen, response) => json(response, { id: 'amoidc_1', version: 1 }));
    await done(`account auth-method create corp ${oidc} --address ${server.url}`, secret);
    expect(server.seen.find(({ method }) => method === 'POST')?.body).toContain('battery-staple-secret');
    const all = `${oidc} --dry-run -o json`;
    const shown = await run(`account auth-method create corp ${all}`, secret);
    expect(JSON.parse(shown.stdout)).toMatchObject({
      method: 'POST',
      body: { type: 'oidc', attributes: { client_id: 'boundary', issuer: 'https://idp.example.com' } },
    });
    expect(shown.stdout + shown.stderr).not.toContain('battery-staple-secret');
    const ldap = await run(
      'account auth-method create dir --type ldap --url ldaps://a --bind-password env://SECRET --client-certificate-key env://SECRET --dry-run',
      secret,
    );
    expect(ldap.code).toBe(0);
    expect(ldap.stdout + ldap.stderr).not.toContain('battery-staple-secret');
    expect(await run('account auth-method get corp')).toMatchObject({ code: 3 });
  });

  test.each([
    ['password', 6, 'auth method "password" already exists in its scope'],
    ['ampw_1234567890', 2, 'it looks like the ID of an auth method'],
    ['x --issuer https://a', 2, '--issuer is not supported by auth methods of type password'],
    [
      'x --type ldap --url ldap://a --min-password-length 9',
      2,
      'It applies to auth methods of type password.',
    ],
    ['x --state active-public', 2, 'It applies to auth methods of type oidc or ldap.'],
    ['x --type ldap', 2, 'missing --url: required for auth methods of type ldap'],
    ['x --type oidc --client-id a', 2, 'missing --client-secret, --api-url-prefix: required'],
    [`x ${oidc} --state active-public`, 2, 'it is inactive at first'],
    [`x ${oidc.replace('env://SECRET', 'plain')}`, 2, 'client secret'],
    ['x --scope o_0000000000', 3, 'scope "o_0000000000" not found'],
  ])('reports %s', async (line, code, problem) => {
    expectFailure(await run(`account auth-method create ${line}`, secret), code, problem);
  });
});

describe('account auth-method update', () => {
  test('changes only the given fields, at the version that was read', async () => {
    const second = await createMethod();
    const updated = await run('account auth-method update second --min-password-length 12 --description x');
    expect(updated.stdout).toMatch(/^Updated auth method second \(ampw_\w+\), now version 2\.\n/);
    expect(updated.stdout).toContain('min_password_length');
    expect(await fieldsOf(`get ${second}`)).toMatchObject({
      version: 2,
      attributes: { min_login_name_length: 3, min_password_length: 12 },
    });
    const same = await run('account auth-method update second --min-password-length 12');
    expect(same).toMatchObject({ code: 0, stdout: expect.stringContaining('is unchanged') });
    expectFailure(
      await run('account auth-method update second --description y --at 1'),
      6,
      'it has version 2, not 1',
    );
    await done('account auth-method update second --unset min-password-length --unset description');
    const unset = await fieldsOf(`get ${second}`);
    expect(unset).not.toHaveProperty('description');
    expect(unset.attributes.min_password_length).toBe(8);
    await done(`account auth-method update ${second} --name third`);
    expect(await fieldsOf('get third')).toMatchObject({ id: second, version: 4 });
  });

  test('sends a secret again, because it cannot be compared', async () => {
    await done('account auth-method create directory --type ldap --url ldap://a --bind-dn cn=a');
    const line = 'account auth-method update directory --bind-password env://SECRET';
    const { stdout, stderr } = await run(line, secret);
    expect(stdout).toMatch(/now version 2/);
    expect(stdout + stderr).not.toContain('battery-staple-secret');
    await done('account auth-method update directory --state active-private --url ldap://b --unset bind-dn');
    const { attributes } = await fieldsOf('get directory');
    expect(attributes).toMatchObject({ state: 'active-private', urls: ['ldap://b'] });
    expect(attributes).not.toHaveProperty('bind_dn');
  });

  test('changes the state of type oidc by a request of its own, after the other fields', async () => {
    let method = { id: 'amoidc_1234567890', name: 'corp', type: 'oidc', version: 1, attributes: {} };
    const server = await serve(({ method: verb, body }, response) => {
      if (verb !== 'GET') {
        const { attributes } = JSON.parse(body);
        method = {
          ...method,
          version: method.version + 1,
          attributes: { ...method.attributes, ...attributes },
        };
      }
      json(response, method);
    });
    const shown = await done(
      `account auth-method update amoidc_1234567890 --max-age 60 --state active-public --disable-discovered-config-validation --address ${server.url}`,
    );
    expect(shown).toContain('now version 3.');
    const writes = server.seen.filter(({ method: verb }) => verb !== 'GET');
    expect(writes.map(({ url, body }) => [url, JSON.parse(body)])).toEqual([
      [
        '/v1/auth-methods/amoidc_1234567890',
        { version: 1, attributes: { max_age: 60, disable_discovered_config_validation: true } },
      ],
      [
        '/v1/auth-methods/amoidc_1234567890:change-state',
        { version: 2, attributes: { state: 'active-public', disable_discovered_config_validation: true } },
      ],
    ]);
  });

  test('reports what was done before the state could not be changed', async () => {
    await done(`account auth-method create corp ${oidc}`, secret);
    const ran = await run('account auth-method update corp --max-age 60 --state active-public');
    expectFailure(ran, 9, 'Unable to change auth method state');
    expect(ran.stderr).toContain('Updated the fields of the auth method.');
    expect((await fieldsOf('get corp')).attributes).toMatchObject({ state: 'inactive', max_age: 60 });
    expectFailure(await run('account auth-method update corp --state active-public'), 1, 'Unable to change');
    expect(await done('account auth-method update corp --state inactive')).toContain('is unchanged');
  });

  test('sends nothing in a dry run', async () => {
    const line = `account auth-method update ${method} --min-password-length 12 --dry-run -o json`;
    expect(JSON.parse(await done(line))).toMatchObject({
      method: 'PATCH',
      body: { version: 1, attributes: { min_password_length: 12 } },
    });
    expect((await fieldsOf(`get ${method}`)).version).toBe(1);
  });

  test.each([
    [method, 2, 'nothing to change'],
    ['gone --description x', 3, 'auth method "gone" not found in scope "global"'],
    ['ampw_0000000000 --description x', 3, 'auth method "ampw_0000000000" not found'],
    [`${method} --issuer https://a`, 2, '--issuer is not supported by auth methods of type password'],
    [`${method} --unset bind-dn`, 2, '--bind-dn is not supported by auth methods of type password'],
    [
      `${method} --description x --disable-discovered-config-validation`,
      2,
      'It applies to auth methods of type oidc.',
    ],
    [`${method} --unset issuer`, 2, 'invalid --unset "issuer"'],
    [
      `${method} --description x --unset description`,
      2,
      '--description cannot be combined with --unset description',
    ],
  ])('reports %s', async (line, code, problem) => {
    expectFailure(await run(`account auth-method update ${line}`), code, problem);
  });
});

describe('account auth-method delete', () => {
  test('asks with the number of accounts, and deletes them too', async () => {
    const second = await createMethod();
    for (const name of ['ann', 'bob'])
      await done(`account create --auth-method ${second} --login-name ${name} --no-password`);
    const asked = await run('account auth-method delete second --no-input');
    expectFailure(
      asked,
      2,
      `Delete auth method second (${second}) with its 2 accounts? This cannot be undone.`,
    );
    expect(await done(`account auth-method delete ${second} --yes`)).toBe(
      `Deleted auth method second (${second}).\n`,
    );
    expectFailure(await run(`account list --auth-method ${second}`), 3, 'not found');
    expectFailure(await run(`account auth-method delete ${second} --yes`), 3, `"${second}" not found`);
  });

  test('says that it is the primary one of its scope', async () => {
    const asked = await run(`account auth-method delete ${method} --no-input`);
    expectFailure(asked, 2, 'with its account? It is the primary auth method of its scope.');
  });

  test('does not need permission to list the accounts', async () => {
    const server = await serve(({ url, method: verb }, response) => {
      if (url.startsWith('/v1/accounts')) return reject(response, 403, 'PermissionDenied', 'Forbidden.');
      return verb === 'DELETE'
        ? void response.writeHead(204).end()
        : json(response, { id: 'ampw_1', name: 'a' });
    });
    const asked = await run(`account auth-method delete ampw_1 --no-input --address ${server.url}`);
    expectFailure(asked, 2, 'Delete auth method a (ampw_1) with its accounts?');
    expect(await done(`account auth-method delete ampw_1 --yes --address ${server.url}`)).toContain(
      'Deleted',
    );
  });
});

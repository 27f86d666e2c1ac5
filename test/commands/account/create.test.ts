import { describe, expect, test } from 'vitest';
import { expectExit, expectFailure, homeForAll, quietOutputOf } from '../../support/command-tests.ts';
import { json } from '../../unit/api/support.ts';
import { id, method, reject, runAt, shelf } from './shelf.ts';

const at = homeForAll();
const run = runAt(at);

describe('account create', () => {
  test('sends the given fields, and the password from its source', async () => {
    const server = await shelf();
    const ran = await run(
      server,
      [
        ...['create', '--auth-method', method, '--login-name', 'bob', '--name', 'Bob'],
        ...['--description', 'on call', '--password', 'env://PW'],
      ],
      { env: { PW: 'correct-horse' } },
    );
    expect(ran).toMatchObject({ code: 0, stderr: '' });
    expect(ran.stdout).toMatch(/^Created account bob \(acctpw_0000000001\), now version 1\.\n/);
    expect(ran.stdout).not.toContain('correct-horse');
    expect(server.seen[0]?.headers.authorization).toBe('Bearer at_1234567890_s3cret');
    expect(server.bodies()).toEqual([
      {
        auth_method_id: method,
        name: 'Bob',
        description: 'on call',
        attributes: { login_name: 'bob', password: 'correct-horse' },
      },
    ]);
  });

  test('prompts for the password twice on a terminal', async () => {
    const server = await shelf();
    const argv = ['create', '--auth-method', method, '--login-name', 'bob'];
    const ran = await run(server, argv, { columns: 80, typed: 'correct-horse\ncorrect-horse\n' });
    expectExit(ran, 0, 'password, again: ');
    expect(server.bodies()).toMatchObject([{ attributes: { password: 'correct-horse' } }]);
    const differing = await run(server, argv, { columns: 80, typed: 'correct-horse\ncorrect-house\n' });
    expectFailure(differing, 2, 'the two values do not match');
    expect(server.writes()).toHaveLength(1);
  });

  test('requires --no-password to create an account without a password', async () => {
    const server = await shelf();
    const argv = ['create', '--auth-method', method, '--login-name', 'bob'];
    expect(await run(server, argv)).toMatchObject({ code: 2, stdout: '' });
    const stdout = quietOutputOf(await run(server, [...argv, '--no-password', '-o', 'json']));
    expect(JSON.parse(stdout)).toMatchObject({ id: id(1), version: 1 });
    expect(server.bodies()).toEqual([{ auth_method_id: method, attributes: { login_name: 'bob' } }]);
  });

  test('sends the attributes of OIDC and LDAP accounts', async () => {
    const server = await shelf();
    at.write('claims.yaml', 'groups: [ops]\n');
    const oidc = await run(server, [
      ...['create', '--auth-method', 'amoidc_1', '--type', 'oidc', '--issuer', 'https://idp.example.com'],
      ...['--subject', '8d2f6', '--full-name', 'Bob B', '--email', 'b@example.com'],
      ...['--token-claims', 'claims.yaml', '--name', '"null"'],
    ]);
    expect(oidc).toMatchObject({ code: 0, stderr: '' });
    const ldap = await run(
      server,
      'create --auth-method amldap_1 --login-name Bob_B --dn cn=bob --member-of-groups cn=ops,dc=example --member-of-groups dev',
    );
    expect(ldap).toMatchObject({ code: 0, stderr: '' });
    expect(server.bodies()).toEqual([
      {
        auth_method_id: 'amoidc_1',
        type: 'oidc',
        name: 'null',
        attributes: {
          issuer: 'https://idp.example.com',
          subject: '8d2f6',
          full_name: 'Bob B',
          email: 'b@example.com',
          token_claims: { groups: ['ops'] },
        },
      },
      {
        auth_method_id: 'amldap_1',
        attributes: {
          login_name: 'Bob_B',
          dn: 'cn=bob',
          member_of_groups: ['cn=ops,dc=example', 'dev'],
        },
      },
    ]);
  });

  test.each([
    [['--login-name', 'Bob', '--no-password'], 'attributes.login_name: invalid login name "Bob"'],
    [['--login-name', '', '--no-password'], 'attributes.login_name: invalid login name ""'],
    [['--no-password'], 'attributes.login_name: required by account type password'],
    [['--login-name', 'bob', '--password', 'env://EMPTY'], 'EMPTY'],
    [
      ['--login-name', 'bob', '--subject', 'x', '--no-password'],
      'attributes.subject: not supported by account type password, only by oidc',
    ],
    [
      ['--type', 'ldap', '--login-name', 'bob'],
      'type: auth method ampw_1234567890 has type password, not ldap',
    ],
    [['--login-name', 'bob', '--name', 'null', '--no-password'], 'invalid name: null clears a field'],
    [['--login-name', 'bob', '--password', 'plain-text-1'], 'not accepted on the command line'],
    [['--login-name', 'bob', '--password', '-', '--no-password'], 'cannot be combined'],
    [['--type', 'radius'], 'invalid --type "radius": expected one of password, oidc, ldap'],
  ])('rejects %j before a request is sent', async (argv, text) => {
    const server = await shelf();
    const ran = await run(server, ['create', '--auth-method', method, ...argv], { env: { EMPTY: '' } });
    expectFailure(ran, 2, text);
    expect(server.seen).toEqual([]);
  });

  test('does not check the lengths of login name and password', async () => {
    const argv = ['create', '--auth-method', method, '--login-name', 'ab', '--password', 'env://PW'];
    const server = await shelf();
    expect(await run(server, argv, { env: { PW: 'four' } })).toMatchObject({ code: 0, stderr: '' });
    expect(server.bodies()).toMatchObject([{ attributes: { login_name: 'ab', password: 'four' } }]);
  });

  test('reports the reason for a login name or password that is rejected with 500', async () => {
    const server = await shelf([], (_seen, response) =>
      reject(
        response,
        500,
        'Internal',
        'accounts.(Service).createInRepo: accounts.(Service).createPwInRepo: password.(Repository).CreateAccount: username: ab, must be longer than 3: integrity violation: error #113',
      ),
    );
    const argv = ['create', '--auth-method', method, '--login-name', 'ab', '--no-password'];
    const ran = await run(server, argv);
    expectFailure(ran, 1, 'cannot create account: invalid login name or password (500)');
    expect(ran.stderr).toMatch(/^ +username: ab, must be longer than 3$/m);
    expect(ran.stderr).toContain('Check the minimum lengths');
  });

  test('reports a missing auth method by name', async () => {
    const server = await shelf([], (_seen, response) =>
      reject(response, 404, 'NotFound', 'Resource not found.'),
    );
    const ran = await run(server, 'create --auth-method ampw_nope --login-name bob --no-password');
    expectFailure(ran, 3, 'auth method "ampw_nope" not found');
  });

  test('warns of fields that the service did not store', async () => {
    const server = await shelf([], ({ method: verb, body }, response) => {
      if (verb !== 'POST') return;
      const { token_claims: _dropped, userinfo_claims: _too, ...attributes } = JSON.parse(body).attributes;
      json(response, { id: 'acctoidc_1', version: 1, type: 'oidc', attributes });
    });
    at.write('claims.yaml', 'groups: [ops]\n');
    const ran = await run(
      server,
      'create --auth-method amoidc_1 --subject 8d2f6 --token-claims claims.yaml --userinfo-claims claims.yaml -o json',
    );
    expect(ran.code).toBe(0);
    expect(ran.stderr).toBe('warning: the service did not store token_claims, userinfo_claims\n');
    expect(JSON.parse(ran.stdout)).toMatchObject({ id: 'acctoidc_1' });
  });

  test('omits an empty name', async () => {
    const server = await shelf();
    const argv = ['create', '--auth-method', method, '--login-name', 'bob', '--no-password', '--name', ' '];
    expect(await run(server, argv)).toMatchObject({ code: 0, stderr: '' });
    expect(server.bodies()).toEqual([{ auth_method_id: method, attributes: { login_name: 'bob' } }]);
  });

  test('does not offer null in its help', async () => {
    expect((await at.run(['account', 'create', '--help'])).stdout).not.toContain('null');
    expect((await at.run(['account', 'update', '--help'])).stdout).toContain('null clears it');
  });

  test('rejects attributes of different types for an auth method of unknown type', async () => {
    const server = await shelf();
    const ran = await run(server, 'create --auth-method x --login-name bob --subject s');
    expectFailure(ran, 2, 'attributes.login_name, subject: no account type has all of these');
  });

  test('shows each field that the service rejects, with the reason', async () => {
    const server = await shelf([], (_seen, response) =>
      reject(response, 400, 'InvalidArgument', 'Error in provided request.', [
        { name: 'attributes.login_name', description: 'Length too short.' },
        { name: 'auth_method_id', description: 'Unknown auth method type from ID.' },
      ]),
    );
    const argv = ['create', '--auth-method', 'x', '--login-name', 'bob'];
    const ran = await run(server, argv);
    expectFailure(ran, 1, 'attributes.login_name: Length too short.');
    expect(ran.stderr).toContain('auth_method_id: Unknown auth method type from ID.');
    const { error } = JSON.parse((await run(server, [...argv, '-o', 'json'])).stderr);
    expect(error).toMatchObject({ code: 1, status: 400, service: 'accounts' });
    expect(error.messages).toContain('attributes.login_name: Length too short.');
  });

  test.each([
    [0, 0, 'the response was lost, but the account was created'],
    [3_600_000, 9, 'A similar account exists: acctpw_0000000001, version 1, created '],
  ])(
    'after a lost response, searches for an account created since the request (%i ms old: exit code %i)',
    async (age, code, text) => {
      const server = await shelf([], ({ method: verb, body }, response, { accounts }) => {
        if (verb !== 'POST') return;
        const created_time = new Date(Date.now() - age).toISOString();
        accounts.set(id(1), { id: id(1), version: 1, created_time, ...JSON.parse(body) });
        response.destroy();
      });
      const ran = await run(server, `create --auth-method ${method} --login-name bob --no-password`);
      expectExit(ran, code, text);
      expect(server.writes()).toHaveLength(1);
    },
  );

  test('requires a token, with a hint how to get one', async () => {
    const server = await shelf();
    const argv = ['create', '--auth-method', method, '--login-name', 'bob', '--no-password'];
    const ran = await run(server, argv, { env: { LANYARD_ACCOUNTS_TOKEN: '' } });
    expectFailure(ran, 4, 'lanyard account login');
    expect(server.seen).toEqual([]);
  });
});

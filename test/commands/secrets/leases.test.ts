import { beforeAll, expect, test } from 'vitest';
import { expectFailure, homeForAll, servicesForAll } from '../../support/command-tests.ts';
import type { Ran, RunOptions } from '../../support/run.ts';
import { json, serve } from '../../unit/api/support.ts';

const at = homeForAll();
const running = servicesForAll(at);
const run = (line: string, options?: RunOptions): Promise<Ran> => at.run(line.split(' '), options);
const lease = (line: string, options?: RunOptions): Promise<Ran> => run(`secrets lease ${line}`, options);
const issue = async (): Promise<string> =>
  (await run('secrets write ssh/creds/otp ip=10.1.2.3 --field lease_id')).stdout.trim();

beforeAll(async () => {
  await run('ssh role put otp --key-type otp --default-user ubuntu --cidr-list 10.0.0.0/8');
});

test('lists, shows and revokes leases', async () => {
  const [id, other] = [await issue(), await issue()];
  expect((await lease('list')).stdout).toContain('ssh/\n');
  expect(JSON.parse((await lease('list /ssh/creds/otp/ -o json')).stdout)).toEqual(
    [id, other].map((each) => each.replace('ssh/creds/otp/', '')).toSorted(),
  );
  expect((await lease(`lookup ${id}`)).stdout).toMatch(
    /^ID\tssh\/creds\/otp\/\S+\nissued\t2.* UTC\nexpires\t2.* UTC\nremaining\t\d+ days\nrenewable\tno\n$/,
  );
  expect(JSON.parse((await lease(`lookup ${id} -o json`)).stdout)).toMatchObject({ id, renewable: false });
  expectFailure(await lease(`revoke ${id}`), 2, `Revoke lease ${id}? Its credentials become invalid.`);
  expect((await lease(`revoke ${id} --sync --yes`)).stdout).toBe(`Revoked lease ${id}.\n`);
  expect((await lease(`lookup ${id}`)).code).toBe(3);
  await lease(`lookup ${other}`);
  expect((await lease('revoke ssh/creds')).code).toBe(3);
  expect((await lease('revoke ssh/creds/ --prefix')).stderr).toContain(
    'Revoke all leases below "ssh/creds/"? Their credentials become invalid.',
  );
  expect((await lease('revoke ssh/creds/ --prefix --dry-run')).stdout).toContain(
    '/v1/sys/leases/revoke-prefix/ssh/creds',
  );
  expect((await lease('revoke ssh/creds/ --prefix --yes')).stdout).toBe(
    'Revoked all leases below ssh/creds/.\n',
  );
  expect((await lease('list ssh/creds')).stdout).toBe('');
});

test('revokes with --force what the engine may not be able to revoke', async () => {
  const id = await issue();
  expect((await lease('revoke ssh --prefix --force')).stderr).toContain(
    'Credentials that the engine fails to revoke stay valid.',
  );
  expect((await lease('revoke ssh --prefix --force --yes')).code).toBe(0);
  expect((await lease(`lookup ${id}`)).code).toBe(3);
});

test.each([
  ['lookup none/x', 'lease "none/x" not found'],
  ['renew none/x', 'lease "none/x" not found'],
  ['revoke none/x --yes', 'lease "none/x" not found'],
  ['revoke none --prefix --yes', 'no leases below "none/"'],
])('reports a missing lease: %s', async (line, message) => {
  expectFailure(await lease(line), 3, `error: ${message}`, 'hint: Run `lanyard secrets lease list`');
});

test('gives the lifetime of a renewed lease as data', async () => {
  const renewed = { lease_id: 'db/creds/app/x', lease_duration: 3600, renewable: true };
  const server = await serve((_request, response) =>
    json(response, { request_id: 'r', ...renewed, data: null, wrap_info: null, warnings: null, auth: null }),
  );
  const ran = await lease(`renew db/creds/app/x -o json --address ${server.url}`);
  expect(JSON.parse(ran.stdout)).toEqual(renewed);
});

test('reports a lease that cannot be renewed', async () => {
  const id = await issue();
  const ran = await lease(`renew ${id} --increment 1h`);
  expectFailure(ran, 1, `error: cannot renew lease "${id}": not renewable (400)\n`);
});

test.each([
  ['revoke x --force', '--force requires --prefix'],
  ['revoke x --prefix --force --sync', '--sync cannot be combined with --force'],
  ['revoke / --prefix', 'invalid prefix "/"'],
])('rejects: %s', async (line, message) => {
  expectFailure(await lease(line), 2, `error: ${message}`);
});

test('needs sudo to list', async () => {
  const created = await run('secrets token create --policy default --field client_token');
  const env = { LANYARD_SECRETS_TOKEN: created.stdout.trim() };
  expect((await lease('list', { env })).code).toBe(5);
});

test('revokes the tokens of an auth method by prefix', async () => {
  await run('secrets auth enable userpass --path zz');
  await run('secrets write auth/zz/users/ada password=hunter2');
  const logIn = async () =>
    (await run('secrets write auth/zz/login/ada password=hunter2 --field auth.client_token')).stdout.trim();
  const tokens = [await logIn(), await logIn()];
  const valid = async (token = '') =>
    (await run('secrets token self', { env: { LANYARD_SECRETS_TOKEN: token } })).code === 0;
  expect((await lease('list')).stdout).toContain('auth/\n');
  const [first = ''] = JSON.parse((await lease('list auth/zz/login/ada -o json')).stdout) as string[];
  expect(JSON.parse((await lease(`lookup auth/zz/login/ada/${first} -o json`)).stdout)).toMatchObject({
    path: 'auth/zz/login/ada',
    renewable: true,
  });
  expect((await lease(`renew auth/zz/login/ada/${first}`)).stderr).toContain(
    'tokens cannot be renewed through this endpoint',
  );
  expect((await lease(`revoke auth/zz/login/ada/${first} --yes`)).code).toBe(0);
  expect([await valid(tokens[0]), await valid(tokens[1])].toSorted()).toEqual([false, true]);
  expect(await lease('revoke auth/zz/ --prefix --yes')).toMatchObject({ code: 0 });
  expect([await valid(tokens[0]), await valid(tokens[1])]).toEqual([false, false]);
  expect((await lease('list auth/zz')).stdout).toBe('');
  expect(await valid(running.rootToken)).toBe(true);
});

import { beforeAll, describe, expect, test } from 'vitest';
import {
  embeddedForAll,
  expectExit,
  expectFailure,
  expectOutput,
  quietRunnerOf,
  runnerOf,
} from '../../support/command-tests.ts';
import { json, serve } from '../../unit/api/support.ts';

const { at, run, done: any } = embeddedForAll();
const role = runnerOf(at, 'secrets auth role');
const done = quietRunnerOf(at, 'secrets auth role');

beforeAll(async () => {
  for (const type of ['approle', 'userpass', 'jwt']) await any(`secrets auth enable ${type}`);
  await run('secrets policy put deploy -', { stdin: 'path "secret/*" { capabilities = ["read"] }' });
  at.env.PASSWORD = 'correct-horse';
});

const fieldsOf = async (line: string) => JSON.parse(await done(`${line} -o json`)).data;

describe('secrets auth role put', () => {
  test('creates a role, changes the given fields, and keeps the others', async () => {
    expect(await done('put approle ci --token-policies deploy --ttl 20m --secret-id-ttl 24h')).toBe(
      'Created role ci.\n',
    );
    expect(await done('put approle ci --token-ttl 10m --unset secret-id-ttl')).toBe(
      'Updated role ci.\nsecret_id_ttl\t"24h0m0s"\t"0s"\ntoken_ttl\t"20m0s"\t"10m0s"\n',
    );
    expect(await done('put auth/approle/ ci --token-ttl 600 --policy deploy')).toBe(
      'Role ci is unchanged.\n',
    );
    expect(await fieldsOf('get approle ci')).toMatchObject({
      token_policies: ['deploy'],
      token_ttl: 600,
      secret_id_ttl: 0,
    });
  });

  test('sends nothing in a dry run, and only what differs', async () => {
    await done('put approle dry --token-ttl 1m --token-policies deploy');
    const { stdout } = await role('put approle dry --token-ttl 2m --token-policies deploy --dry-run');
    expect(stdout).toMatch(/POST .*\/v1\/auth\/approle\/role\/dry\n(.*\n)*\{\n {2}"token_ttl": "2m"\n\}/);
    expect(await fieldsOf('get approle dry')).toMatchObject({ token_ttl: 60 });
  });

  test('keeps the fields of a jwt role, which a write replaces', async () => {
    await done(
      'put jwt web --role-type jwt --user-claim sub --bound-audiences ci --bound-claim project=web --claim-mapping project=project',
    );
    const before = await fieldsOf('get jwt web');
    expect(await done('put jwt web --token-policies deploy')).toBe(
      'Updated role web.\ntoken_policies\t[]\t["deploy"]\n',
    );
    expect(await fieldsOf('get jwt web')).toEqual({ ...before, token_policies: ['deploy'] });
    expect(await done('put jwt web --bound-claim project=web')).toBe('Role web is unchanged.\n');
  });

  test('takes the type of a new jwt role from the auth method', async () => {
    await done('put jwt typed --user-claim sub --bound-audiences ci');
    expect(await fieldsOf('get jwt typed')).toMatchObject({ role_type: 'jwt' });
  });

  test('reads fields from a file, also those without a flag; flags override it', async () => {
    at.write('role.yaml', 'token_strictly_bind_ip: true\ntoken_ttl: 1h\nbound_cidr_list: [10.0.0.0/8]\n');
    await done('put approle file --in role.yaml --token-ttl 5m', { cwd: at.path });
    expect(await fieldsOf('get approle file')).toMatchObject({
      token_strictly_bind_ip: true,
      token_ttl: 300,
      secret_id_bound_cidrs: ['10.0.0.0/8'],
    });
  });

  test('sets the role ID, and reports it as unchanged the second time', async () => {
    await done('put approle named');
    expect(await done('put approle named --role-id chosen')).toMatch(
      /^Updated .*\nrole_id\t"\S+"\t"chosen"\n$/,
    );
    expect(await done('put approle named --role-id chosen')).toBe('Role named is unchanged.\n');
    expect(await done('id approle named')).toBe('role ID\tchosen\n');
  });

  test('writes users with a password from a source, and never shows it', async () => {
    expect(await done('put userpass bob --token-policies deploy --password env://PASSWORD')).toBe(
      'Created user bob.\n',
    );
    const changed = await role('put userpass bob --password env://PASSWORD -o json');
    expect(JSON.parse(changed.stdout)).toEqual({
      method: 'userpass',
      name: 'bob',
      created: false,
      changes: [{ path: ['password'], before: '<redacted>', after: '<redacted>' }],
    });
    const dry = await role('put userpass bob --password env://PASSWORD --dry-run');
    expect(changed.stdout + changed.stderr + dry.stdout + dry.stderr).not.toContain('correct-horse');
    const login = 'secrets login --method userpass --username bob --password env://PASSWORD --no-store';
    expect((await run(login)).code).toBe(0);
  });

  test('prompts for the password of a new user, and requires a source without a terminal', async () => {
    expectFailure(await role('put userpass eve'), 2, 'cannot prompt for password');
    const typed = await role('put userpass eve', {
      columns: 80,
      typed: 'long-password\nlong-password\n',
    });
    expect(typed.code).toBe(0);
    expectFailure(await role('put userpass plain --password secret'), 2, /password/);
  });

  test('writes token roles with the method "token"', async () => {
    await done('put token jobs --allowed-policies deploy --orphan --token-period 24h');
    expect(await done('put token jobs --renewable false')).toBe(
      'Updated role jobs.\nrenewable\ttrue\tfalse\n',
    );
    expect(await fieldsOf('get token jobs')).toMatchObject({
      orphan: true,
      token_period: 86_400,
      allowed_policies: ['deploy'],
    });
  });

  test('warns about policies that do not exist, except templates', async () => {
    const ran = await role('put approle typo --token-policies deploy,deplyo,{{identity.entity.name}}');
    expect(ran).toMatchObject({ code: 0, stderr: 'warning: policy "deplyo" does not exist\n' });
  });

  test('rejects flags of other types', async () => {
    expectFailure(
      await role('put approle ci --bound-audiences x'),
      2,
      'error: --bound-audiences is not supported by roles of type approle\nhint: It applies to auth methods of type jwt or oidc.\n',
    );
    expectFailure(await role('put userpass bob --unset bound-subject'), 2, 'by users of type userpass');
    expectFailure(await role('put jwt web --user-claim x --unset user-claim'), 2, '--unset');
  });

  test('reports what the service rejects, and changes nothing', async () => {
    const before = await fieldsOf('get approle ci');
    expectFailure(await role('put approle ci --token-ttl 2h --token-max-ttl 1h'), 1, 'token_ttl');
    expect(await fieldsOf('get approle ci')).toEqual(before);
  });

  test('reads back after a lost response', async () => {
    let stored = false;
    const server = await serve((seen, response) => {
      if (seen.url.includes('internal/ui/mounts'))
        return json(response, { data: { path: 'auth/approle/', type: 'approle' } });
      if (seen.method === 'POST') {
        stored = seen.url.endsWith('/kept');
        return response.destroy();
      }
      return stored ? json(response, { data: { token_ttl: 60 } }) : json(response, { errors: [] }, 404);
    });
    const env = { LANYARD_SECRETS_ADDR: server.url };
    expect((await role('put approle kept --token-ttl 1m', { env })).code).toBe(0);
    stored = false;
    expectFailure(await role('put approle lost --token-ttl 1m', { env }), 9);
  });
});

describe('secrets auth role list, get and delete', () => {
  test('lists roles and users by the type of the auth method', async () => {
    await any('secrets auth enable approle --path lists');
    expect(await done('list lists -o json')).toBe('[]\n');
    await done('put lists b');
    await done('put lists a');
    expect(await done('list lists')).toBe('a\nb\n');
    expect(await done('list token')).toContain('jobs\n');
    expect(await done('list userpass -o json')).toContain('"bob"');
  });

  test('names what is missing', async () => {
    expectFailure(
      await role('get approle none'),
      3,
      'error: role "none" of auth method "approle/" not found\nhint: Run `lanyard secrets auth role list approle`',
    );
    expectFailure(await role('list none'), 3, 'auth method "none/" not found');
    expectFailure(await role('id approle none'), 3, 'role "none" of auth method "approle/" not found');
    expectFailure(await role('delete approle none --yes'), 3, 'role "none"');
  });

  test('deletes a role after a prompt', async () => {
    await done('put approle old');
    expectFailure(await role('delete approle old'), 2, 'Delete role "old" of auth method "approle/"?');
    expectOutput(await role('delete approle old --yes'), 'Deleted role old.\n');
    expectFailure(await role('get approle old'), 3);
  });

  test('works with a token that may only use the roles of one auth method', async () => {
    await run('secrets policy put roles -', {
      stdin:
        'path "auth/approle/role/*" { capabilities = ["create", "read", "update", "list"] }\npath "auth/approle/role" { capabilities = ["list"] }',
    });
    const token = (await any('secrets token create --policy roles --field client_token')).trim();
    const env = { LANYARD_SECRETS_TOKEN: token };
    await done('put approle limited --token-ttl 1m', { env });
    expect(await done('get approle limited --field token_ttl', { env })).toBe('60\n');
    expectFailure(await role('delete approle limited --yes', { env }), 5);
    expectFailure(await role('list userpass', { env }), 5, 'cannot read the type of auth method "userpass/"');
    expectFailure(await role('list userpass --type userpass', { env }), 5);
  });

  test('rejects an auth method without roles', async () => {
    const server = await serve((_seen, response) =>
      json(response, { data: { path: 'auth/ldap/', type: 'ldap' } }),
    );
    const ran = await role('list ldap', { env: { LANYARD_SECRETS_ADDR: server.url } });
    expectExit(ran, 2, 'auth method "ldap/" has no roles', '`lanyard secrets list auth/ldap/groups`');
  });
});

import { describe, expect, test } from 'vitest';
import { expectFailure, homeForAll, servicesForAll } from '../../support/command-tests.ts';
import type { Ran, RunOptions } from '../../support/run.ts';
import { json, serve } from '../../unit/api/support.ts';

const at = homeForAll();
servicesForAll(at);
const run = (line: string, options?: RunOptions): Promise<Ran> => at.run(line.split(' '), options);
async function done(line: string, options?: RunOptions): Promise<string> {
  const ran = await run(line, options);
  expect({ code: ran.code, stderr: ran.stderr }, line).toEqual({ code: 0, stderr: '' });
  return ran.stdout;
}
const parsed = async (line: string) => JSON.parse(await done(`${line} -o json`));

describe('secrets mount', () => {
  test('enables, shows, lists, tunes, moves and disables a secrets engine', async () => {
    expect(
      await done(
        'secrets mount enable kv --path team/kv --version 2 --description team --default-lease-ttl 1h --listing-visibility unauth',
      ),
    ).toBe('Enabled secrets engine kv at team/kv/.\n');
    await done('kv put team/kv/app a=b');
    expect(await parsed('secrets mount get /team/kv/')).toMatchObject({
      path: 'team/kv/',
      type: 'kv',
      description: 'team',
      options: { version: '2' },
      config: { default_lease_ttl: 3600, listing_visibility: 'unauth' },
    });
    expect(await done('secrets mount get team/kv')).toMatch(
      /^path\tteam\/kv\/\ntype\tkv \(version 2\)\ndescription\tteam\naccessor\tkv_\w+\ndefault TTL\t1 hour\nmax TTL\tsystem\n/,
    );
    const paths = await parsed('secrets mount list --select [].path');
    expect(paths).toContain('team/kv/');
    expect(paths).toEqual(paths.toSorted());
    expect(await done('secrets mount list')).toContain('team/kv/\tkv (version 2)\t1 hour\tsystem\tteam\tkv_');

    expect(
      await done('secrets mount tune team/kv --max-lease-ttl 2h --description all --default-lease-ttl 1h'),
    ).toBe(
      'Updated secrets engine team/kv/.\ndescription\t"team"\t"all"\nmax_lease_ttl\t"768h0m0s"\t"2h0m0s"\n',
    );
    expect(await done('secrets mount tune team/kv --max-lease-ttl 2h')).toBe(
      'Secrets engine team/kv/ is unchanged.\n',
    );

    expect(await done('secrets mount move team/kv teams --yes')).toBe(
      'Moved secrets engine team/kv/ to teams/.\n',
    );
    expect((await run('secrets mount get team/kv')).code).toBe(3);
    expect(await done('kv get teams/app --field a')).toBe('b\n');
    expect(await done('secrets mount disable teams --yes')).toBe('Disabled secrets engine teams/.\n');
    expect((await run('secrets mount get teams')).code).toBe(3);
  });

  test.each([
    ['get none', 'secrets engine "none/" not found'],
    ['tune none --description x', 'secrets engine "none/" not found'],
    ['move none other --yes', 'secrets engine "none/" not found'],
    ['disable none --yes', 'secrets engine "none/" not found'],
  ])('reports a missing mount: %s', async (line, message) => {
    const ran = await run(`secrets mount ${line}`);
    expectFailure(ran, 3, `error: ${message}\n`);
    expect(ran.stderr).toContain(
      'hint: Run `lanyard secrets mount list` for the existing secrets engines.\n',
    );
  });

  test.each([
    ['enable kv --path secret', 6, 'cannot enable secrets engine at "secret/": path is already in use'],
    ['enable nope', 1, 'cannot enable secrets engine: unknown type "nope" (400)'],
    ['move ssh secret --yes', 6, 'cannot move secrets engine "ssh/" to "secret/": path is already in use'],
    ['move ssh ssh/ --yes', 2, 'source and destination are the same path "ssh/"'],
    ['enable ssh --version 2 --path x', 2, '--version is only valid for type "kv", not "ssh"'],
    ['enable kv --version 3', 2, 'invalid --version 3: expected 1 or 2'],
    ['get /', 2, 'invalid path "/" of the secrets engine'],
    ['tune ssh', 2, 'missing setting: at least one flag is required'],
    ['tune ssh --max-lease-ttl soon', 2, 'invalid --max-lease-ttl "soon"'],
    ['disable ssh', 2, 'cannot prompt for confirmation'],
    ['move ssh other', 2, 'cannot prompt for confirmation'],
  ])('rejects: %s', async (line, code, message) => {
    expectFailure(await run(`secrets mount ${line}`), code, `error: ${message}`);
  });

  test('asks before it disables, and says what is deleted', async () => {
    await done('secrets mount enable kv --path asked');
    const ran = await run('secrets mount disable asked', {
      answers: (said) => (said.endsWith('[y/N] ') ? 'n\n' : undefined),
    });
    expect(ran.code).not.toBe(0);
    expect(ran.stderr).toContain(
      'Disable secrets engine "asked/" (kv)? All of its data is deleted, and its leases are revoked. This cannot be undone.',
    );
    await done('secrets mount get asked');
  });

  test('sends all settings', async () => {
    const line =
      'secrets mount enable kv --path all --seal-wrap --local --option a=b --audit-non-hmac-request-keys x,y --audit-non-hmac-response-keys z --passthrough-request-headers H1 --allowed-response-headers H2 --max-lease-ttl 1d --plugin-version v1';
    const text = JSON.stringify(await parsed(`${line} --dry-run`));
    for (const part of [
      '"options":{"a":"b"}',
      '"local":true',
      '"seal_wrap":true',
      '"plugin_version":"v1"',
      '"max_lease_ttl":"24h"',
      '"audit_non_hmac_request_keys":["x","y"]',
      '"audit_non_hmac_response_keys":["z"]',
      '"passthrough_request_headers":["H1"]',
      '"allowed_response_headers":["H2"]',
    ])
      expect(text).toContain(part);
  });

  test('reads back after a lost response', async () => {
    const mount = { type: 'kv', description: '', accessor: 'kv_1', options: { version: '2' } };
    const server = await serve((seen, response) => {
      if (seen.method === 'GET') json(response, { data: mount });
      else response.destroy();
    });
    const env = { LANYARD_SECRETS_ADDR: server.url };
    expect(await run('secrets mount enable kv-v2 --path lost', { env })).toMatchObject({
      code: 0,
      stderr: 'warning: the response was lost, but the secrets engine is enabled\n',
    });
    const other = await run('secrets mount enable ssh --path lost', { env });
    expectFailure(other, 9, 'the path has another mount');
    const kept = await run('secrets mount disable lost --yes', { env });
    expectFailure(kept, 9, 'the secrets engine still exists');
    expect(await run('secrets mount move lost there --yes', { env })).toMatchObject({
      code: 0,
      stderr: 'warning: the response was lost, but the secrets engine was moved\n',
    });
  });

  test('waits until a mount is moved, and reports a move that failed', async () => {
    const states = ['in-progress', 'success'];
    const server = await serve((seen, response) => {
      if (seen.method === 'POST') json(response, { data: { migration_id: 'm1' }, warnings: ['queued'] });
      else if (seen.url?.includes('/remount/'))
        json(response, { data: { migration_info: { status: states.shift() ?? 'failure' } } });
      else json(response, { data: { type: 'kv', accessor: 'kv_1' } });
    });
    const env = { LANYARD_SECRETS_ADDR: server.url };
    expect((await run('secrets mount move a b --yes', { env })).code).toBe(0);
    expect(states).toEqual([]);
    const failed = await run('secrets mount move a b --yes', { env });
    expectFailure(failed, 1, 'cannot move "a/" to "b/": the move failed');
  });

  test('works in a namespace', async () => {
    await done('api secrets POST sys/namespaces/team');
    await done('secrets mount enable kv --path own -n team');
    expect(await done('secrets mount list -n team')).toContain('own/\t');
    expect(await done('secrets mount list')).not.toContain('own/\t');
  });

  test('reports a missing permission', async () => {
    const LANYARD_SECRETS_TOKEN = (
      await done('secrets write auth/token/create policies=default --field auth.client_token')
    ).trim();
    expect((await run('secrets mount list', { env: { LANYARD_SECRETS_TOKEN } })).code).toBe(5);
    expect((await run('secrets mount enable kv --path x', { env: { LANYARD_SECRETS_TOKEN } })).code).toBe(5);
  });
});

describe('secrets auth', () => {
  test('enables, shows, lists, tunes, moves and disables an auth method', async () => {
    expect(await done('secrets auth enable userpass --path people --token-type batch')).toBe(
      'Enabled auth method userpass at people/.\n',
    );
    expect(await parsed('secrets auth get auth/people')).toMatchObject({
      path: 'people/',
      type: 'userpass',
      config: { token_type: 'batch' },
    });
    expect(await done('secrets auth list')).toContain('people/\tuserpass\tsystem\tsystem\t-\t');
    expect(await done('secrets auth tune people --token-type service')).toBe(
      'Updated auth method people/.\ntoken_type\t"batch"\t"service"\n',
    );
    expect(await done('secrets auth move people staff --yes')).toBe('Moved auth method people/ to staff/.\n');
    expect(await done('secrets auth disable auth/staff/ --yes')).toBe('Disabled auth method staff/.\n');
    expect((await run('secrets auth get staff')).stderr).toContain('error: auth method "staff/" not found\n');
  });

  test.each([
    ['enable userpass --path token', 6],
    ['disable none --yes', 3],
    ['tune none --description x', 3],
    ['move none x --yes', 3],
    ['tune token', 2],
  ])('rejects: %s', async (line, code) => {
    expect((await run(`secrets auth ${line}`)).code).toBe(code);
  });
});

import { describe, expect, test } from 'vitest';
import {
  embeddedForAll,
  expectFailure,
  homeForTest,
  jsonLines,
  linesOf,
  servicesForTest,
  words,
} from '../../support/command-tests.ts';
import { serveSocket } from '../../unit/api/support.ts';

const { at, run } = embeddedForAll();
const role = async (name: string) => JSON.parse((await run(`ssh role get ${name} -o json`)).stdout).data;

describe('ssh role put', () => {
  test.each(['x y', '-', 'ä', 'a?b'])('rejects the name %j, which no path can contain', async (name) => {
    const ran = await at.run(['ssh', 'role', 'put', '--allow-user-certificates', '--', name]);
    expectFailure(ran, 2, `invalid role name ${JSON.stringify(name)}`);
  });

  test.each(['a', 'a.b@c-d', '_x_'])('takes the name %j', async (name) => {
    expect(await run(`ssh role put ${name} --allow-user-certificates`)).toMatchObject({ code: 0 });
  });

  test.each([
    ['--key-type otp --default-user u --allow-user-certificates', '--allow-user-certificates', 'otp', 'ca'],
    ['--key-type otp --default-user u --ttl 1h', '--ttl', 'otp', 'ca'],
    ['--allow-user-certificates --cidr-list 10.0.0.0/8', '--cidr-list', 'ca', 'otp'],
    ['--key-type ca --allow-user-certificates --port 22', '--port', 'ca', 'otp'],
  ])('rejects %s, which does not apply to its type', async (flags, flag, type, other) => {
    expect(await run(`ssh role put odd ${flags}`)).toEqual({
      code: 2,
      stdout: '',
      stderr: `error: ${flag} is not supported by roles of type ${type}\nhint: Use it with --key-type ${other}.\n`,
    });
  });

  test.each([
    ['--default-critical-option bad', 'invalid --default-critical-option "bad": expected K=V'],
    ['--allowed-user-key-length rsa', 'invalid --allowed-user-key-length "rsa": expected TYPE=BITS[,BITS]'],
    ['--default-extension a=1 --default-extension a=2', 'conflicting values for "a"'],
  ])('rejects %s', async (flags, text) => {
    expectFailure(await run(`ssh role put odd --allow-user-certificates ${flags}`), 2, text);
  });

  test('keeps every field with a flag', async () => {
    const ran = await at.run([
      ...words(
        'ssh role put whole --allow-user-certificates --allow-host-certificates --allowed-users a,b --allowed-users c',
      ),
      ...words(
        '--allowed-users-template --default-user a --default-user-template --allowed-domains example.com',
      ),
      ...words('--allowed-domains-template --allow-bare-domains --allow-subdomains --allow-empty-principals'),
      ...words(
        '--ttl 30m --max-ttl 3600 --not-before-duration 1m --default-extension permit-pty --default-extensions a@b=c',
      ),
      ...words('--default-extensions-template --allowed-extensions permit-pty,permit-user-rc'),
      ...[
        '--default-critical-option',
        'force-command=echo "hi, you"',
        '--allowed-critical-options',
        'force-command',
      ],
      ...words('--allow-user-key-ids --key-id-format {{role_name}}-{{public_key_hash}}'),
      ...words(
        '--allowed-user-key-length rsa=2048,4096 --allowed-user-key-lengths ed25519=0 --algorithm-signer rsa-sha2-512',
      ),
    ]);
    expect(ran).toEqual({ code: 0, stdout: 'Created role whole.\n', stderr: '' });
    expect(await role('whole')).toMatchObject({
      key_type: 'ca',
      allow_user_certificates: true,
      allow_host_certificates: true,
      allowed_users: 'a,b,c',
      allowed_users_template: true,
      default_user: 'a',
      default_user_template: true,
      allowed_domains: 'example.com',
      allowed_domains_template: true,
      allow_bare_domains: true,
      allow_subdomains: true,
      allow_empty_principals: true,
      ttl: '30m0s',
      max_ttl: '1h0m0s',
      not_before_duration: '1m0s',
      default_extensions: { 'permit-pty': '', 'a@b': 'c' },
      default_extensions_template: true,
      allowed_extensions: 'permit-pty,permit-user-rc',
      default_critical_options: { 'force-command': 'echo "hi, you"' },
      allowed_critical_options: 'force-command',
      allow_user_key_ids: true,
      key_id_format: '{{role_name}}-{{public_key_hash}}',
      allowed_user_key_lengths: { rsa: [2048, 4096], ed25519: [0] },
      algorithm_signer: 'rsa-sha2-512',
    });
  });

  test('keeps the fields of a role for one-time passwords', async () => {
    expect(
      (
        await run(
          'ssh role put otp --key-type otp --default-user ubuntu --cidr-list 10.0.0.0/8,192.168.0.0/16 --exclude-cidr-list 10.1.0.0/16 --port 2222 --allowed-users a',
        )
      ).code,
    ).toBe(0);
    expect(await role('otp')).toEqual({
      key_type: 'otp',
      default_user: 'ubuntu',
      default_user_template: false,
      cidr_list: '10.0.0.0/8,192.168.0.0/16',
      exclude_cidr_list: '10.1.0.0/16',
      port: 2222,
      allowed_users: 'a',
      allowed_users_template: false,
    });
  });

  test('keeps every field that is not given, and shows what changed', async () => {
    const before = await role('whole');
    expect(await run('ssh role put whole --allowed-users ubuntu,root --max-ttl 2h')).toEqual({
      code: 0,
      stdout: 'Updated role whole.\nallowed_users\t"a,b,c"\t"ubuntu,root"\nmax_ttl\t"1h0m0s"\t"2h0m0s"\n',
      stderr: '',
    });
    expect(await role('whole')).toEqual({ ...before, allowed_users: 'ubuntu,root', max_ttl: '2h0m0s' });
    const again = await run('ssh role put whole --allowed-users ubuntu,root --max-ttl 120m -o json');
    expect(JSON.parse(again.stdout)).toEqual({ name: 'whole', created: false, changes: [] });
    const otp = await role('otp');
    expect((await run('ssh role put otp --port 22')).code).toBe(0);
    expect(await role('otp')).toEqual({ ...otp, port: 22 });
  });

  test.each(['--dry-run', '--curl'])('%s shows the merged request', async (flag) => {
    const { stdout } = await run(`ssh role put whole --ttl 5m ${flag} --select body`);
    const shown = flag === '--curl' ? (await run(`ssh role put whole --ttl 5m --curl`)).stdout : stdout;
    for (const kept of ['force-command', '"max_ttl": ?"2h0m0s"', '"ttl": ?"5m"', '"allow_subdomains": ?true'])
      expect(shown).toMatch(new RegExp(kept));
    expect(await role('whole')).toMatchObject({ ttl: '30m0s' });
  });

  test('resets single fields with --unset, and all others with --replace', async () => {
    const before = await role('whole');
    const ran = await run(
      'ssh role put whole --unset allow-host-certificates,--key-id-format,not-before-duration',
    );
    expect(ran).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('not_before_duration\t"1m0s"\t"30s"'),
    });
    const unset = { allow_host_certificates: false, key_id_format: '', not_before_duration: '30s' };
    expect(await role('whole')).toEqual({ ...before, ...unset });
    expect((await run('ssh role put whole --allow-host-certificates --replace')).code).toBe(0);
    expect(await role('whole')).toMatchObject({
      allow_user_certificates: false,
      allow_host_certificates: true,
      allowed_users: '',
      ttl: '0s',
    });
  });

  test.each([
    ['--ttl 1h --unset ttl', '--ttl cannot be combined with --unset ttl'],
    ['--unset nonsense', 'invalid --unset "nonsense": expected one of allow-user-certificates'],
    ['--port 22', '--port is not supported by roles of type ca'],
    ['--unset port', '--port is not supported by roles of type ca'],
  ])('rejects %s', async (flags, message) => {
    const before = await role('whole');
    expectFailure(await run(`ssh role put whole ${flags}`), 2, message);
    expect(await role('whole')).toEqual(before);
  });

  test('changes the type of a role only with --replace', async () => {
    await run('ssh role put typed --allow-user-certificates --ttl 1h');
    expect(await run('ssh role put typed --key-type otp --default-user u')).toEqual({
      code: 6,
      stdout: '',
      stderr:
        'error: cannot change role "typed" from type ca to otp: its fields would be lost\nhint: Use --replace to reset all fields that are not given.\n',
    });
    expect((await run('ssh role put typed --key-type otp --default-user u --replace')).code).toBe(0);
    expect(await role('typed')).toMatchObject({ key_type: 'otp', default_user: 'u' });
  });

  test('keeps a map whose name has special characters', async () => {
    await run(
      'ssh role put odd --allow-user-certificates --default-extension __proto__=x --default-extension constructor=y',
    );
    const { default_extensions: kept } = await role('odd');
    expect(Object.entries(kept).sort()).toEqual([
      ['__proto__', 'x'],
      ['constructor', 'y'],
    ]);
  });

  test.each([
    ['', "Either 'allow_user_certificates' or 'allow_host_certificates' must be set to 'true'"],
    [
      '--allow-user-certificates --ttl 2h --max-ttl 1h',
      '"ttl" value must be less than "max_ttl" when both are specified',
    ],
    [
      '--allow-user-certificates --allowed-user-key-length enigma=1',
      'error processing allowed_user_key_lengths',
    ],
    ['--key-type otp', 'missing default user'],
    ['--key-type otp --default-user u --cidr-list here', 'failed to validate cidr_list'],
  ])('%s is rejected by the service, with its message', async (flags, message) => {
    expectFailure(await run(`ssh role put bad ${flags}`), 1, `(400)\n  ${message}`);
    expect((await run('ssh role get bad')).code).toBe(3);
  });

  test.each([
    ['--key-type dynamic', 'invalid --key-type "dynamic": expected one of ca, otp'],
    ['--ttl never', 'invalid --ttl "never": expected a duration'],
    ['--port http', 'invalid --port "http": expected a non-negative integer'],
    ['--algorithm-signer md5', 'invalid --algorithm-signer "md5": expected one of'],
    ['--default-extension =x', 'invalid --default-extension "=x": expected K[=V]'],
  ])('%s is rejected before anything is sent', async (flags, message) => {
    expectFailure(await run(`ssh role put bad ${flags} --address http://127.0.0.1:9`), 2, message);
  });

  test('with a lost response is not sent twice, and reports the current state', async () => {
    let written = false;
    const server = await serveSocket((socket, request) => {
      written ||= request.startsWith('POST');
      if (written) socket.destroy();
      else
        socket.end(
          'HTTP/1.1 404 Not Found\r\nContent-Type: application/json\r\nContent-Length: 13\r\n\r\n{"errors":[]}',
        );
    });
    expectFailure(await run(`ssh role put r --allow-user-certificates --address ${server.url}`), 9);
    expect(server.seen.filter(({ method }) => method === 'POST')).toHaveLength(1);
  });
});

describe('ssh role get', () => {
  test('shows every field, label and value separated by a tab', async () => {
    await run(
      'ssh role put shown --allow-user-certificates --allowed-users a,b --default-extension permit-pty --allowed-user-key-length rsa=2048,4096',
    );
    const { stdout } = await run('ssh role get shown');
    const rows = Object.fromEntries(linesOf(stdout).map((row) => row.split('\t')));
    expect(rows).toMatchObject({
      name: 'shown',
      key_type: 'ca',
      allowed_users: 'a,b',
      default_extensions: 'permit-pty',
      allowed_user_key_lengths: 'rsa=2048+4096',
      key_id_format: '-',
    });
    expect(Object.keys(rows)).toEqual(['name', ...Object.keys(await role('shown'))]);
  });

  test('gives one value, and lines for a shell', async () => {
    expect((await run('ssh role get shown --field allowed_users')).stdout).toBe('a,b\n');
    expect((await run('ssh role get shown -o env')).stdout).toContain("allowed_users='a,b'\n");
    expect((await run('ssh role get shown -o yaml')).stdout).toMatch(/^ {2}allowed_users: a,b$/m);
    expect((await run('ssh role get shown -o table')).stdout).toMatch(/│ allowed_users +│ a,b +│/);
  });

  test('reports that none exists', async () => {
    expect(await run('ssh role get missing')).toEqual({
      code: 3,
      stdout: '',
      stderr:
        'error: role "missing" not found in ssh/\nhint: Run `lanyard ssh role list` for the existing roles.\n',
    });
  });
});

describe('ssh role list', () => {
  test('prints nothing in a pipe and a hint on a terminal if none exists', async () => {
    const empty = homeForTest();
    await servicesForTest(empty);
    expect(await empty.run(words('ssh role list'))).toEqual({ code: 0, stdout: '', stderr: '' });
    expect((await empty.run(words('ssh role list'), { columns: 80 })).stdout).toMatch(/^No roles\./);
    expect(JSON.parse((await empty.run(words('ssh role list -o json'))).stdout)).toEqual({
      data: { keys: [] },
    });
    expect((await empty.run(words('ssh role list -o jsonl'))).stdout).toBe('');
  });

  test('shows names and types: tabs in a pipe, columns with a header on a terminal', async () => {
    const { stdout } = await run('ssh role list');
    expect(stdout.split('\n')).toEqual(expect.arrayContaining(['otp\totp', 'whole\tca']));
    const shown = (await run('ssh role list --no-color', { columns: 80 })).stdout;
    expect(shown).toMatch(/^NAME +KEY TYPE\n/);
    expect(shown).toMatch(/^otp +otp$/m);
  });

  test('gives one role a line as jsonl, and names by --select', async () => {
    const { stdout } = await run('ssh role list -o jsonl');
    expect(jsonLines(stdout)).toContainEqual({ name: 'otp', key_type: 'otp' });
    const selected = await at.run(['ssh', 'role', 'list', '--select', "data.keys[?starts_with(@, 'o')]"]);
    expect(JSON.parse(selected.stdout)).toEqual(['odd', 'otp']);
  });
});

describe('ssh role delete', () => {
  test('prompts on a terminal, needs --yes elsewhere, and deletes', async () => {
    await run('ssh role put gone --allow-user-certificates');
    expect(await run('ssh role delete gone')).toMatchObject({ code: 2, stdout: '' });
    expect((await run('ssh role delete gone', { columns: 80, typed: 'no\n' })).code).toBe(1);
    expect((await run('ssh role get gone')).code).toBe(0);
    const ran = await run('ssh role delete gone --no-color', { columns: 80, typed: 'yes\n' });
    expect(ran).toMatchObject({ code: 0, stdout: 'Deleted role gone.\n' });
    expect(ran.stderr).toContain('Delete role "gone" of ssh/? This cannot be undone. [y/N]');
    expect((await run('ssh role get gone')).code).toBe(3);
  });

  test('of a role that is not there is done, as the service has it', async () => {
    expect((await run('ssh role delete missing --yes')).code).toBe(0);
  });

  test('with a lost response is verified by reading back', async () => {
    const server = await serveSocket((socket, request) => {
      if (request.startsWith('DELETE')) socket.destroy();
      else
        socket.write(
          'HTTP/1.1 404 Not Found\r\nContent-Type: application/json\r\nContent-Length: 13\r\n\r\n{"errors":[]}',
        );
    });
    const ran = await run(`ssh role delete gone --yes --address ${server.url}`);
    expect(ran).toMatchObject({ code: 0, stdout: 'Deleted role gone.\n' });
    // The active server is asked for before the role is read back.
    expect(server.seen.map(({ method, url }) => `${method} ${url}`)).toEqual([
      'DELETE /v1/ssh/roles/gone',
      'GET /v1/sys/leader',
      'GET /v1/ssh/roles/gone',
    ]);
  });
});

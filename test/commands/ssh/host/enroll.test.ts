import { existsSync, mkdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { has } from '../../../support/require.ts';
import { enrollFlags, modeOf, programs, testHost } from './host.ts';

describe.skipIf(!programs.every(has))('ssh host enroll', () => {
  test('signs the host key, trusts the CA of users and configures sshd in a file of its own', async () => {
    const host = await testHost();
    const before = host.tree();
    const ran = await host.run('enroll', enrollFlags(host));
    expect(ran).toMatchObject({ code: 0, stderr: '' });

    const certificate = host.file('etc/ssh/ssh_host_ed25519_key-cert.pub');
    expect(host.effective('hostcertificate')).toEqual([certificate]);
    expect(host.effective('trustedusercakeys')).toEqual([host.file('etc/ssh/lanyard/user_ca_keys')]);
    const { stdout } = await host.at.run(['ssh', 'inspect', certificate, '-o', 'json']);
    expect(JSON.parse(stdout)).toMatchObject({ kind: 'host', principals: ['web1.example.com'] });
    const ca = await host.at.run(['ssh', 'ca', 'public-key', '--mount', 'ssh-users']);
    expect(host.at.read('etc/ssh/lanyard/user_ca_keys')).toContain(ca.stdout.trim());
    for (const [name, content] of Object.entries(before)) expect(host.tree()[name]).toBe(content);
  });

  test('run again without flags, changes nothing', async () => {
    const host = await testHost();
    await host.run('enroll', enrollFlags(host));
    const enrolled = host.tree();
    const ran = await host.run('enroll');
    expect(ran).toEqual({ code: 0, stdout: 'This host is up to date.\n', stderr: '' });
    expect(host.tree()).toEqual(enrolled);
  });

  test('run again with the used wrapping token, keeps the stored secret ID', async () => {
    const host = await testHost();
    await host.run('enroll', enrollFlags(host));
    const enrolled = host.tree();
    expect(await host.run('enroll', enrollFlags(host))).toMatchObject({ code: 0, stderr: '' });
    expect(host.tree()).toEqual(enrolled);
  });

  test('run again with a new wrapping token, replaces the secret ID', async () => {
    const host = await testHost();
    await host.run('enroll', enrollFlags(host));
    const secret = host.at.read('etc/ssh/lanyard/secret-id');
    await host.wrapSecretId();
    expect(await host.run('enroll', enrollFlags(host))).toMatchObject({ code: 0 });
    expect(host.at.read('etc/ssh/lanyard/secret-id')).not.toBe(secret);
  });

  test('keeps the secret ID in one file of mode 0600 in a directory of mode 0700, and shows it nowhere', async () => {
    const host = await testHost();
    const wrapping = await host.wrapSecretId();
    const ran = await host.run('enroll', [...enrollFlags(host), '-o', 'json', '--verbose']);
    const secret = host.at.read('etc/ssh/lanyard/secret-id');
    expect(secret).toMatch(/^[\w-]{36}$/);
    expect([modeOf(host.file('etc/ssh/lanyard')), modeOf(host.file('etc/ssh/lanyard/secret-id'))]).toEqual([
      '700',
      '600',
    ]);
    const status = await host.run('status', ['-o', 'json']);
    for (const text of [ran.stdout, ran.stderr, status.stdout, host.at.read('etc/ssh/lanyard/host.json')])
      for (const each of [secret, wrapping, host.running.rootToken]) expect(text).not.toContain(each);
    expect(JSON.parse(status.stdout)).toMatchObject({ secrets: [host.file('etc/ssh/lanyard/secret-id')] });
  });

  test('revokes the token of its login at the end', async () => {
    const host = await testHost();
    const accessors = async (): Promise<unknown> =>
      JSON.parse((await host.at.run(['secrets', 'list', 'auth/token/accessors', '-o', 'json'])).stdout).data
        .keys.length;
    await host.run('enroll', enrollFlags(host));
    // The one of the root token.
    expect(await accessors()).toBe(1);
  });

  test('changes the named settings of an enrolled host, and keeps the others', async () => {
    const host = await testHost();
    await host.run('enroll', enrollFlags(host));
    const ran = await host.run('enroll', ['--principals', 'web1.example.com,web2.example.com']);
    expect(ran.code).toBe(0);
    const certificate = host.file('etc/ssh/ssh_host_ed25519_key-cert.pub');
    const { stdout } = await host.at.run(['ssh', 'inspect', certificate, '-o', 'json']);
    expect(JSON.parse(stdout).principals).toEqual(['web1.example.com', 'web2.example.com']);
    expect(host.effective('trustedusercakeys')).toEqual([host.file('etc/ssh/lanyard/user_ca_keys')]);
  });

  test('writes a block at the top of a configuration that includes no directory', async () => {
    const host = await testHost(['# The main configuration', 'LoginGraceTime 30']);
    const before = host.at.read('etc/ssh/sshd_config');
    expect(await host.run('enroll', enrollFlags(host))).toMatchObject({ code: 0 });
    const after = host.at.read('etc/ssh/sshd_config');
    expect(after.endsWith(before)).toBe(true);
    expect(after).toMatch(/^# BEGIN lanyard ssh host\nHostCertificate /);
    expect(host.effective('trustedusercakeys')).toEqual([host.file('etc/ssh/lanyard/user_ca_keys')]);
    expect((await host.run('enroll')).stdout).toBe('This host is up to date.\n');
  });

  test('writes a block if the directory is included in a Match block only', async () => {
    const host = await testHost(['LoginGraceTime 30']);
    const config = host.at.read('etc/ssh/sshd_config');
    const include = `Include ${host.file('etc/ssh/sshd_config.d')}/*.conf`;
    host.at.write('etc/ssh/sshd_config', `${config}Match User nobody\n${include}\n`);
    expect(await host.run('enroll', enrollFlags(host))).toMatchObject({ code: 0 });
    expect(host.at.list('etc/ssh/sshd_config.d')).toEqual([]);
    expect(host.effective('trustedusercakeys')).toEqual([host.file('etc/ssh/lanyard/user_ca_keys')]);
  });

  test('rejects a directory that the configuration does not include', async () => {
    const host = await testHost();
    const before = host.tree();
    const ran = await host.run('enroll', [...enrollFlags(host), '--sshd-config-dir', '/etc/other']);
    expect(ran).toMatchObject({ code: 2, stdout: '' });
    expect(ran.stderr).toContain('does not include /etc/other/10-lanyard.conf');
    expect(Object.keys(host.tree())).toEqual([...Object.keys(before), 'ssh/lanyard/secret-id'].sort());
  });

  test.each([
    ['before', (own: string, config: string) => `${own}\n${config}`],
    ['after', (own: string, config: string) => `${config}${own}\n`],
  ])('rejects another TrustedUserCAKeys %s its file, and names the line', async (_place, add) => {
    const host = await testHost();
    const config = host.at.read('etc/ssh/sshd_config');
    host.at.write('etc/ssh/sshd_config', add('TrustedUserCAKeys /etc/ssh/team.pub', config));
    const ran = await host.run('enroll', enrollFlags(host));
    expect(ran).toMatchObject({ code: 6, stdout: '' });
    expect(ran.stderr).toMatch(/sshd_config:\d+: TrustedUserCAKeys \/etc\/ssh\/team\.pub/);
    expect(host.effective('hostcertificate')).toEqual([]);
  });

  test('does not overwrite a file of the same name that it did not write', async () => {
    const host = await testHost();
    host.at.write('etc/ssh/sshd_config.d/10-lanyard.conf', '# ours\n');
    const ran = await host.run('enroll', enrollFlags(host));
    expect(ran).toMatchObject({ code: 6 });
    expect(host.at.read('etc/ssh/sshd_config.d/10-lanyard.conf')).toBe('# ours\n');
  });

  test('does not overwrite changes that somebody made to its file', async () => {
    const host = await testHost();
    await host.run('enroll', enrollFlags(host));
    const changed = `${host.at.read('etc/ssh/sshd_config.d/10-lanyard.conf')}LoginGraceTime 20\n`;
    host.at.write('etc/ssh/sshd_config.d/10-lanyard.conf', changed);
    const ran = await host.run('enroll');
    expect(ran).toMatchObject({ code: 6 });
    expect(ran.stderr).toContain('it was changed after "lanyard ssh host enroll" wrote it');
    expect(host.at.read('etc/ssh/sshd_config.d/10-lanyard.conf')).toBe(changed);
  });

  test('restores every file if sshd rejects the configuration of somebody else', async () => {
    const host = await testHost();
    await host.run('enroll', enrollFlags(host));
    const enrolled = host.tree();
    host.at.write('etc/ssh/sshd_config.d/50-team.conf', 'NoSuchOption yes\n');
    const before = host.tree();
    const reloaded = host.file('reloaded');
    const ran = await host.run('enroll', [
      '--principals',
      'web2.example.com',
      '--reload',
      `touch ${reloaded}`,
    ]);
    expect(ran).toMatchObject({ code: 1, stdout: '' });
    expect(ran.stderr).toContain('Bad configuration option: NoSuchOption');
    expect(host.tree()).toEqual(before);
    expect(existsSync(reloaded)).toBe(false);
    expect(enrolled['ssh/ssh_host_ed25519_key-cert.pub']).toBe(before['ssh/ssh_host_ed25519_key-cert.pub']);
  });

  test('reloads sshd with the command of --reload, and only if a certificate or setting has changed', async () => {
    const host = await testHost();
    const log = host.file('reloads');
    const flags = [...enrollFlags(host), '--reload', `echo reload >> ${log}`];
    expect((await host.run('enroll', flags)).stdout).toContain('Reloaded sshd');
    await host.run('enroll');
    expect(host.at.read('reloads')).toBe('reload\n');
    await host.run('enroll', ['--principals', 'web2.example.com']);
    expect(host.at.read('reloads')).toBe('reload\nreload\n');
  });

  test('ends with 9 if the reload fails, and repeats it when it is run again', async () => {
    const host = await testHost();
    const ran = await host.run('enroll', [...enrollFlags(host), '--reload', 'exit 3']);
    expect(ran).toMatchObject({ code: 9 });
    expect(ran.stderr).toContain('the files were written, but');
    const log = host.file('reloads');
    const again = await host.run('enroll', [...enrollFlags(host), '--reload', `echo reload >> ${log}`]);
    expect(again).toMatchObject({ code: 0 });
    expect(host.at.read('reloads')).toBe('reload\n');
    expect((await host.run('status')).code).toBe(0);
  });

  test('leaves nothing behind if the service is unreachable', async () => {
    const host = await testHost();
    const before = host.tree();
    const flags = [
      '--role',
      'hosts',
      '--principals',
      'web1.example.com',
      '--user-ca',
      'ssh-users',
      '--no-timer',
    ];
    const env = { LANYARD_SECRETS_ADDR: 'http://127.0.0.1:9' };
    expect(await host.run('enroll', flags, { env })).toMatchObject({ code: 7, stdout: '' });
    expect(host.tree()).toEqual(before);
    expect(existsSync(host.file('etc/ssh/lanyard'))).toBe(false);
  });

  test('leaves nothing behind if the role does not exist', async () => {
    const host = await testHost();
    const before = host.tree();
    const flags = [
      '--role',
      'none',
      '--mount',
      'ssh-hosts',
      '--principals',
      'web1.example.com',
      '--no-timer',
    ];
    const ran = await host.run('enroll', flags);
    expect(ran).toMatchObject({ code: 3, stdout: '' });
    expect(ran.stderr).toContain('role "none" not found in ssh-hosts/');
    expect(host.tree()).toEqual(before);
  });

  test('a dry run shows every file and command, and writes and sends nothing', async () => {
    const host = await testHost();
    const before = host.tree();
    const env = { LANYARD_SECRETS_ADDR: 'http://127.0.0.1:9' };
    const ran = await host.run('enroll', [...enrollFlags(host), '--dry-run'], { env });
    expect(ran).toMatchObject({ code: 0, stderr: '' });
    for (const text of [
      'signed with role hosts of ssh-hosts/, for web1.example.com',
      'the CAs of ssh-users/',
      `+ TrustedUserCAKeys ${host.file('etc/ssh/lanyard/user_ca_keys')}`,
      `sshd -T -f ${host.file('etc/ssh/sshd_config')}`,
    ])
      expect(ran.stdout).toContain(text);
    expect(host.tree()).toEqual(before);
    expect(existsSync(host.file('etc/ssh/lanyard'))).toBe(false);
  });

  test('two at the same time enroll the host once', async () => {
    const host = await testHost();
    const log = host.file('reloads');
    const flags = [...enrollFlags(host), '--reload', `echo reload >> ${log}`];
    const ran = await Promise.all([host.run('enroll', flags), host.run('enroll', flags)]);
    expect(ran.map(({ code }) => code)).toEqual([0, 0]);
    expect(ran.filter(({ stdout }) => stdout.includes('up to date'))).toHaveLength(1);
    expect(host.at.read('reloads')).toBe('reload\n');
  });

  test('generates an ed25519 host key only if sshd has none', async () => {
    const host = await testHost();
    for (const name of ['', '.pub']) host.at.clear(`etc/ssh/ssh_host_ed25519_key${name}`);
    const ran = await host.run('enroll', enrollFlags(host));
    expect(ran).toMatchObject({ code: 0 });
    expect(ran.stderr).toContain('Generated the host key');
    expect(modeOf(host.file('etc/ssh/ssh_host_ed25519_key'))).toBe('600');
    expect(host.effective('hostcertificate')).toEqual([host.file('etc/ssh/ssh_host_ed25519_key-cert.pub')]);
  });

  test('rejects a key that sshd does not use', async () => {
    const host = await testHost();
    const ran = await host.run('enroll', [...enrollFlags(host), '--key', host.at.write('other', '')]);
    expect(ran).toMatchObject({ code: 2 });
    expect(ran.stderr).toContain('is not a host key of sshd');
  });

  test('rejects missing values and flags that exclude each other, before anything is written', async () => {
    const host = await testHost();
    const before = host.tree();
    const lines: readonly (readonly [flags: string, message: string])[] = [
      ['', 'nothing to enroll'],
      ['--user-ca a --timer --no-timer', '--timer cannot be combined with --no-timer'],
      ['--user-ca a --method token --role-id x', '--role-id is not supported by method "token"'],
      ['--user-ca a --method approle', 'missing flag --role-id'],
      ['--user-ca a --method approle --role-id x', 'missing flag --wrapped-secret-id or --secret-id'],
      ['--user-ca a --method kubernetes', 'missing flag --login-role'],
      ['--role r --principals a\u200bb --no-timer', 'invisible character'],
      ['--role r --principals a', 'renewals would have no token: it comes from LANYARD_SECRETS_TOKEN'],
      ['--user-ca a --revoked ftp:list', 'invalid location "ftp:list"'],
    ];
    for (const [line, message] of lines) {
      const ran = await host.run('enroll', line === '' ? [] : line.split(' '));
      expect(ran, line).toMatchObject({ code: 2, stdout: '' });
      expect(ran.stderr).toContain(message);
    }
    expect(host.tree()).toEqual(before);
    expect(existsSync(host.file('etc/ssh/lanyard'))).toBe(false);
  });

  test('says that root is required if the directory of sshd cannot be written', async () => {
    const host = await testHost();
    host.at.write('etc/ssh/lanyard', 'a file');
    const ran = await host.run('enroll', enrollFlags(host));
    expect(ran).toMatchObject({ code: 1, stdout: '' });
    expect(ran.stderr).toContain('Run the command as root.');
  });

  test('names the missing configuration of a host without sshd', async () => {
    const host = await testHost();
    mkdirSync(host.file('none'));
    const ran = await host.at.run([
      'ssh',
      'host',
      'enroll',
      '--user-ca',
      'a',
      '--sshd-config',
      'none/sshd_config',
    ]);
    expect(ran).toMatchObject({ code: 2 });
    expect(ran.stderr).toContain('none/sshd_config: no such file');
  });
});

import { existsSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { has } from '../../../support/require.ts';
import { enrollFlags, programs, testHost } from './host.ts';

describe.skipIf(!programs.every(has))('ssh host remove', () => {
  test('restores the bytes from before the enrollment, and reloads sshd', async () => {
    const host = await testHost();
    await host.at.run([
      ...['ssh', 'sign', 'hosts', '--mount', 'ssh-hosts', '--cert-type', 'host'],
      ...['--principals', 'old.example.com', '--key', host.file('etc/ssh/ssh_host_ed25519_key.pub')],
    ]);
    const before = host.tree();
    expect(before['ssh/ssh_host_ed25519_key-cert.pub']).toBeDefined();
    await host.run('enroll', [...enrollFlags(host), '--reload', 'echo reload >> reloads']);
    host.time = new Date(host.time.getTime() + 21 * 86_400_000);
    await host.run('renew');
    const ran = await host.run('remove', ['--yes']);
    expect(ran).toMatchObject({ code: 0, stderr: '' });
    expect(host.tree()).toEqual(before);
    expect(existsSync(host.file('etc/ssh/lanyard'))).toBe(false);
    expect(host.at.read('reloads')).toBe('reload\nreload\nreload\n');
    expect(host.effective('trustedusercakeys')).toEqual(['none']);
  });

  test('removes its block and keeps what others changed in the same file', async () => {
    const host = await testHost(['LoginGraceTime 30']);
    const before = host.at.read('etc/ssh/sshd_config');
    await host.run('enroll', enrollFlags(host));
    host.at.write('etc/ssh/sshd_config', `${host.at.read('etc/ssh/sshd_config')}MaxAuthTries 3\n`);
    expect(await host.run('remove', ['--yes'])).toMatchObject({ code: 0 });
    expect(host.at.read('etc/ssh/sshd_config')).toBe(`${before}MaxAuthTries 3\n`);
  });

  test('keeps and names files that somebody has changed, and those that they refer to', async () => {
    const host = await testHost();
    await host.run('enroll', enrollFlags(host));
    const name = 'etc/ssh/sshd_config.d/10-lanyard.conf';
    const changed = `${host.at.read(name)}LoginGraceTime 20\n`;
    host.at.write(name, changed);
    const { stdout } = await host.run('remove', ['--yes', '-o', 'json']);
    const cas = 'etc/ssh/lanyard/user_ca_keys';
    expect(JSON.parse(stdout).kept).toEqual(expect.arrayContaining([host.file(name), host.file(cas)]));
    expect(host.at.read(name)).toBe(changed);
    expect(host.effective('trustedusercakeys')).toEqual([host.file(cas)]);
    expect(existsSync(host.file(cas))).toBe(true);
    expect(existsSync(host.file('etc/ssh/lanyard/secret-id'))).toBe(false);
  });

  test('removes nothing a second time', async () => {
    const host = await testHost();
    const before = host.tree();
    await host.run('enroll', enrollFlags(host));
    await host.run('remove', ['--yes']);
    const ran = await host.run('remove', ['--yes']);
    expect(ran).toEqual({ code: 0, stdout: 'This host is not enrolled: nothing to remove.\n', stderr: '' });
    expect(host.tree()).toEqual(before);
  });

  test('restores its files if sshd rejects the configuration without them', async () => {
    const host = await testHost();
    await host.run('enroll', enrollFlags(host));
    host.at.write('etc/ssh/sshd_config.d/50-team.conf', 'NoSuchOption yes\n');
    const before = host.tree();
    expect(await host.run('remove', ['--yes'])).toMatchObject({ code: 1 });
    expect(host.tree()).toEqual(before);
  });

  test('asks first, and a dry run shows what it would do', async () => {
    const host = await testHost();
    await host.run('enroll', enrollFlags(host));
    const before = host.tree();
    expect(await host.run('remove')).toMatchObject({ code: 2, stdout: '' });
    const no = await host.run('remove', [], { columns: 80, typed: 'n\n' });
    expect(no.code).toBe(1);
    const ran = await host.run('remove', ['--dry-run']);
    expect(ran.stdout).toContain(`Remove ${host.file('etc/ssh/sshd_config.d/10-lanyard.conf')}.`);
    expect(host.tree()).toEqual(before);
  });
});

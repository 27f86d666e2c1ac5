import { describe, expect, test } from 'vitest';
import { has } from '../../../support/require.ts';
import { enrollFlags, programs, type TestHost, testHost } from './host.ts';

const certificate = 'ssh/ssh_host_ed25519_key-cert.pub';
const days = (count: number): number => count * 86_400_000;

/** The certificate is valid for 30 days. */
async function enrolled(flags: readonly string[] = []): Promise<TestHost> {
  const host = await testHost();
  expect(await host.run('enroll', [...enrollFlags(host), ...flags])).toMatchObject({ code: 0 });
  return host;
}

const later = (host: TestHost, count: number): void => {
  host.time = new Date(host.time.getTime() + days(count));
};

describe.skipIf(!programs.every(has))('ssh host renew', () => {
  test('changes nothing and prints nothing with --quiet while nothing is due', async () => {
    const host = await enrolled();
    const before = host.tree();
    expect(await host.run('renew', ['--quiet'])).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(host.tree()).toEqual(before);
  });

  test('does not log in while nothing is due', async () => {
    const host = await enrolled();
    host.at.write('etc/ssh/lanyard/secret-id', 'invalid');
    expect(await host.run('renew')).toMatchObject({ code: 0 });
  });

  test('replaces the certificate before it expires, and reloads sshd once', async () => {
    const host = await enrolled(['--reload', 'echo reload >> reloads']);
    const before = host.tree()[certificate];
    later(host, 21);
    expect(await host.run('renew', ['--quiet'])).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(host.tree()[certificate]).not.toBe(before);
    expect(host.at.read('reloads')).toBe('reload\nreload\n');
    expect((await host.run('status')).code).toBe(0);
    await host.run('renew');
    expect(host.at.read('reloads')).toBe('reload\nreload\n');
  });

  test('keeps the files while the service is unreachable, and tries again later', async () => {
    const host = await enrolled();
    later(host, 21);
    const before = host.tree();
    await host.running.close();
    const ran = await host.run('renew');
    expect(ran).toMatchObject({ code: 0 });
    expect(ran.stderr).toContain('cannot read the CAs of users');
    expect(ran.stderr).toContain('cannot renew the certificate, which is valid until');
    const { [`${certificate}.retry`]: retry, ...after } = host.tree();
    expect(retry).toBeDefined();
    expect(after).toMatchObject({ ...before, 'ssh/lanyard/host.json': expect.anything() });
  });

  test('fails if the service is unreachable and the certificate has expired', async () => {
    const host = await enrolled();
    later(host, 31);
    const before = host.tree();
    await host.running.close();
    expect(await host.run('renew')).toMatchObject({ code: 7 });
    expect(host.tree()).toEqual(before);
  });

  test('reads the CAs of users again, without a reload', async () => {
    const host = await enrolled(['--reload', 'echo reload >> reloads']);
    await host.at.run(['ssh', 'ca', 'delete', '--mount', 'ssh-users', '--yes']);
    await host.at.run(['ssh', 'ca', 'create', '--mount', 'ssh-users', '--key-type', 'ed25519']);
    const { stdout: key } = await host.at.run(['ssh', 'ca', 'public-key', '--mount', 'ssh-users']);
    expect((await host.run('status')).code).toBe(1);
    expect(await host.run('renew')).toMatchObject({ code: 0 });
    expect(host.at.read('etc/ssh/lanyard/user_ca_keys')).toContain(key.trim());
    expect(host.at.read('reloads')).toBe('reload\n');
    expect((await host.run('status')).code).toBe(0);
  });

  test('keeps the CAs of users if the mount has none any more, and fails', async () => {
    const host = await enrolled();
    const before = host.at.read('etc/ssh/lanyard/user_ca_keys');
    await host.at.run(['ssh', 'ca', 'delete', '--mount', 'ssh-users', '--yes']);
    const ran = await host.run('renew');
    expect(ran).toMatchObject({ code: 3 });
    expect(ran.stderr).toContain('CA not found in ssh-users/');
    expect(host.at.read('etc/ssh/lanyard/user_ca_keys')).toBe(before);
  });

  test('renews the certificate although the CAs of users cannot be read', async () => {
    const host = await enrolled();
    const before = host.tree()[certificate];
    await host.at.run(['ssh', 'ca', 'delete', '--mount', 'ssh-users', '--yes']);
    later(host, 21);
    expect(await host.run('renew')).toMatchObject({ code: 3 });
    expect(host.tree()[certificate]).not.toBe(before);
  });

  test('keeps the certificate if sshd rejects its configuration', async () => {
    const host = await enrolled(['--reload', 'echo reload >> reloads']);
    host.at.write('etc/ssh/sshd_config.d/50-team.conf', 'NoSuchOption yes\n');
    later(host, 21);
    const before = host.tree();
    const ran = await host.run('renew');
    expect(ran).toMatchObject({ code: 1 });
    expect(ran.stderr).toContain('NoSuchOption');
    expect(host.tree()).toEqual(before);
    expect(host.at.read('reloads')).toBe('reload\n');
  });

  test('does not replace files of one service by those of another', async () => {
    const host = await enrolled();
    const ran = await host.run('renew', ['--address', 'http://127.0.0.1:9']);
    expect(ran).toMatchObject({ code: 2 });
    expect(ran.stderr).toContain('and not with http://127.0.0.1:9');
  });

  test('says that a host is not enrolled', async () => {
    const host = await testHost();
    const before = host.tree();
    expect(await host.run('renew')).toMatchObject({ code: 3 });
    expect(host.tree()).toEqual(before);
  });

  test('a dry run names what is due, and sends and writes nothing', async () => {
    const host = await enrolled();
    later(host, 21);
    const before = host.tree();
    const ran = await host.run('renew', ['--dry-run', '-o', 'json']);
    expect(ran).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(ran.stdout)).toEqual({
      due: [host.file(`etc/${certificate}`)],
      read: [host.file('etc/ssh/lanyard/user_ca_keys')],
    });
    expect(host.tree()).toEqual(before);
  });

  test('renews with the token of a file, which it reads each time', async () => {
    const host = await testHost();
    const file = host.at.write('token', `${host.running.rootToken}\n`);
    const flags = ['--role', 'hosts', '--mount', 'ssh-hosts', '--principals', 'web1.example.com'];
    const env = { LANYARD_SECRETS_TOKEN: '' };
    expect(await host.run('enroll', [...flags, '--token-file', file], { env })).toMatchObject({ code: 0 });
    later(host, 21);
    host.at.write('token', 'invalid');
    expect(await host.run('renew', [], { env })).toMatchObject({ code: 5 });
    host.at.write('token', host.running.rootToken);
    expect(await host.run('renew', [], { env })).toMatchObject({ code: 0 });
  });
});

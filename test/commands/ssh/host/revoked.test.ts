import { execFileSync } from 'node:child_process';
import { copyFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { has, pathOf } from '../../../support/require.ts';
import { programs, type TestHost, testHost } from './host.ts';

const installed = 'etc/ssh/lanyard/revoked_keys';

/** Revokes a new key in the list `krl`. */
async function revoke(host: TestHost, name: string): Promise<void> {
  const key = host.file(name);
  execFileSync(pathOf('ssh-keygen'), ['-q', '-t', 'ed25519', '-N', '', '-f', key]);
  const argv = ['ssh', 'revoke', `${key}.pub`, '--list', host.file('krl'), '--yes'];
  expect(await host.at.run(argv)).toMatchObject({ code: 0 });
}

const enroll = (host: TestHost) =>
  host.run('enroll', ['--user-ca', 'ssh-users', '--revoked', host.file('krl'), '--no-timer']);

describe.skipIf(!programs.every(has))('the revocation list of ssh host', () => {
  test('is installed before sshd uses it, and kept current', async () => {
    const host = await testHost();
    await revoke(host, 'alice');
    expect(await enroll(host)).toMatchObject({ code: 0, stderr: '' });
    expect(host.effective('revokedkeys')).toEqual([host.file(installed)]);
    expect(host.at.bytes(installed)).toEqual(host.at.bytes('krl'));
    await revoke(host, 'bob');
    expect((await host.run('status')).stdout).toContain('has version 2: run `lanyard ssh host renew`');
    expect(await host.run('renew')).toMatchObject({ code: 0, stderr: '' });
    expect(host.at.bytes(installed)).toEqual(host.at.bytes('krl'));
    expect((await host.run('status')).code).toBe(0);
  });

  test('must exist: sshd would reject every key', async () => {
    const host = await testHost();
    const before = host.tree();
    const ran = await enroll(host);
    expect(ran).toMatchObject({ code: 3, stdout: '' });
    expect(ran.stderr).toContain('no revocation list exists');
    expect(host.tree()).toEqual(before);
  });

  test('is not replaced by an older one', async () => {
    const host = await testHost();
    await revoke(host, 'alice');
    copyFileSync(host.file('krl'), host.file('old'));
    await revoke(host, 'bob');
    await enroll(host);
    const before = host.at.bytes(installed);
    copyFileSync(host.file('old'), host.file('krl'));
    const ran = await host.run('renew');
    expect(ran).toMatchObject({ code: 0 });
    expect(ran.stderr).toContain('which is kept');
    expect(host.at.bytes(installed)).toEqual(before);
  });

  test('stays while its location has none', async () => {
    const host = await testHost();
    await revoke(host, 'alice');
    await enroll(host);
    const before = host.at.bytes(installed);
    host.at.clear('krl');
    expect(await host.run('renew')).toMatchObject({ code: 3 });
    expect(host.at.bytes(installed)).toEqual(before);
  });
});

import { execFile } from 'node:child_process';
import { rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { networkInterfaces, userInfo } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { keys } from '../../src/ssh/keys.ts';
import { homeForAll, servicesForAll } from '../support/command-tests.ts';
import { patience } from '../support/eventually.ts';
import { hasPam } from '../support/pam.ts';
import { has, pathOf } from '../support/require.ts';
import type { Ran } from '../support/run.ts';
import { done } from '../support/ssh-ca.ts';
import { type Sshd, startSshd } from './openssh.ts';

const user = userInfo().username;
const service = `lanyard-test-${process.pid}`;
const program = `${process.execPath} --disable-warning=ExperimentalWarning ${join(import.meta.dirname, '../support/cli.js')}`;

describe.skipIf(!['sshd', 'ssh'].every(has) || !hasPam())(
  'a real sshd whose PAM asks ssh verify --pam',
  () => {
    const at = homeForAll();
    const pam = `/etc/pam.d/${service}`;
    const running = servicesForAll(at);
    let sshd: Sshd;

    beforeAll(async () => {
      const flags = ['--key-type', 'otp', '--default-user', user, '--cidr-list', '0.0.0.0/0'];
      await done(at, ['secrets', 'status']);
      await done(at, ['ssh', 'role', 'put', 'otp', ...flags]);
      const host = await keys.generate('host');
      at.write('host', host.privateKey);
      // The PAM service of sshd has the name that sshd was started by.
      symlinkSync(pathOf('sshd'), at.file(service));
      configure();
      sshd = await startSshd(
        at.path,
        'sshd',
        [
          ...[`HostKey ${at.file('host')}`, 'UsePAM yes', 'PermitRootLogin yes'],
          ...['KbdInteractiveAuthentication yes', 'MaxAuthTries 1'],
        ],
        at.file(service),
      );
      at.write('known', `[127.0.0.1]:${sshd.port} ${host.publicKey}\n`);
      at.write('askpass', '#!/bin/sh\necho "$OTP"\n', 0o700);
    });
    afterAll(async () => {
      rmSync(pam, { force: true });
      await sshd.stop();
    });

    /** The lines of docs/guides/one-time-passwords.md, with this program and these flags. */
    function configure(flags = '--ip 127.0.0.1', address = running.addresses.secrets): void {
      const verify = `${program} ssh verify --pam --address ${address} ${flags}`;
      writeFileSync(
        pam,
        [
          `auth requisite pam_exec.so quiet expose_authtok log=${at.file('pam.log')} ${verify}`,
          ...[
            'auth required pam_permit.so',
            'account required pam_permit.so',
            'session required pam_permit.so',
            '',
          ],
        ].join('\n'),
      );
      at.write('pam.log', '');
    }

    const password = async (ip = '127.0.0.1', ...flags: readonly string[]): Promise<string> =>
      (await done(at, ['ssh', 'creds', 'otp', '--ip', ip, '--field', 'key', ...flags])).trim();

    function login(otp: string): Promise<Ran> {
      const options = [
        ...[`Port=${sshd.port}`, `UserKnownHostsFile=${at.file('known')}`, 'GlobalKnownHostsFile=/dev/null'],
        ...['PreferredAuthentications=keyboard-interactive', 'NumberOfPasswordPrompts=1', 'LogLevel=ERROR'],
      ].flatMap((option) => ['-o', option]);
      const env = { ...process.env, SSH_ASKPASS: at.file('askpass'), SSH_ASKPASS_REQUIRE: 'force', OTP: otp };
      return new Promise((resolve) => {
        const argv = ['-F', '/dev/null', ...options, `${user}@127.0.0.1`, 'echo', 'in'];
        const child = execFile(pathOf('ssh'), argv, { env, timeout: patience }, (error, stdout, stderr) => {
          const code = error === null ? 0 : typeof error.code === 'number' ? error.code : -1;
          resolve({ code, stdout, stderr });
        });
        child.stdin?.end();
      });
    }

    async function expectOut(otp: string, why: RegExp): Promise<void> {
      const ran = await login(otp);
      expect(ran, sshd.log()).toMatchObject({ code: 255, stdout: '' });
      const log = at.read('pam.log');
      expect(log).toMatch(why);
      if (otp !== '') expect(log).not.toContain(otp);
    }

    test('lets in with a one-time password, once', async () => {
      configure();
      const otp = await password();
      const ran = await login(otp);
      expect(ran, `${sshd.log()}${at.read('pam.log')}`).toEqual({ code: 0, stdout: 'in\n', stderr: '' });
      expect(at.read('pam.log')).toContain(`accepted "${user}" from "127.0.0.1"`);
      expect(at.read('pam.log')).not.toContain(otp);
      await expectOut(otp, /unknown or already used/);
    });

    test('keeps out with a password that is wrong or empty', async () => {
      configure();
      await expectOut('6e4b1a4e-0000-4000-8000-000000000000', /rejected .*invalid one-time password/);
      await expectOut('', /rejected .*no password/);
    });

    test('keeps out with a password for another user or address', async () => {
      configure();
      await expectOut(await password('127.0.0.1', '--username', 'somebody'), /is for user "somebody"/);
      await expectOut(
        await password('192.0.2.1'),
        /is for address "192.0.2.1", which is not an address of this host/,
      );
    });

    test('loopback is every host’s, and counts only where it is named', async () => {
      configure('');
      await expectOut(await password(), /address "127.0.0.1", which is not an address of this host/);
    });

    test('lets in with a password for an address of an interface, or of a block that is named', async () => {
      const own = Object.values(networkInterfaces())
        .flat()
        .find((entry) => entry && !entry.internal && entry.family === 'IPv4');
      if (own) {
        configure('');
        expect(await login(await password(own.address))).toMatchObject({ code: 0 });
      }
      configure('--allowed-cidr 192.0.2.0/24,198.51.100.0/24');
      expect(await login(await password('198.51.100.7'))).toMatchObject({ code: 0 });
    });

    test('keeps out when the service is away', async () => {
      configure('--ip 127.0.0.1', 'http://127.0.0.1:1');
      await expectOut(await password(), /rejected .*(refused|reach)/);
    });
  },
);

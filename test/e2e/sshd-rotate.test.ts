import { userInfo } from 'node:os';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pausingProxy } from '../commands/pausing-proxy.ts';
import { has } from '../support/require.ts';
import { home } from '../support/run.ts';
import { done } from '../support/ssh-ca.ts';
import { kinds } from '../unit/ssh/keygen.ts';
import { type Authority, startAuthority } from './authority.ts';
import { type Sshd, ssh } from './openssh.ts';

const programs = ['sshd', 'ssh', 'ssh-keygen'].every(has);
const user = userInfo().username;
const hour = 3_600_000;

describe.skipIf(!programs)('a rotation of the CAs for users and hosts, with a real sshd', () => {
  let authority: Authority;
  let sshd: Sshd;
  const operator = home();

  beforeAll(async () => {
    authority = await startAuthority(
      { users: ['--key-type', 'ed25519'], hosts: ['--key-type', 'ed25519'] },
      () => new Date(),
    );
    const { keygen, env } = authority;
    Object.assign(operator.env, env);
    keygen.make('me', kinds.ed25519);
    keygen.make('host', kinds.ed25519);
    await trust();
    await certify();
    await authority.sign('host', 'hosts', 'any', '--cert-type', 'host', '--principals', 'web.example.com');
    sshd = await authority.sshd(
      'rotate',
      `HostKey ${keygen.path('host')}`,
      `HostCertificate ${keygen.path('host-cert.pub')}`,
      `TrustedUserCAKeys ${keygen.path('trusted')}`,
    );
  });

  afterAll(async () => {
    await authority.stop();
    operator.remove();
  });

  const run = (...argv: readonly string[]) => done(operator, argv);
  const certify = () =>
    authority.sign('me', 'users', 'any', '--principals', user, '--extension', 'permit-pty');

  /** What a timer on each host and client runs. */
  async function trust(): Promise<void> {
    const { keygen } = authority;
    const known = ['--hosts', 'web.example.com', '--known-hosts', keygen.path('known')];
    await run('ssh', 'trust', '--mount', 'users', '--users', keygen.path('trusted'));
    await run('ssh', 'trust', '--mount', 'hosts', ...known);
  }

  let logins = 0;
  const rejected: string[] = [];

  /** A login with the newest certificate of the user. */
  async function login(when: string): Promise<void> {
    const { keygen } = authority;
    const options = [
      ...[`UserKnownHostsFile=${keygen.path('known')}`, 'HostKeyAlias=web.example.com', `Port=${sshd.port}`],
      ...[`User=${user}`, `IdentityFile=${keygen.path('me')}`, 'IdentityAgent=none'],
    ];
    sshd.mark();
    const ran = await ssh(options, '127.0.0.1', 'echo', 'in');
    logins += 1;
    if (ran.stdout !== 'in\n') rejected.push(`${when}: ${ran.stderr}${sshd.log()}`);
  }

  /** Runs a step, with a login before each of its writes, and with a new certificate where the mount signs. */
  async function whileLoggingIn(step: string, mount: string, ...flags: readonly string[]): Promise<void> {
    const proxy = await pausingProxy(operator.env.LANYARD_SECRETS_ADDR ?? '', async (_count, request) => {
      if (!/^(POST|DELETE) /.test(request)) return;
      // Between the two moves of a switch nothing can be signed; the last certificate is good.
      if (mount === 'users') await certify().catch(() => undefined);
      await login(`${step}, before ${request}`);
    });
    const argv = ['ssh', 'ca', 'rotate', step, '--mount', mount, ...flags, '--address', proxy.address];
    await done(operator, argv);
    proxy.close();
    await certify();
    await login(`after ${step}`);
  }

  test('rejects no login in any phase', async () => {
    const { keygen } = authority;
    await login('before');
    for (const mount of ['users', 'hosts']) {
      await whileLoggingIn('start', mount);
      await trust();
      await login('both are trusted');
      await whileLoggingIn('switch', mount, '--yes');
      await trust();
      await whileLoggingIn('rollback', mount, '--yes');
      await whileLoggingIn('switch', mount, '--yes');
      await trust();
      if (mount === 'hosts') {
        await authority.sign(
          'host',
          'hosts',
          'any',
          '--cert-type',
          'host',
          '--principals',
          'web.example.com',
        );
        await sshd.stop();
        sshd = await authority.sshd(
          'rotated',
          `HostKey ${keygen.path('host')}`,
          `HostCertificate ${keygen.path('host-cert.pub')}`,
          `TrustedUserCAKeys ${keygen.path('trusted')}`,
        );
        await login('with the new host certificate');
      }
    }
    // The clock of the operator is ahead: only time is waited for.
    const now = new Date(Date.now() + 33 * 24 * hour);
    for (const mount of ['users', 'hosts']) {
      const early = await operator.run(['ssh', 'ca', 'rotate', 'retire', '--mount', mount, '--yes']);
      expect(early).toMatchObject({ code: 6 });
      const argv = ['ssh', 'ca', 'rotate', 'retire', '--mount', mount, '--yes', '-o', 'json'];
      const ran = await operator.run(argv, { now });
      expect(ran, ran.stderr).toMatchObject({ code: 0 });
      const { removed } = JSON.parse(ran.stdout);
      const target =
        mount === 'users'
          ? ['--users', keygen.path('trusted')]
          : ['--hosts', 'web.example.com', '--known-hosts', keygen.path('known')];
      await login('before the old CA is removed');
      await run('ssh', 'trust', '--remove', removed, ...target);
      await login('after the old CA was removed');
      expect(
        keygen
          .read(mount === 'users' ? 'trusted' : 'known')
          .trim()
          .split('\n'),
      ).toHaveLength(1);
    }
    expect(rejected).toEqual([]);
    expect(logins).toBeGreaterThan(40);
  });

  test('a certificate of the old CA is rejected after its removal', async () => {
    const { keygen } = authority;
    keygen.make('stranger', kinds.ed25519);
    keygen.write('trusted', keygen.read('stranger.pub'));
    await login('with another CA');
    expect(rejected.splice(0)).toHaveLength(1);
  });
});

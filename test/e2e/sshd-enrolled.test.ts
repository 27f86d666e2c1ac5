import { userInfo } from 'node:os';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { knownHostsCaLine } from '../../src/ssh/known-hosts.ts';
import { eventually } from '../support/eventually.ts';
import { has } from '../support/require.ts';
import { kinds } from '../unit/ssh/keygen.ts';
import { type Authority, startAuthority } from './authority.ts';
import { type Login, type Sshd, ssh } from './openssh.ts';

const programs = ['sshd', 'ssh', 'ssh-keygen'].every(has);
const user = userInfo().username;
const cas = { hosts: ['--key-type', 'ed25519'], users: ['--key-type', 'ed25519'] };

describe.skipIf(!programs)('a real sshd on an enrolled host', () => {
  let authority: Authority;
  let sshd: Sshd;
  let config: string;
  // sshd and ssh have the time of the machine: the host is enrolled before that, and renewed then.
  let now = new Date(Date.now() - 4 * 60_000);

  beforeAll(async () => {
    authority = await startAuthority(cas, () => now);
    const { keygen, publicKeys } = authority;
    keygen.make('host', kinds.ed25519);
    for (const name of ['ada', 'bob']) {
      keygen.make(name, kinds.ed25519);
      await authority.sign(name, 'users', 'any', '--principals', user, '--ttl', '1h');
    }
    sshd = await authority.sshd('sshd', `HostKey ${keygen.path('host')}`, `PidFile ${keygen.path('pid')}`);
    config = keygen.path('sshd.conf');
    keygen.write('known', `${knownHostsCaLine(['*.example.com'], publicKeys.hosts ?? '')}\n`);
    await authority.run('ssh', 'revoke', keygen.path('bob.pub'), '--list', keygen.path('krl'), '--yes');
  });
  afterAll(() => authority.stop());

  const hostCommand = (verb: string, ...flags: readonly string[]): Promise<string> =>
    authority.runAt(now, 'ssh', 'host', verb, '--sshd-config', config, ...flags);

  /** Logs in without any prompt: the key of the host must be trusted through its CA. */
  function login(key = 'ada'): Promise<Login> {
    const { keygen } = authority;
    sshd.mark();
    const options = [
      ...['HostKeyAlias=web1.example.com', `UserKnownHostsFile=${keygen.path('known')}`, `Port=${sshd.port}`],
      ...[`User=${user}`, `IdentityFile=${keygen.path(key)}`, 'IdentityAgent=none'],
    ];
    return ssh(options, '127.0.0.1', 'echo', 'in');
  }

  test('accepts users and proves itself after enroll, renews its certificate, and does neither after remove', async () => {
    const { keygen } = authority;
    expect((await login()).code).toBe(255);

    const flags = [
      '--role',
      'any',
      '--mount',
      'hosts',
      '--principals',
      'web1.example.com',
      '--user-ca',
      'users',
    ];
    const enrolled = await hostCommand('enroll', ...flags, '--revoked', keygen.path('krl'), '--no-timer');
    expect(enrolled).toContain('Reloaded sshd (kill -HUP');
    // sshd reads its files a moment after the signal.
    await eventually(async () =>
      expect(await login(), sshd.log()).toMatchObject({ code: 0, stdout: 'in\n' }),
    );
    expect((await login('bob')).code).toBe(255);
    expect(sshd.log()).toContain('revoked');

    const first = keygen.read('host-cert.pub');
    // Role "any" signs for five minutes.
    now = new Date();
    expect(await hostCommand('renew')).toContain('host-cert.pub');
    expect(keygen.read('host-cert.pub')).not.toBe(first);
    await eventually(async () => expect(await login(), sshd.log()).toMatchObject({ code: 0 }));

    await authority.run('ssh', 'revoke', keygen.path('ada.pub'), '--list', keygen.path('krl'), '--yes');
    expect((await login()).code).toBe(0);
    await hostCommand('renew');
    expect((await login()).code).toBe(255);

    const before = keygen.read('sshd.conf');
    expect(before).toContain('# BEGIN lanyard ssh host');
    await hostCommand('remove', '--yes');
    await eventually(async () => expect((await login()).stderr).toContain('Host key verification failed'));
    expect(before.endsWith(keygen.read('sshd.conf'))).toBe(true);
  });
});

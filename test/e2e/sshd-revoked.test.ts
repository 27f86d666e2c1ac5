import { mkdirSync } from 'node:fs';
import { userInfo } from 'node:os';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { has } from '../support/require.ts';
import { kinds } from '../unit/ssh/keygen.ts';
import { type Authority, startAuthority } from './authority.ts';
import { type Login, type Sshd, ssh } from './openssh.ts';

const programs = ['sshd', 'ssh', 'ssh-keygen'].every(has);
const user = userInfo().username;
const list = 'registry:ssh/revoked';

describe.skipIf(!programs)('a real sshd with the installed revocation list', () => {
  let authority: Authority;
  let sshd: Sshd;

  beforeAll(async () => {
    const ed25519 = ['--key-type', 'ed25519'];
    authority = await startAuthority({ one: ed25519, two: ed25519 }, () => new Date());
    const { keygen, publicKeys } = authority;
    await authority.put(
      'one',
      'named',
      '--allow-user-certificates',
      '--allowed-users',
      '*',
      '--allow-user-key-ids',
    );
    for (const name of ['host', 'serial', 'key', 'id', 'ca', 'free']) keygen.make(name, kinds.ed25519);
    keygen.write('trusted', Object.values(publicKeys).join(''));
    mkdirSync(keygen.path('principals'));
    keygen.write(`principals/${user}`, 'deploy\n');
    // The file is there before the line of sshd_config.
    await revoke('--serial', '1', '--ca', 'any');
    await refresh();
    sshd = await authority.sshd(
      'revoked',
      `HostKey ${keygen.path('host')}`,
      `TrustedUserCAKeys ${keygen.path('trusted')}`,
      `AuthorizedPrincipalsFile ${keygen.path('principals/%u')}`,
      `RevokedKeys ${keygen.path('revoked.krl')}`,
    );
    keygen.write('known', `[127.0.0.1]:${sshd.port} ${keygen.read('host.pub')}`);
    const signed = ['--principals', 'deploy'];
    for (const key of ['serial', 'key', 'free']) await authority.sign(key, 'one', 'any', ...signed);
    await authority.sign('id', 'one', 'named', ...signed, '--key-id', 'ada');
    await authority.sign('ca', 'two', 'any', ...signed);
  });

  afterAll(() => authority.stop());

  const revoke = (...what: readonly string[]) =>
    authority.lanyard('ssh', 'revoke', ...what, '--list', list, '--yes');
  const refresh = () =>
    authority.lanyard('ssh', 'trust', '--revoked', authority.keygen.path('revoked.krl'), '--list', list);

  function login(key: string, ...options: readonly string[]): Promise<Login> {
    const { keygen } = authority;
    sshd.mark();
    const known = `UserKnownHostsFile=${keygen.path('known')}`;
    return ssh(
      [
        ...options,
        'IdentityAgent=none',
        known,
        `Port=${sshd.port}`,
        `User=${user}`,
        `IdentityFile=${keygen.path(key)}`,
      ],
      ...['127.0.0.1', 'echo', 'in'],
    );
  }

  test.each([
    ['serial', 'a certificate by its serial', () => ['serial-cert.pub']],
    ['key', 'a key', () => ['key.pub']],
    ['id', 'a key ID', () => ['--key-id', 'ada', '--mount', 'one']],
    ['ca', 'a CA', () => ['two.pub']],
  ] as const)('%s: rejects %s after one refresh, and no other', async (name, _what, given) => {
    const { keygen, publicKeys } = authority;
    keygen.write('two.pub', publicKeys.two ?? '');
    expect(await login(name), sshd.log()).toMatchObject({ code: 0, stdout: 'in\n' });
    const what = given().map((word) => (word.endsWith('.pub') ? keygen.path(word) : word));
    await revoke(...what);
    expect(await login(name), sshd.log()).toMatchObject({ code: 0 });
    await refresh();
    expect(await login(name), sshd.log()).toMatchObject({ code: 255, stdout: '' });
    expect(sshd.log()).toMatch(/revoked/i);
    expect(await login('free'), sshd.log()).toMatchObject({ code: 0, stdout: 'in\n' });
    await authority.lanyard('ssh', 'revoked', 'remove', ...what, '--list', list, '--yes');
    await refresh();
    expect(await login(name), sshd.log()).toMatchObject({ code: 0, stdout: 'in\n' });
  });

  test('ssh rejects a revoked host key with the list as RevokedHostKeys', async () => {
    const { keygen } = authority;
    const options = `RevokedHostKeys=${keygen.path('clients.krl')}`;
    await authority.lanyard(
      'ssh',
      'revoke',
      keygen.path('host.pub'),
      '--list',
      keygen.path('hosts.krl'),
      '--yes',
    );
    await authority.lanyard(
      'ssh',
      'trust',
      '--revoked',
      keygen.path('clients.krl'),
      '--list',
      keygen.path('hosts.krl'),
    );
    const ran = await login('free', options);
    expect(ran).toMatchObject({ code: 255 });
    expect(ran.stderr).toMatch(/revoked/i);
  });

  test('ssh connect logs in with a list, and rejects a host key in it', async () => {
    const { keygen } = authority;
    const connect = (where: string) =>
      authority.lanyard(
        ...[
          'ssh',
          'connect',
          `${user}@127.0.0.1`,
          '--role',
          'any',
          '--mount',
          'one',
          '--principals',
          'deploy',
        ],
        ...['--revoked', where, '--', '-F', 'none', '-p', String(sshd.port)],
        ...['-o', `UserKnownHostsFile=${keygen.path('known')}`, '-o', 'BatchMode=yes', 'true'],
      );
    await connect(list);
    await authority.lanyard(
      'ssh',
      'revoke',
      keygen.path('host.pub'),
      '--list',
      keygen.path('known.krl'),
      '--yes',
    );
    await expect(connect(keygen.path('known.krl'))).rejects.toThrow('exit code 255');
  });
});

import { userInfo } from 'node:os';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { knownHostsCaLine } from '../../src/ssh/known-hosts.ts';
import { has } from '../support/require.ts';
import { kinds } from '../unit/ssh/keygen.ts';
import { type Authority, startAuthority } from './authority.ts';
import { type Login, type Sshd, ssh } from './openssh.ts';

const programs = ['sshd', 'ssh', 'ssh-keygen'].every(has);
const user = userInfo().username;

const hostKeys = ['ed25519', 'ecdsa256', 'rsa'] as const;
const algorithms = {
  ed25519: 'ssh-ed25519-cert-v01@openssh.com',
  ecdsa256: 'ecdsa-sha2-nistp256-cert-v01@openssh.com',
  rsa: 'rsa-sha2-512-cert-v01@openssh.com,rsa-sha2-256-cert-v01@openssh.com',
};
const cas = { hosts: ['--key-type', 'ec', '--key-bits', '384'], users: ['--key-type', 'ed25519'] };

describe.skipIf(!programs)('a real sshd whose keys the CA certified as web1.example.com', () => {
  let authority: Authority;
  let sshd: Sshd;

  beforeAll(async () => {
    authority = await startAuthority(cas, () => new Date());
    const { keygen, publicKeys } = authority;
    const names = ['--cert-type', 'host', '--principals', 'web1.example.com,10.0.0.1'];
    for (const kind of hostKeys) {
      keygen.make(kind, kinds[kind]);
      await authority.sign(kind, 'hosts', 'any', ...names);
    }
    keygen.make('user', kinds.ed25519);
    await authority.sign('user', 'users', 'any', '--principals', user);
    keygen.write('trusted', publicKeys.users ?? '');
    sshd = await authority.sshd(
      'certified',
      ...hostKeys.map((kind) => `HostKey ${keygen.path(kind)}`),
      ...hostKeys.map((kind) => `HostCertificate ${keygen.path(`${kind}-cert.pub`)}`),
      `TrustedUserCAKeys ${keygen.path('trusted')}`,
    );
    trust('known', '*.example.com', '10.0.0.*');
  });

  afterAll(() => authority.stop());

  /** Writes a known_hosts file that trusts the CA for names. */
  function trust(file: string, ...names: readonly string[]): string {
    return authority.keygen.write(file, `${knownHostsCaLine(names, authority.publicKeys.hosts ?? '')}\n`);
  }

  /** Connects to the host as if it were called `name`, with a strict check of its key. */
  function connect(
    name: string,
    { to = sshd, known = 'known', options = [] as string[] } = {},
  ): Promise<Login> {
    const { keygen } = authority;
    to.mark();
    const always = [
      ...[`HostKeyAlias=${name}`, `UserKnownHostsFile=${keygen.path(known)}`, `Port=${to.port}`],
      ...[`User=${user}`, `IdentityFile=${keygen.path('user')}`, 'IdentityAgent=none'],
    ];
    return ssh([...options, ...always], '127.0.0.1', 'echo', 'in');
  }

  function expectDistrust(ran: Login, why: string, by = sshd): void {
    expect(ran, by.log()).toMatchObject({ code: 255, stdout: '' });
    expect(ran.stderr).toContain(why);
    expect(ran.stderr).toContain('Host key verification failed');
  }

  test.each(hostKeys)('is trusted through @cert-authority with its key of %s', async (kind) => {
    const ran = await connect('web1.example.com', { options: [`HostKeyAlgorithms=${algorithms[kind]}`] });
    expect(ran, sshd.log()).toEqual({ code: 0, stdout: 'in\n', stderr: '' });
  });

  test('is trusted by each of its names', async () => {
    expect(await connect('10.0.0.1'), sshd.log()).toEqual({ code: 0, stdout: 'in\n', stderr: '' });
  });

  test.each(['web2.example.com', 'web1.example.com.example.com', '10.0.0.2'])(
    'is not trusted as %s, which is not its name',
    async (name) => {
      expectDistrust(await connect(name), 'name is not a listed principal');
    },
  );

  test('is not trusted where the CA is trusted for other names only', async () => {
    trust('elsewhere', '*.example.org');
    expectDistrust(await connect('web1.example.com', { known: 'elsewhere' }), 'strict checking');
  });

  test('is not trusted with a certificate for users', async () => {
    const { keygen } = authority;
    const out = keygen.path('for-users-cert.pub');
    await authority.sign('ed25519', 'hosts', 'any', '--principals', 'web1.example.com', '--out', out);
    const to = await authority.sshd('users', `HostKey ${keygen.path('ed25519')}`, `HostCertificate ${out}`);
    expectDistrust(await connect('web1.example.com', { to }), 'not a host certificate', to);
  });
});

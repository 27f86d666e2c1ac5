import { chmodSync, mkdirSync, readFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { has, isRoot } from '../support/require.ts';
import { type DoctorSite, startDoctorSite } from './doctor-site.ts';
import { type Sshd, ssh } from './openssh.ts';

const programs = ['sshd', 'ssh', 'ssh-keygen'].every(has);
const user = userInfo().username;

interface Case {
  readonly cause: string;
  /** Lines of sshd_config; `FOLDER` is that of the files. */
  readonly lines?: readonly string[];
  readonly certificate?: Parameters<DoctorSite['certified']>[1];
  readonly as?: string;
  readonly trusted?: string;
  readonly advice: RegExp;
  /** `sshd` does not log it, or `sshd -T` does not show it. */
  readonly only?: 'log' | 'config';
}

const cases: readonly Case[] = [
  { cause: 'certificate-expired', certificate: { validity: '-2h:-1h' }, advice: /ssh sign/ },
  { cause: 'certificate-not-yet-valid', certificate: { validity: '+1h:+2h' }, advice: /ssh sign/ },
  {
    cause: 'principal-missing',
    certificate: { principals: ['somebody'] },
    advice: /AuthorizedPrincipalsFile/,
  },
  { cause: 'principals-empty', certificate: { principals: [] }, advice: /ssh sign/ },
  {
    cause: 'critical-option',
    certificate: { options: ['-O', 'critical:strict@example.com=x'] },
    advice: /--critical-option/,
  },
  {
    cause: 'source-address',
    certificate: { options: ['-O', 'source-address=10.0.0.0/8'] },
    advice: /source-address=CIDR/,
    only: 'log',
  },
  { cause: 'principals-file', lines: ['AuthorizedPrincipalsFile FOLDER/principals'], advice: /sudo tee -a/ },
  {
    cause: 'forced-command',
    lines: ['AuthorizedPrincipalsFile FOLDER/forced'],
    certificate: { options: ['-O', 'force-command=id'] },
    advice: /same command/,
    only: 'log',
  },
  { cause: 'ca-not-trusted', certificate: { ca: 'rogue' }, advice: /sudo lanyard ssh trust --users/ },
  {
    cause: 'trusted-keys-not-set',
    trusted: '',
    advice: /TrustedUserCAKeys|trusted-user-ca-keys/,
    only: 'config',
  },
  {
    cause: 'trusted-keys-unreadable',
    trusted: 'nowhere',
    advice: /ssh trust --users \S+nowhere/,
    only: 'config',
  },
  { cause: 'revoked', lines: ['RevokedKeys FOLDER/revoked'], advice: /new key/ },
  { cause: 'revoked', lines: ['RevokedKeys FOLDER/revoked-ca'], advice: /new key/ },
  { cause: 'revoked', lines: ['RevokedKeys FOLDER/revoked-plain'], advice: /new key/ },
  {
    cause: 'revocation-list-unreadable',
    lines: ['RevokedKeys FOLDER/nowhere'],
    advice: /ssh-keygen -k -f \S+nowhere/,
  },
  {
    cause: 'revocation-list-unreadable',
    lines: ['RevokedKeys FOLDER/cut'],
    advice: /ssh-keygen -k -f \S+cut/,
  },
  {
    cause: 'ca-signature-algorithm',
    lines: ['CASignatureAlgorithms rsa-sha2-512'],
    advice: /--algorithm-signer/,
  },
  {
    cause: 'key-algorithm',
    lines: ['PubkeyAcceptedAlgorithms ecdsa-sha2-nistp256'],
    advice: /PubkeyAcceptedAlgorithms/,
  },
  {
    cause: 'public-key-disabled',
    lines: ['PubkeyAuthentication no', 'KbdInteractiveAuthentication yes'],
    advice: /PubkeyAuthentication yes/,
    only: 'config',
  },
  { cause: 'user-not-allowed', lines: ['AllowUsers somebody'], advice: /AllowUsers/ },
  { cause: 'user-not-allowed', lines: ['DenyUsers *'], advice: /DenyUsers/ },
  { cause: 'user-not-allowed', lines: ['AllowGroups nogroup-at-all'], advice: /AllowGroups/ },
  {
    cause: 'unknown-user',
    as: 'no-such-user',
    certificate: { principals: ['no-such-user'] },
    advice: /useradd -m no-such-user/,
  },
  {
    cause: 'file-modes',
    lines: ['AuthorizedPrincipalsFile FOLDER/open/principals', 'StrictModes yes'],
    advice: /chmod go-w/,
  },
];

describe.skipIf(!programs)('ssh doctor with what the host says', () => {
  let site: DoctorSite;
  let count = 0;

  beforeAll(async () => {
    site = await startDoctorSite();
    const { keygen } = site;
    keygen.write('principals', 'admin\n# deploy\n');
    keygen.write('forced', `command="uptime" ${user}\n`);
    keygen.write('cut', 'SSHKRL\n\0\0');
    mkdirSync(keygen.path('open'));
    keygen.write('open/principals', `${user}\n`);
    chmodSync(keygen.path('open'), 0o777);
    site.certified('key');
    keygen.run('-q', '-k', '-f', 'revoked', 'key.pub');
    keygen.run('-q', '-k', '-f', 'revoked-ca', 'ca.pub');
    keygen.write('revoked-plain', `# lost\n${keygen.read('key.pub')}`);
  });
  afterAll(() => site.stop());

  /** A host, the key of the user, and the logs of a login. */
  async function attempt({
    lines = [],
    certificate = {},
    as = user,
    trusted = 'all-trusted',
  }: Omit<Case, 'cause' | 'advice'>) {
    const name = `host-${++count}`;
    const key = site.certified('key', certificate);
    const sshd: Sshd = await site.sshd(
      name,
      lines.map((line) => line.replaceAll('FOLDER', site.keygen.folder)),
      { trusted },
    );
    const options = [
      `UserKnownHostsFile=${site.keygen.path(`${name}-known`)}`,
      `IdentityFile=${key}`,
      'LogLevel=DEBUG1',
    ];
    const ran = await ssh([...options, 'IdentityAgent=none', `Port=${sshd.port}`], `${as}@127.0.0.1`, 'true');
    expect(ran.code, sshd.log()).toBe(255);
    return {
      key,
      destination: `${as}@${name}`,
      client: site.keygen.write(`${name}-client.log`, ran.stderr),
      server: site.keygen.write(`${name}-server.log`, sshd.log()),
      config: site.keygen.path(`${name}.conf`),
    };
  }

  test.each(cases.filter(({ only }) => only !== 'config'))(
    'names $cause from the log of sshd: $lines',
    async ({ cause, advice, ...login }) => {
      const { destination, client, server, key } = await attempt(login);
      for (const logs of [
        ['--log', server],
        ['--log', client, '--log', server, '--key', key],
      ]) {
        const found = await site.doctor([destination, ...logs]);
        expect(found).toMatchObject({ code: 1, login: 'rejected', cause });
        expect(found.advice).toMatch(advice);
      }
    },
  );

  test.each(cases.filter(({ only }) => only !== 'log'))(
    'names $cause from sshd_config: $lines',
    async ({ cause, advice, ...login }) => {
      const { destination, config, key } = await attempt(login);
      const found = await site.doctor([destination, '--sshd-config', config, '--key', `${key}-cert.pub`]);
      expect(found).toMatchObject({ code: 1, login: 'unknown', cause });
      expect(found.advice).toMatch(advice);
    },
  );

  test('names revoked without the log of sshd, if the revocation list of the settings has the key', async () => {
    const { destination, key } = await attempt({ lines: ['RevokedKeys FOLDER/revoked'] });
    const words = [destination, '--key', key, '--revoked', site.keygen.path('revoked')];
    const found = await site.doctor(words);
    expect(found).toMatchObject({ code: 1, login: 'rejected', cause: 'revoked' });
    expect(found.advice).toMatch(/new key/);
    expect((await site.doctor(words.slice(0, 3))).cause).not.toBe('revoked');
  });

  test('names host-clock if the host takes a certificate for expired that is valid here', async () => {
    const { destination, server, key } = await attempt({ certificate: { validity: '-2h:-1h' } });
    const now = new Date(Date.now() - 5_400_000);
    const found = await site.doctor([destination, '--log', server, '--key', key], [], { now });
    expect(found).toMatchObject({ code: 1, cause: 'host-clock' });
    expect(found.advice).toContain('`timedatectl`');
  });

  test.runIf(isRoot())(
    'names root-login from the log, from sshd_config, and as likely from a login',
    async () => {
      const { destination, server, config, key } = await attempt({
        lines: ['PermitRootLogin no'],
        as: 'root',
      });
      for (const flags of [
        ['--log', server],
        ['--sshd-config', config],
        ['--key', key],
      ])
        expect(await site.doctor([destination, ...flags]), flags.join(' ')).toMatchObject({
          code: 1,
          cause: 'root-login',
        });
    },
  );

  test.runIf(isRoot())('names account-closed if the account is locked', async ({ skip }) => {
    const locked = /^([^:]+):!/m.exec(readFileSync('/etc/shadow', 'utf8'))?.[1];
    if (locked === undefined) return skip('no account of this system is locked');
    const { destination, server } = await attempt({ as: locked, certificate: { principals: [locked] } });
    const found = await site.doctor([destination, '--log', server]);
    expect(found).toMatchObject({ code: 1, cause: 'account-closed' });
    expect(found.advice).toContain(`passwd -S ${locked}`);
  });

  test('finds the login of the user in a log of several, with the prefix of syslog', async () => {
    const { destination, server } = await attempt({ lines: ['DenyUsers *'] });
    const prefixed = site.keygen
      .read(server.slice(site.keygen.folder.length + 1))
      .replaceAll(/^(?=.)/gm, 'Nov 27 20:45:27 web1 sshd-session[4711]: ');
    const other = 'Nov 27 20:45:28 web1 sshd[4712]: Invalid user guest from 192.0.2.1 port 4242\n';
    const log = site.keygen.write('journal', `${prefixed}${other}`);
    expect(await site.doctor([destination, '--log', log])).toMatchObject({ cause: 'user-not-allowed' });
    expect(await site.doctor([destination.replace(/.*@/, 'guest@'), '--log', log])).toMatchObject({
      cause: 'unknown-user',
    });
  });

  test('rejects a log that is neither of ssh nor of sshd', async () => {
    const log = site.keygen.write('other.log', 'hello\n');
    const ran = await site.at.run(['ssh', 'doctor', 'web', '--log', log]);
    expect(ran).toMatchObject({ code: 2, stdout: '' });
    expect(ran.stderr).toMatch(
      /other\.log is not output of ssh -v or a log of sshd.*\nhint: Run `ssh -v HOST/,
    );
  });

  test('finds nothing wrong in the configuration and the log of a login that was accepted', async () => {
    const key = site.certified('key');
    const sshd = await site.sshd('fine', ['AuthorizedPrincipalsFile none']);
    const options = [
      `UserKnownHostsFile=${site.keygen.path('fine-known')}`,
      `IdentityFile=${key}`,
      'IdentityAgent=none',
    ];
    expect(await ssh([...options, `Port=${sshd.port}`], `${user}@127.0.0.1`, 'true')).toMatchObject({
      code: 0,
    });
    const log = site.keygen.write('fine.server', sshd.log());
    const config = ['--sshd-config', site.keygen.path('fine.conf')];
    expect(await site.doctor(['fine', '--log', log, ...config, '--key', key])).toMatchObject({
      code: 0,
      cause: null,
      login: 'accepted',
    });
    expect(await site.doctor(['fine', ...config, '--key', key])).toMatchObject({ code: 0, cause: null });
  });
});

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { has } from '../support/require.ts';
import { kinds } from '../unit/ssh/keygen.ts';
import { type DoctorSite, startDoctorSite } from './doctor-site.ts';

const programs = ['sshd', 'ssh', 'ssh-keygen'].every(has);

describe.skipIf(!programs)('ssh doctor', () => {
  let site: DoctorSite;
  let key: string;
  beforeAll(async () => {
    site = await startDoctorSite();
    key = site.certified('good');
    for (const name of ['other-host', 'named', 'ended', 'stranger', 'for-users'])
      site.keygen.make(name, kinds.ed25519);
  });
  afterAll(() => site.stop());

  /** Starts a host with a certificate of its key. */
  async function certifiedHost(
    name: string,
    { ca = 'host-ca', names = '127.0.0.1', validity = '-1m:+1h', options = ['-h'] } = {},
  ) {
    site.keygen.sign(ca, name, ...options, '-I', name, '-n', names, '-V', validity);
    const lines = [
      `HostKey ${site.keygen.path(name)}`,
      `HostCertificate ${site.keygen.path(`${name}-cert.pub`)}`,
    ];
    const sshd = await site.sshd(name, lines, { known: null });
    site.keygen.write(`${name}-known`, `@cert-authority * ${site.keygen.read('host-ca.pub')}`);
    return sshd;
  }

  test('finds nothing wrong with a host certificate', async () => {
    site.keygen.make('proper', kinds.ed25519);
    await certifiedHost('proper');
    const found = await site.doctor(['proper', '--key', key]);
    expect(found).toMatchObject({ code: 0, login: 'accepted', cause: null });
    expect(found.checks.find(({ check }) => check === 'host-key')?.message).toContain('certificate "proper"');
  });

  test('names host-key-unknown, and does not add the key', async () => {
    await site.sshd('new', [], { known: null });
    const found = await site.doctor(['new', '--key', key]);
    expect(found).toMatchObject({ code: 1, login: 'unknown', cause: 'host-key-unknown' });
    expect(found.advice).toContain('ssh-keygen -lf');
    expect(site.keygen.read('new-known')).toBe('');
  });

  test.each(['accept-new', 'no'])(
    'accepts an unknown key with StrictHostKeyChecking %s, and does not add it',
    async (value) => {
      await site.sshd(`lax-${value}`, [], { known: null });
      const found = await site.doctor(
        [`lax-${value}`, '--key', key],
        ['-o', `StrictHostKeyChecking=${value}`],
      );
      expect(found).toMatchObject({ code: 0, login: 'accepted' });
      expect(site.keygen.read(`lax-${value}-known`)).toBe('');
    },
  );

  test('names host-key-changed, with the command that removes the old key', async () => {
    await site.sshd('changed', [], { known: site.keygen.read('other-host.pub') });
    const found = await site.doctor(['changed', '--key', key]);
    expect(found).toMatchObject({ code: 1, cause: 'host-key-changed' });
    expect(found.advice).toMatch(/`ssh-keygen -f \S+changed-known"? -R "?\[127\.0\.0\.1\]:\d+"?`/);
  });

  test('names host-key-revoked', async () => {
    await site.sshd('revoked');
    site.keygen.write('revoked-known', `@revoked * ${site.keygen.read('host-key.pub')}`);
    expect(await site.doctor(['revoked', '--key', key])).toMatchObject({
      code: 1,
      cause: 'host-key-revoked',
    });
  });

  test.each([
    ['named', 'host-certificate-name', { names: 'web1.example.com' }],
    ['ended', 'host-certificate-validity', { validity: '-2h:-1h' }],
    ['stranger', 'host-ca-unknown', { ca: 'rogue' }],
    ['for-users', 'host-certificate-type', { options: [] }],
  ] as const)('of the host %s names %s', async (name, cause, certificate) => {
    await certifiedHost(name, {
      ...certificate,
      options: [...('options' in certificate ? certificate.options : ['-h'])],
    });
    const found = await site.doctor([name, '--key', key]);
    expect(found).toMatchObject({ code: 1, login: 'unknown', cause });
    expect(found.advice).toMatch(/`lanyard ssh (sign|trust)/);
  });
});

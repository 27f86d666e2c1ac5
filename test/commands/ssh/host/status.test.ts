import { chmodSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { has } from '../../../support/require.ts';
import { enrollFlags, programs, type TestHost, testHost } from './host.ts';

interface Status {
  readonly healthy: boolean;
  readonly checks: readonly { readonly name: string; readonly state: string; readonly message: string }[];
}

async function status(
  host: TestHost,
  ...flags: readonly string[]
): Promise<Status & { readonly code: number }> {
  const { code, stdout } = await host.run('status', ['-o', 'json', ...flags]);
  return { ...JSON.parse(stdout), code };
}

const problemsOf = ({ checks }: Status): readonly string[] =>
  checks.filter(({ state }) => state === 'problem').map(({ name, message }) => `${name}: ${message}`);

describe.skipIf(!programs.every(has))('ssh host status', () => {
  test('is healthy after an enrollment, and lists what it checked', async () => {
    const host = await testHost();
    await host.run('enroll', enrollFlags(host));
    const { code, healthy, checks } = await status(host);
    expect({ code, healthy }).toEqual({ code: 0, healthy: true });
    expect(checks.map(({ name, state }) => `${state} ${name.replace(`${host.at.path}/`, '')}`)).toEqual([
      'ok etc/ssh/ssh_host_ed25519_key-cert.pub',
      'ok etc/ssh/sshd_config',
      'ok etc/ssh/lanyard/user_ca_keys',
      'unknown timer',
      'ok login',
    ]);
    expect(checks[0]?.message).toMatch(/^valid until .* \(in \d+ days\) for web1\.example\.com; CA SHA256:/);
    expect(checks[2]?.message).toMatch(/^SHA256:\S+, as in the service$/);
  });

  test('checks this machine only with --offline, and while the service is unreachable', async () => {
    const host = await testHost();
    await host.run('enroll', enrollFlags(host));
    await host.running.close();
    for (const flags of [['--offline'], []]) {
      const { code, checks } = await status(host, ...flags);
      expect(code).toBe(0);
      const unknown = checks.filter(({ state }) => state === 'unknown').map(({ name }) => name);
      expect(unknown).toEqual([host.file('etc/ssh/lanyard/user_ca_keys'), 'timer', 'login']);
      for (const each of checks.filter(({ name }) => unknown.includes(name) && name !== 'timer'))
        expect(each.message).toContain('not compared with the service');
    }
  });

  test('reports an expired certificate', async () => {
    const host = await testHost();
    await host.run('enroll', enrollFlags(host));
    host.time = new Date(host.time.getTime() + 31 * 86_400_000);
    const found = await status(host);
    expect(found.code).toBe(1);
    expect(problemsOf(found).join()).toMatch(/-cert\.pub: expired: valid until .* ago/);
  });

  test.each<[string, (host: TestHost) => void, string]>([
    [
      'a missing certificate',
      ({ at }) => at.clear('etc/ssh/ssh_host_ed25519_key-cert.pub'),
      'not a certificate',
    ],
    [
      'missing CAs of users',
      ({ at }) => at.clear('etc/ssh/lanyard/user_ca_keys'),
      'no user certificate is accepted',
    ],
    [
      'changed settings',
      ({ at }) => at.write('etc/ssh/sshd_config.d/10-lanyard.conf', ''),
      'TrustedUserCAKeys is none, and not',
    ],
    [
      'a configuration that sshd rejects',
      ({ at }) => at.write('etc/ssh/sshd_config.d/50-team.conf', 'NoSuchOption yes\n'),
      'Bad configuration option',
    ],
    ['an invalid secret ID', ({ at }) => at.write('etc/ssh/lanyard/secret-id', 'x'), 'invalid credentials'],
    [
      'a secret ID that others can read',
      ({ file }) => chmodSync(file('etc/ssh/lanyard/secret-id'), 0o644),
      'can be read by other users (mode 644)',
    ],
    ['an interrupted change', ({ at }) => at.write('etc/ssh/lanyard/journal.json', '{}'), 'was interrupted'],
  ])('reports %s', async (_what, damage, message) => {
    const host = await testHost();
    await host.run('enroll', enrollFlags(host));
    damage(host);
    const found = await status(host);
    expect(found).toMatchObject({ code: 1, healthy: false });
    expect(problemsOf(found).join('\n')).toContain(message);
  });

  test('ends with 3 on a host that is not enrolled', async () => {
    const host = await testHost();
    expect(await host.run('status')).toMatchObject({ code: 3, stdout: '' });
  });
});

import { execFileSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { has, pathOf } from '../../../support/require.ts';
import { enrollFlags, programs, type TestHost, testHost } from './host.ts';

/** A systemctl that writes down its calls, and says that systemd runs. */
function withSystemctl(host: TestHost): Readonly<Record<string, string>> {
  const script = `#!/bin/sh
case "$1" in
is-system-running) echo running ;;
is-active) exit 3 ;;
show)
  test -e '${host.file('enabled')}' && echo ActiveState=active && echo UnitFileState=enabled
  echo NextElapseUSecRealtime=@1800000000
  echo Result=success
  echo ExecMainStartTimestamp=@1790000000 ;;
enable) touch '${host.file('enabled')}'; echo "$@" >> '${host.file('calls')}' ;;
disable) rm -f '${host.file('enabled')}'; echo "$@" >> '${host.file('calls')}' ;;
*) echo "$@" >> '${host.file('calls')}' ;;
esac
`;
  host.at.write('bin/systemctl', script, 0o755);
  return { PATH: `${host.file('bin')}:${host.at.env.PATH}` };
}

/** A machine without systemd, although it is installed. */
function withoutSystemd(host: TestHost): Readonly<Record<string, string>> {
  host.at.write('bin/systemctl', '#!/bin/sh\necho offline\nexit 1\n', 0o755);
  return { PATH: `${host.file('bin')}:${host.at.env.PATH}` };
}

const flagsWithTimer = (host: TestHost): readonly string[] => [
  ...enrollFlags(host).filter((flag) => flag !== '--no-timer'),
  ...['--unit-dir', host.file('units')],
];

async function enrolled(env: (host: TestHost) => Readonly<Record<string, string>>) {
  const host = await testHost();
  host.at.write('units/other.service', '');
  const variables = env(host);
  expect(await host.run('enroll', flagsWithTimer(host), { env: variables })).toMatchObject({ code: 0 });
  const names = host.at.list('units').filter((name) => name !== 'units/other.service');
  return { host, env: variables, names, timer: names.find((name) => name.endsWith('.timer')) ?? '' };
}

describe.skipIf(!programs.every(has))('the timer of ssh host', () => {
  test.skipIf(!has('systemd-analyze'))('has units that systemd accepts', async () => {
    const { host, names } = await enrolled(withoutSystemd);
    expect(names).toHaveLength(2);
    const paths = names.map((name) => host.file(name));
    // It exits with 1 and says why if a line is unknown or invalid.
    const verify = () =>
      execFileSync(pathOf('systemd-analyze'), ['verify', '--man=no', ...paths], { stdio: 'pipe' });
    expect(String(verify())).toBe('');
  });

  test('spreads hosts over the hour, catches up after a pause, and may write to the files of sshd only', async () => {
    const { host, names } = await enrolled(withoutSystemd);
    const [service = '', timer = ''] = names.map((name) => host.at.read(name));
    for (const line of [
      'OnCalendar=hourly',
      'RandomizedDelaySec=1h',
      'FixedRandomDelay=yes',
      'Persistent=yes',
    ])
      expect(timer.split('\n')).toContain(line);
    expect(service).toContain('\nProtectSystem=strict\n');
    expect(service).toContain(`\nReadWritePaths=${host.file('etc/ssh')} -/run/sshd\n`);
    expect(service).toMatch(/\nExecStart=\S+ \S+ ssh host renew .* --address http\S+ --quiet --no-input\n/);
    for (const secret of [host.running.rootToken, host.at.read('etc/ssh/lanyard/secret-id')])
      expect(service).not.toContain(secret);
  });

  test('is started, and not again while it runs', async () => {
    const { host, env, timer } = await enrolled(withSystemctl);
    const calls = ['daemon-reload', `enable --now ${host.file(timer)}`];
    expect(host.at.read('calls').trim().split('\n')).toEqual(calls);
    expect((await host.run('enroll', [], { env })).stdout).toBe('This host is up to date.\n');
    expect(host.at.read('calls').trim().split('\n')).toEqual(calls);
    const { stdout } = await host.run('status', [], { env });
    expect(stdout).toContain('active, next run 2027-01-15 08:00:00 UTC; last run: success');
  });

  test('is started again after somebody has stopped it, which status reports', async () => {
    const { host, env } = await enrolled(withSystemctl);
    host.at.clear('enabled');
    expect(await host.run('status', [], { env })).toMatchObject({ code: 1 });
    expect(await host.run('enroll', [], { env })).toMatchObject({ code: 0 });
    expect(await host.run('status', [], { env })).toMatchObject({ code: 0 });
  });

  test('is stopped before its units are removed, by remove and by --no-timer', async () => {
    for (const line of [
      ['remove', '--yes'],
      ['enroll', '--no-timer'],
    ]) {
      const { host, env } = await enrolled(withSystemctl);
      const [verb = '', flag = ''] = line;
      expect(await host.run(verb, [flag], { env })).toMatchObject({ code: 0 });
      expect(host.at.read('calls')).toMatch(/\ndisable --now lanyard-ssh-host\S*\.timer\n/);
      expect(host.at.list('units')).toEqual(['units/other.service']);
    }
  });

  test('is a line for cron where systemd does not run', async () => {
    const host = await testHost();
    const flags = enrollFlags(host).filter((flag) => flag !== '--no-timer');
    const ran = await host.run('enroll', flags, {
      env: withoutSystemd(host),
      random: (n) => Buffer.alloc(n, 77),
    });
    expect(ran.stdout).toMatch(/^17 \* \* \* \* root .* ssh host renew .* --quiet --no-input$/m);
    const { stdout } = await host.run('status', [], { env: withoutSystemd(host) });
    expect(stdout).toContain('not checked\ttimer\t');
  });
});

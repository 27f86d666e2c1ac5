import { beforeAll, describe, expect, test } from 'vitest';
import { embeddedForAll, expectFailure, homeForTest, words } from '../support/command-tests.ts';
import { eventually } from '../support/eventually.ts';
import { start } from '../support/process.ts';
import { leasingService } from './leasing-service.ts';

const { at, running } = embeddedForAll();
beforeAll(async () => {
  await at.run(words('ssh role put otp --key-type otp --default-user ubuntu --cidr-list 10.0.0.0/8'));
});

/** Random bytes of zero: the earliest renewal and replacement. */
const random = (length: number): Uint8Array => new Uint8Array(length);
const soon = ['--debounce', '50ms'];
const spec = 'ssh/otp ip=10.1.2.3';

const otpLeases = async (): Promise<string[]> => {
  const listed = await at.run(words('secrets lease list ssh/creds/otp -o json'), {
    env: { LANYARD_SECRETS_TOKEN: running.rootToken },
  });
  return JSON.parse(listed.stdout);
};

describe('run --creds, embedded', () => {
  test('sets the credentials in the environment, revokes them, and returns the exit code', async () => {
    const ran = await at.run([
      'run',
      ...['--creds', spec, '--upper', '--prefix', 'OTP_', '--'],
      ...['sh', '-c', 'echo "$OTP_USERNAME@$OTP_IP:$OTP_PORT $OTP_KEY" > seen; exit 7'],
    ]);
    expect(ran).toEqual({ code: 7, stdout: '', stderr: '' });
    expect(at.read('seen')).toMatch(/^ubuntu@10\.1\.2\.3:22 [0-9a-f-]{36}\n$/);
    expect(await otpLeases()).toEqual([]);
  });

  test.each(['SIGINT', 'SIGTERM'] as const)('revokes the credentials after %s', async (signal) => {
    const child = start(at, [
      ...['run', '--creds', spec, '--', 'sh', '-c'],
      `trap 'exit 9' INT TERM; echo started; while :; do sleep 0.02; done`,
    ]);
    await child.until(/started/);
    expect(await otpLeases()).toHaveLength(1);
    child.child.kill(signal);
    child.child.kill(signal);
    expect(await child.ended).toMatchObject({ code: 9 });
    expect(await otpLeases()).toEqual([]);
  });

  test('revokes the credentials if the command cannot be started', async () => {
    expectFailure(await at.run(['run', '--creds', spec, '--', 'no-such-command']), 2, 'no-such-command');
    expect(await otpLeases()).toEqual([]);
  });

  test('generates none if another source is missing', async () => {
    const before = await at.run(words('secrets lease list ssh/creds/otp'));
    const ran = await at.run(['run', '--creds', spec, '--kv', 'secret/none', '--', 'true']);
    expectFailure(ran, 3, 'secret "secret/none" not found');
    expect(await at.run(words('secrets lease list ssh/creds/otp'))).toEqual(before);
  });

  test('warns with the lease ID if the token may not revoke it, and keeps the exit code', async () => {
    at.write(
      'creds.hcl',
      'path "ssh/creds/*" { capabilities = ["update"] }\npath "sys/leases/revoke" { capabilities = ["deny"] }',
    );
    await at.run(words('secrets policy put creds @creds.hcl'));
    const token = await at.run(words('secrets token create --policy creds --ttl 10m --field client_token'));
    const ran = await at.run(['run', '--creds', spec, '--', 'sh', '-c', 'exit 3'], {
      env: { LANYARD_SECRETS_TOKEN: token.stdout.trim() },
    });
    const [lease] = await otpLeases();
    expect(ran.code).toBe(3);
    expect(ran.stderr).toMatch(
      /^warning: the credentials of ssh\/otp were not revoked: cannot revoke lease: permission denied \(403\).*; revoke them with `lanyard secrets lease revoke ssh\/creds\/otp\/\S+`\n$/,
    );
    expect(ran.stderr).toContain(`ssh/creds/otp/${lease}`);
    await at.run(['secrets', 'lease', 'revoke', `ssh/creds/otp/${lease}`, '--yes']);
  });

  test.each([
    ['', 'invalid --creds ""'],
    ['ssh/otp | 9_', 'invalid --creds "ssh/otp | 9_"'],
    ['ssh/otp ip', 'expected KEY=VALUE'],
    ['ssh/otp ip=1 ip=2', 'duplicate key "ip"'],
  ])('rejects --creds "%s" before anything is sent', async (given, message) => {
    expectFailure(await at.run(['run', '--creds', given, '--', 'true']), 2, message);
  });

  test('rejects an engine without credentials, and a missing source', async () => {
    expectFailure(
      await at.run(words('run --creds secret/app -- true')),
      2,
      'the engine at secret/ has no credentials: its type is kv',
    );
    expectFailure(
      await at.run(words('run -- true')),
      2,
      'missing source: --var, --kv, --key, --creds or --template is required',
    );
  });
});

describe('run --creds, leases', () => {
  test('gives two credentials with the same fields names of their own', async () => {
    const service = await leasingService();
    const both = ['--creds', 'database/app', '--creds', 'database/jobs'];
    const ran = await at.run(['run', ...both, '--', 'true'], { env: service.env });
    expectFailure(ran, 2, '"username" of database/app and "username" of database/jobs both map to username');
    expect(ran.stderr).not.toContain('secret-');
    expect(service.valid()).toEqual([]);
    const named = ['--creds', 'database/app | APP_', '--creds', 'database/jobs | JOBS_'];
    const show = ['sh', '-c', 'echo "$APP_username $JOBS_username" > seen'];
    expect(await at.run(['run', ...named, '--', ...show], { env: service.env })).toMatchObject({ code: 0 });
    expect(at.read('seen')).toBe('user-app-3 user-jobs-4\n');
    expect(service.valid()).toEqual([]);
  });

  test('renews the lease and the token while the command runs', async () => {
    const service = await leasingService({ lifetimes: [1], tokenTtl: 1 });
    at.clear('go');
    const ran = at.run(
      ['run', '--creds', 'database/app', '--', 'sh', '-c', 'while [ ! -e go ]; do sleep 0.02; done'],
      {
        env: service.env,
        random,
      },
    );
    await eventually(() => {
      expect([...service.leases.values()][0]?.renewals).toBeGreaterThan(2);
      expect(service.requests().filter((one) => one.endsWith('renew-self')).length).toBeGreaterThan(2);
    });
    at.write('go', '');
    expect(await ran).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(service.valid()).toEqual([]);
  });

  test('with --watch restart: replaces credentials before they end, and revokes the last ones', async () => {
    const service = await leasingService({ lifetimes: [3, 1] });
    const child = start(
      at,
      [
        ...['run', '--creds', 'database/app', '--watch', 'restart', ...soon, '--', 'sh', '-c'],
        'echo "start $username"; while :; do sleep 0.02; done',
      ],
      service.env,
    );
    await child.until(/start user-app-1\nstart user-app-2\nstart user-app-3/);
    child.child.kill('SIGTERM');
    expect(await child.ended).toMatchObject({ code: 143 });
    expect(child.stderr()).toMatch(/^database\/app changed: sending SIGTERM to process \d+$/m);
    expect(child.stderr()).not.toContain('warning');
    expect(service.leases.get('database/creds/app/lease-3')?.state).toBe('revoked');
  });

  test('with --watch restart: replaces credentials whose lease somebody else revoked', async () => {
    const service = await leasingService({ lifetimes: [1] });
    const child = start(
      at,
      [
        ...['run', '--creds', 'database/app', '--watch', 'restart', ...soon, '--', 'sh', '-c'],
        'echo "start $username"; while :; do sleep 0.02; done',
      ],
      service.env,
    );
    await child.until(/start user-app-1/);
    for (const lease of service.leases.values()) lease.state = 'revoked';
    await child.until(/start user-app-2/);
    child.child.kill('SIGTERM');
    await child.ended;
    expect(service.valid()).toEqual([]);
  });

  test('with --watch restart: keeps the command while the engine fails, with one warning', async () => {
    const service = await leasingService({ lifetimes: [1], renewable: false });
    const child = start(
      at,
      [
        ...['run', '--creds', 'database/app', '--watch', 'restart', ...soon, '--', 'sh', '-c'],
        'echo "start $username"; while :; do sleep 0.02; done',
      ],
      service.env,
    );
    await child.until(/start user-app-1/);
    service.failing.creds = 503;
    await eventually(() => expect(child.stderr()).toContain('warning: cannot update the values'));
    delete service.failing.creds;
    await child.until(/start user-app-2/);
    child.child.kill('SIGTERM');
    await child.ended;
    expect(child.stderr().match(/warning/g)).toHaveLength(1);
  });

  test.each([
    [
      { lifetimes: [3, 1] },
      /^warning: the lease of database\/app can no longer be renewed and expires at 2\S+ \S+ UTC: it has reached its maximum lifetime; run the command with --watch restart to replace them\n$/,
    ],
    [
      { lifetimes: [1], renewable: false },
      /^warning: the credentials of database\/app expire at 2\S+ \S+ UTC; run the command with --watch restart to replace them\n$/,
    ],
    [
      { lifetimes: [1.5], failing: { renew: 403 } },
      /^warning: the lease of database\/app can no longer be renewed and expires at 2\S+ \S+ UTC: cannot renew lease: permission denied \(403\).*; run the command with --watch restart to replace them\n$/,
    ],
  ])('without --watch: warns of credentials that end (%j)', async (behavior, warning) => {
    const service = await leasingService(behavior);
    at.clear('go');
    const child = start(
      at,
      ['run', '--creds', 'database/app', '--', 'sh', '-c', 'while [ ! -e go ]; do sleep 0.02; done'],
      service.env,
    );
    await eventually(() => expect(child.stderr()).toContain('warning'));
    at.write('go', '');
    expect(await child.ended).toMatchObject({ code: 0 });
    expect(child.stderr()).toMatch(warning);
  });

  test('survives an unavailable service, and renews the lease when it is back', async () => {
    const service = await leasingService({ lifetimes: [3], failing: { renew: 503 } });
    at.clear('go');
    const child = start(
      at,
      ['run', '--creds', 'database/app', '--', 'sh', '-c', 'while [ ! -e go ]; do sleep 0.02; done'],
      service.env,
    );
    await eventually(() => expect(child.stderr()).toContain('cannot renew the lease of database/app yet'));
    delete service.failing.renew;
    await eventually(() => expect(child.stderr()).toContain('The lease of database/app was renewed again.'));
    at.write('go', '');
    expect(await child.ended).toMatchObject({ code: 0 });
    expect(service.valid()).toEqual([]);
  });

  test('masks the credentials in the log of a CI service', async () => {
    const service = await leasingService();
    const ran = await at.run(words('run --creds database/app -- true'), {
      env: { ...service.env, GITHUB_ACTIONS: 'true' },
    });
    expect(ran.stderr).toContain('::add-mask::secret-app-1\n');
  });

  test('uses the token of the profile that is named', async () => {
    const service = await leasingService();
    const own = homeForTest();
    await own.run([
      ...['profile', 'put', 'leases', `secrets.address=${service.url}`],
      'secrets.token=env://LEASES_TOKEN',
    ]);
    const env = { LEASES_TOKEN: 's.of-the-profile' };
    const ran = await own.run(words('-p leases run --creds database/app -- true'), { env });
    expect(ran).toMatchObject({ code: 0 });
    expect(new Set(service.seen.map(({ headers }) => headers['x-vault-token']))).toEqual(
      new Set(['s.of-the-profile']),
    );
  });
});

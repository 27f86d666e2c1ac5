import { chmodSync } from 'node:fs';
import { userInfo } from 'node:os';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hasPam, pamService } from '../support/pam.ts';
import { lanyard, lanyardProcess, self } from '../support/process.ts';
import { has } from '../support/require.ts';
import { done } from '../support/ssh-ca.ts';
import { type Site, startSite } from './connecting.ts';
import type { Diagnosed } from './doctor-site.ts';

const programs = ['sshd', 'ssh', 'ssh-keygen'].every(has);
const user = userInfo().username;

describe.skipIf(!programs)('ssh doctor with a role', () => {
  let site: Site;
  beforeAll(async () => {
    site = await startSite();
    await site.host('web');
  });
  afterAll(() => site.stop());

  async function doctor(
    words: readonly string[],
    options: Parameters<Site['at']['run']>[1] = {},
    ssh: readonly string[] = [],
  ): Promise<Diagnosed> {
    const argv = ['ssh', 'doctor', ...words, '-o', 'json', '--', '-F', site.keygen.path('config'), ...ssh];
    const { code, stdout, stderr } = await site.at.run(argv, { self, ...options });
    if (stdout === '') throw new Error(`${code}: ${stderr}`);
    return { code, stderr, ...JSON.parse(stdout) };
  }

  test('finds nothing wrong with the certificate of ssh connect, and leaves nothing', async () => {
    const found = await doctor(['web', '--role', 'deploy']);
    expect(found).toMatchObject({ code: 0, login: 'accepted', method: 'ca', cause: null });
    expect(found.checks.filter(({ result }) => result === 'failed')).toEqual([]);
    expect(found.checks.find(({ check }) => check === 'terminal')).toMatchObject({ result: 'ok' });
    expect(site.folders()).toEqual([]);
  });

  test('finds nothing wrong with a host certificate and --host-ca', async () => {
    await done(site.at, [
      'ssh',
      'sign',
      'any-host',
      '--mount',
      'hosts',
      '--key',
      `${site.keygen.path('web-key')}.pub`,
      '--cert-type',
      'host',
      '--principals',
      '127.0.0.1',
      '--out',
      site.keygen.path('web-cert.pub'),
    ]);
    await site.host(
      'certified',
      [`HostKey ${site.keygen.path('web-key')}`, `HostCertificate ${site.keygen.path('web-cert.pub')}`],
      { isKnown: false },
    );
    const found = await doctor(['certified', '--role', 'deploy', '--host-ca', 'hosts']);
    expect(found).toMatchObject({ code: 0, login: 'accepted', cause: null });
    expect(await doctor(['certified', '--role', 'deploy'])).toMatchObject({
      code: 1,
      cause: 'host-ca-unknown',
    });
  });

  test('finds nothing wrong with a jump host', async () => {
    site.configure(
      'Host behind',
      'HostName 127.0.0.1',
      `Port ${(await site.host('inner')).port}`,
      'ProxyJump web',
      `User ${user}`,
      `UserKnownHostsFile ${site.keygen.path('inner-known')}`,
    );
    expect(await doctor(['behind', '--role', 'deploy'])).toMatchObject({
      code: 0,
      login: 'accepted',
      cause: null,
    });
  });

  test('signs nothing if the host cannot be reached', async () => {
    const token = await site.tokenFor('path "ssh/roles/deploy" { capabilities = ["read"] }');
    const found = await doctor(['web', '--role', 'deploy'], { env: { LANYARD_SECRETS_TOKEN: token } }, [
      '-p',
      '1',
    ]);
    expect(found).toMatchObject({ code: 1, cause: 'connection-refused' });
  });

  test('shows the request of a certificate in a dry run, and sends none', async () => {
    const argv = [
      'ssh',
      'doctor',
      'web',
      '--role',
      'deploy',
      '--dry-run',
      '-o',
      'json',
      '--',
      '-F',
      site.keygen.path('config'),
    ];
    const { code, stdout } = await site.at.run(argv);
    expect(code).toBe(0);
    expect(JSON.parse(stdout).url).toContain('/v1/ssh/sign/deploy');
  });

  test('names role-missing, role-rejects, ca-missing and request-rejected', async () => {
    expect(await doctor(['web', '--role', 'nowhere'])).toMatchObject({ code: 1, cause: 'role-missing' });
    await site.put('narrow', '--allow-user-certificates', '--allowed-users', 'somebody');
    const rejected = await doctor(['web', '--role', 'narrow']);
    expect(rejected).toMatchObject({ code: 1, cause: 'role-rejects', login: 'unknown' });
    expect(rejected.advice).toContain('somebody');
    await done(site.at, ['secrets', 'mount', 'enable', 'ssh', '--path', 'empty']);
    await site.put('deploy', '--mount', 'empty', '--allow-user-certificates', '--allowed-users', '*');
    expect(await doctor(['web', '--role', 'deploy', '--mount', 'empty'])).toMatchObject({
      code: 1,
      cause: 'ca-missing',
    });
    const token = await site.tokenFor('path "ssh/roles/deploy" { capabilities = ["read"] }');
    const env = { LANYARD_SECRETS_TOKEN: token };
    expect(await doctor(['web', '--role', 'deploy'], { env })).toMatchObject({
      code: 1,
      cause: 'request-rejected',
    });
  });

  test('logs in with a role that the token may not read', async () => {
    const token = await site.tokenFor('path "ssh/sign/deploy" { capabilities = ["create", "update"] }');
    const found = await doctor(['web', '--role', 'deploy'], { env: { LANYARD_SECRETS_TOKEN: token } });
    expect(found).toMatchObject({ code: 0, login: 'accepted' });
    expect(found.checks.find(({ check }) => check === 'role')).toMatchObject({
      result: 'not checked',
      message: 'permission denied to read role deploy',
    });
  });

  test('names service-unreachable, token-missing and token-rejected', async () => {
    const at = (env: Record<string, string>) => doctor(['web', '--role', 'deploy'], { env });
    const unreachable = await at({ LANYARD_SECRETS_ADDR: 'http://127.0.0.1:1' });
    expect(unreachable).toMatchObject({ code: 1, cause: 'service-unreachable' });
    expect(unreachable.advice).toContain('`lanyard status`');
    expect(await at({ LANYARD_SECRETS_TOKEN: '' })).toMatchObject({ code: 1, cause: 'token-missing' });
    expect(await at({ LANYARD_SECRETS_TOKEN: 'invalid-token' })).toMatchObject({
      code: 1,
      cause: 'token-rejected',
    });
  });

  test('checks a login of ssh without a service', async () => {
    const env = { LANYARD_SECRETS_ADDR: 'http://127.0.0.1:1' };
    const found = await doctor(['web'], { env }, ['-p', '1']);
    expect(found).toMatchObject({ code: 1, cause: 'connection-refused' });
    expect(found.checks.find(({ check }) => check === 'service')).toMatchObject({ result: 'not checked' });
  });

  test('is named by ssh connect after the exit code 255, with the flags of the command line', async () => {
    await site.host('closed', ['DenyUsers *']);
    const ran = await site.connect(['closed', '--role', 'deploy', '--principals', user], ['-p', '1', 'true']);
    expect(ran).toMatchObject({ code: 255, stdout: '' });
    expect(ran.stderr).toMatch(
      new RegExp(
        `If the login failed, run \`lanyard ssh doctor closed --role deploy --principals ${user} -- -F \\S+ -p 1\` to find the cause\\.\n$`,
      ),
    );
    const quiet = await lanyardProcess(
      site.at,
      site.argv(['closed', '--role', 'deploy', '--quiet'], ['true']),
    );
    expect(quiet.stderr).not.toContain('ssh doctor');
    const failing = await site.connect(['web', '--role', 'deploy'], ['exit 3']);
    expect(failing).toMatchObject({ code: 3, stderr: '' });
  });

  describe.skipIf(!hasPam())('for one-time passwords', () => {
    const asking = ['UsePAM yes', 'KbdInteractiveAuthentication yes', 'PermitRootLogin yes'];
    const endings: (() => void)[] = [];
    afterAll(() => {
      for (const end of endings) end();
    });

    function host(name: string, check: string) {
      const variables = Object.entries({ ...site.at.env, HOME: site.at.path });
      const lines = variables.map(([key, value]) => `export ${key}='${value}'`);
      const script = site.at.write(`${name}-check`, ['#!/bin/sh', ...lines, check, ''].join('\n'));
      chmodSync(script, 0o700);
      const service = `lanyard-doctor-${process.pid}-${name}`;
      endings.push(pamService(service, script).remove);
      return site.host(name, asking, { service });
    }

    test('finds nothing wrong, and leaves no lease', async () => {
      await host('otp', `tr -d '\\000' | ${lanyard} ssh verify - > /dev/null 2>&1`);
      const found = await doctor(['otp', '--role', 'otp']);
      expect(found).toMatchObject({ code: 0, login: 'accepted', method: 'otp', cause: null });
      expect(await site.leases('otp')).toEqual([]);
    });

    test('names otp-rejected, also with the reason in the log of PAM', async () => {
      const log = site.at.file('pam.log');
      await host('strict', `${lanyard} ssh verify --pam >> ${log} 2>&1`);
      const found = await doctor(['strict', '--role', 'otp']);
      expect(found).toMatchObject({ code: 1, login: 'rejected', cause: 'otp-rejected' });
      expect(found.advice).toContain('`lanyard help one-time-passwords`');
      const read = await doctor(['strict', '--role', 'otp', '--log', log]);
      expect(read).toMatchObject({ code: 1, cause: 'otp-rejected' });
      expect(read.checks.find(({ cause }) => cause !== null)?.message).toContain(
        'not an address of this host',
      );
    });

    test('names otp-not-offered, otp-address and otp-user, and requests no password', async () => {
      expect(await doctor(['web', '--role', 'otp'])).toMatchObject({ code: 1, cause: 'otp-not-offered' });
      const address = await doctor(['otp', '--role', 'otp', '--ip', '192.0.2.1']);
      expect(address).toMatchObject({ code: 1, cause: 'otp-address' });
      expect(address.advice).toContain('--cidr-list');
      expect(await doctor(['somebody@otp', '--role', 'otp'])).toMatchObject({ code: 1, cause: 'otp-user' });
      expect(await site.leases('otp')).toEqual([]);
    });
  });
});

import { chmodSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { userInfo } from 'node:os';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { freePort, listening, unknownHost } from '../support/ports.ts';
import { shell } from '../support/process.ts';
import { has } from '../support/require.ts';
import { done } from '../support/ssh-ca.ts';
import { kinds } from '../unit/ssh/keygen.ts';
import { type Diagnosed, type DoctorSite, startDoctorSite } from './doctor-site.ts';
import { startAgent } from './openssh.ts';

const programs = ['sshd', 'ssh', 'ssh-keygen', 'ssh-agent', 'ssh-add'].every(has);

describe.skipIf(!programs)('ssh doctor logs in as ssh does, and', () => {
  let site: DoctorSite;
  let web: { readonly port: number };
  beforeAll(async () => {
    site = await startDoctorSite();
    web = await site.sshd('web');
  });
  afterAll(() => site.stop());

  /** The cause and the advice of a login that fails. */
  async function expectCause(found: Diagnosed, cause: string, advice: RegExp): Promise<void> {
    expect(found).toMatchObject({ code: 1, cause });
    expect(found.advice).toMatch(advice);
  }

  const agentWith = async (name: string): Promise<Record<string, string>> => {
    const socket = site.keygen.path(`${name}.sock`);
    const agent = await startAgent(socket);
    onTestFinished(() => agent.stop());
    return { SSH_AUTH_SOCK: socket };
  };

  const add = async (env: Record<string, string>, ...args: readonly string[]): Promise<void> => {
    const ran = await shell(site.at, `ssh-add -q ${args.join(' ')}`, {
      ...env,
      SSH_ASKPASS_REQUIRE: 'never',
    });
    expect(ran.code, ran.stderr).toBe(0);
  };

  test('finds nothing wrong with a certificate next to the key', async () => {
    const found = await site.doctor(['web', '--key', site.certified('good')]);
    expect(found).toMatchObject({ code: 0, login: 'accepted', method: 'ssh', cause: null, advice: null });
    expect(found.checks.filter(({ result }) => result === 'failed')).toEqual([]);
  });

  test('runs nothing on the host', async () => {
    await site.sshd('quiet', [`ForceCommand touch ${site.at.file('ran')}`]);
    expect(await site.doctor(['quiet', '--key', site.certified('good')])).toMatchObject({
      login: 'accepted',
    });
    expect(site.at.list()).not.toContain('ran');
  });

  test('finds nothing wrong with a certificate that only the agent has', async () => {
    const env = await agentWith('held');
    site.certified('held');
    await add(env, site.keygen.path('held'));
    const found = await site.doctor(['web'], [], { env });
    expect(found).toMatchObject({ code: 0, login: 'accepted', cause: null });
    expect(found.checks.find(({ check }) => check === 'key')?.message).toContain('in the ssh-agent');
  });

  test.each([
    ['certificate-expired', { validity: '-2h:-1h' }],
    ['certificate-not-yet-valid', { validity: '+1h:+2h' }],
    ['principal-missing', { principals: ['somebody'] }],
    ['principals-empty', { principals: [] }],
    ['source-address', { options: ['-O', 'source-address=10.0.0.0/8'] }],
    ['critical-option', { options: ['-O', 'critical:strict@example.com=x'] }],
    ['certificate-for-hosts', { options: ['-h'] }],
  ] as const)('names %s', async (cause, certificate) => {
    const found = await site.doctor(['web', '--key', site.certified(cause, certificate)]);
    expect(found.login).toBe('rejected');
    await expectCause(found, cause, /`lanyard ssh sign|`--critical-option/);
  });

  test('names certificate-not-yet-valid with the clock of the service, which is ahead', async () => {
    const key = site.certified('early', { validity: '-1m:+3h' });
    await site.sshd('strict', ['AllowUsers nobody-at-all']);
    const now = new Date(Date.now() - 3_600_000);
    const found = await site.doctor(['strict', '--key', key], [], { now });
    await expectCause(found, 'certificate-not-yet-valid', /`timedatectl` on each/);
    expect(found.checks.find(({ cause }) => cause !== null)?.message).toMatch(
      /clock of the service is (1 hour|59 min|60 min)/,
    );
  });

  test('names certificate-signature if the certificate is damaged', async () => {
    const key = site.certified('damaged');
    const [type = '', base64 = ''] = site.keygen.read('damaged-cert.pub').split(' ');
    const blob = Buffer.from(base64, 'base64');
    blob.writeUInt8(blob.readUInt8(blob.length - 1) ^ 1, blob.length - 1);
    site.keygen.write('damaged-cert.pub', `${type} ${blob.toString('base64')}\n`);
    await expectCause(await site.doctor(['web', '--key', key]), 'certificate-signature', /ssh sign/);
  });

  test('names ca-signature-algorithm if an RSA CA signed with SHA-1', async () => {
    site.keygen.make('rsa-ca', kinds.rsa);
    site.keygen.write('rsa-trusted', site.keygen.read('rsa-ca.pub'));
    await site.sshd('rsa', [], { trusted: 'rsa-trusted' });
    const key = site.certified('sha1', { ca: 'rsa-ca', options: ['-t', 'ssh-rsa'] });
    await expectCause(
      await site.doctor(['rsa', '--key', key]),
      'ca-signature-algorithm',
      /--algorithm-signer rsa-sha2-512/,
    );
  });

  test('names certificate-missing if no certificate is next to the key', async () => {
    site.keygen.make('bare', kinds.ed25519);
    const found = await site.doctor(['web', '--key', site.keygen.path('bare')]);
    await expectCause(found, 'certificate-missing', /ssh sign ROLE --key \S+bare\.pub --principals/);
  });

  test('names certificate-key-mismatch if the certificate is for another key', async () => {
    site.certified('mixed');
    site.keygen.make('another', kinds.ed25519);
    for (const part of ['', '.pub']) site.keygen.write(`mixed${part}`, site.keygen.read(`another${part}`));
    await expectCause(
      await site.doctor(['web', '--key', site.keygen.path('mixed')]),
      'certificate-key-mismatch',
      /mixed\.pub/,
    );
  });

  test('names ca-replaced if the mount has another CA now', async () => {
    site.keygen.write('old-trusted', site.keygen.read('host-ca.pub'));
    await site.sshd('after', [], { trusted: 'trusted' });
    await expectCause(
      await site.doctor(['after', '--key', site.certified('old')]),
      'ca-replaced',
      /ssh sign/,
    );
  });

  test('names key-missing if ssh has no key', async () => {
    await expectCause(await site.doctor(['web']), 'key-missing', /`ssh-keygen -t ed25519`/);
  });

  test('names key-permissions if others can read the private key', async () => {
    const key = site.certified('open');
    chmodSync(key, 0o644);
    await expectCause(await site.doctor(['web', '--key', key]), 'key-permissions', /`chmod 600 \S+open`/);
  });

  test('names key-unreadable if the private key is damaged', async () => {
    const key = site.certified('broken');
    site.keygen.write(
      'broken',
      '-----BEGIN OPENSSH PRIVATE KEY-----\nAAAA\n-----END OPENSSH PRIVATE KEY-----\n',
    );
    await expectCause(
      await site.doctor(['web', '--key', key]),
      'key-unreadable',
      /`lanyard ssh inspect \S+broken`/,
    );
  });

  test('names key-encrypted in batch mode, and checks no more without it', async () => {
    site.keygen.make('locked', kinds.ed25519, { passphrase: 'secret phrase' });
    const key = site.certified('locked');
    const found = await site.doctor(['web', '--key', key], ['-o', 'BatchMode=yes']);
    await expectCause(found, 'key-encrypted', /`ssh-add \S+locked`/);
    const interactive = await site.doctor(['web', '--key', key]);
    expect(interactive).toMatchObject({ code: 0, cause: null, login: 'unknown' });
    expect(interactive.checks.find(({ check }) => check === 'key')).toMatchObject({ result: 'not checked' });
  });

  test('names agent-unreachable if no agent listens and the key is not in a file', async () => {
    const key = site.certified('gone');
    site.keygen.write('gone-only.pub', site.keygen.read('gone.pub'));
    const env = { SSH_AUTH_SOCK: site.keygen.path('nobody.sock') };
    const found = await site.doctor(['web', '--key', `${key}-only.pub`], [], { env });
    await expectCause(found, 'agent-unreachable', /`ssh-add`/);
  });

  test('names agent-without-certificate if the agent has the key alone', async () => {
    const env = await agentWith('plain');
    site.keygen.make('plain', kinds.ed25519);
    await add(env, site.keygen.path('plain'));
    await expectCause(await site.doctor(['web'], [], { env }), 'agent-without-certificate', /--agent`/);
  });

  test('names agent-rejected if the agent does not sign', async () => {
    const env = await agentWith('confirming');
    site.certified('confirming');
    // The agent has nobody to ask.
    await add(env, '-c', site.keygen.path('confirming'));
    await expectCause(await site.doctor(['web'], [], { env }), 'agent-rejected', /`ssh-add -X`/);
  });

  test('names too-many-keys if the host ends the login before the certificate is offered', async () => {
    await site.sshd('patient', ['MaxAuthTries 2']);
    const env = await agentWith('many');
    for (const name of ['one', 'two', 'three']) {
      site.keygen.make(name, kinds.ed25519);
      await add(env, site.keygen.path(name));
    }
    await expectCause(await site.doctor(['patient'], [], { env }), 'too-many-keys', /IdentitiesOnly=yes/);
  });

  test('names public-key-disabled if the host offers no publickey', async () => {
    await site.sshd('no-keys', ['PubkeyAuthentication no', 'KbdInteractiveAuthentication yes']);
    const found = await site.doctor(['no-keys', '--key', site.certified('good')]);
    await expectCause(found, 'public-key-disabled', /PubkeyAuthentication yes/);
  });

  test('names unknown and how to get the log of the host if nothing is wrong here', async () => {
    await site.sshd('denying', ['DenyUsers *']);
    const key = site.certified('signed');
    await done(site.at, [
      'ssh',
      'sign',
      'deploy',
      '--key',
      `${key}.pub`,
      '--principals',
      userInfo().username,
    ]);
    const found = await site.doctor(['denying', '--key', key]);
    await expectCause(found, 'unknown', /journalctl .*`lanyard ssh doctor denying --log sshd\.log`/);
    expect(found.checks.find(({ check }) => check === 'sshd')).toMatchObject({ result: 'not checked' });
  });

  test('names no-terminal if the login works and the certificate permits no terminal', async () => {
    const key = site.certified('no-pty', { options: ['-O', 'no-pty'] });
    const found = await site.doctor(['web', '--key', key]);
    expect(found.login).toBe('accepted');
    await expectCause(found, 'no-terminal', /permit-pty/);
    expect(await site.doctor(['web', '--key', key], ['-T'])).toMatchObject({ code: 1 });
    expect(await site.doctor(['web', '--key', key], ['-o', 'RequestTTY=no'])).toMatchObject({ code: 0 });
  });

  test('names the causes of the network', async () => {
    const silent = await listening(createServer((socket: Socket) => socket.end()));
    const http = await listening(
      createServer((socket: Socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')),
    );
    const shut = await freePort();
    const at = (port: number | string) => site.doctor(['web'], ['-p', String(port)]);
    await expectCause(await at(new URL(silent.address).port), 'connection-closed', /MaxStartups/);
    await expectCause(await at(new URL(http.address).port), 'not-ssh', /-p PORT/);
    await expectCause(await at(shut), 'connection-refused', /`sudo ss -ltnp`/);
    await expectCause(await site.doctor([unknownHost]), 'unknown-host-name', /`ssh -G /);
    const old = await site.doctor(['web'], ['-o', 'KexAlgorithms=diffie-hellman-group14-sha1']);
    await expectCause(old, 'no-common-algorithm', /~\/\.ssh\/config/);
    const never = createServer(() => undefined);
    const { address } = await listening(never);
    const slow = await site.doctor(['web'], ['-p', new URL(address).port, '-o', 'ConnectTimeout=1']);
    await expectCause(slow, 'host-unreachable', /`nc -vz 127\.0\.0\.1 /);
  });

  test('logs in through a jump host, and names the one that rejects the login', async () => {
    site.configure(
      'Host behind',
      'HostName 127.0.0.1',
      `Port ${web.port}`,
      'ProxyJump hop',
      `UserKnownHostsFile ${site.keygen.path('web-known')}`,
    );
    await site.sshd('hop', [], { ssh: [`IdentityFile ${site.certified('good')}`] });
    expect(await site.doctor(['behind', '--key', site.certified('good')])).toMatchObject({
      code: 0,
      login: 'accepted',
    });
    const wrong = site.certified('wrong', { principals: ['other'] });
    const last = await site.doctor(['behind', '--key', wrong]);
    await expectCause(last, 'principal-missing', /ssh sign/);
    expect(last.checks.find(({ check }) => check === 'jump-host')).toMatchObject({ result: 'ok' });

    await site.sshd('bad-hop', [], { ssh: [`IdentityFile ${wrong}`] });
    site.configure('Host far', 'HostName 127.0.0.1', `Port ${web.port}`, 'ProxyJump bad-hop');
    const first = await site.doctor(['far', '--key', site.certified('good')]);
    await expectCause(first, 'jump-host-rejected', /`lanyard ssh doctor bad-hop`/);

    await site.sshd('still-hop', ['AllowTcpForwarding no'], {
      ssh: [`IdentityFile ${site.certified('good')}`],
    });
    site.configure('Host beyond', 'HostName 127.0.0.1', `Port ${web.port}`, 'ProxyJump still-hop');
    await expectCause(
      await site.doctor(['beyond', '--key', site.certified('good')]),
      'forwarding-denied',
      /AllowTcpForwarding yes/,
    );
  });
});

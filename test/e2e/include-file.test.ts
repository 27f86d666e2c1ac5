import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { userInfo } from 'node:os';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { keys } from '../../src/ssh/keys.ts';
import { homeForAll, servicesForAll } from '../support/command-tests.ts';
import { patience } from '../support/eventually.ts';
import { listening, unknownHost } from '../support/ports.ts';
import { lanyardProcess } from '../support/process.ts';
import { has, pathOf } from '../support/require.ts';
import type { Ran } from '../support/run.ts';
import { done, mountCa } from '../support/ssh-ca.ts';
import { type Sshd, startAgent, startSshd } from './openssh.ts';

const programs = ['sshd', 'ssh', 'scp', 'sftp', 'rsync', 'git'].every(has);
const user = userInfo().username;

describe.skipIf(!programs)('plain ssh with the include file of ssh config', () => {
  const at = homeForAll();
  const own = '.ssh/config';
  const certificate = `.ssh/lanyard/users-deploy-${user}-cert.pub`;
  servicesForAll(at);
  let sshd: Sshd;
  const env: Record<string, string> = {};

  beforeAll(async () => {
    await mountCa(at, 'users', ['--key-type', 'ed25519']);
    const flags = ['--allow-user-certificates', '--allowed-users', user, '--ttl', '10m'];
    await done(at, ['ssh', 'role', 'put', 'deploy', '--mount', 'users', ...flags]);
    await done(at, ['ssh', 'role', 'put', 'short', '--mount', 'users', ...flags.with(-1, '10s')]);
    await makeKey('.ssh/id_ed25519');
    await makeKey('host');
    await done(at, ['ssh', 'trust', '--mount', 'users', '--users', at.file('trusted')]);
    await mountCa(at, 'hosts', ['--key-type', 'ed25519']);
    const hosts = ['--allow-host-certificates', '--allowed-domains', '*', '--ttl', '1h'];
    await done(at, ['ssh', 'role', 'put', 'any', '--mount', 'hosts', ...hosts]);
    const names = ['--cert-type', 'host', '--principals', '127.0.0.1'];
    await done(at, ['ssh', 'sign', 'any', '--mount', 'hosts', '--key', at.file('host.pub'), ...names]);
    sshd = await startSshd(at.path, 'sshd', [
      ...[
        `HostKey ${at.file('host')}`,
        `TrustedUserCAKeys ${at.file('trusted')}`,
        `HostCertificate ${at.file('host-cert.pub')}`,
      ],
      ...[
        'Subsystem sftp internal-sftp',
        'Match all',
        `AuthorizedKeysFile ${at.file('.ssh/id_ed25519.pub')}`,
      ],
    ]);
    const trusted = ['--hosts', `[127.0.0.1]:${sshd.port}`, '--known-hosts', at.file('known')];
    await done(at, ['ssh', 'trust', '--mount', 'hosts', ...trusted]);
    Object.assign(env, { PATH: process.env.PATH, HOME: at.path }, at.env);
  });
  afterAll(async () => {
    await sshd.stop();
  });

  beforeEach(async () => {
    rmSync(at.file('.ssh/lanyard'), { recursive: true, force: true });
    at.write(
      own,
      [
        ...[
          'Host web1',
          '  HostName 127.0.0.1',
          `  Port ${sshd.port}`,
          `  IdentityFile ${at.file('.ssh/id_ed25519')}`,
        ],
        ...[
          `  UserKnownHostsFile ${at.file('known')}`,
          '  GlobalKnownHostsFile /dev/null',
          '  BatchMode yes',
        ],
        ...['  IdentityAgent SSH_AUTH_SOCK', '  LogLevel ERROR', ''],
      ].join('\n'),
    );
    await configure('deploy');
    sshd.mark();
  });

  async function makeKey(name: string): Promise<void> {
    const pair = await keys.generate(name);
    at.write(name, pair.privateKey);
    at.write(`${name}.pub`, `${pair.publicKey}\n`);
  }

  /** @param address the file is bound to it; default: that of the service. */
  const configure = (role: string, address?: string) =>
    // The file is named, because ssh has another home than this test.
    done(at, [
      ...['ssh', 'config', 'web1', '--role', role, '--user', user, '--mount', 'users'],
      ...['--install', '--out', at.file('include.conf')],
      ...(address === undefined ? [] : ['--address', address]),
    ]);

  function run(
    program: string,
    args: readonly string[],
    more: Readonly<Record<string, string>> = {},
  ): Promise<Ran> {
    return new Promise((resolve) => {
      const options = { env: { ...env, ...more }, cwd: at.path, timeout: patience };
      const child = execFile(pathOf(program), args, options, (error, stdout, stderr) => {
        const code = error === null ? 0 : typeof error.code === 'number' ? error.code : -1;
        resolve({ code, stdout, stderr });
      });
      child.stdin?.end();
    });
  }
  const configuration = ['-F', at.file(own)];
  const login = (more?: Readonly<Record<string, string>>, options: readonly string[] = []) =>
    run('ssh', [...configuration, ...options, 'web1', 'echo', 'in'], more);
  const entered = { code: 0, stdout: 'in\n', stderr: '' };
  const byCertificate = /Accepted publickey .*ED25519-CERT .* CA ED25519/;
  const byKey = /Accepted publickey .* ED25519 SHA256/;

  test('logs in with a certificate that is made at the first login and used again', async () => {
    expect(await login(), sshd.log()).toEqual(entered);
    expect(sshd.log()).toMatch(byCertificate);
    const path = at.list('.ssh/lanyard').find((file) => file.endsWith('-cert.pub')) ?? '';
    const first = at.read(path);
    expect(await login({ LANYARD_SECRETS_ADDR: 'http://127.0.0.1:1' })).toEqual(entered);
    expect(at.read(path)).toBe(first);
  });

  test('ssh connect to such a host logs in with its own certificate, without a word of ssh about the file', async () => {
    expect(await login()).toEqual(entered);
    const before = at.read(certificate);
    const words = ['ssh', 'connect', 'web1', '--role', 'deploy', '--mount', 'users'];
    const ran = await lanyardProcess(at, [...words, '--', ...configuration, 'echo', 'in']);
    expect(ran, sshd.log()).toMatchObject(entered);
    expect(at.read(certificate)).toBe(before);
  });

  test('keeps the exit code of the command', async () => {
    expect(await run('ssh', [...configuration, 'web1', 'exit', '7'])).toMatchObject({ code: 7 });
  });

  test('carries scp, sftp, rsync and git', async () => {
    at.write('sent/file', 'content\n');
    mkdirSync(at.file('got'));
    const shell = `ssh -F ${at.file(own)}`;
    const there = `web1:${at.file('got')}`;
    expect(await run('scp', ['-q', ...configuration, at.file('sent/file'), `${there}/scp`])).toMatchObject({
      code: 0,
    });
    const batch = at.write('batch', `put ${at.file('sent/file')} ${at.file('got/sftp')}\n`);
    expect(await run('sftp', ['-q', ...configuration, '-b', batch, 'web1'])).toMatchObject({ code: 0 });
    expect(await run('rsync', ['-e', shell, at.file('sent/file'), `${there}/rsync`])).toMatchObject({
      code: 0,
    });
    for (const name of ['scp', 'sftp', 'rsync']) expect(at.read(`got/${name}`)).toBe('content\n');
    expect(await run('git', ['init', '-q', '--bare', at.file('got/repository')])).toMatchObject({ code: 0 });
    const clone = ['clone', '-q', `${there}/repository`, at.file('clone')];
    expect(await run('git', clone, { GIT_SSH_COMMAND: shell })).toMatchObject({ code: 0 });
    expect(existsSync(at.file('clone/.git'))).toBe(true);
    expect(sshd.log().match(new RegExp(byCertificate, 'g'))).toHaveLength(4);
  });

  test('renews a certificate that is near its end', async () => {
    await configure('short');
    // It begins 30 s before it is made, so that it has a quarter of its life left.
    expect(await login()).toEqual(entered);
    const file = `.ssh/lanyard/users-short-${user}-cert.pub`;
    const first = at.read(file);
    expect(await login()).toEqual(entered);
    expect(at.read(file)).not.toBe(first);
    expect(sshd.log().match(new RegExp(byCertificate, 'g'))).toHaveLength(2);
  });

  test.each(['http://127.0.0.1:1', `http://${unknownHost}`])(
    'goes on with the ordinary keys when the service is away: %s',
    async (address) => {
      await configure('deploy', address);
      const ran = await login();
      expect(ran, sshd.log()).toMatchObject({ code: 0, stdout: 'in\n' });
      expect(ran.stderr).toContain('error: ');
      expect(sshd.log()).toMatch(byKey);
      expect(existsSync(at.file(certificate))).toBe(false);
    },
  );

  test('continues with the ordinary keys if the service accepts connections and does not respond', async () => {
    const silent = createServer(() => {});
    const { address } = await listening(silent);
    onTestFinished(() => void silent.close());
    await configure('deploy', address);
    expect(await login(), sshd.log()).toMatchObject({ stdout: 'in\n' });
    expect(sshd.log()).toMatch(byKey);
  });

  test('continues with the ordinary keys if the host rejects the certificate', async () => {
    const other = await mountCa(at, 'others', ['--key-type', 'ed25519']);
    at.write('trusted', other);
    try {
      expect(await login(), sshd.log()).toEqual(entered);
      expect(sshd.log()).toMatch(byKey);
    } finally {
      at.write('trusted', await done(at, ['ssh', 'ca', 'public-key', '--mount', 'users']));
    }
  });

  test('ssh proxy adds a fresh certificate to the agent of its login', async () => {
    await makeKey('proxied');
    const agent = await startAgent(at.file('agent.sock'));
    const line = [
      `'${process.execPath}' '${new URL('../../bin/lanyard.js', import.meta.url).pathname}'`,
      `ssh proxy %h %p --role deploy --mount users --principals ${user} --key ${at.file('proxied.pub')}`,
    ].join(' ');
    at.write(
      own,
      at
        .read(own)
        .replace(/^Include .*\n/m, '')
        .replace(/ {2}IdentityFile .*\n/, ''),
    );
    onTestFinished(() => agent.stop());
    const ran = await login({ SSH_AUTH_SOCK: at.file('agent.sock') }, ['-o', `ProxyCommand=${line}`]);
    expect(ran, sshd.log()).toEqual({ ...entered, stderr: expect.any(String) });
    expect(sshd.log()).toMatch(byCertificate);
  });
});

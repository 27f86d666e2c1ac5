import { execFileSync } from 'node:child_process';
import { connect } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { expectFailure } from '../support/command-tests.ts';
import { eventually } from '../support/eventually.ts';
import { freePort } from '../support/ports.ts';
import { shell } from '../support/process.ts';
import { has } from '../support/require.ts';
import { kinds } from '../unit/ssh/keygen.ts';
import { processes, type Site, slowWay, startSite, user } from './connecting.ts';
import { type Sshd, startAgent } from './openssh.ts';

const programs = ['sshd', 'ssh', 'ssh-keygen', 'ssh-agent', 'ssh-add'].every(has);
const role = ['--role', 'deploy'];

/** What a server on loopback says first. */
const greeting = (port: number): Promise<string> =>
  new Promise((done, failed) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('error', failed);
    socket.once('close', () => done(''));
    socket.once('data', (data) => {
      socket.destroy();
      done(data.toString());
    });
  });

describe.skipIf(!programs)('ssh connect with a certificate', () => {
  let site: Site;
  let web: Sshd;
  let far: Sshd;

  beforeAll(async () => {
    site = await startSite();
    web = await site.host('web');
    far = await site.host('far');
    site.configure('Host behind', 'ProxyJump web', 'HostName 127.0.0.1', `Port ${far.port}`, `User ${user}`);
    site.configure(`UserKnownHostsFile ${site.keygen.path('far-known')}`, 'LogLevel ERROR');
  });
  beforeEach(() => {
    web.mark();
    far.mark();
  });
  afterAll(() => site.stop());

  const extensionsOf = async (as: { role: string }, ...ssh: readonly string[]): Promise<string[]> => {
    const argv = site.argv(['web', '--role', as.role, '--dry-run', '--output', 'json'], ssh);
    const { stdout, stderr } = await site.at.run(argv);
    if (stdout === '') throw new Error(stderr);
    return Object.keys(JSON.parse(stdout).body.extensions ?? {});
  };

  test('runs a command, and has its output and its exit code', async () => {
    const ran = await site.connect(['web', ...role], ['echo in; exit 3']);
    expect(ran, web.log()).toMatchObject({ code: 3, stdout: 'in\n', stderr: '' });
    expect(web.log()).toMatch(/Accepted publickey for .* ED25519-CERT/);
    expect(site.folders()).toEqual([]);
  });

  test.each([
    ['nothing but a command', ['true'], []],
    ['a shell', [], ['permit-pty']],
    ['a terminal for a command', ['-t', 'top'], ['permit-pty']],
    ['no session', ['-N', '-L', '1:localhost:2'], ['permit-port-forwarding']],
    ['a forwarded port for a command', ['-R1:localhost:2', 'true'], ['permit-port-forwarding']],
    ['a proxy', ['-D', '1', '-v'], ['permit-pty', 'permit-port-forwarding']],
    ['a connection through it', ['-W', 'a:1'], ['permit-port-forwarding']],
    ['X11', ['-X', 'xterm'], ['permit-X11-forwarding']],
    ['the agent', ['-A', 'true'], ['permit-agent-forwarding']],
    ['a shared connection', ['-o', 'ControlMaster=auto', '-S', '/none/x', 'true'], ['permit-pty']],
  ] as const)('requests the fewest sufficient extensions for %s', async (_what, ssh, extensions) => {
    expect(await extensionsOf({ role: 'deploy' }, ...ssh)).toEqual(extensions);
  });

  test('requests the fewest extensions where requesting none would mean the default ones of the role', async () => {
    const generous = [
      '--allowed-extensions',
      '*',
      '--default-extensions',
      'permit-pty,permit-port-forwarding',
    ];
    await site.put('generous', '--allow-user-certificates', '--allowed-users', '*', ...generous);
    expect(await extensionsOf({ role: 'generous' }, 'true')).toEqual(['permit-pty']);
    await site.put('fixed', '--allow-user-certificates', '--allowed-users', '*');
    expect(await extensionsOf({ role: 'fixed' }, '-t', 'true')).toEqual([]);
  });

  test('logs in with the extensions of the role if it is not readable and permits no requested ones', async () => {
    await site.put('fixed', '--allow-user-certificates', '--allowed-users', '*');
    const token = await site.tokenFor('path "ssh/sign/fixed" { capabilities = ["create", "update"] }');
    const ran = await site.connect(['web', '--role', 'fixed'], ['echo in'], { LANYARD_SECRETS_TOKEN: token });
    expect(ran, web.log()).toMatchObject({ code: 0, stdout: 'in\n', stderr: '' });
  });

  test('permits what is needed and not what is not', async () => {
    const pty = await site.connect(['web', ...role], ['-tt', 'tty']);
    expect(pty.stdout, web.log()).toMatch(/^\/dev\//);
    const without = await site.connect(['web', ...role], ['-W', `127.0.0.1:${web.port}`]);
    expect(without.stdout).toMatch(/^SSH-2\.0-/);
  });

  test('forwards the agent of the user, and never its own', async () => {
    const socket = site.keygen.path('agent.sock');
    const agent = await startAgent(socket);
    onTestFinished(() => agent.stop());
    site.keygen.make('mine', kinds.ed25519);
    execFileSync('ssh-add', ['-q', site.keygen.path('mine')], { env: { SSH_AUTH_SOCK: socket } });
    const env = { SSH_AUTH_SOCK: socket };
    const ran = await site.connect(['web', ...role], ['-A', 'ssh-add -l'], env);
    expect(ran.stdout.match(/SHA256:\S+/g), ran.stderr).toEqual([site.keygen.fingerprint('mine')]);
    const none = await site.connect(['web', ...role], ['-A', 'ssh-add -l'], { SSH_AUTH_SOCK: '' });
    expect(none.stdout).not.toContain('SHA256');
    // The key of the agent is not even offered.
    expect(web.log()).not.toContain(site.keygen.fingerprint('mine'));
  });

  test('forwards a port as long as it runs', async () => {
    const port = await freePort();
    const running = site.connecting(['web', ...role], ['-N', '-L', `${port}:127.0.0.1:${far.port}`]);
    await eventually(async () => expect(await greeting(port)).toMatch(/^SSH-2\.0-/));
    running.child.kill('SIGTERM');
    expect(await running.ended).toMatchObject({ signal: null, stdout: '' });
    expect(site.folders()).toEqual([]);
  });

  test('never shows token and keys', async () => {
    await site.put('named', '--allow-user-certificates', '--allowed-users', '*', '--allowed-extensions', '*');
    site.at.write('token', site.rootToken);
    const env = { LANYARD_SECRETS_TOKEN: '', LANYARD_SECRETS_TOKEN_FILE: site.at.file('token') };
    const running = site.connecting(['web', '--role', 'named'], ['echo in; sleep 1'], env);
    await running.until(/in/);
    const [folder = ''] = site.folders();
    expect(site.at.list(`tmp/${folder}`)).toEqual([`tmp/${folder}/agent.sock`]);
    expect(processes()).not.toContain(site.rootToken);
    expect(await running.ended).toMatchObject({ code: 0, stdout: 'in\n', stderr: '' });
    expect(site.folders()).toEqual([]);
  });

  test('goes through a jump host, with a certificate for each', async () => {
    const ran = await site.connect(['behind', ...role], ['echo in']);
    expect(ran, web.log() + far.log()).toMatchObject({ code: 0, stdout: 'in\n', stderr: '' });
    const serial = (sshd: Sshd) => /Accepted publickey .*\(serial (\d+)\)/.exec(sshd.log())?.[1];
    expect(serial(web)).toBeDefined();
    expect(serial(far)).toBeDefined();
    expect(serial(web)).not.toBe(serial(far));
  });

  test('shares a connection, and requests nothing while it is open', async () => {
    const shared = ['-o', 'ControlMaster=auto', '-S', site.keygen.path('cm'), '-o', 'ControlPersist=30'];
    expect((await site.connect(['web', ...role], [...shared, 'echo one'])).stdout).toBe('one\n');
    const away = { LANYARD_SECRETS_ADDR: 'http://127.0.0.1:1' };
    const second = await site.connect(['web', ...role], [...shared, 'echo two'], away);
    expect(second).toMatchObject({ code: 0, stdout: 'two\n' });
    // What copies files has its own ssh, and finds the connection by its path.
    const path = `ControlPath=${site.keygen.path('cm')}`;
    site.at.write('sent', 'some text');
    const copy = `scp -F ${site.keygen.path('config')} -o ${path} sent web:${site.at.file('copied')}`;
    expect(await shell(site.at, copy)).toMatchObject({ code: 0 });
    expect(site.at.read('copied')).toBe('some text');
    expect(web.log().match(/Accepted publickey/g)).toHaveLength(1);
    await site.connect(['web', ...role], [...shared, '-O', 'exit']);
  });

  test('signs a key of a file, which stays where it is', async () => {
    site.keygen.make('own', kinds.ecdsa256);
    const ran = await site.connect(['web', ...role, '--key', site.keygen.path('own')], ['echo in']);
    expect(ran, web.log()).toMatchObject({ code: 0, stdout: 'in\n' });
    expect(web.log()).toMatch(/Accepted publickey .* ECDSA-CERT/);
    expect(site.folders()).toEqual([]);
  });

  test('signs the first key of the ssh-agent', async () => {
    const socket = site.keygen.path('agent2.sock');
    const agent = await startAgent(socket);
    onTestFinished(() => agent.stop());
    site.keygen.make('held', kinds.rsa);
    execFileSync('ssh-add', ['-q', site.keygen.path('held')], { env: { SSH_AUTH_SOCK: socket } });
    const ran = await site.connect(['web', ...role, '--agent-key'], ['echo in'], { SSH_AUTH_SOCK: socket });
    expect(ran, web.log()).toMatchObject({ code: 0, stdout: 'in\n' });
    expect(web.log()).toMatch(/Accepted publickey .* RSA-CERT/);
  });

  test('trusts a host whose key the host CA has signed, and no other', async () => {
    const certificate = site.keygen.path('signed-key-cert.pub');
    const signed = await site.host('signed', [`HostCertificate ${certificate}`], { isKnown: false });
    await site.at.run([
      ...['ssh', 'sign', 'any-host', '--mount', 'hosts', '--cert-type', 'host', '--principals', '127.0.0.1'],
      ...['--key', site.keygen.path('signed-key.pub')],
    ]);
    await signed.stop();
    const again = await site.host(
      'signed2',
      [`HostKey ${site.keygen.path('signed-key')}`, `HostCertificate ${certificate}`],
      { isKnown: false },
    );
    const ca = [...role, '--host-ca', 'hosts'];
    const ran = await site.connect(['signed2', ...ca], ['echo in']);
    expect(ran, again.log()).toMatchObject({ code: 0, stdout: 'in\n', stderr: '' });
    // Without it, the host is unknown; with it, a host without a certificate is rejected.
    expect(await site.connect(['signed2', ...role], ['true'])).toMatchObject({ code: 255, stdout: '' });
    const plain = await site.host('plain', [], { isKnown: false });
    const rejected = await site.connect(['plain', ...ca], ['true']);
    expect(rejected.stderr, plain.log()).toContain('Host key verification failed');
    expect(rejected.code).toBe(255);
  });

  test('rejects a host whose key is another than the known one', async () => {
    const known = site.keygen.write('wrong', `[127.0.0.1]:${web.port} ${site.keygen.read('far-key.pub')}`);
    const ran = await site.connect(['web', ...role], ['-o', `UserKnownHostsFile=${known}`, 'true']);
    expectFailure(ran, 255, 'REMOTE HOST IDENTIFICATION HAS CHANGED');
    expect(web.log()).not.toContain('Accepted');
  });

  test('has a new certificate when a slow way has used the first one up', async () => {
    const slow = ['-o', 'HostKeyAlias=web', '-o', 'StrictHostKeyChecking=accept-new'];
    const known = ['-o', `UserKnownHostsFile=${site.keygen.path('slow-known')}`];
    // The second certificate lasts no longer than the first one: long enough for a login on a busy machine.
    const slower = await slowWay(web.port, 13_500);
    const options = ['-p', slower.port, ...slow, ...known];
    const ran = await site.connect(['web', ...role, '--ttl', '12s'], [...options, 'echo in']);
    slower.close();
    expect(ran, web.log()).toMatchObject({ code: 0, stdout: 'in\n' });
    // A key of the user's is ssh's own affair, and so is its certificate.
    site.keygen.make('late', kinds.ed25519);
    const key = ['--key', site.keygen.path('late')];
    const way = await slowWay(web.port, 6500);
    const again = ['-p', way.port, ...slow, ...known];
    const late = await site.connect(['web', ...role, '--ttl', '5s', ...key], [...again, 'true']);
    expect(late, web.log()).toMatchObject({ code: 255, stdout: '' });
    expect(web.log()).toMatch(/[Cc]ertificate invalid: expired/);
    way.close();
  });

  test('is let in only as the users of the certificate', async () => {
    const ran = await site.connect(['web', ...role, '--principals', 'unknown-user'], ['true']);
    expectFailure(ran, 255, 'Permission denied');
  });

  test('says before ssh starts that the service is down', async () => {
    const env = { LANYARD_SECRETS_ADDR: 'http://127.0.0.1:1' };
    expectFailure(await site.connect(['web', ...role], ['true'], env), 7);
    expect(web.log()).not.toMatch(/^(Connection from|Accepted)/m);
    expect(site.folders()).toEqual([]);
  });

  test('ends with 130 on ^C during the login, and leaves nothing', async () => {
    const way = await slowWay(web.port, 60_000);
    const running = site.connecting(['web', ...role], ['-p', way.port, 'true']);
    await way.connected;
    expect(site.folders()).toHaveLength(1);
    running.child.kill('SIGINT');
    expect(await running.ended).toMatchObject({ code: 130, stdout: '' });
    way.close();
    expect(site.folders()).toEqual([]);
  });
});

import { mkdirSync, renameSync } from 'node:fs';
import { userInfo } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { has } from '../support/require.ts';
import { type Kind, kindNames, kinds } from '../unit/ssh/keygen.ts';
import { type Authority, startAuthority } from './authority.ts';
import { type Login, type Sshd, ssh, startAgent } from './openssh.ts';

const programs = ['sshd', 'ssh', 'ssh-keygen', 'ssh-agent'].every(has);
const user = userInfo().username;

const cas = {
  ed25519: ['--key-type', 'ed25519'],
  ecdsa256: ['--key-type', 'ec'],
  ecdsa384: ['--key-type', 'ec', '--key-bits', '384'],
  ecdsa521: ['--key-type', 'ec', '--key-bits', '521'],
  rsa4096: ['--key-type', 'rsa'],
};
const mounts = Object.keys(cas);

describe.skipIf(!programs)('a real sshd that trusts the CA for users', () => {
  /** How far the clock of the service is ahead of sshd's, in seconds. */
  let ahead = 0;
  let authority: Authority;
  /** Lets log in as `user` whoever has the principal deploy or admin. */
  let sshd: Sshd;

  beforeAll(async () => {
    authority = await startAuthority(cas, () => new Date(Date.now() + ahead * 1000));
    const { keygen, publicKeys } = authority;
    await authority.put('ed25519', 'anyone', '--allow-user-certificates', '--allow-empty-principals');
    for (const kind of kindNames) keygen.make(kind, kinds[kind]);
    keygen.make('host', kinds.ed25519);
    keygen.write('trusted', Object.values(publicKeys).join(''));
    mkdirSync(keygen.path('principals'));
    keygen.write(`principals/${user}`, 'deploy\nadmin\n');
    sshd = await start('principals', `AuthorizedPrincipalsFile ${keygen.path('principals/%u')}`);
  });

  afterAll(() => authority.stop());

  async function start(name: string, ...lines: readonly string[]): Promise<Sshd> {
    const { keygen } = authority;
    const keys = [`HostKey ${keygen.path('host')}`, `TrustedUserCAKeys ${keygen.path('trusted')}`];
    const started = await authority.sshd(name, ...keys, ...lines);
    keygen.write(`known-${started.port}`, `[127.0.0.1]:${started.port} ${keygen.read('host.pub')}`);
    return started;
  }

  const sign = (...flags: readonly string[]) => authority.sign('ed25519', 'ed25519', 'any', ...flags);
  const signForDeploy = (...flags: readonly string[]) => sign('--principals', 'deploy', ...flags);

  /** Logs in with a key and the certificate beside it, and runs `echo in` unless told otherwise. */
  function login({
    key = 'ed25519',
    to = sshd,
    as = user,
    argv = ['127.0.0.1', 'echo', 'in'],
    options = ['IdentityAgent=none'],
  } = {}): Promise<Login> {
    const { keygen } = authority;
    to.mark();
    const known = `UserKnownHostsFile=${keygen.path(`known-${to.port}`)}`;
    const mine = [known, `Port=${to.port}`, `User=${as}`, `IdentityFile=${keygen.path(key)}`];
    return ssh([...options, ...mine], ...argv);
  }

  function expectIn(ran: Login, by = sshd): void {
    expect(ran, by.log()).toEqual({ code: 0, stdout: 'in\n', stderr: '' });
  }

  function expectOut(ran: Login, why: RegExp, by = sshd): void {
    expect(ran, by.log()).toMatchObject({ code: 255, stdout: '' });
    expect(ran.stderr, by.log()).toContain('Permission denied');
    expect(by.log()).toMatch(why);
  }

  test('keeps out the key alone', async () => {
    authority.keygen.make('bare', kinds.ed25519);
    expectOut(await login({ key: 'bare' }), /Failed publickey/);
  });

  test.each(['deploy', 'admin', 'other,admin'])('lets in a certificate for %s', async (principals) => {
    await sign('--principals', principals);
    expectIn(await login());
  });

  test.each(['other', 'Deploy', 'deploy2', user])('keeps out a certificate for %s', async (principals) => {
    await sign('--principals', principals);
    expectOut(await login(), /does not contain an authorized principal/);
  });

  test('keeps out a certificate for anyone', async () => {
    await authority.sign('ed25519', 'ed25519', 'anyone');
    expectOut(await login(), /does not contain an authorized principal/);
  });

  test('lets in as the users that the certificate names, where no other principals are configured', async () => {
    const names = await start('names');
    await sign('--principals', `deploy,${user}`);
    expectIn(await login({ to: names }), names);
    expectOut(await login({ to: names, as: 'daemon' }), /not a listed principal|not allowed because/, names);
    await signForDeploy();
    expectOut(await login({ to: names }), /not a listed principal/, names);
    await authority.sign('ed25519', 'ed25519', 'anyone');
    expectOut(await login({ to: names }), /lacks principal list/, names);
  });

  test('keeps out a certificate of another CA', async () => {
    authority.keygen.make('rogue', kinds.ed25519);
    authority.keygen.make('misled', kinds.ed25519);
    authority.keygen.sign('rogue', 'misled', '-I', 'x', '-n', 'deploy');
    expectOut(await login({ key: 'misled' }), /Failed publickey .*ED25519-CERT/);
  });

  test('keeps out a certificate for hosts', async () => {
    await signForDeploy('--cert-type', 'host');
    // The client does not even offer it, and the key alone opens nothing.
    expectOut(await login(), /Failed publickey/);
  });

  test('lets in until the certificate expires', async () => {
    let code = -1;
    let end = 0;
    // A machine under load may not log in before a short certificate ends; then it gets a longer one.
    for (let ttl = 3; code !== 0 && ttl < 60; ttl *= 4) {
      await signForDeploy('--ttl', `${ttl}s`);
      end = Date.parse((await authority.inspect('ed25519-cert.pub')).validBefore);
      code = (await login()).code;
      if (Date.now() < end) expect(code, sshd.log()).toBe(0);
    }
    expect(code, sshd.log()).toBe(0);
    await sleep(Math.max(0, end - Date.now()));
    expectOut(await login(), /[Cc]ertificate invalid: expired/);
  });

  test('keeps out before the certificate begins', async () => {
    ahead = 3600;
    await signForDeploy();
    ahead = 0;
    expectOut(await login(), /[Cc]ertificate invalid: not yet valid/);
  });

  test('runs the command of force-command and no other', async () => {
    await signForDeploy('--critical-option', 'force-command=echo "forced, not $SSH_ORIGINAL_COMMAND"');
    expect(await login(), sshd.log()).toEqual({ code: 0, stdout: 'forced, not echo in\n', stderr: '' });
  });

  test('lets in from a source-address and keeps out from others', async () => {
    await signForDeploy('--critical-option', 'source-address=127.0.0.2/32,10.0.0.0/8');
    expectOut(await login(), /source address/);
    await signForDeploy('--critical-option', 'source-address=10.0.0.0/8,127.0.0.0/30');
    expectIn(await login());
  });

  test('keeps out where it does not know a critical option', async () => {
    await signForDeploy('--critical-option', 'strict@example.com=');
    expectOut(await login(), /critical option "?strict@example.com"? is not supported/i);
  });

  test('gives a terminal with permit-pty and none without', async () => {
    const argv = ['-tt', '127.0.0.1', 'tty'];
    const rejection = 'PTY allocation request failed';
    await signForDeploy();
    const without = await login({ argv });
    expect(without.stderr, sshd.log()).toContain(rejection);
    expect(without.stdout).not.toContain('/dev/');
    await signForDeploy('--extension', 'permit-pty');
    const ran = await login({ argv });
    expect(ran.stderr, sshd.log()).not.toContain(rejection);
    // The terminal may not be another user's to hand over.
    if (process.getuid?.() === 0) expect(ran.stdout, sshd.log()).toMatch(/^\/dev\//);
  });

  test('forwards ports with permit-port-forwarding and not without', async () => {
    const argv = ['-W', `127.0.0.1:${sshd.port}`, '127.0.0.1'];
    await signForDeploy('--extension', 'permit-pty');
    const without = await login({ argv });
    expect(without, sshd.log()).toMatchObject({ code: 255, stdout: '' });
    expect(without.stderr).toContain('forwarding failed');
    await signForDeploy('--extension', 'permit-port-forwarding');
    expect((await login({ argv })).stdout, sshd.log()).toMatch(/^SSH-2\.0-/);
  });

  test.each(mounts)('lets in what a CA of %s signed', async (mount) => {
    await authority.sign('ed25519', mount, 'any', '--principals', 'deploy');
    expectIn(await login());
    expect(sshd.log()).toMatch(/Accepted certificate ID "root" .* signed by/);
  });

  async function signWithRsa(algorithm: string): Promise<void> {
    const flags = ['--allow-user-certificates', '--allowed-users', '*', '--algorithm-signer', algorithm];
    await authority.put('rsa4096', algorithm, ...flags);
    await authority.sign('ed25519', 'rsa4096', algorithm, '--principals', 'deploy');
  }

  test.each(['rsa-sha2-256', 'rsa-sha2-512'])(
    'lets in what a CA of RSA signed with %s',
    async (algorithm) => {
      await signWithRsa(algorithm);
      expectIn(await login());
    },
  );

  test('keeps out what a CA of RSA signed with SHA-1', async () => {
    await signWithRsa('ssh-rsa');
    expectOut(await login(), /signature algorithm ssh-rsa/);
  });

  test.each(kindNames)('lets in a certified key of %s', async (kind: Kind) => {
    await authority.sign(kind, 'ed25519', 'any', '--principals', 'deploy');
    expectIn(await login({ key: kind }));
  });

  test('lets in what --agent put into the ssh-agent, without a file of the key', async () => {
    const { keygen, env } = authority;
    const socket = keygen.path('agent.sock');
    const agent = await startAgent(socket);
    onTestFinished(() => agent.stop());
    env.SSH_AUTH_SOCK = socket;
    keygen.make('held', kinds.ed25519);
    await authority.sign('held', 'ed25519', 'any', '--principals', 'deploy', '--agent');
    for (const file of ['held', 'held.pub', 'held-cert.pub']) {
      renameSync(keygen.path(file), keygen.path(`away-${file}`));
    }
    expectIn(await login({ key: 'held', options: [`IdentityAgent=${socket}`, 'IdentitiesOnly=no'] }));
    expect(sshd.log()).toMatch(/Accepted publickey for .* ED25519-CERT/);
  });
});

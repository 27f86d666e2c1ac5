import { execFileSync, spawnSync } from 'node:child_process';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startAgent } from '../../e2e/openssh.ts';
import { expectFailure } from '../../support/command-tests.ts';
import { eventually } from '../../support/eventually.ts';
import { has } from '../../support/require.ts';
import { signing } from '../signing.ts';

const { at, run } = signing();

describe.skipIf(!['ssh-keygen', 'ssh-agent', 'ssh-add'].every(has))('ssh sign --agent', () => {
  let daemon: { stop(): void };
  const socket = at.file('agent.sock');
  const env = { SSH_AUTH_SOCK: socket };
  const sshAdd = (...args: string[]) =>
    spawnSync('ssh-add', args, { env: { ...process.env, ...env }, encoding: 'utf8' });
  const keygen = (name: string, ...options: string[]): void => {
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-C', name, '-f', at.file(name), ...options]);
  };

  beforeAll(async () => {
    daemon = await startAgent(socket);
  });
  beforeEach(() => {
    for (const name of ['k', 'k.pub', 'k-cert.pub']) at.clear(name);
  });
  afterEach(() => sshAdd('-q', '-D'));
  afterAll(() => daemon.stop());

  test('writes the certificate, and adds it with its key until it expires', async () => {
    keygen('k', '-N', '');
    const ran = await run('ssh sign deploy --key k.pub --agent --ttl 10s', { env });
    expect(ran).toMatchObject({ code: 0, stderr: 'Added the key and certificate to the ssh-agent.\n' });
    expect(sshAdd('-L').stdout).toBe(`${at.read('k-cert.pub').trimEnd()} k\n`);
    expect(sshAdd('-T', at.file('k-cert.pub')).status).toBe(0);
    // ssh-agent counts whole seconds of its own.
    await eventually(() => expect(sshAdd('-L').status).toBe(1));
  });

  test('reports that a key has a passphrase, and what to do', async () => {
    keygen('k', '-N', 'secret words');
    const ran = await run('ssh sign deploy --key k.pub --agent', { env });
    expect(ran).toMatchObject({ code: 9, stdout: '' });
    expect(ran.stderr).toMatch(
      /^error: the certificate was written to k-cert\.pub, but could not be added to the ssh-agent: cannot add \S+k to ssh-agent: it is encrypted with a passphrase\nhint: Run `ssh-add /,
    );
    // What was signed is there, so that the hint works.
    expect(sshAdd('-q', '-D').status).toBe(0);
    expect(at.read('k-cert.pub')).toMatch(/^ssh-ed25519-cert/);
  });

  test('reports a missing or different private key', async () => {
    keygen('k', '-N', '');
    keygen('other', '-N', '');
    at.write('k', at.read('other'));
    expect((await run('ssh sign deploy --key k.pub --agent', { env })).stderr).toContain(
      'is not the private key of the certificate',
    );
    at.clear('k');
    expect((await run('ssh sign deploy --key k.pub --agent', { env })).stderr).toContain('cannot read ');
    expect(sshAdd('-L').status).toBe(1);
  });

  test('signs and writes nothing if no agent is running', async () => {
    for (const name of ['k', 'k.pub', 'k-cert.pub', 'k-cert.pub.source']) at.clear(name);
    keygen('k', '-N', '');
    for (const gone of [{}, { SSH_AUTH_SOCK: at.file('nowhere') }]) {
      const ran = await run('ssh sign deploy --key k.pub --agent', { env: gone });
      expectFailure(ran, 7, /^error: cannot use ssh-agent: .*\nhint: Start one with/);
      expect(at.list().filter((name) => /^k/.test(name))).toEqual(['k', 'k.pub']);
    }
  });
});

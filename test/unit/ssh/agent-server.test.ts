import { execFile, spawnSync } from 'node:child_process';
import { createConnection } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { agentKeys } from '../../../src/ssh/agent.ts';
import { serveAgent } from '../../../src/ssh/agent-server.ts';
import { createMemoryKey } from '../../../src/ssh/ed25519-key.ts';
import type { Identity, Listener } from '../../../src/ssh/types.ts';
import { wireString, wireUint32 } from '../../../src/ssh/wire-format.ts';
import { startAgent } from '../../e2e/openssh.ts';
import { has } from '../../support/require.ts';
import { Keygen, kinds } from './keygen.ts';

describe.skipIf(!['ssh-keygen', 'ssh-add', 'ssh-agent'].every(has))(
  'an agent that has one certificate',
  () => {
    const keygen = new Keygen();
    const socket = (): string => keygen.path('served.sock');
    let identity: Identity;
    let other: { stop(): void };
    let serving: Listener;

    beforeAll(async () => {
      keygen.make('ca', kinds.ed25519);
      const key = createMemoryKey();
      keygen.write('m.pub', `${key.line}\n`);
      const certificate = keygen.sign('ca', 'm', '-I', 'm', '-n', 'me');
      identity = { key, certificate: async () => certificate };
      keygen.make('mine', kinds.rsa);
      other = await startAgent(keygen.path('other.sock'));
      run('ssh-add', keygen.path('other.sock'), '-q', keygen.path('mine'));
    });
    afterEach(() => serving.close());
    afterAll(() => {
      other.stop();
      keygen.remove();
    });

    // ssh-add is another process, which the event loop has to serve meanwhile.
    function list(path = socket()): Promise<string> {
      return new Promise((done) => {
        execFile('ssh-add', ['-l'], { env: { SSH_AUTH_SOCK: path } }, (_error, stdout) => done(stdout));
      });
    }
    const run = (program: string, path: string, ...args: readonly string[]) =>
      spawnSync(program, args, { env: { ...process.env, SSH_AUTH_SOCK: path }, encoding: 'utf8' });

    /** Sends one message; the type of the answer. */
    const ask = (message: Buffer): Promise<number | undefined> =>
      new Promise((done) => {
        const client = createConnection(socket());
        client.once('data', (answer: Buffer) => {
          done(answer[4]);
          client.destroy();
        });
        client.once('error', () => done(undefined));
        client.once('close', () => done(undefined));
        client.write(Buffer.concat([wireUint32(message.length), message]));
      });

    const blob = async (): Promise<Buffer> =>
      Buffer.from((await identity.certificate()).split(' ')[1] ?? '', 'base64');

    const login = (key: Buffer, service = 'ssh-connection', type = 50): Buffer =>
      Buffer.concat([
        ...[wireString('session'), Buffer.of(type), wireString('me'), wireString(service)],
        ...[
          wireString('publickey'),
          Buffer.of(1),
          wireString('ssh-ed25519-cert-v01@openssh.com'),
          wireString(key),
        ],
      ]);

    const sign = async (data: Buffer): Promise<number | undefined> =>
      ask(Buffer.concat([Buffer.of(13), wireString(await blob()), wireString(data), wireUint32(0)]));

    test('shows it, and no key without it', async () => {
      serving = await serveAgent(socket(), identity);
      expect(await list()).toBe(`256 ${identity.key.fingerprint} lanyard (ED25519-CERT)\n`);
    });

    test('shows the keys of another agent after it', async () => {
      serving = await serveAgent(socket(), identity, keygen.path('other.sock'));
      expect((await list()).split('\n')).toEqual([
        `256 ${identity.key.fingerprint} lanyard (ED25519-CERT)`,
        `2048 ${keygen.fingerprint('mine')} mine@test (RSA)`,
        '',
      ]);
      expect(await agentKeys(socket())).toEqual([keygen.read('mine.pub').trim()]);
    });

    test('shows only those when no certificate is available', async () => {
      const failing = { ...identity, certificate: () => Promise.reject(new Error('down')) };
      serving = await serveAgent(socket(), failing, keygen.path('other.sock'));
      expect(await list()).toBe(`2048 ${keygen.fingerprint('mine')} mine@test (RSA)\n`);
    });

    test('works without a stopped agent', async () => {
      serving = await serveAgent(socket(), identity, keygen.path('gone.sock'));
      expect(await list()).toContain(identity.key.fingerprint);
    });

    test('signs a login with it, and nothing else', async () => {
      serving = await serveAgent(socket(), identity);
      await list();
      const own = await blob();
      expect(await sign(login(own))).toBe(14);
      expect(await sign(login(own, 'other-service'))).toBe(5);
      expect(await sign(login(own, 'ssh-connection', 51))).toBe(5);
      expect(await sign(login(Buffer.from('another key')))).toBe(5);
      expect(await sign(Buffer.from('SSHSIG of a file'))).toBe(5);
      expect(await sign(Buffer.alloc(0))).toBe(5);
    });

    test.each([9, 17, 18, 19, 20, 22, 25])('rejects message %i, which would change it', async (type) => {
      serving = await serveAgent(socket(), identity, keygen.path('other.sock'));
      expect(await ask(Buffer.of(type))).toBe(5);
      expect(await list()).toContain(identity.key.fingerprint);
    });

    test('closes the connection on an invalid message, and accepts others', async () => {
      serving = await serveAgent(socket(), identity);
      expect(await ask(Buffer.alloc(0))).toBeUndefined();
      expect(await ask(Buffer.alloc(300_000))).toBeUndefined();
      expect(await list()).toContain(identity.key.fingerprint);
    });
  },
);

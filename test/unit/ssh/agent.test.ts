import { spawnSync } from 'node:child_process';
import { createServer, type Server, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { LanyardError } from '../../../src/errors.ts';
import { agent } from '../../../src/ssh/agent.ts';
import { wireString } from '../../../src/ssh/wire-format.ts';
import { startAgent } from '../../e2e/openssh.ts';
import { eventually } from '../../support/eventually.ts';
import { has } from '../../support/require.ts';
import { Keygen, kindNames, kinds, lineOf, rejection } from './keygen.ts';

const programs = ['ssh-keygen', 'ssh-agent', 'ssh-add'].every(has);

describe.skipIf(!programs)('ssh-agent, through its socket', () => {
  const keygen = new Keygen();
  let socketPath: string;
  let daemon: { stop(): void };

  beforeAll(async () => {
    socketPath = keygen.path('agent.sock');
    daemon = await startAgent(socketPath);
    for (const kind of kindNames) keygen.make(kind, kinds[kind]);
    keygen.make('ca', kinds.ed25519);
  });
  afterEach(() => sshAdd('-q', '-D'));
  afterAll(() => {
    daemon.stop();
    keygen.remove();
  });

  function sshAdd(...args: string[]) {
    return spawnSync('ssh-add', args, {
      cwd: keygen.folder,
      env: { ...process.env, SSH_AUTH_SOCK: socketPath },
      encoding: 'utf8',
    });
  }

  test.each(kindNames)('takes a certificate of %s, and can sign with it', async (kind) => {
    const certificate = keygen.sign('ca', kind, '-I', 'x', '-n', 'me');
    await agent(socketPath).addCertificate(keygen.path(kind), certificate, 60);
    expect(sshAdd('-L').stdout).toBe(certificate);
    expect(sshAdd('-T', `${kind}-cert.pub`).status).toBe(0);
  });

  test.each(['PEM', 'PKCS8'])('takes the certificate of a key in %s format', async (format) => {
    for (const kind of ['rsa', 'ecdsa256'] as const) {
      const name = `${kind}-${format}`;
      keygen.make(name, [...kinds[kind], '-m', format]);
      const certificate = keygen.sign('ca', name, '-I', 'x');
      await agent(socketPath).addCertificate(keygen.path(name), certificate, 60);
      expect(sshAdd('-T', `${name}-cert.pub`).status).toBe(0);
    }
    expect(sshAdd('-l').stdout).toContain(keygen.path(`rsa-${format}`));
  });

  test('forgets the certificate when its lifetime ends', async () => {
    const certificate = keygen.sign('ca', 'ed25519', '-I', 'x');
    let listed = '';
    // On a machine under load a short lifetime may end before anybody looks; then it gets a longer one.
    for (let lifetime = 3; !listed.includes('ED25519-CERT') && lifetime < 60; lifetime *= 4) {
      await agent(socketPath).addCertificate(keygen.path('ed25519'), certificate, lifetime);
      listed = sshAdd('-l').stdout;
    }
    expect(listed).toContain('ED25519-CERT');
    await eventually(() => expect(sshAdd('-l').stdout).toContain('no identities'));
  });

  test('gets no key that is not the certified one', async () => {
    const certificate = keygen.sign('ca', 'ed25519', '-I', 'x');
    const { message } = await rejection(() =>
      agent(socketPath).addCertificate(keygen.path('rsa'), certificate, 60),
    );
    expect(message).toBe(`${keygen.path('rsa')} is not the private key of the certificate`);
  });

  test('gets no encrypted key: ssh-add asks for the passphrase', async () => {
    keygen.make('locked', kinds.ed25519, { passphrase: 'correct horse' });
    const certificate = keygen.sign('ca', 'locked', '-I', 'x');
    const path = keygen.path('locked');
    const error = await rejection(() => agent(socketPath).addCertificate(path, certificate, 60));
    expect(error.message).toContain('is encrypted with a passphrase');
    expect(error.hint).toContain(`ssh-add ${path}`);
  });

  test('gets no key of a security key', async () => {
    const publicFields = [wireString(Buffer.alloc(32, 9)), wireString('ssh:')];
    const type = 'sk-ssh-ed25519@openssh.com';
    const section = Buffer.concat([
      ...[Buffer.alloc(8), wireString(type), ...publicFields, Buffer.of(1), wireString('handle')],
      ...[wireString(''), wireString('')],
    ]);
    const blob = Buffer.concat([
      ...[Buffer.from('openssh-key-v1\0'), wireString('none'), wireString('none'), wireString('')],
      ...[Buffer.of(0, 0, 0, 1), wireString(Buffer.concat([wireString(type), ...publicFields]))],
      wireString(section),
    ]).toString('base64');
    const path = keygen.write(
      'sk',
      `-----BEGIN OPENSSH PRIVATE KEY-----\n${blob}\n-----END OPENSSH PRIVATE KEY-----\n`,
    );
    keygen.write('sk.pub', `${lineOf(type, ...publicFields)}\n`);
    const certificate = keygen.sign('ca', 'sk', '-I', 'x');
    const { message } = await rejection(() => agent(socketPath).addCertificate(path, certificate, 60));
    expect(message).toBe(`cannot add ${path} to ssh-agent: it is on a security key`);
  });

  test('gets nothing when the key, the certificate or the lifetime is invalid', async () => {
    const certificate = keygen.sign('ca', 'ed25519', '-I', 'x');
    const wrong = [
      ['missing', certificate, 60, /^cannot read .*missing \(ENOENT\)$/],
      ['ed25519.pub', certificate, 60, /ed25519.pub is not a private key$/],
      ['ed25519', keygen.read('ed25519.pub'), 60, /^the certificate is a public key, not a certificate$/],
      ['ed25519', '', 60, /^the certificate is empty$/],
      ['ed25519', certificate, 0, /^invalid lifetime 0: expected 1 to /],
      ['ed25519', certificate, 1.5, /^invalid lifetime 1\.5: expected 1 to /],
      ['ed25519', certificate, 2 ** 32, /^invalid lifetime 4294967296: expected 1 to /],
    ] as const;
    for (const [name, line, lifetime, message] of wrong) {
      const file = keygen.path(name);
      const error = await rejection(() => agent(socketPath).addCertificate(file, line, lifetime));
      expect(error.message).toMatch(message);
    }
    expect(sshAdd('-l').stdout).toContain('no identities');
  });

  describe('when it does not respond correctly', () => {
    const servers: Server[] = [];
    afterAll(() => {
      for (const server of servers) server.close();
    });

    async function add(socket: string | undefined): Promise<LanyardError> {
      const certificate = keygen.sign('ca', 'ed25519', '-I', 'x');
      try {
        await agent(socket).addCertificate(keygen.path('ed25519'), certificate, 60);
      } catch (error) {
        if (error instanceof LanyardError) return error;
        throw error;
      }
      throw new Error('it was added');
    }

    async function addTo(behaviour: (socket: Socket) => void): Promise<LanyardError> {
      const path = keygen.path(`fake${servers.length}.sock`);
      const server = createServer(behaviour);
      servers.push(server);
      await new Promise<void>((resolve) => server.listen(path, resolve));
      return add(path);
    }

    test('no agent is unreachable, with what to do', async () => {
      const error = await add(undefined);
      expect(error).toMatchObject({
        kind: 'unreachable',
        message: 'cannot use ssh-agent: SSH_AUTH_SOCK is not set',
      });
      expect(error.hint).toContain('ssh-agent');
      expect((await add('')).kind).toBe('unreachable');
    });

    test('a stopped agent is unreachable', async () => {
      const missing = await add(keygen.path('nothing.sock'));
      expect(missing).toMatchObject({ kind: 'unreachable', message: expect.stringContaining('(ENOENT)') });
      const plain = keygen.write('plain.sock', '');
      expect(await add(plain)).toMatchObject({
        kind: 'unreachable',
        message: expect.stringContaining('(ECONNREFUSED)'),
      });
    });

    test('a rejection is a failure', async () => {
      const error = await addTo((socket) =>
        socket.once('data', () => socket.write(Buffer.of(0, 0, 0, 1, 5))),
      );
      expect(error.kind).toBe('failure');
      expect(error.message).toMatch(/^ssh-agent rejected the certificate for .*ed25519$/);
    });

    test('another response is a failure', async () => {
      const error = await addTo((socket) => socket.end(Buffer.of(0, 0, 0, 2, 99, 0)));
      expect(error).toMatchObject({
        kind: 'failure',
        message: 'unexpected response from ssh-agent (message type 99)',
      });
    });

    test('a response of an impossible length is not waited for', async () => {
      const error = await addTo((socket) => socket.write('HTTP/1.1 400 Bad Request\r\n'));
      expect(error).toMatchObject({
        kind: 'unreachable',
        message: expect.stringContaining('does not speak the ssh-agent protocol'),
      });
    });

    test('a closed connection is unreachable', async () => {
      const error = await addTo((socket) => socket.once('data', () => socket.end(Buffer.of(0, 0))));
      expect(error).toMatchObject({ kind: 'unreachable', message: expect.stringContaining('closed') });
    });

    test('silence is unreachable after 3 seconds', async () => {
      const start = performance.now();
      const error = await addTo((socket) => socket.resume());
      expect(error).toMatchObject({ kind: 'unreachable', message: expect.stringContaining('within 3 s') });
      expect(performance.now() - start).toBeGreaterThan(2900);
    });
  });
});

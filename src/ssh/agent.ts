import { readFile } from 'node:fs/promises';
import { createConnection } from 'node:net';
import { LanyardError, usage } from '../errors.ts';
import { readCertificate } from './certificate.ts';
import { keyLine } from './key-line.ts';
import { readPrivateKey } from './keys.ts';
import { describe, isPublicKeyType } from './public-key.ts';
import type { Agent } from './ssh.ts';
import { WireReader, wireString, wireUint32 } from './wire-format.ts';

const addConstrained = 25;
const constrainLifetime = 1;
const listIdentities = 11;
const identities = 12;
const success = 6;
const failure = 5;
const longestAnswer = 256 * 1024;
const timeout = 3000;
const unreachableHint =
  'Start one with `eval "$(ssh-agent)"`, or write the certificate to KEY-cert.pub, where ssh finds it.';

/**
 * The ssh-agent that listens on a socket (draft-ietf-sshm-ssh-agent), or on a named pipe on Windows.
 * @param socketPath the value of `SSH_AUTH_SOCK`, where there is one.
 */
export function agent(socketPath: string | undefined): Agent {
  return {
    async addCertificate(privateKeyPath, certificate, lifetime) {
      const message = await addMessage(privateKeyPath, certificate, lifetime);
      if (!socketPath) throw unreachable('SSH_AUTH_SOCK is not set');
      const [answer] = await exchange(socketPath, message);
      if (answer === success) return;
      throw new LanyardError(
        'failure',
        answer === failure
          ? `ssh-agent rejected the certificate for ${privateKeyPath}`
          : `unexpected response from ssh-agent (message type ${answer})`,
        { hint: 'The agent may be locked (ssh-add -X unlocks it), or may not support this type of key.' },
      );
    },
  };
}

/** The public key lines that an agent offers, in its order, certificates left out. */
export async function agentKeys(socketPath: string | undefined): Promise<string[]> {
  if (!socketPath) throw unreachable('SSH_AUTH_SOCK is not set');
  const answer = await exchange(socketPath, Buffer.of(listIdentities));
  if (answer[0] !== identities) throw unreachable(`${socketPath} does not list its keys`);
  const reader = new WireReader(answer.subarray(1));
  const keys = Array.from({ length: reader.uint32() }, () => ({
    blob: reader.string(),
    comment: reader.text(),
  }));
  return keys.flatMap(({ blob, comment }) => {
    const type = new WireReader(blob).name();
    return isPublicKeyType(type) ? [`${type} ${blob.toString('base64')} ${comment}`.trimEnd()] : [];
  });
}

async function addMessage(privateKeyPath: string, certificate: string, lifetime: number): Promise<Buffer> {
  if (!Number.isInteger(lifetime) || lifetime < 1 || lifetime > 0xffff_ffff) {
    throw usage(`invalid lifetime ${lifetime}: expected 1 to ${0xffff_ffff} seconds`);
  }
  const line = keyLine(certificate, 'the certificate');
  const { key: certified } = readCertificate(line, 'the certificate');
  const key = await readPrivateKey(await contents(privateKeyPath), privateKeyPath);
  if (key.publicKey && describe(key.publicKey, '').fingerprint !== certified.fingerprint) {
    throw usage(`${privateKeyPath} is not the private key of the certificate`);
  }
  if (key.encrypted) {
    throw usage(`cannot add ${privateKeyPath} to ssh-agent: it is encrypted with a passphrase`, {
      hint: `Run \`ssh-add ${privateKeyPath}\`, which also adds the certificate next to it.`,
    });
  }
  if (!key.certifiedFields) {
    throw usage(`cannot add ${privateKeyPath} to ssh-agent: it is on a security key`, {
      hint: `Run \`ssh-add ${privateKeyPath}\`, which also adds the certificate next to it.`,
    });
  }
  return Buffer.concat([
    Buffer.of(addConstrained),
    wireString(line.type),
    wireString(line.blob),
    key.certifiedFields,
    wireString(key.comment || privateKeyPath),
    Buffer.of(constrainLifetime),
    wireUint32(lifetime),
  ]);
}

async function contents(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code;
    throw usage(`cannot read ${path} (${reason})`, { cause: error });
  }
}

/** Sends one message and returns the response. */
function exchange(socketPath: string, message: Buffer): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const socket = createConnection(socketPath);
  const timer = setTimeout(() => give(`did not respond within ${timeout / 1000} s`), timeout);
  const give = (reason: string, cause?: unknown) => reject(unreachable(`${socketPath} ${reason}`, cause));
  let answer = Buffer.alloc(0);
  socket.on('data', (chunk: Buffer) => {
    answer = Buffer.concat([answer, chunk]);
    if (answer.length < 5) return;
    const length = answer.readUInt32BE();
    if (length < 1 || length > longestAnswer) give('does not speak the ssh-agent protocol');
    else if (answer.length >= 4 + length) resolve(answer.subarray(4, 4 + length));
  });
  socket.on('error', (error: NodeJS.ErrnoException) => give(`is not reachable (${error.code})`, error));
  socket.on('close', () => give('closed the connection without a response'));
  socket.write(Buffer.concat([wireUint32(message.length), message]));
  return promise.finally(() => {
    clearTimeout(timer);
    socket.destroy();
  });
}

function unreachable(reason: string, cause?: unknown): LanyardError {
  return new LanyardError('unreachable', `cannot use ssh-agent: ${reason}`, { hint: unreachableHint, cause });
}

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
  'Start one with: eval "$(ssh-agent)". Or write the certificate to KEY-cert.pub, where ssh finds it.';

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
          ? `ssh-agent refused the certificate for ${privateKeyPath}`
          : `ssh-agent gave an unexpected response (message type ${answer})`,
        { hint: 'The agent may be locked (ssh-add -X unlocks it), or not know this type of key.' },
      );
    },
  };
}

/** The public key lines that an agent offers, in its order, certificates left out. */
export async function agentKeys(socketPath: string | undefined): Promise<string[]> {
  if (!socketPath) throw unreachable('SSH_AUTH_SOCK is not set');
  const answer = await exchange(socketPath, Buffer.of(listIdentities));
  if (answer[0] !== identities) throw unreachable(`${socketPath} does not tell its keys`);
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
    throw usage(`the lifetime of a key in ssh-agent is 1 to ${0xffff_ffff} whole seconds, not ${lifetime}`);
  }
  const line = keyLine(certificate, 'the certificate');
  const { key: certified } = readCertificate(line, 'the certificate');
  const key = await readPrivateKey(await contents(privateKeyPath), privateKeyPath);
  if (key.publicKey && describe(key.publicKey, '').fingerprint !== certified.fingerprint) {
    throw usage(`${privateKeyPath} is not the key that the certificate was made for`);
  }
  if (key.encrypted) {
    throw usage(`${privateKeyPath} is encrypted with a passphrase, which is not asked for here`, {
      hint: `Add it with: ssh-add ${privateKeyPath} (the certificate goes with it from the file beside it).`,
    });
  }
  if (!key.certifiedFields) {
    throw usage(`${privateKeyPath} is on a security key, which only ssh-add can hand to the agent`, {
      hint: `Add it with: ssh-add ${privateKeyPath} (the certificate goes with it from the file beside it).`,
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
    throw usage(`${path} cannot be read (${reason})`, { cause: error });
  }
}

/** Sends one message and returns the answer. */
function exchange(socketPath: string, message: Buffer): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const socket = createConnection(socketPath);
  const timer = setTimeout(() => give(`did not answer within ${timeout / 1000} s`), timeout);
  const give = (reason: string, cause?: unknown) => reject(unreachable(`${socketPath} ${reason}`, cause));
  let answer = Buffer.alloc(0);
  socket.on('data', (chunk: Buffer) => {
    answer = Buffer.concat([answer, chunk]);
    if (answer.length < 5) return;
    const length = answer.readUInt32BE();
    if (length < 1 || length > longestAnswer) give('does not speak the protocol of ssh-agent');
    else if (answer.length >= 4 + length) resolve(answer.subarray(4, 4 + length));
  });
  socket.on('error', (error: NodeJS.ErrnoException) => give(`cannot be reached (${error.code})`, error));
  socket.on('close', () => give('closed the connection without an answer'));
  socket.write(Buffer.concat([wireUint32(message.length), message]));
  return promise.finally(() => {
    clearTimeout(timer);
    socket.destroy();
  });
}

function unreachable(reason: string, cause?: unknown): LanyardError {
  return new LanyardError('unreachable', `no ssh-agent: ${reason}`, { hint: unreachableHint, cause });
}

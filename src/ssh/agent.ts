import { readFile } from 'node:fs/promises';
import { createConnection } from 'node:net';
import { errorCode, LanyardError, usage } from '../errors.ts';
import { encodeMessage, readMessages } from './agent-framing.ts';
import { readCertificate } from './certificate.ts';
import { parseKeyLine } from './key-line.ts';
import { readPrivateKey } from './keys.ts';
import { describeKey, isPublicKeyType } from './public-key.ts';
import { MalformedDataError, WireReader, wireString, wireUint32 } from './wire-format.ts';

const addConstrained = 25;
const constrainLifetime = 1;
const listIdentities = 11;
const identities = 12;
const success = 6;
const failure = 5;
const timeoutMs = 3000;
const unreachableHint = 'Start one with `eval "$(ssh-agent)"`; ssh also uses a certificate next to its key.';

export type Agent = ReturnType<typeof agent>;

/**
 * The ssh-agent on a socket (draft-ietf-sshm-ssh-agent), or on a named pipe on Windows.
 *
 * @param socketPath the value of `SSH_AUTH_SOCK`, if set.
 */
export function agent(socketPath: string | undefined) {
  return {
    /** @throws LanyardError unreachable: no agent */
    async check(): Promise<void> {
      await agentKeys(socketPath);
    },
    /**
     * Adds a key with its certificate, with a lifetime in seconds.
     *
     * @throws LanyardError unreachable (no agent), failure (rejected), usage (encrypted, or an unsupported type).
     */
    async addCertificate(privateKeyPath: string, certificate: string, lifetime: number): Promise<void> {
      const message = await addMessage(privateKeyPath, certificate, lifetime);
      if (!socketPath) throw unreachableError('SSH_AUTH_SOCK is not set');
      const [response] = await sendRequest(socketPath, message);
      if (response === success) return;
      throw new LanyardError(
        'failure',
        response === failure
          ? `ssh-agent rejected the certificate for ${privateKeyPath}`
          : `unexpected response from ssh-agent (message type ${response})`,
        { hint: 'The agent may be locked (ssh-add -X unlocks it), or may not support this type of key.' },
      );
    },
  };
}

/** The public key lines of an agent, in its order, without certificates. @throws LanyardError unreachable */
export const agentKeys = async (socketPath: string | undefined): Promise<string[]> =>
  (await agentIdentities(socketPath)).filter((line) => isPublicKeyType(line.split(' ', 1)[0] ?? ''));

/** The lines of the public keys and certificates of an agent, in its order. @throws LanyardError unreachable */
export async function agentIdentities(socketPath: string | undefined): Promise<string[]> {
  if (!socketPath) throw unreachableError('SSH_AUTH_SOCK is not set');
  const response = await sendRequest(socketPath, Buffer.of(listIdentities));
  if (response[0] !== identities) throw unreachableError(`${socketPath} does not list its keys`);
  const reader = new WireReader(response.subarray(1));
  const keys = Array.from({ length: reader.uint32() }, () => ({
    blob: reader.string(),
    comment: reader.text(),
  }));
  return keys.map(({ blob, comment }) =>
    `${new WireReader(blob).name()} ${blob.toString('base64')} ${comment}`.trimEnd(),
  );
}

async function addMessage(privateKeyPath: string, certificate: string, lifetime: number): Promise<Buffer> {
  if (!Number.isInteger(lifetime) || lifetime < 1 || lifetime > 0xffff_ffff) {
    throw usage(`invalid lifetime ${lifetime}: expected 1 to ${0xffff_ffff} seconds`);
  }
  const line = parseKeyLine(certificate, 'the certificate');
  const { key: certified } = readCertificate(line, 'the certificate');
  const key = await readPrivateKey(await privateKeyFields(privateKeyPath), privateKeyPath);
  if (key.publicKey && describeKey(key.publicKey, '').fingerprint !== certified.fingerprint) {
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

async function privateKeyFields(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    throw usage(`cannot read ${path} (${errorCode(error)})`, { cause: error });
  }
}

/** Sends one message and returns the response. */
async function sendRequest(socketPath: string, message: Buffer): Promise<Buffer> {
  const socket = createConnection(socketPath);
  const timeout = unreachableError(`${socketPath} did not respond within ${timeoutMs / 1000} s`);
  const timer = setTimeout(() => socket.destroy(timeout), timeoutMs);
  try {
    socket.write(encodeMessage(message));
    const { value: response } = await readMessages(socket).next();
    if (response !== undefined) return response;
    throw unreachableError(`${socketPath} closed the connection without a response`);
  } catch (error) {
    if (error instanceof LanyardError) throw error;
    const reason =
      error instanceof MalformedDataError
        ? 'does not speak the ssh-agent protocol'
        : `is not reachable (${errorCode(error)})`;
    throw unreachableError(`${socketPath} ${reason}`, error);
  } finally {
    clearTimeout(timer);
    socket.destroy();
  }
}

function unreachableError(reason: string, cause?: unknown): LanyardError {
  return new LanyardError('unreachable', `cannot use ssh-agent: ${reason}`, { hint: unreachableHint, cause });
}

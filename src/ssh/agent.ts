import { readFile } from 'node:fs/promises';
import { createConnection } from 'node:net';
import { errorCode, LanyardError, usage } from '../errors.ts';
import { encodeMessage, readMessages } from './agent-framing.ts';
import { readCertificate } from './certificate.ts';
import { certifiedKeyType, parseKeyLine } from './key-line.ts';
import { readPrivateKey } from './keys.ts';
import { describeKey, isPublicKeyType } from './public-key.ts';
import { MalformedDataError, WireReader, wireString, wireUint32 } from './wire-format.ts';

const addConstrained = 25;
const constrainLifetime = 1;
const listIdentities = 11;
const identities = 12;
const removeIdentity = 18;
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
     * The certificates as lines `type base64`, in the order of the agent. Its comments may contain anything and are
     * not returned. @throws LanyardError unreachable: no agent, or it does not speak the protocol.
     */
    async certificates(): Promise<string[]> {
      const all = await identitiesOf(socketPath);
      return all.flatMap(({ type, blob }) =>
        certifiedKeyType(type) === undefined ? [] : [`${type} ${blob.toString('base64')}`],
      );
    },
    /** Removes a certificate (its line) with its key. @returns false: the agent does not have it. */
    async removeCertificate(certificate: string): Promise<boolean> {
      if (!socketPath) throw unreachableError('SSH_AUTH_SOCK is not set');
      const { blob } = parseKeyLine(certificate, 'the certificate');
      const message = Buffer.concat([Buffer.of(removeIdentity), wireString(blob)]);
      const [response] = await sendRequest(socketPath, message);
      return response === success;
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
export async function agentKeys(socketPath: string | undefined): Promise<string[]> {
  return (await identitiesOf(socketPath)).filter(({ type }) => isPublicKeyType(type)).map(lineOf);
}

/** The lines of the public keys and certificates of an agent, in its order. @throws LanyardError unreachable */
export const agentIdentities = async (socketPath: string | undefined): Promise<string[]> =>
  (await identitiesOf(socketPath)).map(lineOf);

interface AgentIdentity {
  readonly type: string;
  readonly blob: Buffer;
  readonly comment: string;
}

const lineOf = ({ type, blob, comment }: AgentIdentity): string =>
  `${type} ${blob.toString('base64')} ${comment}`.trimEnd();

/** What an agent has: keys and certificates. @throws LanyardError unreachable */
async function identitiesOf(socketPath: string | undefined): Promise<AgentIdentity[]> {
  if (!socketPath) throw unreachableError('SSH_AUTH_SOCK is not set');
  const response = await sendRequest(socketPath, Buffer.of(listIdentities));
  if (response[0] !== identities) throw unreachableError(`${socketPath} does not list its keys`);
  try {
    const reader = new WireReader(response.subarray(1));
    const found: AgentIdentity[] = [];
    for (let left = reader.uint32(); left > 0; left -= 1) {
      const blob = reader.string();
      found.push({ type: new WireReader(blob).name(), blob, comment: reader.text() });
    }
    return found;
  } catch (error) {
    if (!(error instanceof MalformedDataError)) throw error;
    throw unreachableError(`${socketPath} does not speak the ssh-agent protocol`, error);
  }
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

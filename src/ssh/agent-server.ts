import { createConnection, type Socket } from 'node:net';
import { encodeMessage, readMessages } from './agent-framing.ts';
import { parseKeyLine } from './key-line.ts';
import { listen } from './listen.ts';
import type { Identity, Listener } from './types.ts';
import { MalformedDataError, WireReader, wireString, wireUint32 } from './wire-format.ts';

const failureMessage = Buffer.of(5);
const listIdentities = 11;
const identities = 12;
const signRequest = 13;
const signature = 14;
const extension = 27;
const userAuthRequest = 50;
const comment = 'lanyard';

/** One connection to the upstream agent. */
type Upstream = (message: Buffer) => Promise<Buffer>;

/**
 * Listens as an ssh-agent (draft-ietf-sshm-ssh-agent) with one certificate; its key signs only SSH logins with that
 * certificate.
 *
 * @param path of the socket, in a directory that only the user can enter.
 * @param upstream socket of an agent whose identities follow, if any.
 */
export function serveAgent(path: string, identity: Identity, upstream?: string): Promise<Listener> {
  const ownKeys: Buffer[] = [];
  const respond = async (message: Buffer, other: Upstream): Promise<Buffer> => {
    const type = message[0];
    if (type === listIdentities) return listIdentitiesResponse(identity, ownKeys, await other(message));
    if (type === extension) return other(message);
    if (type !== signRequest) return failureMessage;
    const reader = new WireReader(message.subarray(1));
    const blob = reader.string();
    if (!ownKeys.some((known) => known.equals(blob))) return other(message);
    const data = reader.string();
    if (!isLogin(data, blob)) return failureMessage;
    return Buffer.concat([Buffer.of(signature), wireString(identity.key.sign(data))]);
  };
  return listen(path, async (socket) => {
    const other = upstream === undefined ? undefined : createConnection(upstream);
    try {
      const forward = upstreamClient(other);
      for await (const message of readMessages(socket)) {
        socket.write(encodeMessage(await respond(message, forward).catch(() => failureMessage)));
      }
    } finally {
      other?.destroy();
    }
  });
}

/** Our certificate, then the identities of the upstream agent. */
async function listIdentitiesResponse(
  identity: Identity,
  ownKeys: Buffer[],
  upstreamResponse: Buffer,
): Promise<Buffer> {
  const [count, rest] =
    upstreamResponse[0] === identities
      ? [upstreamResponse.readUInt32BE(1), upstreamResponse.subarray(5)]
      : [0, Buffer.alloc(0)];
  const ownKey = await identity.certificate().then(
    (line) => parseKeyLine(line, 'the certificate').blob,
    () => undefined,
  );
  if (ownKey === undefined) return Buffer.concat([Buffer.of(identities), wireUint32(count), rest]);
  if (!ownKeys.some((known) => known.equals(ownKey))) ownKeys.push(ownKey);
  const entry = [wireString(ownKey), wireString(comment)];
  return Buffer.concat([Buffer.of(identities), wireUint32(count + 1), ...entry, rest]);
}

/**
 * Whether the data is what a client signs to log in with this certificate (RFC 4252 section 7, and OpenSSH's
 * PROTOCOL, which binds it to the host's key).
 */
function isLogin(data: Buffer, blob: Buffer): boolean {
  try {
    const reader = new WireReader(data);
    const _session = reader.string();
    if (reader.bytes(1)[0] !== userAuthRequest) return false;
    const _user = reader.string();
    const service = reader.text();
    const method = reader.text();
    const _signed = reader.bytes(1);
    const _algorithm = reader.name();
    return service === 'ssh-connection' && method.startsWith('publickey') && reader.string().equals(blob);
  } catch (error) {
    if (error instanceof MalformedDataError) return false;
    throw error;
  }
}

/** Queries the upstream agent, one message after the other; without one, every request fails. */
function upstreamClient(socket: Socket | undefined): Upstream {
  if (socket === undefined) return async () => failureMessage;
  socket.on('error', () => undefined);
  const responses = readMessages(socket);
  return async (message) => {
    socket.write(encodeMessage(message));
    const next = await responses.next().catch(() => undefined);
    return next?.value ?? failureMessage;
  };
}

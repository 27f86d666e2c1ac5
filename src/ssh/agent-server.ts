import { createConnection, type Socket } from 'node:net';
import { frame, frames } from './frames.ts';
import { keyLine } from './key-line.ts';
import { listen } from './listen.ts';
import type { Identity, Listening } from './ssh.ts';
import { Damaged, WireReader, wireString, wireUint32 } from './wire-format.ts';

const failure = Buffer.of(5);
const listIdentities = 11;
const identities = 12;
const signRequest = 13;
const signature = 14;
const extension = 27;
const userAuthRequest = 50;
const comment = 'lanyard';

/** The other agent, as one connection of ours sees it. */
type Upstream = (message: Buffer) => Promise<Buffer>;

/**
 * Listens as an ssh-agent (draft-ietf-sshm-ssh-agent) that has one certificate, and signs with its key what logs
 * a user in over SSH with it, and nothing else.
 *
 * @param path of the socket, in a folder that only the user can enter.
 * @param upstream socket of an agent whose identities come after ours, if there is one.
 */
export function serveAgent(path: string, identity: Identity, upstream?: string): Promise<Listening> {
  const offered: Buffer[] = [];
  const answer = async (message: Buffer, other: Upstream): Promise<Buffer> => {
    const type = message[0];
    if (type === listIdentities) return list(identity, offered, await other(message));
    if (type === extension) return other(message);
    if (type !== signRequest) return failure;
    const reader = new WireReader(message.subarray(1));
    const blob = reader.string();
    if (!offered.some((known) => known.equals(blob))) return other(message);
    const data = reader.string();
    if (!isLogin(data, blob)) return failure;
    return Buffer.concat([Buffer.of(signature), wireString(identity.key.sign(data))]);
  };
  return listen(path, async (socket) => {
    const other = upstream === undefined ? undefined : createConnection(upstream);
    try {
      const asked = asker(other);
      for await (const message of frames(socket)) {
        socket.write(frame(await answer(message, asked).catch(() => failure)));
      }
    } finally {
      other?.destroy();
    }
  });
}

/** Our certificate, and then what the other agent responded. */
async function list(identity: Identity, offered: Buffer[], others: Buffer): Promise<Buffer> {
  const [count, rest] =
    others[0] === identities ? [others.readUInt32BE(1), others.subarray(5)] : [0, Buffer.alloc(0)];
  const own = await identity.certificate().then(
    (line) => keyLine(line, 'the certificate').blob,
    () => undefined,
  );
  if (own === undefined) return Buffer.concat([Buffer.of(identities), wireUint32(count), rest]);
  if (!offered.some((known) => known.equals(own))) offered.push(own);
  const entry = [wireString(own), wireString(comment)];
  return Buffer.concat([Buffer.of(identities), wireUint32(count + 1), ...entry, rest]);
}

/**
 * Is this what a client signs to log in with this certificate (RFC 4252 section 7, and OpenSSH's PROTOCOL, which
 * binds it to the host's key)?
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
    if (error instanceof Damaged) return false;
    throw error;
  }
}

/** Asks the other agent, one message after the other; without one, everything is rejected. */
function asker(socket: Socket | undefined): Upstream {
  if (socket === undefined) return async () => failure;
  socket.on('error', () => undefined);
  const answers = frames(socket);
  return async (message) => {
    socket.write(frame(message));
    const next = await answers.next().catch(() => undefined);
    return next?.value ?? failure;
  };
}

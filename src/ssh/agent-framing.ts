import type { Socket } from 'node:net';
import { MalformedDataError, wireUint32 } from './wire-format.ts';

const maxMessageBytes = 256 * 1024;

/** A message of the agent protocol on the socket (draft-ietf-sshm-ssh-agent, section 3). */
export function encodeMessage(message: Uint8Array): Buffer {
  return Buffer.concat([wireUint32(message.length), message]);
}

/** The messages from a socket, until it ends. @throws MalformedDataError: a message that is empty or too long. */
export async function* readMessages(socket: Socket): AsyncGenerator<Buffer, undefined> {
  let pending: Buffer = Buffer.alloc(0);
  for await (const chunk of socket as AsyncIterable<Buffer>) {
    pending = Buffer.concat([pending, chunk]);
    while (pending.length >= 4) {
      const end = 4 + pending.readUInt32BE();
      if (end === 4 || end > maxMessageBytes)
        throw new MalformedDataError('a message has an impossible length');
      if (pending.length < end) break;
      yield pending.subarray(4, end);
      pending = pending.subarray(end);
    }
  }
  return undefined;
}

import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { MethodReader } from '../../src/services/core/http/method-reader.ts';
import { listening } from '../support/ports.ts';

/** Handles one request; `method` is as the client sent it. */
type Handler = (method: string, request: IncomingMessage, response: ServerResponse) => Promise<void>;

export interface Server {
  readonly address: string;
  close(): Promise<void>;
}

/** An HTTP server on a free port of the loopback that also takes LIST, which Node's parser does not know. */
export async function serve(handle: Handler): Promise<Server> {
  const readers = new WeakMap<Socket, MethodReader>();
  const server = createServer((request, response) => {
    const method = readers.get(request.socket)?.methodOf(request) ?? request.method ?? '';
    handle(method, request, response).catch(() => response.destroy());
  });
  server.on('connection', (socket: Socket) => {
    const reader = new MethodReader();
    readers.set(socket, reader);
    socket.prependListener('data', (chunk: Buffer) => reader.observe(chunk));
  });
  const { address } = await listening(server);
  return {
    address,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Reads a message to its end. */
export async function bytesOf(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

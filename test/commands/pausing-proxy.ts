import { createServer, request } from 'node:http';
import type { Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import { MethodReader } from '../../src/services/core/http/method-reader.ts';
import { listen } from '../unit/api/support.ts';

/**
 * Forwards to a service, and calls `before` ahead of each request, with its number from 1: what others do between the
 * requests of a run is placed there, and not left to chance. A `before` that returns false drops the connection.
 *
 * @param loses whether the response to a request is lost
 */
export async function pausingProxy(
  address: string,
  before: (count: number, request: string) => Promise<unknown>,
  loses: (url: string, method: string) => boolean = () => false,
) {
  const requests: string[] = [];
  const readers = new WeakMap<Socket, MethodReader>();
  const server = createServer(async (incoming, response) => {
    const { url = '', headers } = incoming;
    // Node does not know the method LIST.
    const method = readers.get(incoming.socket)?.methodOf(incoming) ?? '';
    const count = requests.push(`${method} ${url}`);
    if ((await before(count, `${method} ${url}`)) === false) return void incoming.socket.destroy();
    const isLost = loses(url, method);
    const sent = request(`${address}${url}`, { method, headers }, (received) => {
      if (isLost) {
        received.resume();
        return void incoming.socket.destroy();
      }
      response.writeHead(received.statusCode ?? 500, received.headers);
      received.pipe(response);
    });
    sent.useChunkedEncodingByDefault = headers['transfer-encoding'] !== undefined;
    sent.on('error', () => incoming.socket.destroy());
    incoming.pipe(sent);
  });
  server.on('connection', (socket) => {
    const reader = new MethodReader();
    readers.set(socket, reader);
    socket.prependListener('data', (chunk: Buffer) => reader.observe(chunk));
  });
  const port = await listen(server);
  const close = (): void => {
    server.closeAllConnections();
    server.close();
  };
  onTestFinished(close);
  return { address: `http://127.0.0.1:${port}`, requests, close };
}

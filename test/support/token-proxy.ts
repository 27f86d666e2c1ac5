import { createServer, request } from 'node:http';
import type { Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import { MethodReader } from '../../src/services/core/http/method-reader.ts';
import { listen } from '../unit/api/support.ts';

/** What a proxy with a login of its own saw. */
export interface TokenProxy {
  readonly address: string;
  /** The requests that came without a token, as `METHOD path`. */
  readonly added: readonly string[];
}

/**
 * Forwards to a service, and adds a token to requests without one: what agents and proxies with auto-auth do.
 *
 * @param header the header of the token: `x-vault-token`
 */
export async function tokenProxy(address: string, header: string, token: string): Promise<TokenProxy> {
  const added: string[] = [];
  const readers = new WeakMap<Socket, MethodReader>();
  const server = createServer((incoming, response) => {
    const { url = '', headers } = incoming;
    const method = readers.get(incoming.socket)?.methodOf(incoming);
    const own = headers[header] === undefined ? { [header]: token } : {};
    if (header in own) added.push(`${method} ${url}`);
    const sent = request(`${address}${url}`, { method, headers: { ...headers, ...own } }, (received) => {
      response.writeHead(received.statusCode ?? 500, received.headers);
      received.pipe(response);
    });
    sent.on('error', () => incoming.socket.destroy());
    // A request without a body stays one: Node would send the body of LIST in chunks.
    sent.useChunkedEncodingByDefault = headers['transfer-encoding'] !== undefined;
    incoming.pipe(sent);
  });
  server.on('connection', (socket) => {
    const reader = new MethodReader();
    readers.set(socket, reader);
    socket.prependListener('data', (chunk: Buffer) => reader.observe(chunk));
  });
  const port = await listen(server);
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { address: `http://127.0.0.1:${port}`, added };
}

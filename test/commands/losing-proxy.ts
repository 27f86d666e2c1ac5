import { createServer, request } from 'node:http';
import { onTestFinished } from 'vitest';
import { listen } from '../unit/api/support.ts';

/** Forwards to a service, and loses the first response to each request whose URL has another match. */
export async function losingProxy(address: string, pattern: RegExp) {
  const lost: string[] = [];
  const matches = new Set<string>();
  const server = createServer((incoming, response) => {
    const { method, url = '', headers } = incoming;
    const match = pattern.exec(url)?.[0];
    const isLost = match !== undefined && !matches.has(match);
    if (match !== undefined) matches.add(match);
    const sent = request(`${address}${url}`, { method, headers }, (received) => {
      if (isLost) {
        lost.push(url);
        received.resume();
        incoming.socket.destroy();
        return;
      }
      response.writeHead(received.statusCode ?? 500, received.headers);
      received.pipe(response);
    });
    incoming.pipe(sent);
  });
  const port = await listen(server);
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { address: `http://127.0.0.1:${port}`, lost };
}

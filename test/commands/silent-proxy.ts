import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A proxy that does not respond to requests whose path matches, and calls `onSilence` instead. */
export async function silentProxy(address: string, silent: RegExp, onSilence: () => void) {
  const server = createServer((incoming, outgoing) => {
    const { method, headers, url = '' } = incoming;
    if (silent.test(url)) {
      onSilence();
      return;
    }
    const forwarded = request(new URL(url, address), { method, headers }, (response) => {
      outgoing.writeHead(response.statusCode ?? 0, response.headers);
      response.pipe(outgoing);
    });
    incoming.pipe(forwarded);
  });
  await new Promise<void>((done) => {
    server.listen(0, '127.0.0.1', done);
  });
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise<void>((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}

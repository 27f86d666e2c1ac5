import { randomInt } from 'node:crypto';
import { type AddressInfo, createServer, type Server } from 'node:net';

/**
 * A port of the loopback on which nothing listens. It is below the range that systems choose from, so no other
 * program gets it by chance before it is used.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(20_000, 32_000);
    if (await isFree(port)) return port;
  }
}

const isFree = (port: number): Promise<boolean> =>
  new Promise((done) => {
    const server = createServer();
    server.once('error', () => done(false));
    server.listen(port, '127.0.0.1', () => server.close(() => done(true)));
  });

/** Lets a server listen on a free port of the loopback. */
export async function listening(
  server: Server,
): Promise<{ readonly port: number; readonly address: string }> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { port, address: `http://127.0.0.1:${port}` };
}

/** A name that no host has and no server is asked for: a part of it is too long. */
export const unknownHost = `${'nowhere'.repeat(10)}.invalid`;

import { createServer, type Socket } from 'node:net';
import type { Listener } from './types.ts';

/** Listens on a socket in the file system; an error of one connection closes only that connection. */
export async function listen(
  path: string,
  handleConnection: (socket: Socket) => Promise<void>,
): Promise<Listener> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.once('close', () => sockets.delete(socket));
    handleConnection(socket)
      .catch(() => undefined)
      .finally(() => socket.destroy());
  });
  await new Promise<void>((done, failed) => {
    server.once('error', failed);
    server.listen(path, done);
  });
  return {
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

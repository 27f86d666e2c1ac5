import { createServer, type Socket } from 'node:net';
import type { Listening } from './ssh.ts';

/** Listens on a socket in the file system; a conversation that fails ends, and nothing else does. */
export async function listen(path: string, converse: (socket: Socket) => Promise<void>): Promise<Listening> {
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    open.add(socket);
    socket.on('error', () => undefined);
    socket.once('close', () => open.delete(socket));
    converse(socket)
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
        for (const socket of open) socket.destroy();
      }),
  };
}

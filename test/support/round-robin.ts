import { connect, createServer, type Socket } from 'node:net';
import { listening } from './ports.ts';

/** A TCP load balancer: each connection goes to the next address. */
export async function roundRobin(addresses: readonly string[]) {
  const sockets = new Set<Socket>();
  let next = 0;
  const server = createServer((socket) => {
    const { hostname, port } = new URL(addresses[next++ % addresses.length] ?? '');
    const upstream = connect(Number(port), hostname);
    for (const each of [socket, upstream]) {
      sockets.add(each);
      each.on('error', () => socket.destroy());
      each.on('close', () => sockets.delete(each));
    }
    socket.pipe(upstream);
    upstream.pipe(socket);
  });
  const { address } = await listening(server);
  return {
    address,
    close: () => {
      for (const each of sockets) each.destroy();
      return new Promise<void>((done) => {
        server.close(() => done());
      });
    },
  };
}

import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import { connect, createServer as createSocketServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import { listen } from '../../unit/api/support.ts';
import type { Images } from './images.ts';

/**
 * A registry that is the embedded one but for the addresses of its uploads: they lead to `port`, and an upload is one
 * that the registry itself receives. A request that `drops` picks never arrives, and its connection ends.
 */
export async function registryWith(
  all: Images,
  port: (uploads: URL) => number | Promise<number>,
  drops: (request: IncomingMessage) => boolean | Promise<boolean> = () => false,
): Promise<string> {
  const server = createServer(async (request, response) => {
    if (await drops(request)) return void request.socket.destroy();
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { host: _host, connection: _connection, ...headers } = request.headers;
    const body = Buffer.concat(chunks);
    const reply = await fetch(all.address + request.url, {
      method: request.method ?? 'GET',
      headers: headers as Record<string, string>,
      ...(body.length > 0 ? { body } : {}),
    });
    const whole = Buffer.from(await reply.arrayBuffer());
    const isAddress = /\/upload(\/direct)?$/.test(request.url ?? '') && request.method === 'GET';
    const sent = isAddress && reply.ok ? JSON.parse(whole.toString()) : undefined;
    if (sent) {
      const path = new URL(sent.upload_path);
      path.port = String(await port(path));
      sent.upload_path = path.href;
    }
    const { 'content-length': _length, ...received } = Object.fromEntries(reply.headers);
    response.writeHead(reply.status, received);
    response.end(sent ? JSON.stringify(sent) : whole);
  });
  return `http://127.0.0.1:${await listen(server)}`;
}

/** A proxy to the origin of the uploads that closes the first connections, each after that number of bytes in both directions. */
export async function cutting(
  all: Images,
  cuts: readonly { readonly up?: number; readonly down?: number }[],
): Promise<string> {
  let target = 0;
  let connections = 0;
  const proxy = createSocketServer((near) => {
    const cut = cuts[connections++];
    const far = connect(target, '127.0.0.1');
    const end = (): void => {
      near.resetAndDestroy();
      far.resetAndDestroy();
    };
    pass(near, far, cut?.up, end);
    pass(far, near, cut?.down, end);
  });
  const port = await listen(proxy);
  return registryWith(all, (uploads) => {
    target = Number(uploads.port);
    return port;
  });
}

function pass(from: Socket, to: Socket, most: number | undefined, cut: () => void): void {
  let bytes = 0;
  from.on('error', () => to.destroy());
  from.on('data', (chunk) => {
    bytes += chunk.length;
    if (most !== undefined && bytes > most) cut();
    else if (!to.write(chunk)) {
      from.pause();
      to.once('drain', () => from.resume());
    }
  });
  from.on('end', () => to.end());
}

/** A registry with uploads to an origin with that response. */
export async function answering(all: Images, listener: RequestListener): Promise<string> {
  const origin = createServer(listener);
  const port = await listen(origin);
  onTestFinished(() => origin.closeAllConnections());
  return registryWith(all, () => port);
}

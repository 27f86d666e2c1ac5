import { once } from 'node:events';
import { get } from 'node:http';
import { createServer, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { BodyReceiver } from '../../../src/api/images/body-receiver.ts';

const bodyBytes = 9 * 1024 * 1024 + 123;
const body = Buffer.alloc(bodyBytes);
for (let at = 0; at + 4 <= bodyBytes; at += 4) body.writeUInt32LE(at, at);

const withLength = `HTTP/1.1 200 OK\r\nContent-Length: ${bodyBytes}\r\n\r\n`;

/** Receives what a server writes to one connection. */
async function receive(
  write: (socket: Socket) => Promise<void> | void,
  { readsSocket = true, use = async (_chunk: Uint8Array): Promise<void> => {} } = {},
): Promise<Buffer> {
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => void write(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  const receiver = new BodyReceiver();
  const option = readsSocket ? { onread: receiver.onread } : {};
  const request = get({ host: '127.0.0.1', port, agent: false, ...option });
  receiver.attach(request);
  request.on('response', (response) => receiver.begin(response));
  request.on('error', () => {});
  const received: Buffer[] = [];
  let previous: Uint8Array | undefined;
  try {
    for await (const chunk of receiver.chunks()) {
      // The chunk before this one is still valid.
      if (previous) received.push(Buffer.from(previous));
      previous = chunk;
      await use(chunk);
    }
  } finally {
    if (previous) received.push(Buffer.from(previous));
    request.destroy();
    server.close();
    kept = Buffer.concat(received);
  }
  return kept;
}
/** What was received before an error. */
let kept = Buffer.alloc(0);

describe('the body of an image', () => {
  for (const readsSocket of [true, false]) {
    const way = readsSocket ? 'read from the socket' : 'copied from the response';

    test(`is complete when its start comes with the head, ${way}`, async () => {
      for (const start of [0, 1, 100, 20_000, 70_000]) {
        const got = await receive(
          async (socket) => {
            socket.write(Buffer.concat([Buffer.from(withLength), body.subarray(0, start)]));
            await delay(20);
            socket.write(body.subarray(start));
          },
          { readsSocket },
        );
        expect(got.equals(body), `${start} bytes with the head`).toBe(true);
      }
    });

    test(`is complete when its consumer is slow, ${way}`, async () => {
      const got = await receive(
        (socket) => void socket.write(Buffer.concat([Buffer.from(withLength), body])),
        {
          readsSocket,
          use: () => delay(3),
        },
      );
      expect(got.equals(body)).toBe(true);
    });

    test(`is complete in small pieces, and each comes at once, ${way}`, async () => {
      const got = await receive(
        async (socket) => {
          socket.write('HTTP/1.1 200 OK\r\nContent-Length: 3000\r\n\r\n');
          for (let at = 0; at < 3000; at += 100) {
            socket.write(body.subarray(at, at + 100));
            await delay(1);
          }
        },
        { readsSocket },
      );
      expect(got.equals(body.subarray(0, 3000))).toBe(true);
    });

    test(`is complete in chunks, without a length, ${way}`, async () => {
      const got = await receive(
        (socket) => {
          socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n');
          for (let at = 0; at < bodyBytes; at += 100_000) {
            const part = body.subarray(at, at + 100_000);
            socket.write(
              Buffer.concat([Buffer.from(`${part.length.toString(16)}\r\n`), part, Buffer.from('\r\n')]),
            );
          }
          socket.write('0\r\n\r\n');
        },
        { readsSocket },
      );
      expect(got.equals(body)).toBe(true);
    });

    test(`may be empty, and ends without the bytes after it, ${way}`, async () => {
      const empty = 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n';
      expect((await receive((socket) => void socket.write(empty), { readsSocket })).length).toBe(0);
      const short = 'HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n';
      const got = await receive(
        async (socket) => {
          socket.write(short);
          await delay(20);
          socket.write('fourmore');
        },
        { readsSocket },
      );
      expect(got.toString()).toBe('four');
    });

    test(`is received up to the end of the connection, ${way}`, async () => {
      const receiving = receive(
        (socket) => void socket.end(Buffer.concat([Buffer.from(withLength), body.subarray(0, -1)])),
        {
          readsSocket,
          use: () => delay(3),
        },
      );
      await expect(receiving).rejects.toMatchObject({ code: 'ECONNRESET' });
      expect(kept.equals(body.subarray(0, -1))).toBe(true);
    });
  }
});

import { describe, expect, test } from 'vitest';
import { errorOf, operation, request, serveSocket } from './support.ts';

const json = 'Content-Type: application/json\r\n';

/** Responses that break the rules of HTTP, or that no service of ours sends. */
const faults: Readonly<Record<string, string | Buffer>> = {
  'a chunk size that is no number': `HTTP/1.1 200 OK\r\n${json}Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n`,
  'a chunk size that is no number, with an error status': `HTTP/1.1 404 Not Found\r\n${json}Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n`,
  'two lengths': `HTTP/1.1 200 OK\r\n${json}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}`,
  'a length and chunks': `HTTP/1.1 200 OK\r\n${json}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`,
  'a length that is no number': `HTTP/1.1 200 OK\r\n${json}Content-Length: 2x\r\n\r\n{}`,
  'a header of 200 KB': `HTTP/1.1 200 OK\r\nX-Long: ${'a'.repeat(200_000)}\r\nContent-Length: 2\r\n\r\n{}`,
  'ten thousand headers': `HTTP/1.1 200 OK\r\n${'X-Many: a\r\n'.repeat(10_000)}Content-Length: 2\r\n\r\n{}`,
  'lines that end in LF alone': 'HTTP/1.1 200 OK\nContent-Length: 2\n\n{}',
  'NUL in a header': `HTTP/1.1 200 OK\r\nX-Nul: a\0b\r\nContent-Length: 2\r\n\r\n{}`,
  'HTTP/0.9': '<p>done</p>',
  ICY: 'ICY 200 OK\r\nContent-Length: 2\r\n\r\n{}',
  'binary bytes': Buffer.from([0, 1, 2, 255, 254, 13, 10, 13, 10]),
  'a redirect without a target': 'HTTP/1.1 302 Found\r\nContent-Length: 0\r\n\r\n',
  'a redirect to an invalid URL': 'HTTP/1.1 307 X\r\nLocation: http://\r\nContent-Length: 0\r\n\r\n',
  '101 Switching Protocols': 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n',
  'status 600': `HTTP/1.1 600 Odd\r\n${json}Content-Length: 2\r\n\r\n{}`,
  'an HTML page with 404':
    'HTTP/1.1 404 Not Found\r\nContent-Type: text/html\r\nContent-Length: 6\r\n\r\n<html>',
  'an HTML page with 413':
    'HTTP/1.1 413 Too Large\r\nContent-Type: text/html\r\nContent-Length: 6\r\n\r\n<html>',
  'JSON that is not UTF-8': Buffer.concat([
    Buffer.from(`HTTP/1.1 200 OK\r\n${json}Content-Length: 9\r\n\r\n{"a":"`),
    Buffer.from([0xff]),
    Buffer.from('"}'),
  ]),
};

describe.each(Object.entries(faults))('%s', (_fault, bytes) => {
  const server = () => serveSocket((socket) => socket.end(bytes));

  test.each(['write', 'once'] as const)('leaves open whether a %s took effect', async (retry) => {
    const { url, seen } = await server();
    const error = await errorOf(request(url, operation(retry, { accepts: [200, 204] })));
    expect(error).toMatchObject({ kind: 'unknown', exitCode: 9, retryable: false });
    expect(error.details.join('\n')).toContain('whether "do the thing" took effect is not known');
    expect(seen).toHaveLength(1);
  });

  test('is a failure of a read', async () => {
    const { url } = await server();
    const error = await errorOf(request(url));
    expect(['failure', 'not_found']).toContain(error.kind);
  });
});

test('headers that are too large are named', async () => {
  const { url } = await serveSocket((socket) => socket.end(faults['a header of 200 KB'] ?? ''));
  const error = await errorOf(request(url));
  expect(error.message).toBe(
    'unexpected response from the secrets service: the response headers are too large',
  );
});

test('the connection of a response of status 101 is closed', async () => {
  const closed = Promise.withResolvers<void>();
  const { url } = await serveSocket((socket) => {
    socket.on('close', () => closed.resolve());
    socket.write(faults['101 Switching Protocols'] ?? '');
  });
  const error = await errorOf(request(url));
  expect(error.message).toBe(
    'unexpected response from the secrets service: unexpected status 101 (Switching Protocols)',
  );
  await closed.promise;
});

import { createServer as createSocketServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import { transport } from '../../../src/api/http/client.ts';
import { freePort, unknownHost } from '../../support/ports.ts';
import {
  endpointOf,
  errorOf,
  json,
  listen,
  operation,
  optionsOf,
  request,
  serve,
  serveSocket,
  type TestServer,
} from './support.ts';

const classes = ['read', 'repeat', 'write', 'once'] as const;
const writes = ['write', 'once'] as const;

describe('a service that is not there', () => {
  it.each(classes)('is unreachable, after waits of less than a second (%s)', async (retry) => {
    const options = optionsOf({ random: () => 0.99 });
    const send = transport(endpointOf(`http://127.0.0.1:${await freePort()}`), options);
    const error = await errorOf(send(operation(retry), { name: 'n' }));
    const waits = options.notes.map((note) => Number(/retrying in ([\d.]+) s/.exec(note)?.[1]));
    expect(waits.reduce((sum, wait) => sum + wait, 0)).toBeLessThan(1);
    expect(error.kind).toBe('unreachable');
    expect(error.message).toMatch(
      /^cannot reach the secrets service at http:\/\/127\.0\.0\.1:\d+: connection refused$/,
    );
    expect(error.retryable).toBe(true);
    expect(options.notes).toHaveLength(2);
    expect(options.notes[0]).toMatch(
      /^secrets service: connection refused; retrying in 0\.1 s \(attempt 2 of 3\)$/,
    );
  });

  it.each(writes)('that comes up meanwhile gets a write once (%s)', async (retry) => {
    const port = await freePort();
    const server = createSocketServer();
    let requests = 0;
    const options = optionsOf({
      random: () => 0.99,
      note: () => {
        if (server.listening) return;
        server.on('connection', (socket) =>
          socket.on('data', () => {
            requests++;
            socket.end('HTTP/1.1 204 No Content\r\n\r\n');
          }),
        );
        server.listen(port, '127.0.0.1');
      },
    });
    const answer = await request(`http://127.0.0.1:${port}`, retry, options);
    server.close();
    expect(answer.status).toBe(204);
    expect(requests).toBe(1);
  });

  it('by a name that does not exist is unreachable, for a write too, and not tried again', async () => {
    const options = optionsOf();
    const endpoint = endpointOf(`https://${unknownHost}`);
    for (const retry of ['read', 'write'] as const) {
      const error = await errorOf(transport(endpoint, options)(operation(retry), { name: 'n' }));
      expect(error.kind).toBe('unreachable');
      expect(error.message).toMatch(/(no such host|temporary failure in name resolution)$/);
    }
  });
});

describe('a response that is lost', () => {
  const losses: readonly (readonly [string, (server?: TestServer) => Promise<TestServer>])[] = [
    ['the connection is closed after the request', () => serveSocket((socket) => socket.destroy())],
    ['the connection is reset after the request', () => serveSocket((socket) => socket.resetAndDestroy())],
    [
      'the body is cut by a lower count of bytes',
      () =>
        serveSocket((socket) =>
          socket.end(
            'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 50\r\n\r\n{"data":',
          ),
        ),
    ],
    [
      'a chunked body is cut',
      () =>
        serveSocket((socket) =>
          socket.end(
            'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{"a":\r\n',
          ),
        ),
    ],
    ['the headers do not come', () => serveSocket(() => {})],
    [
      'the body does not come',
      () =>
        serveSocket((socket) =>
          socket.write(
            'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 50\r\n\r\n{"data":',
          ),
        ),
    ],
  ];

  describe.each(losses)('%s', (_what, start) => {
    const lost = async (retry: (typeof classes)[number]) => {
      const server = await start();
      const options = optionsOf({ timeout: 2000 });
      const send = transport(endpointOf(server.url), options);
      return { server, options, error: await errorOf(send(operation(retry), { name: 'n' })) };
    };

    it('makes a read or a repeatable write send the request three times', async () => {
      for (const { server, options, error } of await Promise.all([lost('read'), lost('repeat')])) {
        expect(error.kind).toBe('unreachable');
        expect(server.seen).toHaveLength(3);
        expect(options.notes).toHaveLength(2);
      }
    });

    it('leaves the outcome of a write unknown, and the request is sent once', async () => {
      for (const { server, options, error } of await Promise.all(writes.map(lost))) {
        expect(error.kind).toBe('unknown');
        expect(error.message).toContain('do the thing: outcome unknown: ');
        expect(error.details).toEqual([
          'The request was sent; whether "do the thing" took effect is not known.',
        ]);
        expect(error.hint).toBeDefined();
        expect(server.seen).toHaveLength(1);
        expect(options.notes).toHaveLength(0);
      }
    });
  });

  it('may come the second time', async () => {
    const server = await serveSocket((socket) => {
      if (server.seen.length === 1) socket.destroy();
      else
        socket.end('HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 7\r\n\r\n{"a":1}');
    });
    const options = optionsOf();
    const answer = await request(server.url, 'read', options);
    expect(answer.body).toEqual({ a: 1 });
    expect(options.notes).toEqual([
      'secrets service: connection closed before the response was complete; retrying (attempt 2 of 3)',
    ]);
  });

  it('after an error status is still an error', async () => {
    const server = await serveSocket((socket) =>
      socket.end(
        'HTTP/1.1 403 Forbidden\r\nContent-Type: application/json\r\nContent-Length: 50\r\n\r\n{"err',
      ),
    );
    const error = await errorOf(request(server.url, 'write'));
    expect(error.kind).toBe('forbidden');
  });

  it('by a handshake that never ends is unreachable: nothing of a write was sent', async () => {
    const server = createSocketServer(() => {});
    const port = await listen(server);
    const options = optionsOf({ timeout: 500 });
    const send = transport(endpointOf(`https://127.0.0.1:${port}`), options);
    expect((await errorOf(send(operation('once'), { name: 'n' }))).kind).toBe('unreachable');
  });
});

describe('a server without HTTP', () => {
  it('without HTTP is an unexpected response', async () => {
    const server = await serveSocket((socket) => socket.end('SSH-2.0-OpenSSH_9.9\r\n'));
    const error = await errorOf(request(server.url));
    expect(error.kind).toBe('failure');
    expect(error.message).toBe('unexpected response from the secrets service: invalid HTTP response');
    expect(server.seen).toHaveLength(1);
  });
});

describe('statuses that pass', () => {
  it.each([412, 429, 502, 503, 504])('are retried for reads (%i)', async (status) => {
    const server = await serve((_seen, response, count) => {
      if (count < 3) json(response, { errors: ['wait'] }, status);
      else json(response, { ok: true });
    });
    const options = optionsOf();
    const answer = await request(server.url, 'read', options);
    expect(answer.body).toEqual({ ok: true });
    expect(options.notes[1]).toBe(`secrets service: status ${status}; retrying (attempt 3 of 3)`);
  });

  it.each([412, 429, 502, 503, 504])('are not retried for writes (%i)', async (status) => {
    const server = await serve((_seen, response) => json(response, { errors: ['wait'] }, status));
    await errorOf(request(server.url, 'write'));
    expect(server.seen).toHaveLength(1);
  });

  it('are not waited for when the service is sealed', async () => {
    const server = await serve((_seen, response) => json(response, { errors: ['Vault is sealed'] }, 503));
    const error = await errorOf(request(server.url));
    expect(error.kind).toBe('unavailable');
    expect(error.message).toBe('cannot do the thing: the secrets service is sealed (503)');
    expect(server.seen).toHaveLength(1);
  });

  it('are waited for as long as Retry-After', async () => {
    const server = await serve((_seen, response, count) => {
      if (count === 1) response.writeHead(429, { 'Retry-After': '1' }).end();
      else json(response, {});
    });
    const start = performance.now();
    await request(server.url);
    expect(performance.now() - start).toBeGreaterThan(950);
  });

  it('are not waited for when Retry-After exceeds 20 s', async () => {
    const server = await serve((_seen, response) =>
      response.writeHead(503, { 'Retry-After': '3600', 'Content-Type': 'text/plain' }).end('busy'),
    );
    const send = transport(endpointOf(server.url, { service: 'registry' }), optionsOf());
    const error = await errorOf(send(operation('read', { service: 'registry' }), { name: 'n' }));
    expect(server.seen).toHaveLength(1);
    expect(error.kind).toBe('unavailable');
    expect(error.hint).toBe('Try again in 3600 s.');
  });

  it('of a gateway leave a write unknown', async () => {
    for (const status of [502, 504]) {
      const server = await serve((_seen, response) =>
        response.writeHead(status, { 'Content-Type': 'text/html' }).end('<html>Bad gateway</html>'),
      );
      const error = await errorOf(request(server.url, 'write'));
      expect(error.kind).toBe('unknown');
      expect(server.seen).toHaveLength(1);
    }
  });
});

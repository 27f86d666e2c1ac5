import { describe, expect, test } from 'vitest';
import { transport } from '../../../src/api/http/client.ts';
import { maxResponseBytes } from '../../../src/api/http/response.ts';
import { endpointOf, errorOf, json, operation, optionsOf, request, serve, serveSocket } from './support.ts';

const input = { name: 'n' };

describe('a first request that may be sent twice', () => {
  test('is sent again after the time that the service asks for, and not if that is too long', async () => {
    const server = await serve((_seen, response, count) => {
      response.setHeader('Retry-After', count === 1 ? '1' : '60');
      json(response, { errors: ['later'] }, 429);
    });
    const options = optionsOf();
    await errorOf(request(server.url, 'repeat', options));
    expect(server.seen).toHaveLength(2);
    expect(options.notes).toEqual(['secrets service: status 429; retrying in 1.0 s (attempt 2 of 3)']);
  });

  test.each([
    ['of its length', 'Content-Length: 7', '{"a":', '{"a":1}'],
    ['within a chunk', 'Transfer-Encoding: chunked', '7\r\n{"a":', '7\r\n{"a":1}\r\n0\r\n\r\n'],
    ['between two chunks', 'Transfer-Encoding: chunked', '4\r\n{"a"\r\n', '7\r\n{"a":1}\r\n0\r\n\r\n'],
  ])('is sent again if the response is incomplete (%s)', async (_where, header, incomplete, complete) => {
    const server = await serveSocket((socket) => {
      const more = server.seen.length === 1 ? incomplete : complete;
      socket.end(`HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n${header}\r\n\r\n${more}`);
    });
    const response = await request(server.url, 'repeat');
    expect(response.body).toEqual({ a: 1 });
    expect(server.seen).toHaveLength(2);
  });

  test('that times out is an error after three attempts', async () => {
    const server = await serve(() => {});
    const options = optionsOf({ timeout: 50 });
    const error = await errorOf(request(server.url, 'repeat', options));
    expect(error).toMatchObject({ kind: 'unreachable', retryable: true });
    expect(error.message).toContain('request timed out');
    expect(server.seen).toHaveLength(3);
  });

  test('with a response that is too large is an error', async () => {
    const server = await serve((_seen, response) => {
      response.writeHead(200, { 'Content-Type': 'application/json' });
      response.end(Buffer.alloc(maxResponseBytes + 1, ' '));
    });
    const error = await errorOf(request(server.url, 'repeat'));
    expect(error.message).toContain('a response of more than 64 MiB');
    expect(server.seen).toHaveLength(1);
  });
});

describe('an interruption', () => {
  test('ends all running requests, and none is retried', async () => {
    const interruption = new AbortController();
    const server = await serve(() => {
      if (server.seen.length === 3) interruption.abort();
    });
    const send = transport(endpointOf(server.url), optionsOf({ signal: interruption.signal }));
    const calls = [1, 2, 3].map(() => errorOf(send(operation('repeat'), input)));
    for (const { kind } of await Promise.all(calls)) expect(kind).toBe('interrupted');
    expect(server.seen).toHaveLength(3);
    expect((await errorOf(send(operation('repeat'), input))).kind).toBe('interrupted');
    expect(server.seen).toHaveLength(3);
  });
});

import { describe, expect, test } from 'vitest';
import { transport } from '../../../src/api/http/client.ts';
import { maxResponseBytes } from '../../../src/api/http/response.ts';
import { freePort } from '../../support/ports.ts';
import {
  endpointOf,
  errorOf,
  type Handler,
  json,
  operation,
  optionsOf,
  serve,
  serveSocket,
  type TestServer,
  token,
} from './support.ts';

const input = { name: 'n' };
const good: Handler = (_seen, response) => json(response, { ok: true });
const manyOptions = (more: Parameters<typeof optionsOf>[0] = {}) => optionsOf({ isForMany: true, ...more });
const urls = ({ seen }: TestServer) => seen.map(({ url }) => url);

describe('one of many requests', () => {
  test('has the headers and the body of any other', async () => {
    const server = await serve(good);
    for (const options of [manyOptions(), optionsOf()]) {
      const response = await transport(endpointOf(server.url), options)(operation('repeat'), {
        name: 'n',
        value: 'ü',
      });
      expect(response).toMatchObject({ status: 200, body: { ok: true }, address: server.url });
    }
    const [plain, other] = server.seen.map(({ port: _port, ...seen }) => seen);
    expect(plain).toEqual(other);
    expect(plain).toMatchObject({
      body: '{"value":"ü"}',
      headers: { 'content-length': '14', 'x-secrets-token': token },
    });
  });

  test('shares a connection with those before', async () => {
    const server = await serve(good);
    const send = transport(endpointOf(server.url), manyOptions());
    for (const retry of ['repeat', 'read', 'repeat'] as const) await send(operation(retry), input);
    expect(new Set(server.seen.map(({ port }) => port)).size).toBe(1);
  });

  test('has a connection of its own if it is a write', async () => {
    const server = await serve(good);
    const send = transport(endpointOf(server.url), manyOptions());
    for (const retry of ['repeat', 'write', 'write'] as const) await send(operation(retry), input);
    expect(new Set(server.seen.map(({ port }) => port)).size).toBe(3);
  });

  test('is sent once if the service rejects it', async () => {
    const server = await serve((_seen, response) => json(response, { errors: ['no'] }, 400));
    const error = await errorOf(transport(endpointOf(server.url), manyOptions())(operation('repeat'), input));
    expect(error).toMatchObject({ status: 400, details: ['no'] });
    expect(server.seen).toHaveLength(1);
  });

  test('is sent three times if the service is unavailable', async () => {
    const options = manyOptions();
    const server = await serve((_seen, response) => json(response, { errors: ['later'] }, 503));
    const error = await errorOf(transport(endpointOf(server.url), options)(operation('repeat'), input));
    expect(error.kind).toBe('unavailable');
    expect(server.seen).toHaveLength(3);
    expect(options.notes).toEqual([
      'secrets service: status 503; retrying (attempt 2 of 3)',
      'secrets service: status 503; retrying (attempt 3 of 3)',
    ]);
  });

  test('is sent again after the time that the service asks for, and not if that is too long', async () => {
    const server = await serve((_seen, response, count) => {
      response.setHeader('Retry-After', count === 1 ? '1' : '60');
      json(response, { errors: ['later'] }, 429);
    });
    const options = manyOptions();
    await errorOf(transport(endpointOf(server.url), options)(operation('repeat'), input));
    expect(server.seen).toHaveLength(2);
    expect(options.notes).toEqual(['secrets service: status 429; retrying in 1.0 s (attempt 2 of 3)']);
  });

  test('is sent again if the response is incomplete', async () => {
    const server = await serveSocket((socket) => {
      const more = server.seen.length === 1 ? '{"a":' : '{"a":1}';
      socket.end(`HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 7\r\n\r\n${more}`);
    });
    const response = await transport(endpointOf(server.url), manyOptions())(operation('repeat'), input);
    expect(response.body).toEqual({ a: 1 });
    expect(server.seen).toHaveLength(2);
  });

  test('is sent again without a note if its kept connection is closed', async () => {
    const server = await serveSocket((socket) => {
      if (server.seen.length === 2) socket.destroy();
      else socket.write('HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}');
    });
    const options = manyOptions();
    const send = transport(endpointOf(server.url), options);
    await send(operation('repeat'), input);
    await send(operation('repeat'), input);
    expect(server.seen).toHaveLength(3);
    expect(options.notes).toEqual([]);
  });

  test('that is not connected is an error after three attempts', async () => {
    const options = manyOptions();
    const endpoint = endpointOf(`http://127.0.0.1:${await freePort()}`);
    const error = await errorOf(transport(endpoint, options)(operation('repeat'), input));
    expect(error.kind).toBe('unreachable');
    expect(options.notes).toHaveLength(2);
  });

  test('that times out is an error after three attempts', async () => {
    const server = await serve(() => {});
    const options = manyOptions({ timeout: 50 });
    const error = await errorOf(transport(endpointOf(server.url), options)(operation('repeat'), input));
    expect(error).toMatchObject({ kind: 'unreachable', retryable: true });
    expect(error.message).toContain('request timed out');
    expect(server.seen).toHaveLength(3);
  });

  test('with a response that is too large is an error', async () => {
    const server = await serve((_seen, response) => {
      response.writeHead(200, { 'Content-Type': 'application/json' });
      response.end(Buffer.alloc(maxResponseBytes + 1, ' '));
    });
    const error = await errorOf(transport(endpointOf(server.url), manyOptions())(operation('repeat'), input));
    expect(error.message).toContain('a response of more than 64 MiB');
    expect(server.seen).toHaveLength(1);
  });

  test('with a response that is not valid HTTP is an error', async () => {
    const server = await serveSocket((socket) => socket.end('nonsense\r\n\r\n'));
    const error = await errorOf(transport(endpointOf(server.url), manyOptions())(operation('repeat'), input));
    expect(error).toMatchObject({ kind: 'failure' });
    expect(error.message).toContain('invalid HTTP response');
  });
});

describe('a redirect of one of many requests', () => {
  test('is followed five times, and the redirected request is not repeated', async () => {
    const server = await serve((_seen, response, count) => {
      response.writeHead(302, { Location: `/v1/${count}` }).end();
    });
    const error = await errorOf(transport(endpointOf(server.url), manyOptions())(operation('read'), input));
    expect(error.message).toContain('redirects more than 5 times');
    expect(urls(server)).toEqual(['/v1/thing/n', '/v1/1', '/v1/2', '/v1/3', '/v1/4', '/v1/5']);
  });

  test('to the active server is followed once: that is asked from then on', async () => {
    const active = await serve(good);
    const standby = await serve((_seen, response) => {
      response.writeHead(307, { Location: `${active.url}/v1/thing/n` }).end();
    });
    const addresses = [standby.url, active.url];
    const send = transport(endpointOf(standby.url, { addresses }), manyOptions());
    await send(operation('repeat'), input);
    await send(operation('repeat'), input);
    expect([standby.seen.length, active.seen.length]).toEqual([1, 2]);
    expect(active.seen[0]?.headers).toMatchObject({ 'x-secrets-token': token });
  });

  test('to another origin is not followed', async () => {
    const other = await serve(good);
    const server = await serve((_seen, response) => {
      response.writeHead(307, { Location: `${other.url}/v1/thing/n` }).end();
    });
    const error = await errorOf(transport(endpointOf(server.url), manyOptions())(operation('repeat'), input));
    expect(error.message).toContain(`the active server ${other.url} is not in the settings (307)`);
    expect([server.seen.length, other.seen.length]).toEqual([1, 0]);
  });
});

describe('an interruption', () => {
  test('ends all running requests, and none is retried', async () => {
    const interruption = new AbortController();
    const server = await serve(() => {
      if (server.seen.length === 3) interruption.abort();
    });
    const send = transport(endpointOf(server.url), manyOptions({ signal: interruption.signal }));
    const calls = [1, 2, 3].map(() => errorOf(send(operation('repeat'), input)));
    for (const { kind } of await Promise.all(calls)) expect(kind).toBe('interrupted');
    expect(server.seen).toHaveLength(3);
    expect((await errorOf(send(operation('repeat'), input))).kind).toBe('interrupted');
    expect(server.seen).toHaveLength(3);
  });

  test('ends the delay before a retry', async () => {
    const interruption = new AbortController();
    const server = await serve((_seen, response) => {
      response.setHeader('Retry-After', '20');
      json(response, {}, 503);
    });
    const options = manyOptions({ signal: interruption.signal });
    const send = transport(endpointOf(server.url), { ...options, note: () => interruption.abort() });
    expect((await errorOf(send(operation('repeat'), input))).kind).toBe('interrupted');
    expect(server.seen).toHaveLength(1);
  });
});

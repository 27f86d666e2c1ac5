import { createServer as createSocketServer } from 'node:net';
import { describe, expect, test } from 'vitest';
import { transport } from '../../../src/api/http/client.ts';
import { exchange } from '../../../src/api/http/exchange.ts';
import { maxResponseBytes } from '../../../src/api/http/response.ts';
import { LanyardError } from '../../../src/errors.ts';
import { freePort } from '../../support/ports.ts';
import {
  endpointOf,
  errorOf,
  type Handler,
  json,
  listen,
  operation,
  optionsOf,
  request,
  serve,
  serveSocket,
  token,
} from './support.ts';

const input = { name: 'n' };
const good: Handler = (_seen, response) => json(response, { ok: true });
const sealed: Handler = (_seen, response) => json(response, { errors: ['Vault is sealed'] }, 503);
const isSent = 'The request was sent; whether "do the thing" took effect is not known.';
const head = (status: number, more = 'Content-Length: 50') =>
  `HTTP/1.1 ${status} Status\r\nContent-Type: application/json\r\n${more}\r\n\r\n`;
const complete = `${head(200, 'Content-Length: 2')}{}`;

describe('a request', () => {
  test('has the length of its body in bytes, and none without a body', async () => {
    const server = await serve(good);
    const send = transport(endpointOf(server.url), optionsOf());
    await send(operation('write'), { name: 'n', value: 'ü' });
    await send(operation('read'), input);
    expect(server.seen[0]?.body).toBe('{"value":"ü"}');
    expect(server.seen[0]?.headers).toMatchObject({ 'content-length': '14' });
    expect(server.seen[0]?.headers).not.toHaveProperty('transfer-encoding');
    expect(server.seen[1]?.headers).not.toHaveProperty('content-length');
    expect(server.seen[1]?.headers).not.toHaveProperty('transfer-encoding');
  });

  test('is sent after its secrets were handed over', async () => {
    const server = await serve(good);
    const secrets: unknown[] = [];
    const options = optionsOf({ sent: (all) => secrets.push(server.seen.length, ...all) });
    await request(server.url, 'read', options);
    expect(secrets).toEqual([0, token]);
  });

  test.each([
    ['https', ['the certificate of the secrets service is not verified: connections can be intercepted']],
    ['http', []],
  ])('without verification has a warning only with TLS (%s)', async (scheme, warnings) => {
    const options = optionsOf();
    const endpoint = endpointOf(`${scheme}://127.0.0.1:${await freePort()}`, { skipVerify: true });
    await errorOf(transport(endpoint, options)(operation('write'), input));
    expect(options.warnings).toEqual(warnings);
  });

  test('with verification has no warning', async () => {
    const options = optionsOf();
    const endpoint = endpointOf(`https://127.0.0.1:${await freePort()}`);
    await errorOf(transport(endpoint, options)(operation('write'), input));
    expect(options.warnings).toEqual([]);
  });

  test('to a server whose TLS files cannot be read is not sent, also after another server', async () => {
    const port = await freePort();
    const [plain, secure] = [`http://127.0.0.1:${port}`, `https://127.0.0.1:${port}`];
    for (const addresses of [[secure], [secure, plain], [plain, secure]]) {
      const options = optionsOf();
      const endpoint = endpointOf(addresses[0] ?? '', { addresses, caCert: '/no/such/file.pem' });
      const error = await errorOf(transport(endpoint, options)(operation('read'), input));
      expect(error).toMatchObject({
        kind: 'usage',
        message: 'cannot read the CA certificate /no/such/file.pem: no such file',
      });
      expect(options.details.filter((line) => line.startsWith('> '))).toHaveLength(addresses.indexOf(secure));
      expect(options.notes).toHaveLength(addresses.indexOf(secure));
    }
  });

  test.each(['write', 'once'] as const)('that times out has an unknown outcome (%s)', async (retry) => {
    const server = await serveSocket(() => {});
    const send = transport(endpointOf(server.url), optionsOf({ timeout: 500 }));
    expect(await errorOf(send(operation(retry), input))).toMatchObject({
      kind: 'unknown',
      message: 'do the thing: outcome unknown: request timed out',
      details: [isSent],
    });
    expect(server.seen).toHaveLength(1);
  });

  test('of a write accepts 200 for 204 and the reverse, and no other success', async () => {
    let status = 200;
    const server = await serve((_seen, response) => response.writeHead(status).end());
    const send = transport(endpointOf(server.url), optionsOf());
    for (const [got, accepts] of [
      [200, 204],
      [204, 200],
    ] as const) {
      status = got;
      expect((await send(operation('write', { accepts: [accepts, 404] }), input)).status).toBe(got);
      expect((await errorOf(send(operation('read', { accepts: [accepts] }), input))).status).toBe(got);
      const neither = await errorOf(send(operation('write', { accepts: [202] }), input));
      expect(neither.message).toBe(
        `unexpected response from the secrets service: status ${got}, which this operation does not have`,
      );
    }
    status = 202;
    expect((await errorOf(send(operation('write', { accepts: [200, 204] }), input))).status).toBe(202);
  });

  test('whose response the operation rejects is an unexpected response, without its secrets', async () => {
    const server = await serve(good);
    const rejecting = operation('read', {
      decode: () => {
        throw new Error(`ok: expected a number of ${token}\nin the body`);
      },
    });
    const error = await errorOf(transport(endpointOf(server.url), optionsOf())(rejecting, input));
    expect(error).toMatchObject({
      kind: 'failure',
      message:
        'unexpected response from the secrets service: status 200, ok: expected a number of <redacted>',
    });
  });

  test('returns the bytes of its response only if the operation is exact', async () => {
    const server = await serve(good);
    const send = transport(endpointOf(server.url), optionsOf());
    const exact = await send(operation('read', { exact: true }), input);
    expect(Buffer.from(exact.bytes ?? []).toString()).toBe('{"ok":true}');
    expect(await send(operation('read'), input)).not.toHaveProperty('bytes');
  });
});

describe('the details', () => {
  /** Milliseconds in lines that end a request. */
  const times = (details: readonly string[]) => details.flatMap((line) => /(\d+) ms/.exec(line)?.[1] ?? []);
  const withoutTimes = (details: readonly string[]) => details.map((line) => line.replace(/\d+ ms/, 'N ms'));

  test('have a line for each request and what it ended with: redirect, error status, network error', async () => {
    const server = await serve((seen, response, count) => {
      if (count === 1) response.writeHead(307, { Location: '/v1/other' }).end();
      else if (count === 2) json(response, { errors: ['busy'] }, 503);
      else if (count === 3) response.destroy();
      else good(seen, response, count);
    });
    const options = optionsOf();
    const start = performance.now();
    await request(server.url, 'read', options);
    const elapsed = performance.now() - start;
    expect(withoutTimes(options.details)).toEqual([
      `> GET ${server.url}/v1/thing/n`,
      '< 307 in N ms',
      `> GET ${server.url}/v1/other`,
      '< 503 in N ms, 19 bytes',
      // A retry begins where the call did.
      `> GET ${server.url}/v1/thing/n`,
      '< ECONNRESET after N ms',
      `> GET ${server.url}/v1/thing/n`,
      '< 200 in N ms, 11 bytes',
    ]);
    // No request takes longer than the call.
    for (const time of times(options.details)) expect(Number(time)).toBeLessThanOrEqual(Math.ceil(elapsed));
  });

  test('have one line for an error that ends the call', async () => {
    const server = await serve((_seen, response) => json(response, { errors: [] }, 404));
    const options = optionsOf();
    await errorOf(request(server.url, 'read', options));
    expect(withoutTimes(options.details)).toEqual([
      `> GET ${server.url}/v1/thing/n`,
      '< 404 in N ms, 13 bytes',
    ]);
  });

  test('that cannot be written leave open whether a write took effect', async () => {
    const server = await serve((_seen, response) => json(response, { errors: ['internal'] }, 500));
    const detail = (line: string) => {
      if (line.startsWith('< ')) throw new Error('stderr is closed');
    };
    const options = { ...optionsOf(), detail };
    expect(await errorOf(request(server.url, 'write', options))).toMatchObject({
      kind: 'unknown',
      message: 'do the thing: outcome unknown: stderr is closed',
      details: [isSent],
    });
  });
});

describe('a redirect', () => {
  test('is checked each time: a followed one does not permit the next', async () => {
    const foreign = await serve(good);
    const server = await serve((_seen, response, count) =>
      response.writeHead(307, { Location: count === 1 ? '/v1/other' : `${foreign.url}/v1/other` }).end(),
    );
    const error = await errorOf(request(server.url));
    expect(error.message).toContain(`the active server ${foreign.url} is not in the settings`);
    expect(server.seen.map(({ url }) => url)).toEqual(['/v1/thing/n', '/v1/other']);
    expect(foreign.seen).toEqual([]);
  });

  test('of each attempt counts anew', async () => {
    const server = await serve((seen, response, count) => {
      const hop = Number(/\d$/.exec(seen.url)?.[0] ?? 0);
      if (hop < 4) response.writeHead(302, { Location: `/v1/hop/${hop + 1}` }).end();
      else if (count < 10) response.writeHead(503).end();
      else good(seen, response, count);
    });
    const response = await request(server.url);
    expect(response.body).toEqual({ ok: true });
    expect(server.seen).toHaveLength(10);
  });

  test('is followed to the unchanged target', async () => {
    const server = await serve((seen, response, count) => {
      if (count === 1) response.writeHead(307, { Location: '/v1/%C3%A9/a%2Fb?x=%20#part' }).end();
      else good(seen, response, count);
    });
    await request(server.url);
    expect(server.seen[1]?.url).toBe('/v1/%C3%A9/a%2Fb?x=%20');
  });

  test('to the active server, which then redirects to the first: that is asked from then on', async () => {
    const urls: string[] = [];
    const handler =
      (other: number): Handler =>
      (seen, response, count) => {
        if (seen.url.endsWith('/done')) good(seen, response, count);
        else if (other === 0) response.writeHead(307, { Location: `${urls[0]}/v1/done` }).end();
        else response.writeHead(307, { Location: urls[1] + seen.url }).end();
      };
    const [first, second] = [await serve(handler(1)), await serve(handler(0))];
    urls.push(first.url, second.url);
    const send = transport(endpointOf(first.url, { addresses: urls }), optionsOf());
    expect((await send(operation('write'), input)).address).toBe(first.url);
    expect(first.seen.map(({ url, method }) => [method, url])).toEqual([
      ['POST', '/v1/thing/n'],
      ['POST', '/v1/done'],
    ]);
  });
});

describe('a kept connection', () => {
  /** A server whose connections respond to one request; `then` responds to the next one on the same. */
  const closing = async (then: (socket: Parameters<Parameters<typeof serveSocket>[0]>[0]) => void) => {
    const ports = new Set<number | undefined>();
    const server = await serveSocket((socket) => {
      if (ports.has(socket.remotePort)) then(socket);
      else socket.write(complete);
      ports.add(socket.remotePort);
    });
    return { ...server, ports };
  };

  test('that is closed at the next request is replaced by a new one, without a note', async () => {
    const server = await closing((socket) => socket.resetAndDestroy());
    const options = optionsOf();
    // No retry is left for it.
    const send = transport(endpointOf(server.url, { maxRetries: 0 }), options);
    // Two connections are kept.
    await Promise.all([send(operation('read'), input), send(operation('read'), input)]);
    expect((await send(operation('repeat'), { name: 'n', value: 'v' })).status).toBe(200);
    expect(options.notes).toEqual([]);
    // The other kept one is not tried.
    expect(server.seen.map(({ body }) => body)).toEqual(['', '', '{"value":"v"}', '{"value":"v"}']);
    expect(server.ports.size).toBe(3);
  });

  test('that is closed after a redirect is replaced for the target of the redirect', async () => {
    const asked = new Map<number | undefined, number>();
    const server = await serveSocket((socket) => {
      const count = (asked.get(socket.remotePort) ?? 0) + 1;
      asked.set(socket.remotePort, count);
      if (count === 2) socket.destroy();
      else if (server.seen.at(-1)?.url === '/v1/other') socket.write(complete);
      else socket.write('HTTP/1.1 307 X\r\nLocation: /v1/other\r\nContent-Length: 0\r\n\r\n');
    });
    const options = optionsOf();
    await request(server.url, 'read', options);
    expect(server.seen.map(({ url }) => url)).toEqual(['/v1/thing/n', '/v1/other', '/v1/other']);
    expect(options.notes).toEqual([]);
  });

  test('that is closed within a response is a failed attempt', async () => {
    const server = await closing((socket) => socket.end(head(200)));
    const options = optionsOf();
    const send = transport(endpointOf(server.url), options);
    await send(operation('read'), input);
    await send(operation('read'), input);
    expect(options.notes).toHaveLength(1);
    expect(server.seen).toHaveLength(3);
  });

  test('with an invalid response is a failure', async () => {
    const server = await closing((socket) => socket.end('SSH-2.0-OpenSSH_9.9\r\n'));
    const send = transport(endpointOf(server.url), optionsOf());
    await send(operation('read'), input);
    expect((await errorOf(send(operation('read'), input))).kind).toBe('failure');
    expect(server.seen).toHaveLength(2);
  });
});

describe('an error status with an incomplete body', () => {
  const send = async (retry: 'read' | 'write', bytes: string) => {
    const server = await serveSocket((socket) => socket.end(bytes));
    const options = optionsOf();
    const error = await errorOf(request(server.url, retry, options));
    return { error, notes: options.notes, requests: server.seen.length };
  };

  test.each(['read', 'write'] as const)('is enough, and the error says so (%s)', async (retry) => {
    for (const [status, kind] of [
      [400, 'invalid'],
      [403, 'forbidden'],
    ] as const) {
      const { error, requests } = await send(retry, `${head(status)}{"err`);
      expect({ ...error, kind: error.kind }).toMatchObject({
        status,
        details: ['The response is incomplete.'],
      });
      if (kind === 'forbidden') expect(error.kind).toBe(kind);
      expect(requests).toBe(1);
    }
  });

  test('is a reason to send a read again', async () => {
    const { error, notes, requests } = await send('read', `${head(503)}{"err`);
    expect(error).toMatchObject({ kind: 'unavailable', status: 503 });
    expect(notes[0]).toBe('secrets service: status 503; retrying (attempt 2 of 3)');
    expect(requests).toBe(3);
  });

  test('is enough for a read even if the body is not valid HTTP', async () => {
    const { error } = await send('read', `${head(404, 'Transfer-Encoding: chunked')}zz\r\n{}\r\n0\r\n\r\n`);
    expect(error).toMatchObject({ kind: 'not_found', status: 404 });
  });
});

describe('an interrupted call', () => {
  test('of a read is not retried', async () => {
    const stop = new AbortController();
    const server = await serveSocket(() => stop.abort());
    const options = optionsOf({ signal: stop.signal });
    const error = await errorOf(request(server.url, 'read', options));
    expect(error).toMatchObject({ kind: 'interrupted', details: [] });
    expect(options.notes).toEqual([]);
  });

  test('of a write that was sent has an unknown outcome', async () => {
    const stop = new AbortController();
    const server = await serveSocket(() => stop.abort());
    const error = await errorOf(request(server.url, 'write', optionsOf({ signal: stop.signal })));
    expect(error).toMatchObject({ kind: 'interrupted', details: [isSent] });
  });

  test('that was interrupted before is not sent', async () => {
    const server = await serve(good);
    const options = optionsOf({ signal: AbortSignal.abort() });
    expect((await errorOf(request(server.url, 'write', options))).kind).toBe('interrupted');
    expect(server.seen).toEqual([]);
  });

  test('of a write had no effect before the connection is open', async () => {
    const stop = new AbortController();
    // It never responds to the handshake.
    const port = await listen(createSocketServer(() => stop.abort()));
    const send = transport(endpointOf(`https://127.0.0.1:${port}`), optionsOf({ signal: stop.signal }));
    const error = await errorOf(send(operation('write'), input));
    expect(error).toMatchObject({ kind: 'interrupted', details: [] });
  });

  test('of a write had no effect after a server that is sealed', async () => {
    const stop = new AbortController();
    const [first, second] = await Promise.all([serve(sealed), serve(good)]);
    const options = { ...optionsOf({ signal: stop.signal }), note: () => stop.abort() };
    const endpoint = endpointOf(first.url, { addresses: [first.url, second.url] });
    const error = await errorOf(transport(endpoint, options)(operation('write'), input));
    expect(error).toMatchObject({ kind: 'interrupted', details: [] });
    expect(second.seen).toEqual([]);
  });
});

test('an interruption between two requests ends the loop', async () => {
  const stop = new AbortController();
  const sent: number[] = [];
  const looping = exchange(
    1,
    async (n) => {
      sent.push(n);
      stop.abort();
    },
    (n) => (n < 3 ? { send: n + 1, afterMs: 0 } : { result: 'done' }),
    { signal: stop.signal, interrupted: () => new LanyardError('interrupted', 'do the thing: interrupted') },
  );
  await expect(looping).rejects.toThrow('do the thing: interrupted');
  expect(sent).toEqual([1]);
});

describe('a response of the size limit', () => {
  const bytes = (size: number, status = 200): Handler => {
    const body = Buffer.alloc(size, ' ');
    return (_seen, response) => response.writeHead(status, { 'Content-Type': 'text/plain' }).end(body);
  };

  test('is accepted, and not one byte more', async () => {
    const server = await serve(bytes(maxResponseBytes));
    const response = await request(server.url);
    expect(response.body).toHaveLength(maxResponseBytes);
  });

  test.each(['read', 'write'] as const)('and one byte is an error, without a retry (%s)', async (retry) => {
    const tooLarge = bytes(maxResponseBytes + 1, retry === 'read' ? 503 : 200);
    const server = await serve((seen, response, count) => {
      // Also after a redirect.
      if (retry === 'read' && count === 1) response.writeHead(307, { Location: '/v1/other' }).end();
      else tooLarge(seen, response, count);
    });
    const options = optionsOf();
    const error = await errorOf(request(server.url, retry, options));
    const status = retry === 'read' ? 503 : 200;
    expect(error).toMatchObject({
      kind: retry === 'read' ? 'unavailable' : 'unknown',
      status,
      message: `unexpected response from the secrets service: status ${status}, a response of more than 64 MiB`,
      details: retry === 'read' ? [] : [isSent],
    });
    expect(options.notes).toEqual([]);
    expect(server.seen).toHaveLength(retry === 'read' ? 2 : 1);
  });
});

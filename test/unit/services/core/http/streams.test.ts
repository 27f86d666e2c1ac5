import { randomBytes } from 'node:crypto';
import { open, writeFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import {
  createHttpServer,
  type HttpServerOptions,
} from '../../../../../src/services/core/http/http-server.ts';
import {
  type HttpError,
  type HttpRequest,
  type HttpResponse,
  textResponse,
} from '../../../../../src/services/core/http/http-service.ts';
import { eventually } from '../../../../support/eventually.ts';
import { folder } from '../../support.ts';

/** Starts a service with one handler; returns its port. */
async function serving(
  handle: (request: HttpRequest) => Promise<HttpResponse>,
  options: Partial<HttpServerOptions> = {},
): Promise<number> {
  const service = {
    name: 'box' as const,
    headerPrefixes: ['X-Box', 'X-Atlas'] as const,
    handle,
    errorResponse: ({ status, message }: HttpError) => textResponse(status, message),
  };
  const host = createHttpServer(service, { version: '0.0.0-test', log: () => {}, ...options });
  onTestFinished(() => host.close());
  return host.listen(0);
}

function opened(
  port: number,
  request: string,
): { socket: Socket; response: Promise<string>; received: () => string } {
  const socket = connect(port, '127.0.0.1');
  const parts: Buffer[] = [];
  const received = () => Buffer.concat(parts).toString('latin1');
  socket.on('data', (part: Buffer) => parts.push(part));
  socket.on('error', () => {});
  socket.write(request);
  const response = new Promise<string>((resolve) => socket.on('close', () => resolve(received())));
  onTestFinished(() => {
    socket.destroy();
  });
  return { socket, response, received };
}

const head = (...lines: string[]): string =>
  ['PUT / HTTP/1.1', 'Host: localhost', ...lines, '', ''].join('\r\n');

const limits = { limit: 100 * 1024 * 1024, stallTimeoutMs: 60_000 };

/** Reads the body and responds with its length. */
async function count(request: HttpRequest): Promise<HttpResponse> {
  let bytes = 0;
  for await (const chunk of request.stream(limits)) bytes += chunk.length;
  return textResponse(200, String(bytes));
}

describe('a body that is streamed', () => {
  test('may be longer than one that is read into memory', async () => {
    const port = await serving(count);
    const reply = await fetch(`http://127.0.0.1:${port}`, {
      method: 'PUT',
      body: Buffer.alloc(40 * 1024 * 1024),
    });
    expect(await reply.text()).toBe(String(40 * 1024 * 1024));
  });

  test('is read from the sender no faster than from the stream', async () => {
    const go = new AbortController();
    let taken = 0;
    const port = await serving(async (request) => {
      for await (const chunk of request.stream(limits)) {
        taken += chunk.length;
        if (!go.signal.aborted) await new Promise((resolve) => go.signal.addEventListener('abort', resolve));
      }
      return textResponse(200, String(taken));
    });
    const bytes = 50 * 1024 * 1024;
    const { socket, response } = opened(port, head(`Content-Length: ${bytes}`, 'Connection: close'));
    socket.write(Buffer.alloc(bytes));
    await eventually(() => expect(taken).toBeGreaterThan(0));
    await pause(200);
    expect(socket.writableNeedDrain).toBe(true);
    go.abort();
    expect(await response).toMatch(new RegExp(`\r\n\r\n${bytes}$`));
  });

  test('is 413 over its limit, with or without Content-Length', async () => {
    const port = await serving(async (request) => {
      for await (const _ of request.stream({ ...limits, limit: 10 }));
      return textResponse(200, 'read');
    });
    const announced = opened(port, head('Content-Length: 11'));
    expect(await announced.response).toMatch(/^HTTP\/1.1 413 /);
    const chunked = opened(port, `${head('Transfer-Encoding: chunked')}b\r\nhello world\r\n`);
    expect(await chunked.response).toMatch(/^HTTP\/1.1 413 /);
  });

  test('that stalls is 408, and one that is not consumed is not', async () => {
    const port = await serving(async (request) => {
      let text = '';
      for await (const chunk of request.stream({ ...limits, stallTimeoutMs: 100 })) {
        text += chunk.toString();
        await pause(200);
      }
      return textResponse(200, text);
    });
    const stalled = opened(port, `${head('Content-Length: 5')}he`);
    expect(await stalled.response).toMatch(/^HTTP\/1.1 408 /);
    const whole = opened(port, `${head('Content-Length: 5', 'Connection: close')}hello`);
    expect(await whole.response).toMatch(/\r\n\r\nhello$/);
  });

  test('may exceed the request timeout if its reader enforces one', async () => {
    const slowly = async (port: number): Promise<string> => {
      const { socket, response } = opened(port, head('Content-Length: 15', 'Connection: close'));
      for (let sent = 0; sent < 15 && !socket.destroyed; sent++) {
        await pause(100);
        socket.write('x');
      }
      return response;
    };
    const patient = await serving(count, { timeouts: { headMs: 10_000, requestMs: 0 } });
    const usual = await serving(count, { timeouts: { headMs: 200, requestMs: 300 } });
    const [first, second] = await Promise.all([slowly(patient), slowly(usual)]);
    expect(first).toMatch(/\r\n\r\n15$/);
    expect(second).toMatch(/^HTTP\/1.1 408 /);
  });

  test('still needs a head in time', async () => {
    const port = await serving(count, { timeouts: { headMs: 200, requestMs: 0 } });
    const { response } = opened(port, 'PUT / HTTP/1.1\r\nHost:');
    expect(await response).toMatch(/^HTTP\/1.1 408 /);
  });

  test('that is incomplete is an error of the reader', async () => {
    const thrown = vi.fn();
    let received = 0;
    const port = await serving(async (request) => {
      try {
        for await (const chunk of request.stream(limits)) received += chunk.length;
        return textResponse(200, 'read');
      } catch (error) {
        thrown(error);
        throw error;
      }
    });
    const { socket } = opened(port, `${head('Content-Length: 5')}he`);
    await eventually(() => expect(received).toBe(2));
    socket.destroy();
    await eventually(() => expect(thrown).toHaveBeenCalledOnce());
    expect(thrown.mock.lastCall?.[0]).toMatchObject({ status: 400, message: 'incomplete request body' });
  });
});

describe('a client that expects 100-continue', () => {
  const asks = (length: number) =>
    head(`Content-Length: ${length}`, 'Expect: 100-continue', 'Connection: close');

  test.for(['stream', 'text', 'bytes', 'json'] as const)(
    'gets 100 Continue when the body is read as %s',
    async (how) => {
      const port = await serving(async (request) => {
        if (how === 'stream') return count(request);
        await request[how]();
        return textResponse(200, '4');
      });
      const { socket, response, received } = opened(port, asks(4));
      await eventually(() => expect(received()).toBe('HTTP/1.1 100 Continue\r\n\r\n'));
      socket.write('1234');
      expect(await response).toMatch(/^HTTP\/1.1 100 Continue\r\n\r\nHTTP\/1.1 200 OK\r\n[\s\S]*\r\n\r\n4$/);
    },
  );

  test('is rejected before it sends', async () => {
    const port = await serving(async () => textResponse(404, 'none'));
    const { response } = opened(port, asks(4));
    expect(await response).toMatch(/^HTTP\/1.1 404 [\s\S]*\r\n\r\nnone$/);
  });

  test('is rejected before it sends too much', async () => {
    const port = await serving(count);
    const { response } = opened(port, asks(limits.limit + 1));
    expect(await response).toMatch(/^HTTP\/1.1 413 /);
  });
});

describe('a response that is a part of a file', () => {
  async function giving(bytes: Buffer, start: number, length: number) {
    const path = join(await folder(), 'file');
    await writeFile(path, bytes);
    const files: { closed: () => boolean }[] = [];
    const port = await serving(async () => {
      const file = await open(path);
      files.push({ closed: () => file.fd === -1 });
      return { status: 200, body: { file, start, length } };
    });
    return { url: `http://127.0.0.1:${port}`, port, files };
  }

  test.for([
    [0, 1_000_000],
    [1, 999_999],
    [262_143, 262_146],
    [5, 0],
  ] as const)('from %i on, %i bytes long, is sent exactly', async ([start, length]) => {
    const bytes = randomBytes(1_000_000);
    const { url, files } = await giving(bytes, start, length);
    const reply = await fetch(url);
    expect(reply.headers.get('content-length')).toBe(String(length));
    expect(bytes.subarray(start, start + length).equals(await reply.bytes())).toBe(true);
    await eventually(() => expect(files[0]?.closed()).toBe(true));
  });

  test('leaves the connection usable for the next request', async () => {
    const { port } = await giving(Buffer.from('hello'), 0, 5);
    const get = 'GET / HTTP/1.1\r\nHost: localhost\r\n';
    const { socket, response, received } = opened(port, `${get}\r\n`);
    await eventually(() => expect(received()).toContain('hello'));
    socket.write(`${get}Connection: close\r\n\r\n`);
    expect((await response).match(/\r\n\r\nhello/g)).toHaveLength(2);
  });

  test('of a file that is too short is aborted, not padded', async () => {
    const { port, files } = await giving(Buffer.from('hello'), 0, 10);
    const { response } = opened(port, 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
    expect(await response).toMatch(/Content-Length: 10\r\n[\s\S]*\r\n\r\nhello$/);
    await eventually(() => expect(files[0]?.closed()).toBe(true));
  });

  test('is closed when the client disconnects', async () => {
    const { port, files } = await giving(Buffer.alloc(30 * 1024 * 1024), 0, 30 * 1024 * 1024);
    const { socket } = opened(port, 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await new Promise((resolve) => socket.once('data', resolve));
    socket.resetAndDestroy();
    await eventually(() => expect(files[0]?.closed()).toBe(true));
  });

  test('to HEAD has its length, and is closed', async () => {
    const { url, files } = await giving(Buffer.from('hello'), 0, 5);
    const reply = await fetch(url, { method: 'HEAD' });
    expect(reply.headers.get('content-length')).toBe('5');
    await eventually(() => expect(files[0]?.closed()).toBe(true));
  });
});

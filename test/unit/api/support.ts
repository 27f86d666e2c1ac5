import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { createServer as createSecureServer, type ServerOptions } from 'node:https';
import {
  type AddressInfo,
  createServer as createSocketServer,
  type Server as NetServer,
  type Socket,
} from 'node:net';
import { inspect } from 'node:util';
import { onTestFinished } from 'vitest';
import type { Endpoint, TransportOptions } from '../../../src/api/endpoint.ts';
import { failure } from '../../../src/api/failures.ts';
import { transport } from '../../../src/api/http/client.ts';
import type { Call } from '../../../src/api/http/response.ts';
import { type Body, type Decoder, op, type Retry } from '../../../src/api/operation.ts';
import { LanyardError } from '../../../src/errors.ts';
import type { ServiceName } from '../../../src/wire/services.ts';

/** A request as a server saw it. */
export interface Seen {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
  readonly port: number | undefined;
}

export interface TestServer {
  readonly url: string;
  readonly port: number;
  readonly seen: Seen[];
}

/** A handler gets the request with its body read. */
export type Handler = (seen: Seen, response: Parameters<RequestListener>[1], count: number) => void;

/**
 * A real HTTP(S) server on a free port of the loopback, closed at the end of the test.
 * @param keepAlive milliseconds that a connection is kept for the next request
 */
export async function serve(handler: Handler, tls?: ServerOptions, keepAlive = 5_000): Promise<TestServer> {
  const seen: Seen[] = [];
  const listener: RequestListener = (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      const one = {
        method,
        url,
        headers,
        body: Buffer.concat(chunks).toString(),
        port: request.socket.remotePort,
      };
      seen.push(one);
      handler(one, response, seen.length);
    });
  };
  const server: Server = tls ? createSecureServer(tls, listener) : createServer(listener);
  server.keepAliveTimeout = keepAlive;
  const port = await listen(server);
  onTestFinished(() => server.closeAllConnections());
  return { url: `${tls ? 'https' : 'http'}://127.0.0.1:${port}`, port, seen };
}

/** A server below HTTP: each connection is handed over when its request's head and body have come. */
export async function serveSocket(answer: (socket: Socket, request: string) => void): Promise<TestServer> {
  const seen: Seen[] = [];
  const server = createSocketServer((socket) => {
    let text = '';
    socket.on('error', () => {});
    socket.on('data', (chunk) => {
      text += chunk.toString();
      const length = Number(/content-length: (\d+)/i.exec(text)?.[1] ?? 0);
      const end = text.indexOf('\r\n\r\n');
      if (end < 0 || text.length < end + 4 + length) return;
      const [method = '', url = ''] = text.split(' ');
      seen.push({ method, url, headers: {}, body: text.slice(end + 4), port: socket.remotePort });
      answer(socket, text);
      text = '';
    });
    onTestFinished(() => {
      socket.destroy();
    });
  });
  const port = await listen(server);
  return { url: `http://127.0.0.1:${port}`, port, seen };
}

export async function listen(server: NetServer): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

export const token = 'hvs.CAESIJ-this-is-the-token';

export function endpointOf(address: string, more: Partial<Endpoint> = {}): Endpoint {
  return { service: 'secrets', address, headerPrefixes: ['X-Secrets'], token: async () => token, ...more };
}

interface Output {
  readonly notes: string[];
  readonly warnings: string[];
  readonly details: string[];
}

/** Options of a transport that keep its output, and wait no time between attempts. */
export function optionsOf(more: Partial<TransportOptions> = {}): TransportOptions & Output {
  const output: Output = { notes: [], warnings: [], details: [] };
  return {
    timeout: 60_000,
    signal: new AbortController().signal,
    userAgent: 'lanyard/test',
    random: () => 0,
    note: (message) => output.notes.push(message),
    warn: (message) => output.warnings.push(message),
    detail: (message) => output.details.push(message),
    ...more,
    ...output,
  };
}

/** The body as it came. */
export const asIs = (body: Body): Body => body;

interface Names {
  readonly preflight?: true;
  readonly service?: ServiceName;
  readonly token?: 'none';
  readonly accepts?: readonly number[];
  readonly method?: string;
  readonly path?: string;
  readonly query?: readonly string[];
  readonly headers?: Readonly<Record<string, string>>;
  readonly decode?: Decoder<Body>;
  readonly exact?: true;
}

/** A small operation of the given class: `GET /v1/thing/{name}`, or a write with a JSON body. */
export function operation(retry: Retry, names: Names = {}) {
  return op<{ name: string; [member: string]: unknown }>()({
    name: 'do the thing',
    service: 'secrets',
    method: retry === 'read' ? 'GET' : 'POST',
    path: '/v1/thing/{name}',
    ...(retry === 'read' ? {} : { body: 'json' as const }),
    accepts: [200],
    retry,
    decode: asIs,
    ...names,
  });
}

/** Sends the small operation of a class, or another one for `n`, to a server. */
export const request = (
  address: string,
  which: Retry | ReturnType<typeof operation> = 'read',
  options: TransportOptions = optionsOf(),
  more: Partial<Endpoint> = {},
) =>
  transport(endpointOf(address, more), options)(typeof which === 'string' ? operation(which) : which, {
    name: 'n',
  });

/** The error that a promise ends with. */
export async function errorOf(promise: Promise<unknown>): Promise<LanyardError> {
  const error = await promise.then(
    () => {
      throw new Error('it did not fail');
    },
    (error: unknown) => error,
  );
  if (!(error instanceof LanyardError)) throw new Error(`not a LanyardError: ${inspect(error)}`);
  return error;
}

export function json(response: Parameters<RequestListener>[1], body: unknown, status = 200): void {
  response.writeHead(status, { 'Content-Type': 'application/json' });
  response.end(JSON.stringify(body));
}

interface Response {
  readonly headers?: Readonly<Record<string, string>>;
  /** The path of the request. */
  readonly path?: string;
  readonly token?: NonNullable<Call['operation']['token']>;
  readonly tokenSent?: boolean;
  readonly retry?: Retry;
  readonly incomplete?: true;
}

/** The error that the client makes of a response to "do it"; a body that is text is sent as plain text. */
export function failed(service: ServiceName, status: number, body?: unknown, response: Response = {}) {
  const { headers, path, token, tokenSent = true, retry = 'read', incomplete } = response;
  const isPlain = typeof body === 'string';
  return failure(
    {
      operation: { name: 'do it', service, retry, accepts: [200], ...(token && { token }) },
      tokenSent,
      secrets: ['the-token'],
      ...(path && { path }),
    },
    {
      status,
      headers: { 'content-type': isPlain ? 'text/plain' : 'application/json', ...headers },
      text: body === undefined ? '' : isPlain ? body : JSON.stringify(body),
      ...(incomplete && { incomplete }),
    },
  );
}

/** The same of a write, with the text of the body. */
export const failureOf = (service: ServiceName, status: number, text: string, type = 'application/json') =>
  failure(
    { operation: { name: 'do it', service, retry: 'write', accepts: [200] }, tokenSent: true, secrets: [] },
    { status, headers: text === '' ? {} : { 'content-type': type }, text },
  );

import { createServer, type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as after } from 'node:timers/promises';
import { EmbeddedError, messageOf } from '../errors.ts';
import { type Body, readBytes, readChunks, readText } from './body.ts';
import { parseBounded } from './json.ts';
import { MethodReader } from './method.ts';
import { isFilePart, lengthOf, sendPart } from './part.ts';
import { readPath } from './path.ts';
import { checkSource, rejectionOf } from './request-guard.ts';
import { type Answer, HttpRefusal, type HttpRequest, type HttpService } from './service.ts';

/** A service on a port of the loopback interface. */
export interface Host {
  /**
   * @returns the port
   * @throws EmbeddedError port
   */
  listen(port: number): Promise<number>;
  /** Closes idle connections immediately, and active ones after a short grace period. */
  close(): Promise<void>;
}

export interface HostOptions {
  readonly version: string;
  /** Receives internal faults of the service; never contains request content. */
  readonly log: (line: string) => void;
  /** Concurrent connections (default 1,024). Beyond it, the connection that has been idle longest is closed for a new one. */
  readonly maxConnections?: number;
  /** Timeouts in milliseconds for the head of a request and for its body (0: its reader enforces one). */
  readonly patience?: { readonly head: number; readonly request: number };
}

/**
 * Milliseconds for running requests when closing, and for a client that is still sending to read its error.
 */
const closingGrace = 2_000;
const drainGrace = 1_000;

interface Connection {
  readonly reader: MethodReader;
  /** Requests without a response yet, in order. */
  readonly running: Set<ServerResponse>;
  /** The response to bytes that are not a request, sent after those to the running requests. */
  lastWords?: string;
}

export function httpHost(service: HttpService, options: HostOptions): Host {
  const connections = new Map<Socket, Connection>();
  const mark = `Lanyard/${options.version}`;
  const starts = service.prefixes.map((prefix) => `${prefix.toLowerCase()}-`);
  let closing = false;
  const patience = options.patience ?? { head: 15_000, request: 60_000 };
  const server = createServer({
    headersTimeout: patience.head,
    requestTimeout: patience.request,
    connectionsCheckingInterval: Math.min(1_000, patience.head),
    keepAliveTimeout: 60_000,
  });
  const maxConnections = options.maxConnections ?? 1024;

  // Added after Node's own listener, which makes Node pass on bytes that it would otherwise parse unseen.
  server.on('connection', (socket: Socket) => {
    if (connections.size >= maxConnections && !closeLongestIdle()) {
      socket.destroy();
      return;
    }
    const connection: Connection = { reader: new MethodReader(), running: new Set() };
    connections.set(socket, connection);
    socket.prependListener('data', (chunk: Buffer) => connection.reader.see(chunk));
    socket.on('close', () => connections.delete(socket));
  });

  server.on('request', (message: IncomingMessage, response: ServerResponse) => exchange(message, response));
  // `100 Continue` is sent when the body is read, so a rejected body is never sent.
  server.on('checkContinue', (message: IncomingMessage, response: ServerResponse) =>
    exchange(message, response, () => response.writeContinue()),
  );

  /** Closes the connection without a request that has been idle longest. Returns whether there was one. */
  function closeLongestIdle(): boolean {
    for (const [socket, { running }] of connections) {
      if (running.size > 0) continue;
      connections.delete(socket);
      socket.destroy();
      return true;
    }
    return false;
  }

  function exchange(message: IncomingMessage, response: ServerResponse, goOn?: () => void): void {
    const connection = connections.get(message.socket);
    const method = connection?.reader.took(message) ?? message.method ?? '';
    connection?.running.add(response);
    response.on('close', () => connection && answered(message.socket, connection, response));
    serve(message, response, method, goOn).catch((error: unknown) => {
      options.log(`${service.name}: ${messageOf(error)}`);
      message.socket.destroy();
    });
  }

  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    const connection = connections.get(socket);
    if (!connection || !socket.writable || error.code === 'ECONNRESET') {
      socket.destroy();
      return;
    }
    const { status, message } = rejectionOf(error);
    connection.lastWords = rawAnswer(service.refuse(status, message), mark);
    // The response of a request whose body failed goes here.
    const unfinished = [...connection.running].at(-1);
    if (unfinished?.req.complete !== false) answered(socket, connection);
    else if (unfinished.headersSent) socket.destroy();
    else answered(socket, connection, unfinished);
  });

  function answered(socket: Socket, connection: Connection, response?: ServerResponse): void {
    if (response) connection.running.delete(response);
    if (connection.running.size > 0) return;
    // Idle from now on: behind those that have been idle longer.
    if (connections.delete(socket)) connections.set(socket, connection);
    if (connection.lastWords !== undefined) socket.end(connection.lastWords, () => socket.destroy());
    else if (closing) socket.destroySoon();
  }

  async function serve(
    message: IncomingMessage,
    response: ServerResponse,
    method: string,
    goOn?: () => void,
  ): Promise<void> {
    const over = new AbortController();
    response.once('close', () => over.abort());
    const answer = await answerTo(message, method, { over: over.signal, ...(goOn && { goOn }) });
    try {
      if (!response.destroyed) await send(message, response, answer);
    } finally {
      if (isFilePart(answer.body)) await answer.body.file.close();
    }
  }

  async function send(message: IncomingMessage, response: ServerResponse, answer: Answer): Promise<void> {
    const leftover = !message.complete;
    response.writeHead(answer.status, headersOf(answer, leftover || closing));
    const body = message.method === 'HEAD' ? undefined : answer.body;
    if (isFilePart(body)) await sendPart(body, response);
    else if (!leftover) {
      // Sends head and body in one write.
      response.end(body);
      return;
    } else if (body === undefined) response.flushHeaders();
    else response.write(body);
    if (leftover) await drain(message);
    response.end();
  }

  async function answerTo(message: IncomingMessage, method: string, exchange: Exchange): Promise<Answer> {
    try {
      checkSource(message.headers);
      return await service.handle(
        requestOf(message, method, exchange, { starts, keysBelow: service.keysBelow }),
      );
    } catch (error) {
      if (error instanceof HttpRefusal) return service.refuse(error.status, error.message);
      options.log(`${service.name}: ${messageOf(error)}`);
      return service.refuse(500, 'internal error');
    }
  }

  function headersOf(answer: Answer, last: boolean): Record<string, string | number> {
    const headers: Record<string, string | number> = { Server: mark, ...answer.headers };
    for (const [name, value] of Object.entries(answer.prefixed ?? {})) {
      for (const prefix of service.prefixes) headers[`${prefix}-${name}`] = value;
    }
    if (answer.status !== 204 && answer.status !== 304) headers['Content-Length'] = lengthOf(answer.body);
    if (last) headers.Connection = 'close';
    return headers;
  }

  return {
    listen: (port) =>
      new Promise((resolve, reject) => {
        server.once('error', (error: NodeJS.ErrnoException) =>
          reject(cannotListen(service.name, port, error)),
        );
        server.listen(port, '127.0.0.1', () => {
          const address = server.address();
          resolve(typeof address === 'object' && address ? address.port : port);
        });
      }),
    async close() {
      if (!server.listening) return;
      closing = true;
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const [socket, { running }] of connections) if (running.size === 0) socket.destroy();
      const waiting = new AbortController();
      const late = after(closingGrace, undefined, { signal: waiting.signal }).then(
        () => server.closeAllConnections(),
        () => {},
      );
      await closed;
      waiting.abort();
      await late;
    },
  };
}

/** A client that is still sending reads the response only if its connection is not reset. */
async function drain(message: IncomingMessage): Promise<void> {
  message.resume();
  const waiting = new AbortController();
  message.once('close', () => waiting.abort());
  await after(drainGrace, undefined, { signal: waiting.signal, ref: false }).catch(() => {});
}

interface Exchange {
  readonly over: AbortSignal;
  /** Sends `100 Continue`. */
  readonly goOn?: () => void;
}

interface Reading {
  /** Prefixes of the service's own header names. */
  readonly starts: readonly string[];
  readonly keysBelow: HttpService['keysBelow'];
}

function requestOf(
  message: IncomingMessage,
  method: string,
  { over, goOn }: Exchange,
  { starts, keysBelow }: Reading,
): HttpRequest {
  const headers = message.headers as Readonly<Record<string, string | undefined>>;
  const body: Body = {
    announced: headers['content-length'],
    open() {
      goOn?.();
      return message;
    },
  };
  let text: Promise<string> | undefined;
  const request: HttpRequest = {
    ...readPath(message.url ?? '', keysBelow),
    method,
    over,
    headers,
    prefixed: (name) => starts.map((start) => headers[start + name]).find((value) => value !== undefined),
    prefixedAll: () => {
      const own: [string, string][] = [];
      for (const [name, value] of Object.entries(headers)) {
        const start = starts.find((each) => name.startsWith(each));
        if (start !== undefined && value !== undefined) own.push([name.slice(start.length), value]);
      }
      return Object.fromEntries(own);
    },
    text: () => {
      text ??= readText(body);
      return text;
    },
    bytes: () => readBytes(body),
    json: async () => parseBounded(await request.text()),
    stream: (limits) => readChunks(body, limits),
  };
  return request;
}

/** The response to bytes that are not a request, for which there is no response object. */
function rawAnswer(answer: Answer, mark: string): string {
  const { body: given } = answer;
  const body = given === undefined || isFilePart(given) ? '' : Buffer.from(given).toString();
  const headers = {
    Server: mark,
    ...answer.headers,
    'Content-Length': Buffer.byteLength(body),
    Connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${answer.status} ${STATUS_CODES[answer.status] ?? ''}\r\n${lines.join('')}\r\n${body}`;
}

function cannotListen(name: string, port: number, error: NodeJS.ErrnoException): EmbeddedError {
  const why =
    error.code === 'EADDRINUSE'
      ? `port ${port} for the ${name} service is in use; stop the process that uses it, or choose another port`
      : `cannot open port ${port} for the ${name} service: ${error.message}`;
  return new EmbeddedError('port', why, error);
}

import { createServer, type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as after } from 'node:timers/promises';
import { EmbeddedError, messageOf } from '../errors.ts';
import { isFileBody, sendFileBody } from './file-body.ts';
import {
  type EncodedResponse,
  encodeBody,
  HttpError,
  type HttpResponse,
  type HttpService,
  type ServiceParts,
} from './http-service.ts';
import { type Exchange, IncomingRequest } from './incoming-request.ts';
import { JsonBody } from './json-body.ts';
import { MethodReader } from './method-reader.ts';
import { checkSource, rejectionOf } from './request-guard.ts';
import { ResponseHeaders } from './response-headers.ts';

export interface HttpServer {
  /**
   * @returns the port
   * @throws EmbeddedError port
   */
  listen(port: number): Promise<number>;
  /** Closes idle connections immediately, and active ones after a short grace period. */
  close(): Promise<void>;
}

export interface HttpServerOptions extends Pick<ServiceParts, 'version' | 'log'> {
  /** Concurrent connections (default 1,024). Beyond it, the connection that has been idle longest is closed for a new one. */
  readonly maxConnections?: number;
  /** Timeouts in milliseconds for the head of a request and for its body (0: its reader enforces one). */
  readonly timeouts?: { readonly headMs: number; readonly requestMs: number };
}

/** Milliseconds for running requests when closing, and for a client that still sends to read its error. */
const closeGraceMs = 2_000;
const drainGraceMs = 1_000;

interface Connection {
  readonly reader: MethodReader;
  /** Requests without a response yet, in order. */
  readonly pending: Set<ServerResponse>;
  /** The response to bytes that are not a request, sent after those to the running requests. */
  finalResponse?: string;
}

export function createHttpServer(service: HttpService, options: HttpServerOptions): HttpServer {
  const connections = new Map<Socket, Connection>();
  const serverHeader = `Lanyard/${options.version}`;
  const headerPrefixes = service.headerPrefixes.map((prefix) => `${prefix.toLowerCase()}-`);
  const requestOptions = { headerPrefixes, rawKeyPrefixes: service.rawKeyPrefixes };
  const responseHeaders = new ResponseHeaders(service.headerPrefixes, options.version);
  let closing = false;
  const timeouts = options.timeouts ?? { headMs: 15_000, requestMs: 60_000 };
  const server = createServer({
    headersTimeout: timeouts.headMs,
    requestTimeout: timeouts.requestMs,
    connectionsCheckingInterval: Math.min(1_000, timeouts.headMs),
    keepAliveTimeout: 60_000,
    // A request without a body has no stream to end; ignored by releases of Node that do not know it.
    optimizeEmptyRequests: true,
  });
  const maxConnections = options.maxConnections ?? 1024;

  // Added after Node's own listener, which makes Node pass on bytes that it would otherwise parse unseen.
  server.on('connection', (socket: Socket) => {
    if (connections.size >= maxConnections && !closeLongestIdle()) {
      socket.destroy();
      return;
    }
    const connection: Connection = { reader: new MethodReader(), pending: new Set() };
    connections.set(socket, connection);
    socket.prependListener('data', (chunk: Buffer) => connection.reader.observe(chunk));
    socket.on('close', () => connections.delete(socket));
  });

  server.on('request', (message: IncomingMessage, response: ServerResponse) => begin(message, response));
  // `100 Continue` is sent when the body is read, so a rejected body is never sent.
  server.on('checkContinue', (message: IncomingMessage, response: ServerResponse) =>
    begin(message, response, true),
  );

  /** Closes the connection without a request that has been idle longest. Returns whether there was one. */
  function closeLongestIdle(): boolean {
    for (const [socket, { pending }] of connections) {
      if (pending.size > 0) continue;
      connections.delete(socket);
      socket.destroy();
      return true;
    }
    return false;
  }

  function begin(message: IncomingMessage, response: ServerResponse, expectsContinue = false): void {
    const { socket } = message;
    const connection = connections.get(socket);
    const method = connection?.reader.methodOf(message) ?? message.method ?? '';
    connection?.pending.add(response);
    response.on('close', () => {
      if (connection) finishResponse(socket, connection, response);
    });
    serve({ message, response, method, expectsContinue }).catch((error: unknown) => {
      options.log(`${service.name}: ${messageOf(error)}`);
      socket.destroy();
    });
  }

  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    const connection = connections.get(socket);
    if (!connection || !socket.writable || error.code === 'ECONNRESET') {
      socket.destroy();
      return;
    }
    connection.finalResponse = rawResponse(service.errorResponse(rejectionOf(error)), serverHeader);
    // The response of a request whose body failed goes here.
    const unfinished = [...connection.pending].at(-1);
    if (unfinished?.req.complete !== false) finishResponse(socket, connection);
    else if (unfinished.headersSent) socket.destroy();
    else finishResponse(socket, connection, unfinished);
  });

  function finishResponse(socket: Socket, connection: Connection, response?: ServerResponse): void {
    if (response) connection.pending.delete(response);
    if (connection.pending.size > 0) return;
    // Idle from now on: behind those that have been idle longer.
    if (connections.delete(socket)) connections.set(socket, connection);
    if (connection.finalResponse !== undefined) socket.end(connection.finalResponse, () => socket.destroy());
    else if (closing) socket.destroySoon();
  }

  async function serve(exchange: Exchange): Promise<void> {
    const { message, response } = exchange;
    const serviceResponse = await encoded(await respond(exchange));
    try {
      if (!response.destroyed) await send(message, response, serviceResponse);
    } finally {
      if (isFileBody(serviceResponse.body)) await serviceResponse.body.file.close();
    }
  }

  /** A body that cannot be encoded, because it does not have the type of its operation, is a fault of the service. */
  async function encoded(serviceResponse: HttpResponse): Promise<EncodedResponse> {
    try {
      return await encodeBody(serviceResponse);
    } catch (error) {
      options.log(`${service.name}: ${messageOf(error)}`);
      return encodeBody(service.errorResponse(new HttpError(500, 'internal error')));
    }
  }

  async function send(message: IncomingMessage, response: ServerResponse, serviceResponse: EncodedResponse) {
    const hasUnreadBody = !message.complete;
    response.writeHead(serviceResponse.status, responseHeaders.of(serviceResponse, hasUnreadBody || closing));
    const body = message.method === 'HEAD' ? undefined : serviceResponse.body;
    if (isFileBody(body)) await sendFileBody(body, response);
    else if (!hasUnreadBody) {
      // Sends head and body in one write.
      response.end(body);
      return;
    } else if (body === undefined) response.flushHeaders();
    else response.write(body);
    if (hasUnreadBody) await drain(message);
    response.end();
  }

  async function respond(exchange: Exchange) {
    const { message, method } = exchange;
    try {
      checkSource(message.headers);
      const location = service.redirectTarget?.(message.url ?? '');
      if (location !== undefined) return redirectTo(location, method);
      return await service.handle(new IncomingRequest(exchange, requestOptions));
    } catch (error) {
      if (error instanceof HttpError) return service.errorResponse(error);
      throw error;
    }
  }

  return {
    listen: (port) =>
      new Promise((resolve, reject) => {
        server.once('error', (error: NodeJS.ErrnoException) =>
          reject(listenError(service.name, port, error)),
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
      for (const [socket, { pending }] of connections) if (pending.size === 0) socket.destroy();
      const timer = new AbortController();
      const forcedClose = after(closeGraceMs, undefined, { signal: timer.signal }).then(
        () => server.closeAllConnections(),
        () => {},
      );
      await closed;
      timer.abort();
      await forcedClose;
    },
  };
}

/** A client that is still sending reads the response only if its connection is not reset. */
async function drain(message: IncomingMessage): Promise<void> {
  message.resume();
  const timer = new AbortController();
  message.once('close', () => timer.abort());
  await after(drainGraceMs, undefined, { signal: timer.signal, ref: false }).catch(() => {});
}

/** The response to bytes that are not a request, for which there is no response object. */
function rawResponse(serviceResponse: HttpResponse, serverHeader: string): string {
  const { body: content } = serviceResponse;
  const encoded = content instanceof JsonBody ? content.encode() : content;
  const body = typeof encoded === 'string' ? encoded : '';
  const headers = {
    Server: serverHeader,
    ...serviceResponse.headers,
    'Content-Length': Buffer.byteLength(body),
    Connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${serviceResponse.status} ${STATUS_CODES[serviceResponse.status] ?? ''}\r\n${lines.join('')}\r\n${body}`;
}

function listenError(name: string, port: number, error: NodeJS.ErrnoException): EmbeddedError {
  const problem =
    error.code === 'EADDRINUSE'
      ? `port ${port} for the ${name} service is in use; stop the process that uses it, or choose another port`
      : `cannot open port ${port} for the ${name} service: ${error.message}`;
  return new EmbeddedError('port', problem, error);
}

/** As Go's server redirects: with a link for readers, if the method is GET. */
function redirectTo(location: string, method: string): HttpResponse {
  if (method !== 'GET') return { status: 307, headers: { Location: location } };
  const link = location.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
  const headers = { Location: location, 'Content-Type': 'text/html; charset=utf-8' };
  return { status: 307, headers, body: `<a href="${link}">Temporary Redirect</a>.\n\n` };
}

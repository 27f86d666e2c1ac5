import type { ClientRequest, IncomingMessage } from 'node:http';
import { LanyardError } from '../errors.ts';
import type { ServiceName } from '../wire/services.ts';
import { type Connection, connect } from './connection.ts';
import { failure } from './failures.ts';
import { interrupted, isProtocolError, networkErrorOf, onConnected, onUpgrade } from './network-error.ts';
import type { Body, Operation } from './operation.ts';
import type { EnvironmentProxies } from './proxies.ts';
import { redact, redactUrl, type Secret, secretsIn, tokenSecret } from './redaction.ts';
import { authHeaders, homeOf, type Request, requestOf, tokenFor, tokenHeaders } from './request.ts';
import {
  type Call,
  firstLine,
  maxResponseBytes,
  type RawResponse,
  rawResponse,
  readBody,
  unexpectedResponse,
} from './response.ts';
import { isRepeatable } from './retry.ts';
import { type Cluster, type Outcome, sendWithRetry } from './send-with-retry.ts';
import { serversOf } from './servers.ts';
import { services } from './services.ts';

/** Where and how a service is reached: settings resolved, files not yet read. */
export interface Endpoint {
  readonly service: ServiceName;
  /** Scheme, host, port, and a path if the service lives under one, or `unix:///path`; no trailing slash. */
  readonly address: string;
  /** All servers of the cluster, `address` among them; undefined: it is the only one. */
  readonly addresses?: readonly string[];
  /** Where the address comes from: "--address", a variable, "profile dev". */
  readonly addressFrom?: string;
  /** The profile that the address comes from. */
  readonly profile?: string;
  /** Reads the token when it is first needed; undefined: none. */
  readonly token: () => Promise<string | undefined>;
  /** Where the token comes from: a variable of the environment, or what a person is told to put into one. */
  readonly tokenSource?: { readonly variable: string } | { readonly words: string };
  /** What to do where a token is required and missing. */
  readonly tokenHint?: string;
  /** Reads `user:password` of HTTP basic authentication. */
  readonly httpAuth?: () => Promise<string | undefined>;
  /** As `tokenSource`. */
  readonly authSource?: { readonly variable: string } | { readonly words: string };
  /** Of the headers with a meaning of the service's own; each header is sent once for every prefix. */
  readonly headerPrefixes: readonly string[];
  readonly namespace?: string;
  readonly region?: string;
  readonly datacenter?: string;
  readonly caCert?: string;
  /** CA certificates as PEM text. */
  readonly caPem?: string;
  /** A directory of CA certificates. */
  readonly caPath?: string;
  readonly clientCert?: string;
  readonly clientKey?: string;
  readonly serverName?: string;
  readonly skipVerify?: boolean;
  readonly proxy?: string;
  /** The environment's proxies, where `proxy` is not set. */
  readonly proxies?: EnvironmentProxies;
  readonly allowPlainHttp?: boolean;
  /** How often a request is sent again at most (default 2). */
  readonly maxRetries?: number;
}

export interface ServiceResponse<Output> {
  /** Of the server that responded. */
  readonly address?: string;
  readonly status: number;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Output;
  /** As it came, where the operation is `exact`. */
  readonly bytes?: Uint8Array;
}

/** What a request would look like, for `--dry-run` and `--curl`; secrets are redacted or by reference. */
export interface DryRunRequest {
  readonly service: ServiceName;
  readonly method: string;
  readonly url: string;
  /** The path of the unix socket on which the URL is served. */
  readonly unixSocket?: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Body;
  /** How long a body is that is no text, and so is not shown. */
  readonly bytes?: number;
}

export interface TransportOptions {
  /** Milliseconds for one attempt, connection to last byte. */
  readonly timeout: number;
  readonly signal: AbortSignal;
  readonly userAgent: string;
  /** Full jitter: a number in [0, 1). */
  readonly random: () => number;
  /** Said on stderr: retries. */
  readonly note: (message: string) => void;
  /** Said on stderr: TLS verification off. */
  readonly warn: (message: string) => void;
  /** `--verbose`: one line a request and a response, redacted. */
  readonly detail: (message: string) => void;
  /** Told of the secrets of a request before it is sent: a response may repeat them. */
  readonly sent?: (secrets: readonly Secret[]) => void;
}

/** Sends operations to one service. */
export type Send = <Input extends object, Output>(
  operation: Operation<Input, Output>,
  input: Input,
) => Promise<ServiceResponse<Output>>;

/**
 * Makes the function that sends operations to one service.
 *
 * Each attempt has its own timeout; `pause` says when there is another. `redirected` says
 * which redirects are followed. Nothing that got throws leaves here: its errors hold the headers.
 *
 * Connections are kept for the next call of the process, and do not keep the process: there is nothing to close.
 * Writes have a connection of their own, because a kept one may be closed from the other side at the moment of
 * writing, and that cannot be told from a lost response.
 *
 * @throws LanyardError, of every kind but `usage` after something was sent; see `requestOf`, `tokenFor`, `readTls`
 * for what is rejected before, `failure` and `lossError` for what comes after.
 */
export function transport(endpoint: Endpoint, options: TransportOptions): Send {
  const connections = new Map<string, Promise<OpenConnection>>();
  const cluster: Cluster = {
    options,
    servers: serversOf(endpoint),
    async connect(server) {
      const opening = connections.get(server.address) ?? open(server, homeOf(server), options);
      connections.set(server.address, opening);
      const connection = await opening;
      return { endpoint: server, send: (call, request) => sendOnce(options, connection, call, request) };
    },
  };
  return async (operation, input) => {
    const { url, body } = requestOf(cluster.servers.current(), operation, input);
    const token = await tokenFor(endpoint, operation);
    if (endpoint.skipVerify && url.protocol === 'https:') {
      options.warn(
        `the certificate of the ${services[endpoint.service].title} is not verified: connections can be intercepted`,
      );
    }
    const auth = await authHeaders(endpoint);
    const call: Call = {
      operation,
      mount: operation.engine && (input as { readonly mount?: string }).mount,
      namespace: operation.namespace === 'none' ? undefined : endpoint.namespace,
      tokenSent: token !== undefined,
      secrets: [
        ...(token === undefined ? [] : [tokenSecret(token)]),
        ...auth.secrets,
        ...secretsIn(body, operation),
      ],
    };
    options.sent?.(call.secrets);
    const headers = {
      'User-Agent': options.userAgent,
      ...auth.headers,
      ...(token === undefined ? {} : tokenHeaders(endpoint, token)),
    };
    const { answer: response, address } = await sendWithRetry(cluster, call, (server) => {
      const request = requestOf(server, operation, input);
      return { ...request, headers: { ...request.headers, ...headers } };
    });
    return { ...decoded(operation, call, response), address };
  };
}

/** Sends one request and reads its response to the end. */
async function sendOnce(
  options: TransportOptions,
  connection: OpenConnection,
  call: Call,
  request: Request,
): Promise<Outcome> {
  const { got } = connection;
  const { method, url, body } = request;
  const start = performance.now();
  const elapsed = () => `${Math.round(performance.now() - start)} ms`;
  options.detail(`> ${method} ${redactUrl(url)}`);
  // The body is written, not given as an option: got would load all of undici to see whether it is a form.
  const stream = got.stream(url, {
    method,
    headers: {
      ...request.headers,
      ...(body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(body)) }),
    },
    timeout: { request: options.timeout },
    signal: options.signal,
    agent: isRepeatable(call.operation.retry) ? connection.keepAlive : connection.oneRequest,
    https: { ...connection.tls },
    retry: { limit: 0 },
    followRedirect: false,
    throwHttpErrors: false,
    decompress: false,
  });
  // Errors come out of the reading below; one that comes after it has nothing left to say.
  stream.on('error', () => {});
  let open = false;
  stream.once('request', (sent: ClientRequest) => {
    sent.once('socket', (socket) => onConnected(socket, () => (open = true)));
    onUpgrade(sent, (error) => stream.destroy(error));
  });
  let head: IncomingMessage | undefined;
  stream.once('response', (response: IncomingMessage) => {
    head = response;
  });
  stream.end(body);
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > maxResponseBytes)
        throw unexpectedResponse(call, rawResponse(head, ''), 'a response of more than 64 MiB');
      chunks.push(chunk);
    }
    options.detail(`< ${head?.statusCode} in ${elapsed()}, ${size} bytes`);
    return rawResponse(head, Buffer.concat(chunks));
  } catch (error) {
    if (error instanceof LanyardError) throw error;
    if (options.signal.aborted) throw interrupted(call, open);
    const networkError = networkErrorOf(error, open);
    // An error status is enough, even if the body is incomplete. Where the body is not valid HTTP, a write cannot rely
    // on the status either.
    if (
      (head?.statusCode ?? 0) >= 400 &&
      (isRepeatable(call.operation.retry) || !isProtocolError(networkError))
    )
      return { ...rawResponse(head, ''), incomplete: true };
    options.detail(`< ${networkError.code} after ${elapsed()}`);
    // The service closed a kept connection while the request was on its way: it has not looked at it.
    if (stream.reusedSocket && head === undefined && ['ECONNRESET', 'EPIPE'].includes(networkError.code))
      return sendOnce(options, { ...connection, keepAlive: connection.oneRequest }, call, request);
    return { networkError };
  } finally {
    stream.destroy();
  }
}

function decoded<Input, Output>(
  operation: Operation<Input, Output>,
  call: Call,
  response: RawResponse,
): ServiceResponse<Output> {
  const { status, headers } = response;
  if (!accepts(operation, status)) {
    throw status >= 400
      ? failure(call, response)
      : unexpectedResponse(call, response, 'which this operation does not have');
  }
  try {
    const body = operation.decode(readBody(response, operation.exact), status);
    return { status, headers, body, ...(operation.exact && response.bytes ? { bytes: response.bytes } : {}) };
  } catch (error) {
    throw unexpectedResponse(call, response, firstLine(redact((error as Error).message, call.secrets)));
  }
}

// What is documented as 204 may be 200 with a warning, and the reverse.
function accepts<Input, Output>({ accepts, retry }: Operation<Input, Output>, status: number): boolean {
  const done = status === 200 || status === 204;
  return (
    accepts.includes(status) || (done && retry !== 'read' && (accepts.includes(200) || accepts.includes(204)))
  );
}

/** A connection, and got, which is looked up once for all requests on it. */
interface OpenConnection extends Connection {
  readonly got: typeof import('got')['default'];
}

async function open(endpoint: Endpoint, url: URL, options: TransportOptions): Promise<OpenConnection> {
  const [connection, { default: got }] = await Promise.all([connect(endpoint, url, options), import('got')]);
  return { ...connection, got };
}

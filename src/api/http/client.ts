import type { ClientRequest, IncomingMessage, RequestOptions } from 'node:http';
import type { Endpoint, TransportOptions } from '../endpoint.ts';
import { failure } from '../failures.ts';
import { blockingMs, isAccepted, isRepeatable, type Operation } from '../operation.ts';
import { redact, redactUrl } from '../redaction.ts';
import { services } from '../services.ts';
import { type Connection, connect, homeOf } from './connection.ts';
import { interrupted, isProtocolError, networkErrorOf, networkFailure } from './network-error.ts';
import { callOf, type Request, requestOf } from './request.ts';
import {
  type Call,
  firstLine,
  maxResponseBytes,
  type RawResponse,
  rawResponse,
  readBody,
  type Send,
  type ServiceResponse,
  unexpectedResponse,
} from './response.ts';
import { type Outcome, Retries, redirectTarget, Servers } from './retry.ts';
import { CallTrace } from './trace.ts';

type GotError = import('got').RequestError;
type GotResponse = import('got').Response<unknown>;
type Redirect = import('got').PlainResponse;

/**
 * Creates the function that sends operations to one service.
 *
 * Connections are kept for the next call of the process, and do not keep the process alive: they need not be closed.
 * Each write has its own connection, because the other side may close a kept one at the moment of writing, and that
 * cannot be distinguished from a lost response.
 *
 * @throws LanyardError, of every kind but `usage` after something was sent; see `requestOf`, `tokenFor`, `connect`
 * for what is rejected before, `failure` and `networkFailure` for what comes after.
 */
export function transport(endpoint: Endpoint, options: TransportOptions): Send {
  const connections = new Map<string, Promise<Connection>>();
  const cluster: Cluster = {
    options,
    servers: new Servers(endpoint),
    connectTo(server) {
      const connection = connections.get(server.address) ?? connect(server, homeOf(server), options);
      connections.set(server.address, connection);
      return connection;
    },
  };
  return async (operation, input) => {
    const { call, headers } = await callOf(endpoint, operation, input);
    if (endpoint.skipVerify && homeOf(endpoint).protocol === 'https:') {
      options.warn(
        `the certificate of the ${services[endpoint.service].title} is not verified: connections can be intercepted`,
      );
    }
    options.sent?.(call.secrets);
    const requestAt = (server: Endpoint): Request => {
      const request = requestOf(server, operation, input);
      return { ...request, headers: { ...request.headers, 'User-Agent': options.userAgent, ...headers } };
    };
    const timeoutMs = options.timeout + blockingMs(operation, input);
    const { response, address } = await new Exchange(cluster, call, requestAt).send(timeoutMs);
    return { ...decoded(operation, call, response), address };
  };
}

/** The servers of an endpoint, and how they are reached. */
interface Cluster {
  readonly options: TransportOptions;
  readonly servers: Servers;
  readonly connectTo: (server: Endpoint) => Promise<Connection>;
}

/** The request that got is sending; a redirect or a retry begins another one. */
interface Attempt {
  readonly startedAt: number;
  readonly url?: URL;
  readonly sent?: ClientRequest;
  head?: IncomingMessage;
  /** Whether bytes of the request may have been sent. */
  isOpen?: true;
  isTooLarge?: true;
}

/**
 * One call: its request is sent until there is a response to return, or no reason for a retry. Each attempt tries all
 * servers. `retry.ts` decides about retries, servers and redirects, and got carries them out (ADR 20).
 */
class Exchange {
  readonly #cluster: Cluster;
  readonly #call: Call;
  readonly #requestAt: (server: Endpoint) => Request;
  readonly #retries: Retries;
  readonly #trace: CallTrace | undefined;
  #keepAlive: boolean;
  #server: Endpoint;
  #attempt: Attempt = { startedAt: 0 };
  /** What the last request ended with; undefined: got has no error of it. */
  #outcome: Outcome | undefined;
  /** Why a server could not be connected to: TLS files, an invalid proxy. */
  #connectError: unknown;
  /** Where the last response redirects to. */
  #target: URL | undefined;

  constructor(cluster: Cluster, call: Call, requestAt: (server: Endpoint) => Request) {
    this.#cluster = cluster;
    this.#call = call;
    this.#requestAt = requestAt;
    this.#retries = new Retries(call, cluster.servers, cluster.options);
    const { trace } = cluster.options;
    this.#trace = trace && new CallTrace(trace, call.operation, call.secrets);
    this.#keepAlive = isRepeatable(call.operation.retry);
    this.#server = cluster.servers.current();
  }

  /** Sends the request. Nothing that got throws leaves: its errors contain the headers of the request. */
  async send(timeoutMs: number): Promise<{ readonly response: RawResponse; readonly address: string }> {
    const { signal } = this.#cluster.options;
    const { method, url, body, ...request } = this.#requestAt(this.#server);
    const length = body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(body)) };
    const headers = { ...request.headers, ...length };
    const { default: got } = await import('got');
    const responding = got(url, {
      method,
      headers,
      responseType: 'buffer',
      timeout: { request: timeoutMs },
      signal,
      throwHttpErrors: false,
      decompress: false,
      request: async (to, native) => {
        const sent = await this.#open(to, native, body);
        // Not as an option of got: for that it would load undici.
        if (body !== undefined) sent.write(body);
        return sent;
      },
      followRedirect: (response) => this.#isFollowed(response),
      retry: { enforceRetryRules: false, calculateDelay: ({ error }) => this.#delayAfter(error) },
      hooks: {
        beforeRedirect: [
          (next, response) => {
            next.url = this.#redirect(response);
            // got has removed Authorization: another server of the cluster gets it too.
            next.headers = headers;
          },
        ],
        beforeRetry: [
          ({ options }) => {
            options.url = this.#attempt.url ?? this.#requestAt(this.#server).url;
          },
        ],
      },
    });
    responding.on('downloadProgress', ({ transferred }) => this.#limit(transferred));
    const response = await responding.catch((error: unknown) => {
      // Where got did not ask for a delay, what was sent is not known.
      this.#outcome ??= { networkError: networkErrorOf(error, true) };
      return undefined;
    });
    return { response: this.#result(response), address: this.#server.address };
  }

  async #open(url: URL, native: RequestOptions, body?: string | Uint8Array): Promise<ClientRequest> {
    const connection = await this.#cluster.connectTo(this.#server).catch((error: unknown) => {
      this.#connectError = error;
      throw error;
    });
    this.#cluster.options.detail(`> ${native.method} ${redactUrl(url)}`);
    this.#trace?.request(native.method ?? '', url, { ...native.headers }, body);
    this.#retries.addTried(this.#server);
    const sent = connection.open(url, { ...native, keepAlive: this.#keepAlive }, () => {
      attempt.isOpen = true;
    });
    const attempt: Attempt = { url, sent, startedAt: monotonicMs() };
    sent.once('response', (head) => {
      attempt.head = head;
    });
    this.#attempt = attempt;
    this.#outcome = undefined;
    return sent;
  }

  /** Ends a response that is too large: got has no limit. */
  #limit(size: number): void {
    if (size <= maxResponseBytes) return;
    this.#attempt.isTooLarge = true;
    this.#attempt.sent?.destroy();
  }

  #redirectTarget(response: Redirect): URL | undefined {
    const { method, url } = response.request.options;
    const request = { method, url: url as URL };
    const hops = response.redirectUrls.length;
    return redirectTarget(this.#call, request, rawResponse(response), this.#server, hops);
  }

  #isFollowed(response: Redirect): boolean {
    try {
      this.#target = this.#redirectTarget(response);
    } catch {
      // `#result` throws it, outside of got.
      this.#target = undefined;
    }
    return this.#target !== undefined;
  }

  /** The URL of a redirect. One to another server makes that the current server. */
  #redirect(response: Redirect): URL | undefined {
    this.#ended(`${response.statusCode} in`);
    this.#trace?.response(rawResponse(response));
    const { origin } = this.#target ?? {};
    if (origin && origin !== this.#attempt.url?.origin)
      this.#server = this.#cluster.servers.choose(origin) ?? this.#server;
    return this.#target;
  }

  #ended(what: string, more = ''): void {
    const elapsedMs = Math.round(monotonicMs() - this.#attempt.startedAt);
    this.#cluster.options.detail(`< ${what} ${elapsedMs} ms${more}`);
  }

  /** Milliseconds after which got sends a request again; 0: it does not. */
  #delayAfter(error: GotError): number {
    const { sent, head, isOpen, isTooLarge } = this.#attempt;
    if (isTooLarge || this.#connectError || this.#cluster.options.signal.aborted) return 0;
    const { retry } = this.#call.operation;
    const networkError = networkErrorOf(error, isOpen === true);
    if (error.name === 'HTTPError' && error.response) {
      this.#outcome = this.#received(error.response);
    } else if ((head?.statusCode ?? 0) >= 400 && (isRepeatable(retry) || !isProtocolError(networkError))) {
      // An error status is enough, even if the body is incomplete. Where the body is not valid HTTP, a write cannot
      // rely on the status either.
      this.#outcome = { ...rawResponse(head), incomplete: true };
    } else {
      this.#outcome = { networkError };
      this.#ended(`${networkError.code} after`);
      this.#trace?.networkError(networkError.code);
      // The service closed a kept connection while the request was on its way: it has not read it.
      if (sent?.reusedSocket && !head && ['ECONNRESET', 'EPIPE'].includes(networkError.code)) {
        this.#keepAlive = false;
        return 1;
      }
    }
    const next = this.#retries.next(this.#outcome, this.#server);
    if (!next) return 0;
    this.#server = next.server;
    this.#attempt = { startedAt: 0 };
    return Math.max(1, next.delayMs);
  }

  #received(response: GotResponse): RawResponse {
    const { statusCode, rawBody } = response;
    this.#ended(`${statusCode} in`, `, ${rawBody.length} bytes`);
    const received = rawResponse(response, rawBody);
    this.#trace?.response(received);
    return received;
  }

  #result(response: GotResponse | undefined): RawResponse {
    const { head, isOpen, isTooLarge } = this.#attempt;
    if (isTooLarge) throw unexpectedResponse(this.#call, rawResponse(head), 'a response of more than 64 MiB');
    const outcome = response && !this.#outcome ? this.#received(response) : this.#outcome;
    if (response) this.#redirectTarget(response);
    else if (this.#cluster.options.signal.aborted) throw interrupted(this.#call, isOpen === true);
    if (!outcome || this.#connectError) throw this.#connectError;
    if ('networkError' in outcome) throw networkFailure(this.#call, outcome.networkError, this.#server);
    return outcome;
  }
}

/** Milliseconds of a clock that is never set. `performance` would load Node's performance measurement. */
function monotonicMs(): number {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1000 + nanoseconds / 1e6;
}

function decoded<Input, Output>(
  operation: Operation<Input, Output>,
  call: Call,
  response: RawResponse,
): ServiceResponse<Output> {
  const { status, headers } = response;
  if (!isAccepted(operation, status)) {
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

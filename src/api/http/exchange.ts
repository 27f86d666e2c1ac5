import type { ClientRequest, IncomingMessage, RequestOptions } from 'node:http';
import { LanyardError } from '../../errors.ts';
import { isSealed, mayHaveForwarded } from '../conditions/any.ts';
import type { Endpoint } from '../endpoint.ts';
import { isRepeatable } from '../operation.ts';
import { redactUrl } from '../redaction.ts';
import { type Attempt, monotonicMs } from './attempt.ts';
import type { Cluster } from './cluster.ts';
import {
  type GotError,
  type GotResponse,
  loadGot,
  type Redirect,
  type RequestBefore,
  requestBefore,
} from './got.ts';
import { interrupted, isProtocolError, networkErrorOf, networkFailure } from './network-error.ts';
import { redirectTarget } from './redirects.ts';
import type { Request } from './request.ts';
import {
  type Call,
  maxResponseBytes,
  type RawResponse,
  rawResponse,
  unexpectedResponse,
} from './response.ts';
import { type Outcome, Retries } from './retry.ts';
import type { CallTrace } from './trace.ts';

/**
 * One call: its request is sent until there is a response to return, or no reason for a retry. Each attempt tries all
 * servers. `retry.ts` decides about retries, servers and redirects, and got carries them out (ADR 20).
 */
export class Exchange {
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
  /** A standby may have forwarded the write before it responded that it did not complete it. */
  mayBeApplied = false;
  #hops = 0;

  constructor(
    cluster: Cluster,
    call: Call,
    requestAt: (server: Endpoint) => Request,
    trace: CallTrace | undefined,
  ) {
    this.#cluster = cluster;
    this.#call = call;
    this.#requestAt = requestAt;
    this.#retries = new Retries(call, cluster.servers, cluster.options);
    this.#trace = trace;
    this.#keepAlive = isRepeatable(call.operation.retry);
    this.#server = cluster.servers.current();
  }

  /** The server of the last request. */
  get address(): string {
    return this.#server.address;
  }

  async send(timeoutMs: number): Promise<RawResponse> {
    return (
      (this.#keepAlive ? await this.#sendPlainly(timeoutMs) : undefined) ?? (await this.#sendByGot(timeoutMs))
    );
  }

  /**
   * Sends the first request of an operation that may be sent twice without got, which takes longer to load and to check
   * its options than a service to respond (ADR 26).
   *
   * @returns undefined: got has to follow a redirect, or to send the request again now.
   */
  async #sendPlainly(timeoutMs: number): Promise<RawResponse | undefined> {
    const { plainRequests: plain } = this.#cluster;
    const request = this.#requestAt(this.#server);
    let delayMs: number;
    try {
      const sent = await this.#open(request);
      const { head, body } = await plain.send(sent, request.body, timeoutMs, (size) => this.#limit(size));
      const response = rawResponse(head, body);
      if (this.#isRedirected(request, response, 0)) {
        this.#redirected(head);
        this.#hops = 1;
        return undefined;
      }
      this.#targetOf(request, this.#received(response), 0);
      delayMs = this.#delayAfter(response);
    } catch (error) {
      if (error instanceof LanyardError) throw error;
      delayMs = this.#delayAfterError(error);
    }
    return delayMs === 0 ? this.#result(undefined) : plain.pause(delayMs);
  }

  /** Sends the request. Nothing that got throws leaves: its errors contain the headers of the request. */
  async #sendByGot(timeoutMs: number): Promise<RawResponse> {
    const { signal } = this.#cluster.options;
    const { method, url, headers, body } = this.#requestAt(this.#server);
    const got = await loadGot();
    const responding = got(this.#target ?? url, {
      method,
      headers,
      responseType: 'buffer',
      timeout: { request: timeoutMs },
      signal,
      throwHttpErrors: false,
      decompress: false,
      request: async (to, native) => {
        const sent = await this.#open({ method: native.method ?? '', url: to, headers, body }, native);
        if (body !== undefined) sent.write(body); // As an option, got would load undici for it.
        return sent;
      },
      followRedirect: (response) =>
        this.#isRedirected(requestBefore(response), rawResponse(response), this.#hopsOf(response)),
      retry: { enforceRetryRules: false, calculateDelay: ({ error }) => this.#delayAfterError(error) },
      hooks: {
        beforeRedirect: [
          (next, response) => {
            this.#redirected(response);
            next.url = this.#target;
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
    return this.#result(response);
  }

  /** @param native the options of got; undefined: it is sent plainly. */
  async #open(request: Request, native?: RequestOptions): Promise<ClientRequest> {
    const { method, url, body } = request;
    const connection = await this.#cluster.connectTo(this.#server).catch((error: unknown) => {
      this.#connectError = error;
      throw error;
    });
    this.#cluster.options.detail(`> ${method} ${redactUrl(url)}`);
    this.#trace?.request(method, url, { ...(native ?? request).headers }, body);
    this.#retries.addTried(this.#server);
    const onConnect = (): void => {
      attempt.isOpen = true;
    };
    const sent = native
      ? connection.open(url, { ...native, keepAlive: this.#keepAlive }, onConnect)
      : connection.openPlain(request, onConnect);
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

  #hopsOf(response: Redirect): number {
    return this.#hops + response.redirectUrls.length;
  }

  #targetOf(request: RequestBefore, response: RawResponse, hops: number): URL | undefined {
    return redirectTarget(this.#call, request, response, this.#server, hops);
  }

  #isRedirected(request: RequestBefore, response: RawResponse, hops: number): boolean {
    try {
      this.#target = this.#targetOf(request, response, hops);
    } catch {
      // Thrown later, outside of got.
      this.#target = undefined;
    }
    return this.#target !== undefined;
  }

  /** A redirect to another server makes that the current server. */
  #redirected(response: IncomingMessage): void {
    this.#ended(`${response.statusCode} in`);
    this.#trace?.response(rawResponse(response));
    this.#noteForwarding(rawResponse(response));
    const { origin } = this.#target ?? {};
    if (origin && origin !== this.#attempt.url?.origin)
      this.#server = this.#cluster.servers.choose(origin) ?? this.#server;
  }

  #ended(what: string, more = ''): void {
    const elapsedMs = Math.round(monotonicMs() - this.#attempt.startedAt);
    this.#cluster.options.detail(`< ${what} ${elapsedMs} ms${more}`);
  }

  /** Milliseconds after which the request is sent again; 0: it is not. */
  #delayAfterError(error: unknown): number {
    const { sent, head, isOpen, isTooLarge } = this.#attempt;
    if (isTooLarge || this.#connectError || this.#cluster.options.signal.aborted) return 0;
    const { retry } = this.#call.operation;
    const networkError = networkErrorOf(error, isOpen === true);
    const { name, response } = error as GotError;
    if (name === 'HTTPError' && response)
      return this.#delayAfter(this.#received(rawResponse(response, response.rawBody)));
    // An error status is enough, even if the body is incomplete. Where the body is not valid HTTP, a write cannot
    // rely on the status either.
    if ((head?.statusCode ?? 0) >= 400 && (isRepeatable(retry) || !isProtocolError(networkError)))
      return this.#delayAfter({ ...rawResponse(head), incomplete: true });
    this.#ended(`${networkError.code} after`);
    this.#trace?.networkError(networkError.code);
    // The service closed a kept connection while the request was on its way: it has not read it.
    if (sent?.reusedSocket && !head && ['ECONNRESET', 'EPIPE'].includes(networkError.code)) {
      this.#outcome = { networkError };
      this.#keepAlive = false;
      return 1;
    }
    return this.#delayAfter({ networkError });
  }

  #noteForwarding(response: RawResponse): void {
    const { service, retry } = this.#call.operation;
    if (isSealed(service, response)) this.mayBeApplied = false;
    else this.mayBeApplied ||= !isRepeatable(retry) && mayHaveForwarded(service, response);
  }

  #delayAfter(outcome: Outcome): number {
    this.#outcome = outcome;
    if (!('networkError' in outcome)) this.#noteForwarding(outcome);
    const next = this.#retries.next(outcome, this.#server);
    if (!next) return 0;
    this.#server = next.server;
    this.#attempt = { startedAt: 0 };
    this.#hops = 0;
    return Math.max(1, next.delayMs);
  }

  #received(response: RawResponse): RawResponse {
    this.#ended(`${response.status} in`, `, ${response.bytes?.length} bytes`);
    this.#trace?.response(response);
    return response;
  }

  #result(response: GotResponse | undefined): RawResponse {
    const { head, isOpen, isTooLarge } = this.#attempt;
    if (isTooLarge) throw unexpectedResponse(this.#call, rawResponse(head), 'a response of more than 64 MiB');
    const outcome =
      response && !this.#outcome ? this.#received(rawResponse(response, response.rawBody)) : this.#outcome;
    if (response) this.#targetOf(requestBefore(response), rawResponse(response), this.#hopsOf(response));
    else if (this.#cluster.options.signal.aborted) throw interrupted(this.#call, isOpen === true);
    if (!outcome || this.#connectError) throw this.#connectError;
    if ('networkError' in outcome) throw networkFailure(this.#call, outcome.networkError, this.#server);
    return outcome;
  }
}

import type { ClientRequest, IncomingMessage, RequestOptions } from 'node:http';
import { setTimeout as after } from 'node:timers/promises';
import { LanyardError } from '../../errors.ts';
import { isSealed, mayHaveForwarded } from '../conditions/any.ts';
import type { Endpoint, TransportOptions } from '../endpoint.ts';
import { interrupted, isProtocolError, networkErrorOf, networkFailure } from '../network-errors.ts';
import { isRepeatable } from '../operation.ts';
import { redactUrl } from '../redaction.ts';
import type { Request } from '../request.ts';
import type { CallTrace } from '../trace.ts';
import type { Connection } from './connection.ts';
import { redirectTarget } from './redirect.ts';
import {
  type Call,
  maxResponseBytes,
  type RawResponse,
  rawResponse,
  unexpectedResponse,
} from './response.ts';
import { type Outcome, Retries } from './retry.ts';
import { type Sender, sendByGot, sendLightly } from './senders.ts';
import type { Servers } from './servers.ts';

/** What follows a request: the result, or another request after some time. */
export type Next<Sending, Result> =
  | { readonly result: Result }
  | { readonly send: Sending; readonly afterMs: number };

/**
 * The loop of everything that is sent: a request, a decision, the next request, until there is a result. Redirects, other
 * servers and retries are decisions; a sender makes none.
 *
 * @throws LanyardError what `send` and `decide` throw; `interrupted()`, if the signal ends it between two requests.
 */
export async function exchange<Sending, Sent, Result>(
  first: Sending,
  send: (sending: Sending) => Promise<Sent>,
  decide: (sending: Sending, sent: Sent) => Next<Sending, Result> | Promise<Next<Sending, Result>>,
  { signal, interrupted }: { readonly signal: AbortSignal; readonly interrupted: () => LanyardError },
): Promise<Result> {
  for (let sending = first; ; ) {
    const next = await decide(sending, await send(sending));
    if ('result' in next) return next.result;
    if (next.afterMs > 0) await after(next.afterMs, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) throw interrupted();
    sending = next.send;
  }
}

/** A request of a call to an operation. */
interface Sending {
  readonly server: Endpoint;
  readonly request: Request;
  readonly sender: Sender;
  /** On a kept connection. */
  readonly keepAlive: boolean;
  /** Redirects followed in this attempt. */
  readonly hops: number;
}

/** What is known of a request before it ends. */
interface Progress {
  sent?: ClientRequest;
  head?: IncomingMessage;
  /** Bytes of the request may have left. */
  isOpen?: true;
  isTooLarge?: true;
}

interface Parts {
  readonly call: Call;
  readonly requestAt: (server: Endpoint) => Request;
  readonly servers: Servers;
  readonly connectTo: (server: Endpoint) => Promise<Connection>;
  readonly options: TransportOptions;
  readonly trace: CallTrace | undefined;
  /** Of each attempt, with its redirects. */
  readonly timeoutMs: number;
}

/** The exchange of one call with the servers of its endpoint. */
export class CallExchange {
  readonly #parts: Parts;
  readonly #retries: Retries;
  #server: Endpoint;
  /** When the last request began, and when its attempt ends at the latest. */
  #startedAt = 0;
  #endsAt = 0;
  /** A standby may have forwarded the write before it responded that it did not complete it. */
  mayBeApplied = false;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#retries = new Retries(parts.call, parts.servers, parts.options);
    this.#server = parts.servers.current();
  }

  /** The server of the last request. */
  get address(): string {
    return this.#server.address;
  }

  /**
   * The response of the call, which the operation may not accept. The first request of what may be sent twice is sent
   * lightly; got sends writes, and what follows a redirect or a failure.
   */
  response(): Promise<RawResponse> {
    const { call, requestAt, options } = this.#parts;
    const server = this.#server;
    const keepAlive = isRepeatable(call.operation.retry);
    const sender = keepAlive ? sendLightly : sendByGot;
    return exchange<Sending, Outcome, RawResponse>(
      { server, request: requestAt(server), sender, keepAlive, hops: 0 },
      (sending) => this.#send(sending),
      (sending, outcome) => this.#decide(sending, outcome),
      { signal: options.signal, interrupted: () => interrupted(call, this.mayBeApplied) },
    ).catch((error: unknown) => {
      if (error instanceof LanyardError || keepAlive) throw error;
      // A write may have taken effect, whatever went wrong here.
      throw networkFailure(call, networkErrorOf(error, true), this.#server);
    });
  }

  /** What follows a request: the first of these that applies. */
  #decide(sending: Sending, outcome: Outcome): Next<Sending, RawResponse> {
    return (
      this.#redirect(sending, outcome) ??
      this.#newConnection(sending, outcome) ??
      this.#retry(sending, outcome) ?? { result: this.#result(sending, outcome) }
    );
  }

  /** A redirect to another server makes that the current server. */
  #redirect(sending: Sending, outcome: Outcome): Next<Sending, RawResponse> | undefined {
    if ('networkError' in outcome || outcome.incomplete) return undefined;
    const { request, server, hops } = sending;
    let url: URL | undefined;
    try {
      url = redirectTarget(this.#parts.call, request, outcome, server, hops);
    } finally {
      this.#received(outcome, url !== undefined);
    }
    if (url === undefined) return undefined;
    this.#noteForwarding(outcome);
    const other = url.origin === request.url.origin ? undefined : this.#parts.servers.choose(url.origin);
    return {
      send: {
        ...sending,
        server: other ?? server,
        request: { ...request, url },
        sender: sendByGot,
        hops: hops + 1,
      },
      afterMs: 0,
    };
  }

  #newConnection(sending: Sending, outcome: Outcome): Next<Sending, RawResponse> | undefined {
    if (!('networkError' in outcome && outcome.wasClosed)) return undefined;
    return { send: { ...sending, sender: sendByGot, keepAlive: false }, afterMs: 0 };
  }

  #retry({ server, keepAlive }: Sending, outcome: Outcome): Next<Sending, RawResponse> | undefined {
    if (this.#parts.options.signal.aborted) return undefined;
    if (!('networkError' in outcome)) this.#noteForwarding(outcome);
    const retry = this.#retries.next(outcome, server);
    if (!retry) return undefined;
    const request = this.#parts.requestAt(retry.server);
    return {
      send: { server: retry.server, request, sender: sendByGot, keepAlive, hops: 0 },
      afterMs: retry.delayMs,
    };
  }

  #result({ server }: Sending, outcome: Outcome): RawResponse {
    if ('networkError' in outcome) throw networkFailure(this.#parts.call, outcome.networkError, server);
    return outcome;
  }

  /** @throws LanyardError what ends the call: TLS files, an interruption, a response that is too large. */
  async #send({ server, request, sender, keepAlive, hops }: Sending): Promise<Outcome> {
    const { connectTo, options, trace, timeoutMs } = this.#parts;
    this.#server = server;
    const connection = await connectTo(server);
    const progress: Progress = {};
    const open = (native?: RequestOptions): ClientRequest => {
      options.detail(`> ${request.method} ${redactUrl(request.url)}`);
      trace?.request(request.method, request.url, { ...(native ?? request).headers }, request.body);
      const onConnect = (): void => {
        progress.isOpen = true;
      };
      const sent = native
        ? connection.open(request.url, { ...native, keepAlive }, onConnect)
        : connection.openPlain(request, onConnect);
      sent.once('response', (head) => {
        progress.head = head;
      });
      progress.sent = sent;
      return sent;
    };
    // No sender has a limit.
    const onData = (size: number): void => {
      if (size <= maxResponseBytes) return;
      progress.isTooLarge = true;
      progress.sent?.destroy();
    };
    this.#retries.addTried(server);
    this.#startedAt = monotonicMs();
    if (hops === 0) this.#endsAt = this.#startedAt + timeoutMs;
    const leftMs = Math.max(1, this.#endsAt - this.#startedAt);
    try {
      const { head, body } = await sender({
        request,
        open,
        timeoutMs: leftMs,
        signal: options.signal,
        onData,
      });
      return progress.isTooLarge ? this.#failed(progress, undefined) : rawResponse(head, body);
    } catch (error) {
      return this.#failed(progress, error);
    }
  }

  /** What a request ended with that has no complete response. */
  #failed({ sent, head, isOpen, isTooLarge }: Progress, error: unknown): Outcome {
    const { call, options, trace } = this.#parts;
    if (isTooLarge) throw unexpectedResponse(call, rawResponse(head), 'a response of more than 64 MiB');
    if (options.signal.aborted) throw interrupted(call, isOpen === true);
    const networkError = networkErrorOf(error, isOpen === true);
    const { code } = networkError;
    // An error status is enough, even if the body is incomplete. Where the body is not valid HTTP, a write cannot rely
    // on the status either.
    const isRead = isRepeatable(call.operation.retry);
    if ((head?.statusCode ?? 0) >= 400 && (isRead || !isProtocolError(networkError)))
      return { ...rawResponse(head), incomplete: true };
    this.#ended(`${code} after`);
    trace?.networkError(code);
    return { networkError, wasClosed: sent?.reusedSocket && !head && ['ECONNRESET', 'EPIPE'].includes(code) };
  }

  #received(response: RawResponse, isRedirect: boolean): void {
    const { status, headers, bytes } = response;
    this.#ended(`${status} in`, isRedirect ? '' : `, ${bytes?.length} bytes`);
    this.#parts.trace?.response(isRedirect ? { status, headers, text: '' } : response);
  }

  #ended(what: string, more = ''): void {
    this.#parts.options.detail(`< ${what} ${Math.round(monotonicMs() - this.#startedAt)} ms${more}`);
  }

  #noteForwarding(response: RawResponse): void {
    const { service, retry } = this.#parts.call.operation;
    if (isSealed(service, response)) this.mayBeApplied = false;
    else this.mayBeApplied ||= !isRepeatable(retry) && mayHaveForwarded(service, response);
  }
}

/** Milliseconds of a clock that is never set. `performance` would load Node's performance measurement. */
function monotonicMs(): number {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1000 + nanoseconds / 1e6;
}

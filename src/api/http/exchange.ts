import type { ClientRequest, RequestOptions } from 'node:http';
import { setTimeout as after } from 'node:timers/promises';
import { LanyardError } from '../../errors.ts';
import type { CallTrace } from '../debug-log.ts';
import type { Endpoint, TransportOptions } from '../endpoint.ts';
import { isRepeatable } from '../operation.ts';
import { redactUrl } from '../redaction.ts';
import type { Request } from '../request.ts';
import type { Connection, Servers } from './connection.ts';
import type { Decisions, Next, Progress, Report, Sending } from './decisions.ts';
import { type Call, maxResponseBytes, type RawResponse, rawResponse } from './response.ts';
import { sendByGot, sendLightly } from './senders.ts';

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
  {
    signal,
    interrupted,
  }: { readonly signal: AbortSignal; readonly interrupted: () => LanyardError | Promise<LanyardError> },
): Promise<Result> {
  for (let sending = first; ; ) {
    const next = await decide(sending, await send(sending));
    if ('result' in next) return next.result;
    await after(next.afterMs, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) throw await interrupted();
    sending = next.send;
  }
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
  #decisions: Decisions | undefined;
  #server: Endpoint;
  /** When the last request began, and when its attempt ends at the latest. */
  #startedAt = 0;
  #endsAt = 0;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#server = parts.servers.current();
  }

  /** The server of the last request. */
  get address(): string {
    return this.#server.address;
  }

  /** A standby may have forwarded the write before it responded that it did not complete it. */
  get mayBeApplied(): boolean {
    return this.#decisions?.mayBeApplied === true;
  }

  /** The response of the call, which the operation may not accept. @throws LanyardError why it has no response. */
  response(): Promise<RawResponse> {
    const { call, requestAt, options } = this.#parts;
    const server = this.#server;
    const keepAlive = isRepeatable(call.operation.retry);
    return exchange<Sending, RawResponse | Progress, RawResponse>(
      { server, request: requestAt(server), isFirst: true, keepAlive, hops: 0 },
      (sending) => this.#send(sending),
      (sending, ended) => this.#decide(sending, ended),
      {
        signal: options.signal,
        interrupted: async () => (await networkErrors()).interrupted(call, this.mayBeApplied),
      },
    ).catch(async (error: unknown) => {
      if (error instanceof LanyardError || keepAlive) throw error;
      // A write may have taken effect, whatever went wrong here.
      const { networkErrorOf, networkFailure } = await networkErrors();
      throw networkFailure(call, networkErrorOf(error, true), this.#server);
    });
  }

  /** The first request of what may be sent twice is sent lightly; got sends writes, and what follows the first request. */
  async #send({ server, request, isFirst, keepAlive, hops }: Sending): Promise<RawResponse | Progress> {
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
    this.#startedAt = monotonicMs();
    if (hops === 0) this.#endsAt = this.#startedAt + timeoutMs;
    const leftMs = Math.max(1, this.#endsAt - this.#startedAt);
    const sender = isFirst && keepAlive ? sendLightly : sendByGot;
    try {
      const sending = { request, open, timeoutMs: leftMs, signal: options.signal, onData };
      const { head, body } = await sender(sending);
      return progress.isTooLarge ? progress : rawResponse(head, body);
    } catch (error) {
      return { ...progress, error };
    }
  }

  /** Nothing follows a success; what decides about the rest is loaded when it is needed. */
  async #decide(sending: Sending, ended: RawResponse | Progress): Promise<Next<Sending, RawResponse>> {
    if ('status' in ended && ended.status >= 200 && ended.status < 300) {
      this.#report.received(ended, false);
      return { result: ended };
    }
    const { Decisions } = await import('./decisions.ts');
    this.#decisions ??= new Decisions({ ...this.#parts, report: this.#report });
    return this.#decisions.next(sending, ended);
  }

  readonly #report: Report = {
    received: (response, isRedirect) => {
      const { status, headers, bytes } = response;
      const size = isRedirect ? undefined : bytes?.length;
      this.#ended(`${status} in`, size);
      this.#parts.trace?.response(isRedirect ? { status, headers } : response);
    },
    lost: (code) => {
      this.#ended(`${code} after`);
      this.#parts.trace?.networkError(code);
    },
  };

  #ended(what: string, size?: number): void {
    const bytes = size === undefined ? '' : `, ${size} bytes`;
    this.#parts.options.detail(`< ${what} ${Math.round(monotonicMs() - this.#startedAt)} ms${bytes}`);
  }
}

const networkErrors = () => import('../network-errors.ts');

/** Milliseconds of a clock that is never set. `performance` would load Node's performance measurement. */
function monotonicMs(): number {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1000 + nanoseconds / 1e6;
}

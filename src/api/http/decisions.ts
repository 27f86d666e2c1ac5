import type { ClientRequest, IncomingMessage } from 'node:http';
import { isSealed, mayHaveForwarded } from '../conditions/any.ts';
import type { Endpoint, TransportOptions } from '../endpoint.ts';
import { interrupted, isProtocolError, networkErrorOf, networkFailure } from '../network-errors.ts';
import { isRepeatable } from '../operation.ts';
import type { Request } from '../request.ts';
import type { Servers } from './connection.ts';
import { redirectTarget } from './redirect.ts';
import {
  type Call,
  maxResponseBytes,
  type RawResponse,
  rawResponse,
  unexpectedResponse,
} from './response.ts';
import { type Outcome, Retries } from './retry.ts';

/** What follows a request: the result, or another request after some time. */
export type Next<Sending, Result> =
  | { readonly result: Result }
  | { readonly send: Sending; readonly afterMs: number };

/** A request of a call to an operation. */
export interface Sending {
  readonly server: Endpoint;
  readonly request: Request;
  /** The call has sent no other one. */
  readonly isFirst: boolean;
  /** On a kept connection. */
  readonly keepAlive: boolean;
  /** Redirects followed in this attempt. */
  readonly hops: number;
}

/** What is known of a request that has no complete response. */
export interface Progress {
  error?: unknown;
  sent?: ClientRequest;
  head?: IncomingMessage;
  /** Bytes of the request may have left. */
  isOpen?: true;
  isTooLarge?: true;
}

/** Reports what a request ended with. */
export interface Report {
  received(response: RawResponse, isRedirect: boolean): void;
  lost(code: string): void;
}

interface Parts {
  readonly call: Call;
  readonly servers: Servers;
  readonly requestAt: (server: Endpoint) => Request;
  readonly options: TransportOptions;
  readonly report: Report;
}

/** Decides what follows the requests of one call, apart from a success. */
export class Decisions {
  readonly #parts: Parts;
  readonly #retries: Retries;
  /** A standby may have forwarded the write before it responded that it did not complete it. */
  mayBeApplied = false;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#retries = new Retries(parts.call, parts.servers, parts.options);
  }

  /**
   * What follows a request: the first of these that applies.
   *
   * @throws LanyardError what ends the call: a redirect that is not followed, an interruption, a response that is too
   * large, a network error.
   */
  next(sending: Sending, ended: RawResponse | Progress): Next<Sending, RawResponse> {
    this.#retries.addTried(sending.server);
    const outcome = 'status' in ended ? ended : this.#outcomeOf(ended);
    return (
      this.#redirect(sending, outcome) ??
      this.#newConnection(sending, outcome) ??
      this.#retry(sending, outcome) ?? { result: this.#result(sending, outcome) }
    );
  }

  /** What a request ended with that has no complete response. */
  #outcomeOf({ error, sent, head, isOpen, isTooLarge }: Progress): Outcome {
    const { call, options, report } = this.#parts;
    if (isTooLarge) throw unexpectedResponse(call, rawResponse(head), tooLarge);
    if (options.signal.aborted) throw interrupted(call, isOpen === true);
    const networkError = networkErrorOf(error, isOpen === true);
    const { code } = networkError;
    // An error status is enough, even if the body is incomplete. Where the body is not valid HTTP, a write cannot rely
    // on the status either.
    const isRead = isRepeatable(call.operation.retry);
    if ((head?.statusCode ?? 0) >= 400 && (isRead || !isProtocolError(networkError)))
      return { ...rawResponse(head), incomplete: true };
    report.lost(code);
    return { networkError, wasClosed: sent?.reusedSocket && !head && ['ECONNRESET', 'EPIPE'].includes(code) };
  }

  /** A redirect to another server makes that the current server. */
  #redirect(sending: Sending, outcome: Outcome): Next<Sending, RawResponse> | undefined {
    if ('networkError' in outcome || outcome.incomplete) return undefined;
    const { request, server, hops } = sending;
    let url: URL | undefined;
    try {
      url = redirectTarget(this.#parts.call, request, outcome, server, hops);
    } finally {
      this.#parts.report.received(outcome, url !== undefined);
    }
    if (url === undefined) return undefined;
    this.#noteForwarding(outcome);
    const other = url.origin === request.url.origin ? undefined : this.#parts.servers.choose(url.origin);
    const next = { server: other ?? server, request: { ...request, url }, hops: hops + 1 };
    return { send: { ...sending, ...next, isFirst: false }, afterMs: 0 };
  }

  #newConnection(sending: Sending, outcome: Outcome): Next<Sending, RawResponse> | undefined {
    if (!('networkError' in outcome && outcome.wasClosed)) return undefined;
    return { send: { ...sending, isFirst: false, keepAlive: false }, afterMs: 0 };
  }

  #retry({ server, keepAlive }: Sending, outcome: Outcome): Next<Sending, RawResponse> | undefined {
    if (this.#parts.options.signal.aborted) return undefined;
    if (!('networkError' in outcome)) this.#noteForwarding(outcome);
    const retry = this.#retries.next(outcome, server);
    if (!retry) return undefined;
    const request = this.#parts.requestAt(retry.server);
    return {
      send: { server: retry.server, request, isFirst: false, keepAlive, hops: 0 },
      afterMs: retry.delayMs,
    };
  }

  #result({ server }: Sending, outcome: Outcome): RawResponse {
    if ('networkError' in outcome) throw networkFailure(this.#parts.call, outcome.networkError, server);
    return outcome;
  }

  #noteForwarding(response: RawResponse): void {
    const { service, retry } = this.#parts.call.operation;
    if (isSealed(service, response)) this.mayBeApplied = false;
    else this.mayBeApplied ||= !isRepeatable(retry) && mayHaveForwarded(service, response);
  }
}

const tooLarge = `a response of more than ${maxResponseBytes / 1024 / 1024} MiB`;

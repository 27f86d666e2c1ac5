import type { ServiceName } from '../../wire/services.ts';
import {
  isInactiveServer,
  isLostInCluster,
  isRateLimited,
  isSealed,
  isUpgradingMount,
  isWithoutTokens,
} from '../conditions/any.ts';
import type { Endpoint, TransportOptions } from '../endpoint.ts';
import { type NetworkError, reasonOf } from '../network-errors.ts';
import { isRepeatable, type Retry } from '../operation.ts';
import { services } from '../services.ts';
import type { Servers } from './connection.ts';
import { type Call, type RawResponse, readBody } from './response.ts';

/** What a request ended with. */
export type Outcome =
  | RawResponse
  | {
      readonly networkError: NetworkError;
      /** The service closed a kept connection while the request was on its way: it has not read it. */
      readonly wasClosed?: boolean | undefined;
    };

/** What went wrong with one attempt, as far as a retry depends on it. Times are milliseconds. */
export type RetryReason =
  /** The connection was refused: nothing was sent. */
  | { readonly kind: 'refused' }
  /** Another network error that may be temporary. */
  | { readonly kind: 'network' }
  /** No server of the cluster serves requests for some seconds (an election); nothing was done. */
  | { readonly kind: 'electing' }
  /** A retry would fail in the same way: a certificate, a name that does not exist. */
  | { readonly kind: 'lasting' }
  /** The service responded; `after` is the delay of its Retry-After. */
  | {
      readonly kind: 'response';
      readonly service: ServiceName;
      readonly status: number;
      readonly sealed: boolean;
      readonly after: number | undefined;
    };

/** Why an attempt may be repeated; undefined: the operation accepts the response. */
export function retryReasonOf(outcome: Outcome, call: Call, endpoint: Endpoint): RetryReason | undefined {
  if ('networkError' in outcome) {
    const { networkError } = outcome;
    if (networkError.code === 'ECONNREFUSED')
      return { kind: (endpoint.addresses?.length ?? 0) > 1 ? 'electing' : 'refused' };
    return { kind: reasonOf(networkError, endpoint).isLasting ? 'lasting' : 'network' };
  }
  const { status, headers } = outcome;
  if (call.operation.accepts.includes(status) && (status < 500 || isDecodable(outcome, call)))
    return undefined;
  const { service } = endpoint;
  const isSealedServer = isSealed(service, outcome);
  // Only a redirect of a server to itself gets here.
  const isBecomingActive = service === 'secrets' && status === 307;
  const isElecting =
    (isInactiveServer(service, outcome) && !isSealedServer) ||
    isUpgradingMount(service, outcome) ||
    ((isBecomingActive || isLostInCluster(service, outcome)) && isRepeatable(call.operation.retry));
  if (isElecting) return { kind: 'electing' };
  const after = retryAfter(headers, Date.now());
  return { kind: 'response', service, status, sealed: isSealedServer, after };
}

/** Health has statuses of errors too: without its body they are of a proxy, or of a cluster without a leader. */
function isDecodable(response: RawResponse, { operation }: Call): boolean {
  try {
    operation.decode?.(readBody(response), response.status);
    return true;
  } catch {
    return false;
  }
}

/** Maximum number of requests, first attempt included, where no setting has another. */
const defaultAttempts = 3;
const maxDelayMs = 20_000;
const baseDelayMs = 500;
// An error for a service that is not running should appear in well under a second.
const refusedDelayMs = 150;
/** An election takes some seconds: these attempts take 11 s on average. */
const electionAttempts = 24;
const minElectionDelayMs = 250;
const maxElectionDelayMs = 1_000;

/** The longest delay after an attempt during an election, to be multiplied with jitter; undefined: no retry. */
export const electionDelayMs = (attempt: number): number | undefined =>
  attempt < electionAttempts
    ? Math.min(maxElectionDelayMs, minElectionDelayMs * 2 ** (attempt - 1))
    : undefined;

/**
 * The delay before a retry, with full jitter; undefined: no retry. If a response asks for more than 20 s, there is no
 * retry: an earlier one would ignore the request.
 *
 * @param attempt the number of attempts made, from 1.
 * @param random full jitter, in [0, 1).
 * @param maxAttempts the maximum number of attempts.
 */
export function retryDelayMs(
  retryReason: RetryReason,
  retry: Retry,
  attempt: number,
  random: number,
  maxAttempts: number = defaultAttempts,
): number | undefined {
  if (attempt >= maxAttempts) return undefined;
  const growth = 2 ** (attempt - 1);
  if (retryReason.kind === 'electing') return random * (electionDelayMs(attempt) ?? maxElectionDelayMs);
  if (retryReason.kind === 'refused') return random * refusedDelayMs * growth;
  if (!isRepeatable(retry)) return undefined;
  const delayMs = Math.min(maxDelayMs, random * baseDelayMs * growth);
  if (retryReason.kind === 'network') return delayMs;
  if (retryReason.kind !== 'response' || !isTransient(retryReason)) return undefined;
  if (retryReason.after === undefined) return delayMs;
  return retryReason.after <= maxDelayMs ? retryReason.after : undefined;
}

function isTransient({ service, status, sealed }: RetryReason & { kind: 'response' }): boolean {
  if (status === 503) return !sealed;
  return [429, 502, 504].includes(status) || (status === 412 && service === 'secrets');
}

/**
 * Reads a Retry-After header: seconds, or an HTTP date (compared with the response's own Date where it has one).
 *
 * @returns milliseconds, not negative; undefined: absent or invalid.
 */
export function retryAfter(
  headers: Readonly<Record<string, string | undefined>>,
  now: number,
): number | undefined {
  const value = headers['retry-after'] ?? '';
  if (/^\d+$/.test(value)) return Number(value) * 1000;
  // Date.parse reads other texts as dates of long ago: "1.5", "-5".
  if (!/\d\d:\d\d:\d\d/.test(value)) return undefined;
  const then = Date.parse(value);
  const date = Date.parse(headers.date ?? '');
  return Number.isNaN(then) ? undefined : Math.max(0, then - (Number.isNaN(date) ? now : date));
}

/** When a request is sent again: `retrying in 0.4 s`. */
export const retryText = (delayMs: number): string =>
  delayMs < 50 ? 'retrying' : `retrying in ${(delayMs / 1000).toFixed(1)} s`;

/** A longer Retry-After of a rate limit is not waited for. */
const maxRetryAfterMs = 120_000;
/** How long one request waits for rate limits altogether. */
const maxWaitMs = 600_000;
/** Without a Retry-After, or with one of 0: about a minute on average. */
const maxBackoffs = 24;
const firstBackoffMs = 500;
const maxBackoffMs = 5000;

/** The retries of one call. */
export class Retries {
  readonly #call: Call;
  readonly #servers: Servers;
  readonly #options: Pick<TransportOptions, 'note' | 'random' | 'noteRateLimit'>;
  readonly #tried = new Set<string>();
  #attempts = 1;
  #isElecting = false;
  /** The waits for rate limits: those without a Retry-After, and the milliseconds of all. */
  #backoffs = 0;
  #waitedMs = 0;

  constructor(
    call: Call,
    servers: Servers,
    options: Pick<TransportOptions, 'note' | 'random' | 'noteRateLimit'>,
  ) {
    this.#call = call;
    this.#servers = servers;
    this.#options = options;
  }

  /** A request goes to a server. */
  addTried({ address }: Endpoint): void {
    this.#tried.add(address);
  }

  /**
   * The server of the next request and the milliseconds before it, with a note that says why; undefined: no retry. The
   * first of these that applies: another server now, a wait for a rate limit, another attempt after a delay.
   *
   * @param server the one that the outcome is of, after redirects.
   */
  next(
    outcome: Outcome,
    server: Endpoint,
  ): { readonly server: Endpoint; readonly delayMs: number } | undefined {
    const reason = this.#reasonOf(outcome, server);
    if (!reason) return undefined;
    const { title } = services[server.service];
    const cause =
      'networkError' in outcome ? reasonOf(outcome.networkError, server).what : `status ${outcome.status}`;
    const other = isForAnother(outcome, this.#call) && this.#servers.next(server.address, this.#tried);
    if (other) {
      if (!this.#isElecting) this.#noteOnce(`${title}: ${server.address}: ${cause}; trying ${other.address}`);
      return { server: other, delayMs: 0 };
    }
    const waitMs = this.#rateLimitWaitMs(outcome, reason, server);
    if (waitMs !== undefined) return { server, delayMs: waitMs };
    const isElecting = reason.kind === 'electing';
    const { maxRetries = (isElecting ? electionAttempts : defaultAttempts) - 1 } = server;
    const { random, note } = this.#options;
    const { retry } = this.#call.operation;
    const delayMs = retryDelayMs(reason, retry, this.#attempts, random(), maxRetries + 1);
    if (delayMs === undefined) return undefined;
    this.#attempts += 1;
    // Not one line for each attempt.
    if (!isElecting)
      note(`${title}: ${cause}; ${retryText(delayMs)} (attempt ${this.#attempts} of ${maxRetries + 1})`);
    else if (!this.#isElecting) this.#noteOnce(`${title}: ${cause}; retrying for some seconds`);
    this.#isElecting ||= isElecting;
    this.#tried.clear();
    return { server: this.#servers.next(server.address, this.#tried) ?? server, delayMs };
  }

  /** A server that restarts denies everything until its state is restored (Nomad 403): after an election, for some seconds. */
  #reasonOf(outcome: Outcome, server: Endpoint): RetryReason | undefined {
    const reason = retryReasonOf(outcome, this.#call, server);
    if (reason?.kind === 'electing') this.#servers.addElection();
    const isRestoring = reason?.kind === 'response' && reason.status === 403 && this.#servers.hadElection();
    return isRestoring ? { kind: 'electing' } : reason;
  }

  /** The wait of a command that waits for rate limits, for writes too: what was rejected had no effect. */
  #rateLimitWaitMs(outcome: Outcome, reason: RetryReason, server: Endpoint): number | undefined {
    const { noteRateLimit, random } = this.#options;
    if (!noteRateLimit || 'networkError' in outcome || server.maxRetries === 0) return undefined;
    if (!isRateLimited(server.service, outcome)) return undefined;
    const { after = 0 } = reason.kind === 'response' ? reason : {};
    if (after > maxRetryAfterMs || this.#waitedMs + after > maxWaitMs) return undefined;
    if (after === 0 && this.#backoffs >= maxBackoffs) return undefined;
    const waitMs = after || random() * Math.min(maxBackoffMs, firstBackoffMs * 2 ** this.#backoffs);
    if (after === 0) this.#backoffs += 1;
    noteRateLimit(server.service, outcome.status, after);
    this.#waitedMs += waitMs;
    return waitMs;
  }

  /** Not one line for each request that meets the same server. */
  #noteOnce(text: string): void {
    if (this.#servers.isNew(text)) this.#options.note(text);
  }
}

/**
 * May another server of the cluster be tried at once? Only if this one certainly did nothing: the request did not reach
 * it, or it says that it serves no requests now. What may be sent twice may also be sent to two servers.
 */
function isForAnother(outcome: Outcome, { operation: { service, retry } }: Call): boolean {
  if ('networkError' in outcome) return !outcome.networkError.sent || isRepeatable(retry);
  return isInactiveServer(service, outcome) || isWithoutTokens(service, outcome);
}

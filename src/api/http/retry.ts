import type { ServiceName } from '../../wire/services.ts';
import {
  isInactiveServer,
  isLostInCluster,
  isSealed,
  isUpgradingMount,
  isWithoutTokens,
} from '../conditions/any.ts';
import type { Endpoint, TransportOptions } from '../endpoint.ts';
import { isRepeatable, type Retry } from '../operation.ts';
import { services } from '../services.ts';
import { type NetworkError, reasonOf } from './network-error.ts';
import { RequestWaits } from './rate-limit-waits.ts';
import { type Call, type RawResponse, readBody } from './response.ts';
import { retryAfter, retryText } from './retry-after.ts';

/** What an attempt ended with. */
export type Outcome = RawResponse | { readonly networkError: NetworkError };

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
    isBecomingActive ||
    (isInactiveServer(service, outcome) && !isSealedServer) ||
    isUpgradingMount(service, outcome) ||
    (isLostInCluster(service, outcome) && isRepeatable(call.operation.retry));
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
/** How long access may be denied after an election. */
const denialGraceMs = 10_000;

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
  maxAttempts: number = retryReason.kind === 'electing' ? electionAttempts : defaultAttempts,
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

/** The retries of one call. */
export class Retries {
  readonly #call: Call;
  readonly #servers: Servers;
  readonly #options: Pick<TransportOptions, 'note' | 'random'>;
  readonly #waits: RequestWaits;
  readonly #tried = new Set<string>();
  #attempts = 1;
  #isElecting = false;

  constructor(
    call: Call,
    servers: Servers,
    options: Pick<TransportOptions, 'note' | 'random' | 'rateLimitWaits'>,
  ) {
    this.#call = call;
    this.#servers = servers;
    this.#options = options;
    this.#waits = new RequestWaits(options.rateLimitWaits);
  }

  /** A request goes to a server. */
  addTried({ address }: Endpoint): void {
    this.#tried.add(address);
  }

  /**
   * The server of the next request and the milliseconds before it, with a note that says why; undefined: no retry.
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
    const response = 'networkError' in outcome || server.maxRetries === 0 ? undefined : outcome;
    const after = reason.kind === 'response' ? reason.after : undefined;
    const waitMs = this.#waits.delayMs(
      server.service,
      response && { ...response, after },
      this.#options.random(),
    );
    if (waitMs !== undefined) return { server, delayMs: waitMs };
    const { retry } = this.#call.operation;
    const isElecting = reason.kind === 'electing';
    const maxAttempts =
      server.maxRetries === undefined
        ? isElecting
          ? electionAttempts
          : defaultAttempts
        : server.maxRetries + 1;
    const delayMs = retryDelayMs(reason, retry, this.#attempts, this.#options.random(), maxAttempts);
    if (delayMs === undefined) return undefined;
    this.#attempts += 1;
    // Not one line for each attempt.
    if (!isElecting)
      this.#options.note(
        `${title}: ${cause}; ${retryText(delayMs)} (attempt ${this.#attempts} of ${maxAttempts})`,
      );
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

  /** Not one line for each request that meets the same server. */
  #noteOnce(text: string): void {
    if (this.#servers.isNew(text)) this.#options.note(text);
  }
}

/** The servers of one cluster. The one that responded last is used first, for the rest of the process. */
export class Servers {
  readonly #endpoint: Endpoint;
  readonly #addresses: readonly string[];
  readonly #noted = new Set<string>();
  #index: number;
  #current: Endpoint | undefined;
  #electionMs = Number.NEGATIVE_INFINITY;

  /** @param endpoint if its list does not contain its address, that is the only server. */
  constructor(endpoint: Endpoint) {
    const { address, addresses = [] } = endpoint;
    this.#endpoint = endpoint;
    this.#addresses = addresses.includes(address) ? addresses : [address];
    this.#index = this.#addresses.indexOf(address);
  }

  /** A server said that no server of the cluster serves requests. */
  addElection(): void {
    this.#electionMs = performance.now();
  }

  /** Whether one said so in the last seconds. */
  hadElection(): boolean {
    return performance.now() - this.#electionMs < denialGraceMs;
  }

  /** How many addresses the settings have. */
  get count(): number {
    return this.#addresses.length;
  }

  /** The endpoint with the address of the current server. */
  current(): Endpoint {
    this.#current ??= { ...this.#endpoint, address: this.#addresses[this.#index] ?? this.#endpoint.address };
    return this.#current;
  }

  /**
   * The server to try after one has failed: the current server, if another request has already moved on from the failed
   * one; otherwise the next in the list, which becomes the current server.
   *
   * @param failed address of the server that failed.
   * @param tried addresses that are not tried again.
   * @returns undefined: all servers have been tried.
   */
  next(failed: string, tried: ReadonlySet<string>): Endpoint | undefined {
    const current = this.current();
    if (current.address !== failed && !tried.has(current.address)) return current;
    const start = this.#addresses.indexOf(failed) + 1;
    const others = [...this.#addresses.slice(start), ...this.#addresses];
    return this.#choose((address) => address === others.find((each) => !tried.has(each)));
  }

  /** Whether a note about the servers has not been written yet. */
  isNew(note: string): boolean {
    const { size } = this.#noted;
    return this.#noted.add(note).size > size;
  }

  /** Makes the server with this origin the current one; undefined: none has it. */
  choose(origin: string): Endpoint | undefined {
    return this.#choose((address) => origin !== 'null' && URL.parse(address)?.origin === origin);
  }

  #choose(matches: (address: string) => boolean): Endpoint | undefined {
    const found = this.#addresses.findIndex(matches);
    if (found < 0) return undefined;
    this.#index = found;
    this.#current = undefined;
    return this.current();
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

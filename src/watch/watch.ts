import { isDeepStrictEqual } from 'node:util';
import { LanyardError } from '../errors.ts';

/** The state of an object at one time. */
export interface Reading<Value> {
  /** Undefined: the object does not exist. */
  readonly value: Value | undefined;
  /** Where the service has blocking queries: the index of the state, a decimal number. */
  readonly index?: string | undefined;
}

/** A blocking query: the response is delayed until the index exceeds `index`, or for `waitSeconds`. */
export interface BlockingQuery {
  readonly index: string;
  readonly waitSeconds: number;
}

/** What is watched. */
export interface Source<Value> {
  /**
   * Reads the state once.
   *
   * @param after undefined: returns at once.
   * @throws LanyardError. An object that does not exist is not an error.
   */
  read(after: BlockingQuery | undefined, signal: AbortSignal): Promise<Reading<Value>>;
  /** Reads the state consistently: confirms that what a read did not find is gone. */
  confirm?(signal: AbortSignal): Promise<Reading<Value>>;
  /** Whether a state is one to confirm. Default: it is absent, or a list without items. */
  isEmpty?(value: Value | undefined): boolean;
  /** The part of a state that decides whether it has changed. Default: all of it. */
  comparable?(value: Value): unknown;
  /** Where the service has no blocking queries: milliseconds between reads. Default: 5000. */
  readonly intervalMs?: number;
}

interface Occurrence {
  readonly at: Date;
  /** False: the same state as before, after errors. */
  readonly isChange: boolean;
  readonly index?: string;
}

export interface Present<Value> extends Occurrence {
  readonly status: 'present';
  readonly data: Value;
}

export interface Absent extends Occurrence {
  readonly status: 'absent';
}

/** The first of a row of errors. The state may have changed meanwhile. */
export interface Failed extends Occurrence {
  readonly status: 'error';
  readonly error: LanyardError;
}

export type WatchEvent<Value> = Present<Value> | Absent | Failed;

export interface WatchOptions {
  readonly clock: () => Date;
  /** Waits, at most until the signal is aborted. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<unknown>;
  /** A number in [0, 1). */
  readonly random: () => number;
  /** Ends the watch. */
  readonly signal: AbortSignal;
  /** Milliseconds between reads, instead of blocking queries and of the interval of the source. */
  readonly intervalMs?: number | undefined;
  /** Called with the first of a row of errors that are retried. */
  readonly onRetry: (error: LanyardError) => void;
  /** Errors that end the watch; where access was denied, after one retry. Default: `isPermanentError`. */
  readonly isPermanent?: (error: LanyardError) => boolean;
}

/** Seconds of a blocking query: proxies often close a connection that is idle for longer. */
const waitSeconds = 60;
/** How long, and how often, access may be denied after an outage. */
const denialGraceMs = 30_000;
const maxDenials = 20;
/** Milliseconds between reads, and the dither that is added. */
const minGapMs = 100;
const ditherMs = 25;
/** Milliseconds between reads of a source without blocking queries and without an interval of its own. */
const defaultIntervalMs = 5000;
const minBackoffMs = 250;
const maxBackoffMs = 30_000;
/** Blocking queries in a row that returned early and without a change, until they count as not supported. */
const maxEarlyReturns = 3;

/** Whether an error remains if nothing is changed: neither the connection nor the state of the service caused it. */
export function isPermanentError(error: LanyardError): boolean {
  const isOfService = error.kind === 'failure' && (error.status ?? 0) >= 500;
  return !(isOfService || error.retryable || error.kind === 'unreachable' || error.kind === 'unavailable');
}

/**
 * Reads the state of an object at each change, first at once. Uses blocking queries where the service has them, else
 * polls. Reads are at least 100 ms apart. An empty state after another one is an event only after a consistent read
 * confirms it. After an error the state is read again, after 250 ms to 30 s.
 *
 * Ends when the signal is aborted.
 *
 * @throws LanyardError: a permanent error of a read.
 */
export async function* watch<Value>(
  source: Source<Value>,
  options: WatchOptions,
): AsyncGenerator<WatchEvent<Value>, void, undefined> {
  const { sleep, signal } = options;
  const state = new WatchState(source, options);
  while (!signal.aborted) {
    let event: WatchEvent<Value> | undefined;
    try {
      event = await state.read();
    } catch (error) {
      if (signal.aborted) return;
      event = state.failed(error);
    }
    if (event) yield event;
    await sleep(state.delayMs, signal);
  }
}

class WatchState<Value> {
  /** Milliseconds until the next read. */
  delayMs = 0;
  readonly #source: Source<Value>;
  readonly #options: WatchOptions;
  #last: Reading<Value> | undefined;
  /** The index for the next blocking query; undefined: none is sent. */
  #after: bigint | undefined;
  /** In a row. */
  #errors = 0;
  /** Denials in a row, the time of the first, and whether another error came before. */
  #denials = 0;
  #deniedFromMs = 0;
  #hadOutage = false;
  /** Whether there was an event for the last error. */
  #isReported = false;
  #earlyReturns = 0;

  constructor(source: Source<Value>, options: WatchOptions) {
    this.#source = source;
    this.#options = options;
  }

  /** @returns undefined: nothing to report. */
  async read(): Promise<WatchEvent<Value> | undefined> {
    const after = this.#options.intervalMs === undefined ? this.#after : undefined;
    const startedMs = this.#nowMs();
    const reading = await this.#confirmed(
      await this.#source.read(after === undefined ? undefined : query(after), this.#options.signal),
    );
    const index = parseIndex(reading.index);
    this.#countEarlyReturn(after, index, startedMs);
    // An index that went backwards is of another server, or of a restored state.
    const isReset = after !== undefined && index !== undefined && index < after;
    this.#after = isReset ? undefined : index;
    this.delayMs = this.#delayAfter(index);
    return this.#event(reading, after !== undefined && index === after);
  }

  /**
   * @returns the event of the first error in a row.
   * @throws the error, if it is permanent.
   */
  failed(error: unknown): WatchEvent<Value> | undefined {
    const { isPermanent: isFinal = isPermanentError, onRetry } = this.#options;
    if (!(error instanceof LanyardError)) throw error;
    const isDenied = error.kind === 'forbidden' || error.kind === 'unauthenticated';
    const isPermanent = isFinal(error);
    if (isPermanent && !(isDenied && this.#mayBeTemporaryDenial())) throw error;
    if (!isDenied) this.#hadOutage = true;
    this.#errors += 1;
    this.delayMs = this.#backoffMs();
    // The state is read at once when the service is back.
    this.#after = undefined;
    if (this.#isReported || isPermanent) return undefined;
    this.#isReported = true;
    onRetry(error);
    return { at: this.#options.clock(), isChange: false, status: 'error', error };
  }

  /**
   * Counts a denial. A new token may not have reached each server: one denial is retried. A server that restarts denies
   * everything until its state is restored (Nomad 403): after an outage, denials are retried for some seconds.
   */
  #mayBeTemporaryDenial(): boolean {
    const nowMs = this.#nowMs();
    // As after the first error: the delays of the outage are too long.
    if (this.#denials === 0) {
      this.#errors = 0;
      this.#deniedFromMs = nowMs;
    }
    this.#denials += 1;
    if (!this.#hadOutage) return this.#denials === 1;
    return this.#denials <= maxDenials && nowMs - this.#deniedFromMs < denialGraceMs;
  }

  /** A reading that a consistent one confirmed, if it is empty and the last one was not. */
  async #confirmed(reading: Reading<Value>): Promise<Reading<Value>> {
    const { isEmpty = isAbsentOrEmptyList } = this.#source;
    if (!this.#source.confirm || !this.#last || !isEmpty(reading.value) || isEmpty(this.#last.value))
      return reading;
    return this.#source.confirm(this.#options.signal);
  }

  /** @param isUnchanged the service responded that nothing changed. */
  #event(reading: Reading<Value>, isUnchanged: boolean): WatchEvent<Value> | undefined {
    const last = this.#last;
    const isChange = !last || !(isUnchanged || this.#isSame(last.value, reading.value));
    const isRecovery = this.#isReported;
    this.#errors = 0;
    this.#denials = 0;
    this.#hadOutage = false;
    this.#isReported = false;
    if (isChange) this.#last = reading;
    if (!isChange && !isRecovery) return undefined;
    const occurrence = {
      at: this.#options.clock(),
      isChange,
      ...(reading.index === undefined ? {} : { index: reading.index }),
    };
    return reading.value === undefined
      ? { ...occurrence, status: 'absent' }
      : { ...occurrence, status: 'present', data: reading.value };
  }

  #isSame(before: Value | undefined, now: Value | undefined): boolean {
    const { comparable = (value: Value): unknown => value } = this.#source;
    if (before === undefined || now === undefined) return before === now;
    return isDeepStrictEqual(comparable(before), comparable(now));
  }

  #delayAfter(index: bigint | undefined): number {
    const { intervalMs, random } = this.#options;
    if (intervalMs === undefined && index !== undefined && this.#earlyReturns < maxEarlyReturns)
      return minGapMs + random() * ditherMs;
    const pollMs = intervalMs ?? this.#source.intervalMs ?? defaultIntervalMs;
    return Math.max(minGapMs, pollMs) * (1 + random() / 10);
  }

  /** Counts blocking queries that did not block: something between may ignore `wait`. */
  #countEarlyReturn(after: bigint | undefined, index: bigint | undefined, startedMs: number): void {
    if (after === undefined) return;
    const elapsedMs = Math.max(0, this.#nowMs() - startedMs);
    const isEarly = index === after && elapsedMs < waitSeconds * 500;
    this.#earlyReturns = isEarly ? this.#earlyReturns + 1 : 0;
  }

  /** Half of the delay is jitter. */
  #backoffMs(): number {
    const delayMs = Math.min(maxBackoffMs, minBackoffMs * 2 ** Math.min(this.#errors, 20));
    return delayMs / 2 + (this.#options.random() * delayMs) / 2;
  }

  #nowMs(): number {
    return this.#options.clock().getTime();
  }
}

const query = (after: bigint): BlockingQuery => ({ index: String(after), waitSeconds });

/** The index for a blocking query: one after 0 returns at once. */
function parseIndex(index: string | undefined): bigint | undefined {
  if (index === undefined || !/^\d+$/.test(index)) return undefined;
  const number = BigInt(index);
  return number === 0n ? 1n : number;
}

const isAbsentOrEmptyList = (value: unknown): boolean =>
  value === undefined || (Array.isArray(value) && value.length === 0);

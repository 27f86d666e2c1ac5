import { LanyardError } from '../errors.ts';
import { errorLine } from './show-changes.ts';
import { type Absent, type Present, type Source, type WatchOptions, watch } from './watch.ts';

/** Milliseconds that a timer can wait. */
const maxTimerMs = 2 ** 31 - 1;

/** The state that a condition is checked with. */
export interface ObservedState<Value> {
  /** Undefined: the object does not exist. */
  readonly data: Value | undefined;
  /** Whether it has changed since the first state. */
  readonly isChanged: boolean;
}

/** Whether a condition is met; if not, why, without values. */
export type Verdict = { readonly isMet: true } | { readonly isMet: false; readonly reason: string };

/** How a wait ended. */
export type Waited<Value> = { readonly elapsedMs: number } & (
  | { readonly isMet: true; readonly event: Present<Value> | Absent }
  | { readonly isMet: false; readonly reason: string; readonly last: Present<Value> | Absent | undefined }
);

export interface WaitOptions extends Omit<WatchOptions, 'signal'> {
  /** Aborted when the wait ends: the source uses its signal too. */
  readonly end: AbortController;
  /** Aborts the wait. */
  readonly signal: AbortSignal;
  /** 0: the first state decides. */
  readonly timeoutMs: number;
  /** How long the condition must be met without interruption. */
  readonly stableMs: number;
}

/**
 * Watches an object until a condition is met.
 *
 * @param check may throw: that ends the wait.
 * @throws LanyardError interrupted; the errors that end a watch.
 */
export async function waitUntil<Value>(
  source: Source<Value>,
  check: (state: ObservedState<Value>) => Promise<Verdict>,
  { end, signal, timeoutMs, stableMs, ...options }: WaitOptions,
): Promise<Waited<Value>> {
  const nowMs = (): number => options.clock().getTime();
  const startedMs = nowMs();
  const deadlineMs = startedMs + timeoutMs;
  const interrupt = (): void => end.abort(signal.reason);
  if (signal.aborted) interrupt();
  signal.addEventListener('abort', interrupt, { once: true });
  const events = watch(source, { ...options, signal: end.signal });
  const observed = new Observed<Value>();
  let next = nextOf(events);
  try {
    for (;;) {
      const { last, metFromMs, reason } = observed;
      const elapsedMs = nowMs() - startedMs;
      if (last && nowMs() >= metFromMs + stableMs) return { isMet: true, event: last, elapsedMs };
      // If the first state alone decides, it is awaited.
      const isFirst = timeoutMs === 0 && observed.count === 0;
      if (nowMs() >= deadlineMs && !isFirst) return { isMet: false, reason, last, elapsedMs };
      const dueMs = isFirst ? Number.POSITIVE_INFINITY : Math.min(deadlineMs, metFromMs + stableMs);
      const received = await within(next, dueMs - nowMs(), options.sleep);
      if (received === undefined) continue;
      if (received.done) throw new LanyardError('interrupted', 'interrupted');
      const event = received.value;
      next = nextOf(events);
      if (event.status === 'error') observed.fail(event.error);
      else observed.see(event, await check(observed.stateOf(event)), nowMs());
    }
  } finally {
    signal.removeEventListener('abort', interrupt);
    end.abort();
  }
}

/** What was seen of an object. */
class Observed<Value> {
  /** The last state; undefined: none was read. */
  last: Present<Value> | Absent | undefined;
  /** Why the condition is not met. */
  reason = 'no response';
  /** Since when the condition is met. */
  metFromMs = Number.POSITIVE_INFINITY;
  /** Number of events. */
  count = 0;
  #changes = 0;

  stateOf(event: Present<Value> | Absent): ObservedState<Value> {
    if (event.isChange) this.#changes += 1;
    return { data: event.status === 'present' ? event.data : undefined, isChanged: this.#changes > 1 };
  }

  see(event: Present<Value> | Absent, verdict: Verdict, nowMs: number): void {
    this.count += 1;
    this.last = event;
    if (verdict.isMet) {
      this.metFromMs = Math.min(this.metFromMs, nowMs);
      this.reason = 'not met for long enough';
    } else {
      this.metFromMs = Number.POSITIVE_INFINITY;
      this.reason = verdict.reason;
    }
  }

  /** While the state is not known, the condition is not met. */
  fail(error: LanyardError): void {
    this.count += 1;
    this.metFromMs = Number.POSITIVE_INFINITY;
    this.reason = errorLine(error);
  }
}

function nextOf<Event>(events: AsyncGenerator<Event, void, undefined>) {
  const next = events.next();
  // It may be rejected before it is awaited, or after the end.
  next.catch(() => undefined);
  return next;
}

/** The value of a promise; undefined: the time is up before. */
async function within<Value>(
  promise: Promise<Value>,
  ms: number,
  sleep: WatchOptions['sleep'],
): Promise<Value | undefined> {
  const timer = new AbortController();
  try {
    const timeUp = sleep(Math.min(Math.max(0, ms), maxTimerMs), timer.signal).then(() => undefined);
    return await Promise.race([promise, timeUp]);
  } finally {
    timer.abort();
  }
}

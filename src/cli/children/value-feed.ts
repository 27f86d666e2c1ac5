import { isDeepStrictEqual } from 'node:util';
import type { Host } from '../../command/host.ts';
import type { SourceValues, SupervisedRun, WatchSettings } from '../../command/supervised-run.ts';
import { LanyardError } from '../../errors.ts';

/** How often several sources are read until two reads in a row are equal. */
const maxReads = 5;
/** Milliseconds between attempts to read changed values. */
const retryMs = { min: 1000, max: 30_000 };

/** Time and randomness. */
export interface Timing extends Pick<Host, 'clock' | 'random'> {
  /** Waits, at most until the signal is aborted. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<unknown>;
}

/** The values of all sources at one time, and what they become for the command. */
interface Prepared<Result extends object> {
  readonly values: readonly SourceValues[];
  readonly result: Result;
}

/** Reads the values of all sources: first at once, then whenever a source reports a change. */
export class ValueFeed<Result extends object> {
  readonly #run: Pick<SupervisedRun, 'read' | 'watch' | 'output'>;
  readonly #timing: Timing;
  /** Ends reads and delays. */
  readonly #signal: AbortSignal;
  readonly #prepare: (values: readonly SourceValues[]) => Promise<Result>;
  #changeCount = 0;
  /** Those that were followed by a read. */
  #seenChanges = 0;
  #wake = Promise.withResolvers<void>();
  #isFailing = false;

  /** @param prepare what must succeed before values are used. */
  constructor(
    run: Pick<SupervisedRun, 'read' | 'watch' | 'output'>,
    timing: Timing,
    signal: AbortSignal,
    prepare: (values: readonly SourceValues[]) => Promise<Result>,
  ) {
    this.#run = run;
    this.#timing = timing;
    this.#signal = signal;
    this.#prepare = prepare;
    signal.addEventListener('abort', () => this.#wake.resolve(), { once: true });
  }

  /**
   * Reads and prepares the values of all sources. With `watch`, several sources are read until two reads in a row are
   * equal: then all values were current at the time between them.
   *
   * @throws LanyardError of a read or of `prepare`; unavailable: they keep changing.
   */
  async read(): Promise<Prepared<Result>> {
    const values = await this.#readConsistently();
    return { values, result: await this.#prepare(values) };
  }

  /** A source may have changed. */
  report(): void {
    this.#changeCount += 1;
    this.#wake.resolve();
  }

  /**
   * Waits for a report, until no further one arrives for some time, and then for values that differ. A failed read is
   * repeated at the next report or after a delay, with one warning.
   *
   * @returns undefined: the signal was aborted.
   */
  async next(current: readonly SourceValues[], watch: WatchSettings): Promise<Prepared<Result> | undefined> {
    for (let delayMs = Number.POSITIVE_INFINITY; !this.#signal.aborted; ) {
      await this.#untilChange(delayMs);
      if (this.#changeCount > this.#seenChanges) await this.#settle(watch);
      if (this.#signal.aborted) break;
      this.#seenChanges = this.#changeCount;
      try {
        const values = await this.#readConsistently();
        const next = isDeepStrictEqual(values, current) ? undefined : await this.#prepare(values);
        this.#isFailing = false;
        if (next !== undefined) return { values, result: next };
        delayMs = Number.POSITIVE_INFINITY;
      } catch (error) {
        if (this.#signal.aborted) break;
        if (!(error instanceof LanyardError)) throw error;
        this.#warnOnce(error);
        delayMs = delayMs > retryMs.max ? retryMs.min : Math.min(delayMs * 2, retryMs.max);
      }
    }
    return undefined;
  }

  async #readConsistently(): Promise<readonly SourceValues[]> {
    const { read, watch } = this.#run;
    let values = await read(this.#signal);
    if (watch === undefined || values.length < 2) return values;
    for (let count = 1; count < maxReads; count += 1) {
      const again = await read(this.#signal);
      if (isDeepStrictEqual(values, again)) return again;
      values = again;
    }
    throw new LanyardError('unavailable', 'cannot read the values: they keep changing', { retryable: true });
  }

  /** Waits until a change is reported that no read followed, at most some milliseconds. */
  async #untilChange(maxMs: number): Promise<void> {
    if (this.#changeCount > this.#seenChanges || this.#signal.aborted) return;
    this.#wake = Promise.withResolvers<void>();
    const { promise } = this.#wake;
    if (maxMs === Number.POSITIVE_INFINITY) return promise;
    const end = new AbortController();
    void promise.then(() => end.abort());
    await this.#timing.sleep(maxMs, end.signal);
  }

  /** Waits until no change is reported for some time, and for the splay. */
  async #settle({ debounce: { minMs, maxMs }, splayMs }: WatchSettings): Promise<void> {
    const { clock, random, sleep } = this.#timing;
    const startMs = clock().getTime();
    for (let leftMs = maxMs; leftMs > 0; leftMs = maxMs - (clock().getTime() - startMs)) {
      const before = this.#changeCount;
      await sleep(Math.min(minMs, leftMs), this.#signal);
      if (before === this.#changeCount || this.#signal.aborted) break;
    }
    if (splayMs > 0) await sleep(splayMs * fraction(random), this.#signal);
  }

  #warnOnce({ message }: LanyardError): void {
    if (!this.#isFailing)
      this.#run.output.warn(`cannot update the values: ${message}; the command keeps the current ones`);
    this.#isFailing = true;
  }
}

const fraction = (random: Host['random']): number =>
  random(4).reduce((sum, byte) => sum * 256 + byte, 0) / 2 ** 32;

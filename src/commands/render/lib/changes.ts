import type { Context } from '../../../command/context.ts';

/** How long values must be unchanged before they are used, and how long to wait for that, in milliseconds. */
export interface Debounce {
  readonly minMs: number;
  readonly maxMs: number;
}

/** Reports of changed values. */
export class Changes {
  readonly #system: Pick<Context['system'], 'clock' | 'sleep' | 'signal'>;
  #count = 0;
  #seen = 0;
  #wake = Promise.withResolvers<void>();
  #failure: { readonly error: unknown } | undefined;

  constructor(system: Pick<Context['system'], 'clock' | 'sleep' | 'signal'>) {
    this.#system = system;
    system.signal.addEventListener('abort', () => this.#wake.resolve(), { once: true });
  }

  report(): void {
    this.#count += 1;
    this.#wake.resolve();
  }

  /** The next wait rejects with an error. */
  fail(error: unknown): void {
    this.#failure = { error };
    this.#wake.resolve();
  }

  /**
   * Waits for a report, until no further one arrives for some time; at most `maxMs` for the first one. A signal to the
   * process ends it.
   */
  async wait(maxMs: number, debounce: Debounce): Promise<void> {
    const { signal, sleep, clock } = this.#system;
    if (this.#count === this.#seen && !signal.aborted && !this.#failure) {
      if (maxMs === Number.POSITIVE_INFINITY) await this.#wake.promise;
      else await this.#within(maxMs);
    }
    if (this.#count > this.#seen) {
      const startMs = clock().getTime();
      for (let leftMs = debounce.maxMs; leftMs > 0; leftMs = debounce.maxMs - (clock().getTime() - startMs)) {
        const before = this.#count;
        await sleep(Math.min(debounce.minMs, leftMs), signal);
        if (before === this.#count || signal.aborted) break;
      }
    }
    if (this.#failure) throw this.#failure.error;
    this.#seen = this.#count;
    this.#wake = Promise.withResolvers<void>();
    if (signal.aborted) this.#wake.resolve();
  }

  async #within(maxMs: number): Promise<void> {
    const end = new AbortController();
    await Promise.race([this.#wake.promise, this.#system.sleep(maxMs, end.signal)]);
    end.abort();
  }
}

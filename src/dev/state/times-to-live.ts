/** Milliseconds that a timer can wait at the most. */
const longest = 3_600_000;

interface TimesToLiveParts {
  /** Milliseconds of the epoch. */
  readonly clock: { readonly now: number };
  /** Ends what these keys name; a key may name what is gone. */
  readonly end: (due: readonly string[]) => Promise<void>;
  /** Is told of what failed on the timer's own account, where nobody asked. */
  readonly failed: (error: unknown) => void;
}

/**
 * Ends things when their time is over: before every request, so that nobody meets one, and by a timer, so that who
 * waits for the end learns of it.
 */
export class TimesToLive {
  readonly #parts: TimesToLiveParts;
  /** Milliseconds of the epoch at which each ends. */
  readonly #ends = new Map<string, number>();
  /** Nothing ends before: it is enough to look then. */
  #next = Number.POSITIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;
  #stopped = false;

  constructor(parts: TimesToLiveParts) {
    this.#parts = parts;
  }

  /** Counts the time of `key`, in milliseconds, from now on. */
  begin(key: string, time: number): void {
    const end = this.#parts.clock.now + time;
    this.#ends.set(key, end);
    if (end >= this.#next) return;
    this.#next = end;
    this.#arm();
  }

  forget(key: string): void {
    this.#ends.delete(key);
  }

  /** Ends what is due. */
  async sweep(): Promise<void> {
    const { now } = this.#parts.clock;
    if (now < this.#next) return;
    const due = [...this.#ends].flatMap(([key, end]) => (end <= now ? [key] : []));
    if (due.length > 0) await this.#parts.end(due);
    // What began again meanwhile has a time of its own.
    for (const key of due) if ((this.#ends.get(key) ?? 0) <= now) this.#ends.delete(key);
    this.#next = Number.POSITIVE_INFINITY;
    for (const end of this.#ends.values()) this.#next = Math.min(this.#next, end);
  }

  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#timer);
  }

  #arm(): void {
    clearTimeout(this.#timer);
    if (this.#stopped || this.#next === Number.POSITIVE_INFINITY) return;
    const wait = Math.max(0, this.#next - this.#parts.clock.now);
    // A change that failed is tried again a second later.
    this.#timer = setTimeout(() => void this.#tick(), Math.min(Math.max(wait, 1_000), longest)).unref();
  }

  async #tick(): Promise<void> {
    try {
      await this.sweep();
    } catch (error) {
      if (!this.#stopped) this.#parts.failed(error);
    }
    this.#arm();
  }
}

/** Maximum milliseconds of a timer. */
const longest = 3_600_000;

interface TimesToLiveParts {
  /** Milliseconds of the epoch. */
  readonly clock: { readonly now: number };
  /** Removes what these keys name; a key may no longer exist. */
  readonly end: (due: readonly string[]) => Promise<void>;
  /** Receives failures of the timer, which no request sees. */
  readonly failed: (error: unknown) => void;
}

/**
 * Removes what has expired: before every request, so that none sees it, and by a timer, so that blocking
 * queries learn of it.
 */
export class TimesToLive {
  readonly #parts: TimesToLiveParts;
  /** Expiry of each key, in milliseconds of the epoch. */
  readonly #ends = new Map<string, number>();
  /** Nothing expires before this time. */
  #next = Number.POSITIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;
  #stopped = false;

  constructor(parts: TimesToLiveParts) {
    this.#parts = parts;
  }

  /** Starts the time to live of `key`, in milliseconds. */
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

  /** Removes what has expired. */
  async sweep(): Promise<void> {
    const { now } = this.#parts.clock;
    if (now < this.#next) return;
    const due = [...this.#ends].flatMap(([key, end]) => (end <= now ? [key] : []));
    if (due.length > 0) await this.#parts.end(due);
    // A key that was restarted meanwhile has a new expiry.
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
    // A failed change is retried after a second.
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

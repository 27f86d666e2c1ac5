/** Maximum milliseconds of a timer. */
const maxTimerMs = 3_600_000;

interface TtlTimersOptions {
  /** Milliseconds of the epoch. */
  readonly clock: { readonly now: number };
  /** Removes what these keys name; a key may no longer exist. */
  readonly expire: (due: readonly string[]) => Promise<void>;
  /** Receives failures of the timer, which no request sees. */
  readonly onError: (error: unknown) => void;
}

/**
 * Removes what has expired: before every request, so that none sees it, and by a timer, so that blocking
 * queries learn of it.
 */
export class TtlTimers {
  readonly #parts: TtlTimersOptions;
  /** Expiry of each key, in milliseconds of the epoch. */
  readonly #expiryTimes = new Map<string, number>();
  /** Nothing expires before this time. */
  #nextExpiry = Number.POSITIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;
  #stopped = false;

  constructor(parts: TtlTimersOptions) {
    this.#parts = parts;
  }

  /** Starts the time to live of `key`, in milliseconds. */
  start(key: string, ttlMs: number): void {
    const expiresAt = this.#parts.clock.now + ttlMs;
    this.#expiryTimes.set(key, expiresAt);
    if (expiresAt >= this.#nextExpiry) return;
    this.#nextExpiry = expiresAt;
    this.#arm();
  }

  cancel(key: string): void {
    this.#expiryTimes.delete(key);
  }

  /** Removes what has expired. */
  async expireDue(): Promise<void> {
    const { now } = this.#parts.clock;
    if (now < this.#nextExpiry) return;
    const due = [...this.#expiryTimes].flatMap(([key, expiresAt]) => (expiresAt <= now ? [key] : []));
    if (due.length > 0) await this.#parts.expire(due);
    // A key that was restarted meanwhile has a new expiry.
    for (const key of due) if ((this.#expiryTimes.get(key) ?? 0) <= now) this.#expiryTimes.delete(key);
    this.#nextExpiry = Number.POSITIVE_INFINITY;
    for (const expiresAt of this.#expiryTimes.values())
      this.#nextExpiry = Math.min(this.#nextExpiry, expiresAt);
  }

  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#timer);
  }

  #arm(): void {
    clearTimeout(this.#timer);
    if (this.#stopped || this.#nextExpiry === Number.POSITIVE_INFINITY) return;
    const delayMs = Math.max(0, this.#nextExpiry - this.#parts.clock.now);
    // A failed change is retried after a second.
    this.#timer = setTimeout(() => void this.#tick(), Math.min(Math.max(delayMs, 1_000), maxTimerMs)).unref();
  }

  async #tick(): Promise<void> {
    try {
      await this.expireDue();
    } catch (error) {
      if (!this.#stopped) this.#parts.onError(error);
    }
    this.#arm();
  }
}

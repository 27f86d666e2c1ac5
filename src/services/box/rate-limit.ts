/** The remaining requests of this minute (docs/protocol/box.md#errors). */
export interface RateLimitStatus {
  readonly isExceeded: boolean;
  readonly headers: Readonly<Record<string, string>>;
}

const windowMs = 60_000;

/** Counts requests per minute of the clock. All callers are on this machine, so they share one counter. */
export class RateLimit {
  readonly #limit: number;
  readonly #clock: () => Date;
  #window = 0;
  #used = 0;

  constructor(limit: number, clock: () => Date) {
    this.#limit = limit;
    this.#clock = clock;
  }

  /** Consumes one request, if any are left. */
  consume(): RateLimitStatus {
    const now = this.#clock().getTime();
    const window = Math.floor(now / windowMs);
    if (window !== this.#window) {
      this.#window = window;
      this.#used = 0;
    }
    const isExceeded = this.#used >= this.#limit;
    if (!isExceeded) this.#used++;
    const end = (window + 1) * windowMs;
    return {
      isExceeded,
      headers: {
        'X-RateLimit-Limit': String(this.#limit),
        'X-RateLimit-Remaining': String(this.#limit - this.#used),
        'X-RateLimit-Reset': String(end / 1000),
        ...(isExceeded && { 'Retry-After': String(Math.ceil((end - now) / 1000)) }),
      },
    };
  }
}

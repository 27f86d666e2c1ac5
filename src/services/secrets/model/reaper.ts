/** A collection whose items expire. */
export interface Expiring {
  /** Unix seconds of the next expiry; infinity: none. */
  readonly nextExpiry: number;
  /** Removes expired items. */
  removeExpired(): Promise<void>;
}

interface ReaperParts {
  readonly clock: () => Date;
  /** Receives failures; the reaper retries. */
  readonly onError: (error: unknown) => void;
}

/** Milliseconds: maximum timer delay, and delay before a retry. */
const maxTimerMs = 3_600_000;
const retryDelayMs = 10_000;

/**
 * Removes what has expired: before every request, so that none sees it, and by a timer, so that it also
 * happens without requests. The timer does not keep the process alive.
 */
export class Reaper {
  readonly #parts: ReaperParts;
  readonly #expiring: readonly Expiring[];
  #timer: NodeJS.Timeout | undefined;
  #sweeping: Promise<void> | undefined;
  #armedFor = Number.POSITIVE_INFINITY;
  #stopped = false;

  constructor(parts: ReaperParts, expiring: readonly Expiring[]) {
    this.#parts = parts;
    this.#expiring = expiring;
  }

  /** Removes what has expired. */
  async sweep(): Promise<void> {
    if (this.#nextExpiry > this.#now) return;
    this.#sweeping ??= this.#removeExpired().finally(() => {
      this.#sweeping = undefined;
    });
    await this.#sweeping;
  }

  /** Sets the timer for the next expiry. */
  arm(): void {
    const due = this.#nextExpiry;
    if (this.#stopped || due === this.#armedFor) return;
    clearTimeout(this.#timer);
    this.#armedFor = due;
    if (due === Number.POSITIVE_INFINITY) return;
    // What is already due has just failed.
    const delayMs = due <= this.#now ? retryDelayMs : due * 1000 - this.#parts.clock().getTime();
    this.#timer = setTimeout(
      () => {
        this.#armedFor = Number.POSITIVE_INFINITY;
        void this.sweep().then(() => this.arm());
      },
      Math.min(delayMs, maxTimerMs),
    ).unref();
  }

  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#timer);
  }

  get #nextExpiry(): number {
    return Math.min(...this.#expiring.map(({ nextExpiry: due }) => due));
  }

  get #now(): number {
    return Math.floor(this.#parts.clock().getTime() / 1000);
  }

  async #removeExpired(): Promise<void> {
    try {
      for (const each of this.#expiring) await each.removeExpired();
    } catch (error) {
      if (!this.#stopped) this.#parts.onError(error);
    }
  }
}

/** A collection whose items expire. */
export interface Mortal {
  /** Unix seconds of the next expiry; infinity: none. */
  readonly due: number;
  /** Removes expired items. */
  tidy(): Promise<void>;
}

interface ReaperParts {
  readonly clock: () => Date;
  /** Receives failures; the reaper retries. */
  readonly failed: (error: unknown) => void;
}

/** Milliseconds: maximum timer delay, and delay before a retry. */
const longest = 3_600_000;
const pause = 10_000;

/**
 * Removes what has expired: before every request, so that none sees it, and by a timer, so that it also
 * happens without requests. The timer does not keep the process alive.
 */
export class Reaper {
  readonly #parts: ReaperParts;
  readonly #mortals: readonly Mortal[];
  #timer: NodeJS.Timeout | undefined;
  #sweeping: Promise<void> | undefined;
  #armedFor = Number.POSITIVE_INFINITY;
  #stopped = false;

  constructor(parts: ReaperParts, mortals: readonly Mortal[]) {
    this.#parts = parts;
    this.#mortals = mortals;
  }

  /** Removes what has expired. */
  async sweep(): Promise<void> {
    if (this.#due > this.#now) return;
    this.#sweeping ??= this.#tidy().finally(() => {
      this.#sweeping = undefined;
    });
    await this.#sweeping;
  }

  /** Sets the timer for the next expiry. */
  arm(): void {
    const due = this.#due;
    if (this.#stopped || due === this.#armedFor) return;
    clearTimeout(this.#timer);
    this.#armedFor = due;
    if (due === Number.POSITIVE_INFINITY) return;
    // What is already due has just failed.
    const wait = due <= this.#now ? pause : due * 1000 - this.#parts.clock().getTime();
    this.#timer = setTimeout(
      () => {
        this.#armedFor = Number.POSITIVE_INFINITY;
        void this.sweep().then(() => this.arm());
      },
      Math.min(wait, longest),
    ).unref();
  }

  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#timer);
  }

  get #due(): number {
    return Math.min(...this.#mortals.map(({ due }) => due));
  }

  get #now(): number {
    return Math.floor(this.#parts.clock().getTime() / 1000);
  }

  async #tidy(): Promise<void> {
    try {
      for (const mortal of this.#mortals) await mortal.tidy();
    } catch (error) {
      if (!this.#stopped) this.#parts.failed(error);
    }
  }
}

/** A collection whose members end at a time of their own. */
export interface Mortal {
  /** Unix seconds at which the next one may end; infinity: none does. */
  readonly due: number;
  /** Ends those whose time has come. */
  tidy(): Promise<void>;
}

interface ReaperParts {
  readonly clock: () => Date;
  /** Told of a failure; the reaper tries again. */
  readonly failed: (error: unknown) => void;
}

/** Milliseconds: how long a timer waits at the most, and before it tries again what failed. */
const longest = 3_600_000;
const pause = 10_000;

/**
 * Ends what has expired: before every request, so that nobody meets what is over, and by a timer, so that it
 * also ends while nobody asks. The timer does not keep the process alive.
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

  /** Ends what is due. */
  async sweep(): Promise<void> {
    if (this.#due > this.#now) return;
    this.#sweeping ??= this.#tidy().finally(() => {
      this.#sweeping = undefined;
    });
    await this.#sweeping;
  }

  /** Sees to it that the timer comes for what is due next. */
  arm(): void {
    const due = this.#due;
    if (this.#stopped || due === this.#armedFor) return;
    clearTimeout(this.#timer);
    this.#armedFor = due;
    if (due === Number.POSITIVE_INFINITY) return;
    // What is due already has just failed to end.
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

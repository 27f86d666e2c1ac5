/** Lets so many through at once, and from then on one in each interval. */
export class Pace {
  readonly #burst: number;
  readonly #interval: number;
  #left: number;
  #at: number;

  /** @param interval milliseconds; `now` too */
  constructor(burst: number, interval: number, now: number) {
    this.#burst = burst;
    this.#interval = interval;
    this.#left = burst;
    this.#at = now;
  }

  /** Takes the next turn. @returns milliseconds until it comes */
  next(now: number): number {
    this.#left = Math.min(this.#burst, this.#left + (now - this.#at) / this.#interval) - 1;
    this.#at = now;
    return Math.max(0, -this.#left * this.#interval);
  }
}

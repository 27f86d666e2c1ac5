/** Permits a burst, and from then on one operation per interval. */
export class TokenBucket {
  readonly #burst: number;
  readonly #intervalMs: number;
  #tokens: number;
  #updatedAt: number;

  /** @param intervalMs milliseconds; `now` too */
  constructor(burst: number, intervalMs: number, now: number) {
    this.#burst = burst;
    this.#intervalMs = intervalMs;
    this.#tokens = burst;
    this.#updatedAt = now;
  }

  /** Takes the next turn. @returns milliseconds until it comes */
  take(now: number): number {
    this.#tokens = Math.min(this.#burst, this.#tokens + (now - this.#updatedAt) / this.#intervalMs) - 1;
    this.#updatedAt = now;
    return Math.max(0, -this.#tokens * this.#intervalMs);
  }

  /** Takes a turn if there is one now. */
  tryTake(now: number): boolean {
    this.#tokens = Math.min(this.#burst, this.#tokens + (now - this.#updatedAt) / this.#intervalMs);
    this.#updatedAt = now;
    if (this.#tokens < 1) return false;
    this.#tokens -= 1;
    return true;
  }
}

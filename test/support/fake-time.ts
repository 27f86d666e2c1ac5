/** A clock that only `sleep` and `pass` advance: what waits for minutes takes no time. */
export class FakeTime {
  #nowMs = Date.UTC(2026, 0, 1);
  /** Milliseconds of each call of `sleep`. */
  readonly slept: number[] = [];
  readonly clock = (): Date => new Date(this.#nowMs);
  readonly sleep = async (ms: number): Promise<void> => {
    this.slept.push(ms);
    this.pass(ms);
  };

  pass(ms: number): void {
    this.#nowMs += ms;
  }

  get nowMs(): number {
    return this.#nowMs;
  }
}

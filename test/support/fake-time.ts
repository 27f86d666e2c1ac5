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

interface Timer {
  readonly atMs: number;
  readonly end: () => void;
}

/** A clock for several waiting functions: it goes to the next timer when nothing else is left to do. */
export class FakeTimers {
  #nowMs = Date.UTC(2026, 0, 1);
  #timers: Timer[] = [];
  readonly clock = (): Date => new Date(this.#nowMs);
  readonly sleep = (ms: number, signal?: AbortSignal): Promise<void> =>
    new Promise((done) => {
      if (signal?.aborted) return done();
      const timer: Timer = {
        atMs: this.#nowMs + ms,
        end: () => {
          this.#timers = this.#timers.filter((other) => other !== timer);
          done();
        },
      };
      this.#timers.push(timer);
      return signal?.addEventListener('abort', timer.end, { once: true });
    });

  get nowMs(): number {
    return this.#nowMs;
  }

  /** Lets time pass until a promise is settled. */
  async run<Value>(promise: Promise<Value>): Promise<Value> {
    let isSettled = false;
    const settle = (): void => {
      isSettled = true;
    };
    promise.then(settle, settle);
    for (;;) {
      await new Promise((done) => setImmediate(done));
      if (isSettled) return promise;
      const [next] = this.#timers.toSorted((one, other) => one.atMs - other.atMs);
      if (!next) throw new Error('nothing is left to wait for');
      this.#nowMs = Math.max(this.#nowMs, next.atMs);
      next.end();
    }
  }
}

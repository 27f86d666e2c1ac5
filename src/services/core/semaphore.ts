interface SemaphoreLimits {
  readonly concurrency: number;
  readonly maxQueued: number;
}

/** Limits concurrent work: further tasks queue, and those that exceed the queue are rejected. */
export class Semaphore {
  readonly #limits: SemaphoreLimits;
  readonly #queueFullError: () => Error;
  readonly #queue: (() => void)[] = [];
  #running = 0;

  /** @param queueFullError creates the error thrown when the queue is full */
  constructor(limits: SemaphoreLimits, queueFullError: () => Error) {
    this.#limits = limits;
    this.#queueFullError = queueFullError;
  }

  async run<Value>(work: () => Promise<Value>): Promise<Value> {
    if (this.#running < this.#limits.concurrency) this.#running++;
    else await this.#acquire();
    try {
      return await work();
    } finally {
      const next = this.#queue.shift();
      if (next) next();
      else this.#running--;
    }
  }

  /** A finished task passes its slot to the task that has waited longest. */
  #acquire(): Promise<void> {
    if (this.#queue.length >= this.#limits.maxQueued) throw this.#queueFullError();
    return new Promise((resolve) => this.#queue.push(resolve));
  }
}

interface Room {
  readonly atOnce: number;
  readonly waiting: number;
}

/** Limits concurrent work: further tasks queue, and those that exceed the queue are rejected. */
export class Turns {
  readonly #room: Room;
  readonly #refusal: () => Error;
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  /** @param refusal creates the error thrown when the queue is full */
  constructor(room: Room, refusal: () => Error) {
    this.#room = room;
    this.#refusal = refusal;
  }

  async take<Value>(work: () => Promise<Value>): Promise<Value> {
    if (this.#running < this.#room.atOnce) this.#running++;
    else await this.#turn();
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#running--;
    }
  }

  /** A finished task passes its slot to the task that has waited longest. */
  #turn(): Promise<void> {
    if (this.#waiting.length >= this.#room.waiting) throw this.#refusal();
    return new Promise((resolve) => this.#waiting.push(resolve));
  }
}

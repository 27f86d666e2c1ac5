interface Room {
  readonly atOnce: number;
  readonly waiting: number;
}

/** Lets work be done few at a time; the others wait for their turn, and those for whom there is no room are refused. */
export class Turns {
  readonly #room: Room;
  readonly #refusal: () => Error;
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  /** @param refusal thrown where too many wait */
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

  /** The turn of whoever is done passes to the one who waits longest. */
  #turn(): Promise<void> {
    if (this.#waiting.length >= this.#room.waiting) throw this.#refusal();
    return new Promise((resolve) => this.#waiting.push(resolve));
  }
}

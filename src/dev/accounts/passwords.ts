import { HttpRefusal } from '../http/service.ts';
import { hashPassword, type PasswordHash, passwordMatches } from '../password.ts';

/** Hashes at once, and those that may wait for their turn. */
const mostAtOnce = 2;
const mostWaiting = 64;

/**
 * Makes and compares hashes of passwords, few at a time: each takes memory and a thread, and whoever guesses gets no
 * more of them than there are.
 */
export class Passwords {
  readonly #random: (length: number) => Uint8Array;
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor(random: (length: number) => Uint8Array) {
    this.#random = random;
  }

  /** @throws HttpRefusal 429 */
  hash(password: string): Promise<PasswordHash> {
    return this.#inTurn(() => hashPassword(password, this.#random));
  }

  /** Takes as long where there is no password. @throws HttpRefusal 429 */
  matches(password: string, known: PasswordHash | null | undefined): Promise<boolean> {
    return this.#inTurn(() => passwordMatches(password, known ?? undefined));
  }

  async #inTurn<Value>(work: () => Promise<Value>): Promise<Value> {
    if (this.#running < mostAtOnce) this.#running++;
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
    if (this.#waiting.length >= mostWaiting)
      throw new HttpRefusal(429, 'Too many passwords are being checked; try again later.');
    return new Promise((resolve) => this.#waiting.push(resolve));
  }
}

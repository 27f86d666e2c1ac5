// Virtual time: events in order, a seeded source of random numbers, and a service with a queue. Times are seconds.

/** Numbers in [0, 1) that are the same in every run (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let value = Math.imul(state ^ (state >>> 15), 1 | state);
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value;
    return ((value ^ (value >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** The time to the next event of a Poisson process. */
export const exponential = (random: () => number, mean: number): number => -Math.log(1 - random()) * mean;

/** Events by time, as a binary heap; events of one time in any order. */
export class EventQueue<Event> {
  readonly #heap: { readonly time: number; readonly event: Event }[] = [];

  add(time: number, event: Event): void {
    let at = this.#heap.push({ time, event }) - 1;
    for (
      let parent = (at - 1) >> 1;
      at > 0 && this.#timeAt(at) < this.#timeAt(parent);
      parent = (at - 1) >> 1
    ) {
      this.#swap(at, parent);
      at = parent;
    }
  }

  /** Infinity: there are no events. */
  get firstTime(): number {
    return this.#timeAt(0);
  }

  /** Removes the first event; undefined if the queue is empty. */
  next(): { readonly time: number; readonly event: Event } | undefined {
    this.#swap(0, this.#heap.length - 1);
    const first = this.#heap.pop();
    for (let at = 0; ; ) {
      const [left, right] = [2 * at + 1, 2 * at + 2];
      const least = this.#timeAt(right) < this.#timeAt(left) ? right : left;
      if (!(this.#timeAt(least) < this.#timeAt(at))) return first;
      this.#swap(at, least);
      at = least;
    }
  }

  #timeAt(at: number): number {
    return this.#heap[at]?.time ?? Number.POSITIVE_INFINITY;
  }

  #swap(one: number, other: number): void {
    const [first, second] = [this.#heap[one], this.#heap[other]];
    if (first && second) [this.#heap[one], this.#heap[other]] = [second, first];
  }
}

/** When a service is away; from `begin` until before `end`. */
export interface Outage {
  readonly begin: number;
  readonly end: number;
}

/** A service that serves one request after the other, first come, first served. */
export class QueuedService {
  readonly #outage: Outage | undefined;
  #freeAt = 0;
  /** The longest time from a request to its response. */
  longestWait = 0;
  /** Seconds of work. */
  busy = 0;

  constructor(outage?: Outage) {
    this.#outage = outage;
  }

  isAway(time: number): boolean {
    return this.#outage !== undefined && time >= this.#outage.begin && time < this.#outage.end;
  }

  /**
   * Serves a request that needs some work; requests come in the order of time.
   * @returns when the response is there.
   */
  serve(time: number, work: number): number {
    this.#freeAt = Math.max(this.#freeAt, time) + work;
    this.longestWait = Math.max(this.longestWait, this.#freeAt - time);
    this.busy += work;
    return this.#freeAt;
  }
}

/** Counts of events in windows of equal length. */
export class Windows {
  readonly seconds: number;
  readonly #counts: Uint32Array;

  /** @param end the last window ends there, at least. */
  constructor(seconds: number, end: number) {
    this.seconds = seconds;
    this.#counts = new Uint32Array(Math.ceil(end / seconds) + 1);
  }

  count(time: number): void {
    const at = Math.floor(time / this.seconds);
    if (at < this.#counts.length) this.#counts[at] = (this.#counts[at] as number) + 1;
  }

  /** Events per second in the windows that begin from one time and end until another. */
  rates(from: number, until: number): number[] {
    const counts = this.#counts.subarray(Math.ceil(from / this.seconds), Math.floor(until / this.seconds));
    return Array.from(counts, (count) => count / this.seconds);
  }
}

/** Time that passes only while everybody waits. */
export class VirtualTime {
  /** Seconds. */
  now = 0;
  readonly #waiting = new EventQueue<() => void>();

  /** Calls back at a time, to the millisecond. */
  at(time: number, act: () => void): void {
    this.#waiting.add(Math.ceil(time * 1000) / 1000, act);
  }

  /** Waits the given number of milliseconds. */
  sleep(milliseconds: number): Promise<void> {
    return new Promise((done) => this.at(this.now + milliseconds / 1000, done));
  }

  /** Lets time pass. Whatever is due at one time is done before the next. */
  async passUntil(end: number): Promise<void> {
    for (;;) {
      if (!(this.#waiting.firstTime <= this.now)) {
        // What is done now may add something earlier.
        await settled();
        if (!(this.#waiting.firstTime <= end)) break;
        this.now = Math.max(this.now, this.#waiting.firstTime);
      }
      this.#waiting.next()?.event();
    }
    this.now = end;
  }
}

/** After all promises that need no time. */
const settled = (): Promise<void> => new Promise((done) => setImmediate(done));

export const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0);
export const highest = (numbers: readonly number[]): number =>
  numbers.reduce((most, each) => Math.max(most, each), 0);

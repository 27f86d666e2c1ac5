import type { Json } from '../../../wire/json.ts';
import { observedStorage } from './observed-storage.ts';
import type { Change, Storage } from './storage.ts';
import { memoryStore } from './store.ts';

/** How far a replica is behind: a change is visible after this time and after this many requests. */
export interface Lag {
  /** Milliseconds (default 0); `Infinity`: until `catchUp`. */
  readonly ms?: number;
  /** Requests to the replica after the change that do not see it (default 0). */
  readonly requests?: number;
}

interface Delayed {
  readonly changes: readonly Change[];
  readonly atMs: number;
  readonly request: number;
}

/** A copy of a storage in memory that receives each change later. */
export class Replica {
  readonly source: Storage;
  readonly #lag: Required<Lag>;
  readonly #clock: () => Date;
  readonly #rows = new Map<string, Json>();
  #delayed: Delayed[] = [];
  #requests = 0;

  constructor(source: Storage, lag: Lag, clock: () => Date) {
    this.#lag = { ms: 0, requests: 0, ...lag };
    this.#clock = clock;
    for (const [key, value] of source.entriesAfter('', '', Number.MAX_SAFE_INTEGER))
      this.#rows.set(key, value);
    this.source = observedStorage(source, async (changes, durable) => {
      await durable;
      if (changes.length > 0)
        this.#delayed.push({ changes, atMs: this.#clock().getTime(), request: this.#requests });
    });
  }

  /** Counts a request. Returns whether it sees a change that the one before did not see. */
  advance(): boolean {
    this.#requests += 1;
    const nowMs = this.#clock().getTime();
    const { ms, requests } = this.#lag;
    return this.#apply((each) => nowMs >= each.atMs + ms && this.#requests > each.request + requests);
  }

  catchUp(): boolean {
    return this.#apply(() => true);
  }

  /** A storage with the current content, for a service that may write to it. */
  async copy(): Promise<Storage> {
    const store = memoryStore();
    await store.write([...this.#rows].map(([key, value]) => ({ key, value })));
    return store.withPrefix('');
  }

  /** In the order of the writes: a later one waits for the earlier ones. */
  #apply(isDue: (each: Delayed) => boolean): boolean {
    const index = this.#delayed.findIndex((each) => !isDue(each));
    const due = this.#delayed.splice(0, index < 0 ? this.#delayed.length : index);
    for (const { key, value } of due.flatMap(({ changes }) => changes)) {
      if (value === undefined) this.#rows.delete(key);
      else this.#rows.set(key, value);
    }
    return due.length > 0;
  }
}

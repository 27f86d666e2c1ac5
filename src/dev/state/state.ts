import type { Change, PagedStorage } from '../storage.ts';
import { Draft, keyOf, type View, viewOf } from './draft.ts';

export interface StateParts {
  readonly storage: PagedStorage;
  readonly clock: () => Date;
  readonly random: (length: number) => Uint8Array;
}

/** The last index of all, and of each table that was ever written. */
interface Counter {
  readonly index: number;
  readonly tables: { readonly [table: string]: number };
}

interface Waiter<Table extends string> {
  readonly tables: readonly Table[];
  readonly wake: () => void;
}

const counterKey = 'index';

/**
 * The tables of a service with their indexes: one counter for all writes, and for each table the index of its last
 * change. Reads come from memory; a write is whole or not there at all.
 */
export class State<Table extends string> {
  readonly #parts: StateParts;
  readonly #view: View<Table>;
  readonly #waiters = new Set<Waiter<Table>>();
  readonly #lockDelays = new Map<string, number>();
  /** The last write, until it is durable. */
  #underWay: Promise<void> | undefined;
  #closed = false;

  constructor(parts: StateParts) {
    this.#parts = parts;
    this.#view = viewOf(parts.storage);
  }

  get view(): View<Table> {
    return this.#view;
  }

  /** Keys of a table that begin with `prefix`: the first that come after one (empty: all), at most so many. */
  keysAfter(table: Table, prefix: string, after: string, most: number): string[] {
    return this.#parts.storage
      .keysAfter(keyOf(table, prefix), after === '' ? '' : keyOf(table, after), most)
      .map((key) => key.slice(table.length + 1));
  }

  get now(): number {
    return this.#parts.clock().getTime();
  }

  /** The last index of the tables together; never 0. */
  indexOf(...tables: readonly Table[]): number {
    const { tables: last } = this.#counter;
    return Math.max(1, ...tables.map((table) => last[table] ?? 0));
  }

  /** The last index of all. */
  get last(): number {
    return this.#counter.index;
  }

  /** Cannot the key be locked, because a session that held it was lost a short while ago? */
  lockDelayed(key: string): boolean {
    const until = this.#lockDelays.get(key);
    if (until !== undefined && until <= this.now) this.#lockDelays.delete(key);
    return until !== undefined && until > this.now;
  }

  /** A change to begin: nobody may begin another one before it is committed or dropped. */
  draft(): Draft<Table> {
    return new Draft(this.#view, {
      index: this.#counter.index + 1,
      now: this.now,
      random: this.#parts.random,
    });
  }

  /** Does `work` and commits what it wrote; when it throws, nothing is written. */
  async change<Result>(work: (draft: Draft<Table>) => Result): Promise<Result> {
    const draft = this.draft();
    const result = work(draft);
    await this.commit(draft);
    return result;
  }

  /**
   * Makes a draft seen, at once; resolves when it is durable, and all that it was made from. One without changes
   * takes no index.
   */
  async commit(draft: Draft<Table>): Promise<void> {
    const { changed, index } = draft;
    if (changed.size === 0) return this.settled();
    const changes: Change[] = [];
    for (const [table, rows] of changed) {
      for (const [key, row] of rows) {
        changes.push(row === undefined ? { key: keyOf(table, key) } : { key: keyOf(table, key), value: row });
      }
    }
    const tables = { ...this.#counter.tables };
    for (const table of changed.keys()) tables[table] = index;
    changes.push({ key: counterKey, value: { index, tables } });
    const written = this.#write(changes);
    for (const [key, until] of draft.lockDelays) this.#lockDelays.set(key, until);
    await written;
    for (const waiter of this.#waiters) {
      if (waiter.tables.some((table) => changed.has(table))) waiter.wake();
    }
  }

  /**
   * Resolves when all that can be seen now is durable: who was answered before could see an index again, for
   * other content, after a crash. Rejects when it was lost instead.
   */
  async settled(): Promise<void> {
    await this.#underWay;
  }

  #write(changes: readonly Change[]): Promise<void> {
    const written = this.#parts.storage.write(changes);
    const over = () => {
      if (this.#underWay === written) this.#underWay = undefined;
    };
    this.#underWay = written;
    written.then(over, over);
    return written;
  }

  /** Waits until a table is written, the time is over, or nobody waits any more. False: no use to look again. */
  async changeOf(tables: readonly Table[], milliseconds: number, over: AbortSignal): Promise<boolean> {
    if (this.#closed || over.aborted || milliseconds <= 0) return false;
    return new Promise((resolve) => {
      const end = (woken: boolean) => {
        this.#waiters.delete(waiter);
        clearTimeout(timer);
        over.removeEventListener('abort', stop);
        resolve(woken && !this.#closed);
      };
      const stop = () => end(false);
      const waiter: Waiter<Table> = { tables, wake: () => end(true) };
      const timer = setTimeout(stop, milliseconds);
      this.#waiters.add(waiter);
      over.addEventListener('abort', stop);
    });
  }

  /** Ends all waiting, now and from now on. */
  close(): void {
    this.#closed = true;
    for (const waiter of this.#waiters) waiter.wake();
  }

  get #counter(): Counter {
    return (this.#parts.storage.get(counterKey) as Counter | undefined) ?? { index: 0, tables: {} };
  }
}

import type { Json } from '../../../wire/json.ts';
import type { ServiceParts } from '../http/http-service.ts';
import type { Change, Rows } from '../store/storage.ts';
import { Transaction } from './transaction.ts';

type StateParts = Pick<ServiceParts, 'storage' | 'clock' | 'random'>;

/** The last index overall, and of each table that was ever written. */
interface Counter {
  readonly index: number;
  readonly tables: { readonly [table: string]: number };
}

interface Waiter<Table extends string> {
  readonly tables: readonly Table[];
  readonly wake: () => void;
}

const counterKey = 'index';
const tableOf = (key: string): string => key.slice(0, key.indexOf('/'));

/**
 * The tables of a service with their indexes: one counter for all writes, and for each table the index of
 * its last change. Reads come from memory; a write is atomic.
 */
export class State<Table extends string> {
  readonly #parts: StateParts;
  readonly #waiters = new Set<Waiter<Table>>();
  readonly #lockDelays = new Map<string, number>();
  /** The last write, until it is durable. */
  #lastWrite: Promise<void> | undefined;
  #closed = false;

  constructor(parts: StateParts) {
    this.#parts = parts;
  }

  get view(): Rows {
    return this.#parts.storage;
  }

  /** At most `limit` keys of a table that begin with `prefix` and come after `after` (empty: from the first). */
  keysAfter(table: Table, prefix: string, after: string, limit: number): string[] {
    return this.#parts.storage
      .keysAfter(`${table}/${prefix}`, after === '' ? '' : `${table}/${after}`, limit)
      .map((key) => key.slice(table.length + 1));
  }

  /** The same before `before` (empty: from the last), the last key first. */
  keysBefore(table: Table, prefix: string, before: string, limit: number): string[] {
    return this.#parts.storage
      .keysBefore(`${table}/${prefix}`, before === '' ? '' : `${table}/${before}`, limit)
      .map((key) => key.slice(table.length + 1));
  }

  /** The same with their rows. */
  entriesAfter(
    table: Table,
    prefix: string,
    after: string,
    limit: number,
  ): (readonly [key: string, row: Json])[] {
    return this.#parts.storage
      .entriesAfter(`${table}/${prefix}`, after === '' ? '' : `${table}/${after}`, limit)
      .map(([key, row]) => [key.slice(table.length + 1), row]);
  }

  get now(): number {
    return this.#parts.clock().getTime();
  }

  /** The last index of the given tables; never 0. */
  indexOf(...tables: readonly Table[]): number {
    const { tables: last } = this.#counter;
    return Math.max(1, ...tables.map((table) => last[table] ?? 0));
  }

  get lastIndex(): number {
    return this.#counter.index;
  }

  /** Whether the key cannot be locked because a session that held it was recently invalidated. */
  isLockDelayed(key: string): boolean {
    const until = this.#lockDelays.get(key);
    if (until !== undefined && until <= this.now) this.#lockDelays.delete(key);
    return until !== undefined && until > this.now;
  }

  /** Starts a transaction; no other may start until it is committed or dropped. */
  beginTransaction(): Transaction {
    return new Transaction(this.view, {
      index: this.#counter.index + 1,
      now: this.now,
      random: this.#parts.random,
    });
  }

  /** Runs `work` and commits its writes; if it throws, nothing is written. */
  async update<Result>(work: (transaction: Transaction) => Result): Promise<Result> {
    const transaction = this.beginTransaction();
    const result = work(transaction);
    await this.commit(transaction);
    return result;
  }

  /**
   * Makes a transaction visible immediately; resolves when it, and everything it is based on, is durable. An
   * empty transaction takes no index.
   */
  async commit(transaction: Transaction): Promise<void> {
    const { changed, index } = transaction;
    if (changed.size === 0) return this.whenDurable();
    const changes: Change[] = [];
    const changedTables = new Set<string>();
    for (const [key, value] of changed) {
      changes.push({ key, value });
      changedTables.add(tableOf(key));
    }
    const tables = { ...this.#counter.tables };
    for (const table of changedTables) tables[table] = index;
    changes.push({ key: counterKey, value: { index, tables } });
    const pendingWrite = this.#write(changes);
    for (const [key, until] of transaction.lockDelays) this.#lockDelays.set(key, until);
    await pendingWrite;
    for (const waiter of this.#waiters) {
      if (waiter.tables.some((table) => changedTables.has(table))) waiter.wake();
    }
  }

  /**
   * Resolves when everything now visible is durable: a client that got an earlier response could otherwise
   * see the same index with other content after a crash. Rejects if it was lost.
   */
  async whenDurable(): Promise<void> {
    await this.#lastWrite;
  }

  #write(changes: readonly Change[]): Promise<void> {
    const pendingWrite = this.#parts.storage.write(changes);
    const done = () => {
      if (this.#lastWrite === pendingWrite) this.#lastWrite = undefined;
    };
    this.#lastWrite = pendingWrite;
    pendingWrite.then(done, done);
    return pendingWrite;
  }

  /**
   * Waits until a table is written, the time is up, or the request is aborted. False: a new read would have the same
   * result.
   */
  async waitForChange(tables: readonly Table[], timeoutMs: number, done: AbortSignal): Promise<boolean> {
    if (this.#closed || done.aborted || timeoutMs <= 0) return false;
    return new Promise((resolve) => {
      const end = (woken: boolean) => {
        this.#waiters.delete(waiter);
        clearTimeout(timer);
        done.removeEventListener('abort', stop);
        resolve(woken && !this.#closed);
      };
      const stop = () => end(false);
      const waiter: Waiter<Table> = { tables, wake: () => end(true) };
      const timer = setTimeout(stop, timeoutMs);
      this.#waiters.add(waiter);
      done.addEventListener('abort', stop);
    });
  }

  /** Ends all waits, now and in future. */
  close(): void {
    this.#closed = true;
    for (const waiter of this.#waiters) waiter.wake();
  }

  get #counter(): Counter {
    return (this.#parts.storage.get(counterKey) as Counter | undefined) ?? { index: 0, tables: {} };
  }
}

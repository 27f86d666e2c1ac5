import type { ModelParts } from '../http/http-service.ts';
import { forEachInSlices } from '../in-slices.ts';
import type { Change, Rows, Storage } from '../store/storage.ts';
import { largeWrite, prepareWrite } from '../store/write-in-slices.ts';
import { Transaction } from './transaction.ts';

/** The last index overall, and of each table that was ever written. */
interface Counter {
  readonly index: number;
  readonly tables: { readonly [table: string]: number };
}

interface Waiter<Table extends string> {
  readonly tables: readonly Table[];
  readonly wake: () => void;
  /** Ends the wait as after its time. */
  readonly stop: () => void;
}

const counterKey = 'index';
/** Rows that are changed without yielding: each with its indexes. */
const changeSize = 64;

/** Waiting requests that are woken without yielding to the event loop. */
const wakeSize = 32;

/** The tables of a service: one counter for all writes, and for each table the index of its last change. */
export class State<Table extends string> {
  readonly #parts: ModelParts;
  readonly #waiters = new Set<Waiter<Table>>();
  readonly #lockDelays = new Map<string, number>();
  /** The last write, until it is durable. */
  #lastWrite: Promise<void> | undefined;
  #closed = false;
  #replacements = 0;
  /** The transaction that works in slices. */
  #exclusive: Promise<void> | undefined;

  constructor(parts: ModelParts) {
    this.#parts = parts;
  }

  get view(): Rows {
    return this.#parts.storage;
  }

  /** Reads the rows of one moment, also in slices. */
  async read<Result>(work: (view: Rows) => Result | Promise<Result>): Promise<Result> {
    const snapshot = this.#parts.storage.snapshot();
    try {
      return await work(snapshot);
    } finally {
      snapshot.release();
    }
  }

  /** The rows of a table as they are now, in parts. */
  rows(table: Table): Pick<Storage, 'keysAfter' | 'keysBefore' | 'entriesAfter'> {
    return this.#parts.storage.withPrefix(`${table}/`);
  }

  get now(): number {
    return this.#parts.clock().getTime();
  }

  /** The last index of the given tables; never 0. */
  indexOf(...tables: readonly Table[]): number {
    const { tables: last } = this.#counter;
    return Math.max(1, ...tables.map((table) => last[table] ?? 0));
  }

  /** How often waits were ended because rows were replaced. */
  get replacements(): number {
    return this.#replacements;
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

  /** A transaction that is never committed. */
  beginTransaction(after = 0): Transaction {
    return new Transaction(this.view, {
      index: Math.max(this.#counter.index, after) + 1,
      now: this.now,
      random: this.#parts.random,
    });
  }

  /** Runs `work` and commits its writes; if it throws, nothing is written. */
  async update<Result>(work: (transaction: Transaction) => Result): Promise<Result> {
    while (this.#exclusive) await this.#exclusive;
    const transaction = this.beginTransaction();
    const result = work(transaction);
    if (transaction.changed.size < largeWrite && !transaction.hasDeferred) await this.#commit(transaction);
    else await this.#exclusively(() => this.#prepareCommit(transaction));
    return result;
  }

  /**
   * The same for a generator that yields after each row; other transactions wait, readers see all of it or nothing.
   *
   * @param after its index is higher than this one too: rows with their own indexes are written
   */
  async updateInSlices(work: (transaction: Transaction) => Iterable<unknown>, after = 0): Promise<void> {
    while (this.#exclusive) await this.#exclusive;
    await this.#exclusively(async () => {
      const transaction = this.beginTransaction(after);
      await forEachInSlices(work(transaction), () => {}, changeSize);
      return this.#prepareCommit(transaction);
    });
  }

  /** Prepares a commit and runs it; no other transaction starts before it is visible. */
  async #exclusively(prepare: () => Promise<() => Promise<void>>): Promise<void> {
    const ended = Promise.withResolvers<void>();
    this.#exclusive = ended.promise;
    let durable: Promise<void> | undefined;
    try {
      const commit = await prepare();
      durable = commit();
    } finally {
      this.#exclusive = undefined;
      ended.resolve();
    }
    await durable;
  }

  async #prepareCommit(transaction: Transaction): Promise<() => Promise<void>> {
    await forEachInSlices(transaction.runDeferred(), () => {}, changeSize);
    if (transaction.changed.size < largeWrite) return () => this.#commit(transaction);
    const write = await prepareWrite(this.#parts.storage, this.#changesOf(transaction));
    return () => this.#commit(transaction, write);
  }

  /** Makes a transaction visible at once; resolves when it is durable. An empty one takes no index. */
  async #commit(
    transaction: Transaction,
    write = () => this.#parts.storage.write([...this.#changesOf(transaction)]),
  ): Promise<void> {
    if (transaction.changed.size === 0) return this.whenDurable();
    const pendingWrite = this.#track(write());
    for (const [key, until] of transaction.lockDelays) this.#lockDelays.set(key, until);
    await pendingWrite;
    const woken = [...this.#waiters].filter(({ tables }) =>
      tables.some((table) => transaction.tables.has(table)),
    );
    void forEachInSlices(woken, (waiter) => waiter.wake(), wakeSize);
  }

  *#changesOf({ changed, tables: changedTables, index }: Transaction): Generator<Change> {
    for (const [key, value] of changed) yield { key, value };
    const tables = { ...this.#counter.tables };
    for (const table of changedTables) tables[table] = index;
    yield { key: counterKey, value: { index, tables } };
  }

  /** Resolves when everything now visible is durable; rejects if it was lost. */
  async whenDurable(): Promise<void> {
    await this.#lastWrite;
  }

  /** Notes the last write until it is durable. */
  #track(pendingWrite: Promise<void>): Promise<void> {
    const done = () => {
      if (this.#lastWrite === pendingWrite) this.#lastWrite = undefined;
    };
    this.#lastWrite = pendingWrite;
    pendingWrite.then(done, done);
    return pendingWrite;
  }

  /** Waits for a write to a table, the time or an abort. False: a new read would have the same result. */
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
      const waiter: Waiter<Table> = { tables, wake: () => end(true), stop };
      const timer = setTimeout(stop, timeoutMs);
      this.#waiters.add(waiter);
      done.addEventListener('abort', stop);
    });
  }

  /** Ends all waits: rows were replaced by others with lower indexes, which none of them would notice. */
  endWaits(): void {
    this.#replacements++;
    for (const waiter of [...this.#waiters]) waiter.stop();
  }

  close(): void {
    this.#closed = true;
    for (const waiter of this.#waiters) waiter.wake();
  }

  get #counter(): Counter {
    return (this.#parts.storage.get(counterKey) as Counter | undefined) ?? { index: 0, tables: {} };
  }
}

import { forEachInSlices, sliceSize } from '../in-slices.ts';
import { yieldingIterator } from '../yielding-iterator.ts';
import { SortedMap } from './sorted-map.ts';
import type { Change, Storage } from './storage.ts';
import type { Table } from './table.ts';
import { prepareWrite } from './write-in-slices.ts';

/** Separates an index entry from the key of its row; never part of an entry. */
const separator = '\0';

type IndexedRow<Row> = readonly [key: string, row: Row | undefined];

const batchSize = 200;

/** A table with indexes in memory: rows are found by an index entry, or by their expiry, without a scan. */
export class IndexedTable<Row extends object> {
  readonly #storage: Storage;
  readonly #table: Table<Row>;
  /** Keys by index entry and key. */
  readonly #keys = new SortedMap<string>();
  readonly #entries = new Map<string, readonly string[]>();

  /**
   * @param storage no other code may write to its rows
   * @throws EmbeddedError data: a row is not of the table's type
   */
  constructor(storage: Storage, table: Table<Row>) {
    this.#storage = storage;
    this.#table = table;
    table.check(storage);
    for (const key of this.keys()) this.#update(key);
  }

  get(key: string): Row | undefined {
    return this.#table.get(this.#storage, key);
  }

  keys(start = ''): string[] {
    return this.#table.keys(this.#storage, start);
  }

  values(start = ''): Row[] {
    return this.#table.values(this.#storage, start);
  }

  /** The rows whose keys begin with `start`, without those that are removed meanwhile, read in slices. */
  async list(start = ''): Promise<Row[]> {
    const rows: Row[] = [];
    await forEachInSlices(this.keys(start), (key) => {
      const row = this.get(key);
      if (row) rows.push(row);
    });
    return rows;
  }

  /** Writes rows (undefined: removes them) and changes of other tables, all or none. */
  async write(rows: readonly IndexedRow<Row>[], others: readonly Change[] = []): Promise<void> {
    if (rows.length < sliceSize / 4) {
      const durable = this.#storage.write([...this.#changesOf(rows, others)]);
      for (const [key] of rows) this.#update(key);
      await this.#settle(rows, durable);
      return;
    }
    const commit = await prepareWrite(this.#storage, this.#changesOf(rows, others));
    const durable = commit();
    // It must not count as unhandled while the indexes are updated.
    durable.catch(() => {});
    await this.#updateAll(rows);
    await this.#settle(rows, durable);
  }

  /** The changes of the storage that write rows (undefined: that remove them). */
  *#changesOf(rows: readonly IndexedRow<Row>[], others: readonly Change[]): Generator<Change> {
    yield* others;
    for (const [key, row] of rows) yield* this.#table.replace(key, this.get(key), row);
  }

  /** Waits until written rows are durable; the indexes follow a storage that was rolled back to what is durable. */
  async #settle(rows: readonly IndexedRow<Row>[], durable: Promise<void>): Promise<void> {
    try {
      await durable;
    } catch (error) {
      await this.#updateAll(rows);
      throw error;
    }
  }

  async #updateAll(rows: readonly IndexedRow<Row>[]): Promise<void> {
    await forEachInSlices(rows, ([key]) => this.#update(key));
  }

  /** The keys of the rows that have an index entry. */
  keysWithEntry(entry: string): string[] {
    return this.#keys.keys(entryPrefix + entry + separator).map((each) => this.#keys.get(each) ?? '');
  }

  withEntry(entry: string): Row[] {
    return this.#rowsOf(this.#keys.keys(entryPrefix + entry + separator));
  }

  /** The earliest expiry of a row, in unix seconds; infinity: no row expires. */
  get nextExpiry(): number {
    const [first] = this.#keys.keys(expiryPrefix, undefined, 1);
    return first === undefined ? Number.POSITIVE_INFINITY : Number(entryOf(first).slice(expiryPrefix.length));
  }

  /** Passes rows that have expired to `end`, in batches; a failure does not stop later ones. @throws the first failure */
  async forEachExpired(now: number, end: (rows: Row[]) => Promise<void>): Promise<void> {
    const failures: unknown[] = [];
    for await (const indexKeys of yieldingIterator(this.#expired(now)))
      await end(this.#rowsOf(indexKeys)).catch((error: unknown) => failures.push(error));
    if (failures.length > 0) throw failures[0];
  }

  *#expired(now: number): Generator<string[]> {
    const last = expiryEntry(now);
    for (let after: string | undefined; ; ) {
      const batch = this.#keys.keys(expiryPrefix, after, batchSize).filter((each) => entryOf(each) <= last);
      if (batch.length === 0) return;
      after = batch.at(-1);
      yield batch;
    }
  }

  #rowsOf(indexKeys: readonly string[]): Row[] {
    return indexKeys.flatMap((each) => this.get(this.#keys.get(each) ?? '') ?? []);
  }

  #update(key: string): void {
    for (const entry of this.#entries.get(key) ?? []) this.#keys.put(entry + separator + key, undefined);
    const row = this.get(key);
    const { index, expires } = this.#table.options;
    const expiry = (row && expires?.(row)) ?? null;
    const entries = ((row && index?.(row)) ?? []).map((entry) => entryPrefix + entry);
    if (expiry !== null) entries.push(expiryEntry(expiry));
    for (const entry of entries) this.#keys.put(entry + separator + key, key);
    if (entries.length > 0) this.#entries.set(key, entries);
    else this.#entries.delete(key);
  }
}

const entryPrefix = 'entry/';
const expiryPrefix = 'expiry/';

/** The index entry of an expiry in unix seconds; these entries are ordered by time. */
const expiryEntry = (time: number): string => expiryPrefix + String(Math.ceil(time)).padStart(16, '0');
const entryOf = (indexKey: string): string => indexKey.slice(0, indexKey.indexOf(separator));

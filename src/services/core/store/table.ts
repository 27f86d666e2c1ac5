import type { Json } from '../../../wire/json.ts';
import { EmbeddedError } from '../errors.ts';
import { mapInSlices } from '../in-slices.ts';
import { type Check, checkOf } from '../schema/matches.ts';
import { type Fields, object, type Stored, type StoredFields, type Type } from '../schema/types.ts';
import { type Change, eachKey, type Rows, type Storage } from './storage.ts';
import { writeInSlices } from './write-in-slices.ts';

interface TableOptions<Row> {
  /** Whether an encrypted storage encrypts the rows. */
  readonly encrypted?: boolean;
  /** Stored indexes: the rows of other tables by which a row is looked up, stored and removed with it. */
  lookups?(row: Row, key: string): readonly Change[];
  /** Indexes in memory, of an indexed table: the entries by which a row is found. */
  index?(row: Row): readonly string[];
  /** When a row of an indexed table expires, in unix seconds; null: never. */
  expires?(row: Row): number | null;
}

export type RowOf<Of> = Of extends Table<infer Row> ? Row : never;

/** A table of rows that are of a type other than an object with its fields only. */
export function tableOf<T extends Type>(prefix: string, type: T): Table<Stored<T> & object> {
  return new Table(prefix, checkOf(type) as Check<Stored<T> & object>);
}

export function table<const F extends Fields>(prefix: string, fields: F): Table<StoredFields<F>> {
  return new Table(prefix, checkOf(object(fields)) as Check<StoredFields<F>>);
}

const checkBatchSize = 1000;

/** Rows whose keys begin with a prefix, of one type. They are checked when the storage is opened (`checkTables`). */
export class Table<Row extends object> {
  readonly prefix: string;
  options: TableOptions<Row> = {};
  readonly #isRow: Check<Row>;

  constructor(prefix: string, isRow: Check<Row>) {
    this.prefix = prefix;
    this.#isRow = isRow;
  }

  with(options: TableOptions<Row>): this {
    this.options = options;
    return this;
  }

  get(rows: Rows, key: string): Row | undefined {
    return rows.get(this.prefix + key) as Row | undefined;
  }

  /** Keys that begin with `start`, in order. */
  keys(rows: Rows, start = ''): string[] {
    return rows.keys(this.prefix + start).map((key) => key.slice(this.prefix.length));
  }

  /** The same one by one, for work in slices; `rows` must be of one moment. */
  *eachKey(rows: Rows, start = ''): Generator<string> {
    for (const key of eachKey(rows, this.prefix + start)) yield key.slice(this.prefix.length);
  }

  /** The rows whose keys begin with `start`, ordered by key. */
  values(rows: Rows, start = ''): Row[] {
    return rows.keys(this.prefix + start).map((key) => rows.get(key) as Row);
  }

  /** The same, read in slices; `rows` must be of one moment. */
  list(rows: Rows, start = ''): Promise<Row[]> {
    return mapInSlices(eachKey(rows, this.prefix + start), (key) => rows.get(key) as Row);
  }

  entries(rows: Rows): [key: string, row: Row][] {
    return rows.keys(this.prefix).map((key) => [key.slice(this.prefix.length), rows.get(key) as Row]);
  }

  /** At most `limit` keys below `start`, without it, that come after `after` (empty: from the first), and their rows. */
  entriesAfter(storage: Storage, start: string, after: string, limit: number): [key: string, row: Row][] {
    const rows = storage.withPrefix(this.prefix + start);
    return rows.entriesAfter('', after, limit).map(([key, row]) => [key, row as Row]);
  }

  put(key: string, row: Row): Change {
    return { key: this.prefix + key, value: row as Json };
  }

  remove(key: string): Change {
    return { key: this.prefix + key };
  }

  /** Replaces, adds (no `existing`) or removes (no `row`) a row with its lookup rows. */
  replace(key: string, existing: Row | undefined, row: Row | undefined): Change[] {
    const { lookups } = this.options;
    const change = row ? this.put(key, row) : this.remove(key);
    if (!lookups) return [change];
    const lookupsOf = (each: Row | undefined) => (each ? lookups(each, key) : []);
    const [old, current] = [lookupsOf(existing), lookupsOf(row)];
    const without = (all: readonly Change[], others: readonly Change[]) => {
      const keys = new Set(others.map(({ key: other }) => other));
      return all.filter(({ key: each }) => !keys.has(each));
    };
    return [
      ...without(old, current).map((lookup) => ({ key: lookup.key })),
      ...without(current, old),
      change,
    ];
  }

  /** Checks the rows. @throws EmbeddedError data: a row is not of this type */
  check(storage: Storage): void {
    for (let after = ''; ; ) {
      const batch = storage.entriesAfter(this.prefix, after, checkBatchSize);
      for (const [key, row] of batch) if (!this.#isRow(row)) throw damagedValueError(key);
      if (batch.length < checkBatchSize) return;
      after = batch.at(-1)?.[0] ?? '';
    }
  }
}

/** Adds the lookup rows that rows of earlier versions lack. */
export async function addLookups(storage: Storage, tables: readonly Table<object>[]): Promise<void> {
  function* missing(): Generator<Change> {
    for (const { prefix, options } of tables) {
      for (const key of storage.keys(prefix)) {
        const row = storage.get(key) as object;
        for (const lookup of options.lookups?.(row, key.slice(prefix.length)) ?? [])
          if (storage.get(lookup.key) === undefined) yield lookup;
      }
    }
  }
  await writeInSlices(storage, missing());
}

/** Checks the rows of tables. @throws EmbeddedError data: a row is not of its table's type */
export function checkTables(storage: Storage, tables: readonly Table<object>[]): void {
  for (const each of tables) each.check(storage);
}

export function damagedValueError(key: string, cause?: unknown): EmbeddedError {
  return new EmbeddedError('data', `the stored value ${key} is damaged; restore it from a backup`, cause);
}

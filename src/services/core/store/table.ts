import type { Json } from '../../../wire/json.ts';
import { EmbeddedError } from '../errors.ts';
import { yieldingIterator } from '../yielding-iterator.ts';
import type { Schema } from './schema.ts';
import type { Change, Rows, Storage } from './storage.ts';

interface TableOptions {
  /** Whether an encrypted storage encrypts the rows. */
  readonly encrypted?: boolean;
}

/**
 * A table: the rows of a storage or transaction whose keys begin with a prefix, as records of one type.
 * Rows are checked when the storage is opened (`check`), and typed after that: reads cost nothing more.
 */
export class Table<Row extends object> {
  /** Of the keys in the storage. */
  readonly prefix: string;
  readonly encrypted: boolean;
  readonly #schema: Schema<Row>;

  constructor(prefix: string, schema: Schema<Row>, { encrypted = false }: TableOptions = {}) {
    this.prefix = prefix;
    this.encrypted = encrypted;
    this.#schema = schema;
  }

  get(rows: Rows, key: string): Row | undefined {
    return rows.get(this.prefix + key) as Row | undefined;
  }

  has(rows: Rows, key: string): boolean {
    return rows.get(this.prefix + key) !== undefined;
  }

  /** Keys that begin with `start`, in order. */
  keys(rows: Rows, start = ''): string[] {
    return rows.keys(this.prefix + start).map((key) => key.slice(this.prefix.length));
  }

  /** The rows whose keys begin with `start`, ordered by key. */
  values(rows: Rows, start = ''): Row[] {
    return rows.keys(this.prefix + start).map((key) => rows.get(key) as Row);
  }

  /** Keys and rows, ordered by key. */
  entries(rows: Rows): [key: string, row: Row][] {
    return rows.keys(this.prefix).map((key) => [key.slice(this.prefix.length), rows.get(key) as Row]);
  }

  /** At most `limit` keys and rows whose keys begin with `start` and come after `after` (empty: from the first). */
  entriesAfter(storage: Storage, start: string, after: string, limit: number): [key: string, row: Row][] {
    const { prefix } = this;
    return storage
      .keysAfter(prefix + start, after === '' ? '' : prefix + after, limit)
      .map((key) => [key.slice(prefix.length), storage.get(key) as Row]);
  }

  put(key: string, row: Row): Change {
    return { key: this.prefix + key, value: row as Json };
  }

  remove(key: string): Change {
    return { key: this.prefix + key };
  }

  /** Checks each row as it is iterated over. @throws EmbeddedError data: a row is not of this type */
  *check(rows: Rows): Generator<void> {
    for (const key of rows.keys(this.prefix)) {
      if (!this.#schema(rows.get(key))) throw damagedValueError(key);
      yield;
    }
  }
}

/** Checks the rows of tables. @throws EmbeddedError data: a row is not of its table's type */
export function checkTables(rows: Rows, tables: readonly Table<object>[]): void {
  for (const table of tables) for (const _ of table.check(rows));
}

/** The same, yielding to the event loop. */
export async function checkTablesYielding(rows: Rows, tables: readonly Table<object>[]): Promise<void> {
  for (const table of tables) for await (const _ of yieldingIterator(table.check(rows)));
}

/** A stored value that cannot be used. */
export function damagedValueError(key: string, cause?: unknown): EmbeddedError {
  return new EmbeddedError('data', `the stored value ${key} is damaged; restore it from a backup`, cause);
}

import type { Json } from '../../../wire/json.ts';
import type { Storage } from '../store/storage.ts';

/** A stored record. */
export type Row = { readonly [member: string]: Json };

/** A read-only view of the tables. Keys within a table are any text. */
export interface TableView<Table extends string> {
  get(table: Table, key: string): Row | undefined;
  /** Keys that begin with `prefix`, in order (by UTF-16 code unit). */
  keys(table: Table, prefix: string): string[];
}

export const rowKey = (table: string, key: string) => `${table}/${key}`;

/** The tables as stored. */
export function tableViewOf<Table extends string>(storage: Storage): TableView<Table> {
  return {
    get: (table, key) => storage.get(rowKey(table, key)) as Row | undefined,
    keys: (table, prefix) => storage.keys(rowKey(table, prefix)).map((key) => key.slice(table.length + 1)),
  };
}

/** Milliseconds of the epoch until which a key cannot be locked again, by key. */
type LockDelays = Map<string, number>;

/**
 * A transaction: reads see its own writes, and nothing is visible outside until it is committed as one. All
 * its writes have one index.
 */
export class Transaction<Table extends string> implements TableView<Table> {
  readonly index: number;
  /** Milliseconds of the epoch. */
  readonly now: number;
  /** Cryptographically secure bytes. */
  readonly random: (length: number) => Uint8Array;
  readonly #base: TableView<Table>;
  readonly #changed = new Map<Table, Map<string, Row | undefined>>();
  readonly #delays: LockDelays = new Map();

  constructor(
    base: TableView<Table>,
    parts: { readonly index: number; readonly now: number; readonly random: Transaction<Table>['random'] },
  ) {
    this.#base = base;
    this.index = parts.index;
    this.now = parts.now;
    this.random = parts.random;
  }

  get(table: Table, key: string): Row | undefined {
    const changed = this.#changed.get(table);
    return changed?.has(key) ? changed.get(key) : this.#base.get(table, key);
  }

  keys(table: Table, prefix: string): string[] {
    const changed = this.#changed.get(table);
    const baseKeys = this.#base.keys(table, prefix);
    if (!changed) return baseKeys;
    const addedKeys = [...changed.keys()].filter(
      (key) => key.startsWith(prefix) && this.#base.get(table, key) === undefined,
    );
    return [...baseKeys, ...addedKeys].filter((key) => this.get(table, key) !== undefined).sort();
  }

  put(table: Table, key: string, row: Row | undefined): void {
    const changed = this.#changed.get(table) ?? new Map<string, Row | undefined>();
    changed.set(key, row);
    this.#changed.set(table, changed);
  }

  /** After the commit, the key cannot be locked for this many milliseconds. */
  delayLock(key: string, milliseconds: number): void {
    this.#delays.set(key, this.now + milliseconds);
  }

  get lockDelays(): ReadonlyMap<string, number> {
    return this.#delays;
  }

  /** The writes of a commit, by table. */
  get changed(): ReadonlyMap<Table, ReadonlyMap<string, Row | undefined>> {
    return this.#changed;
  }
}

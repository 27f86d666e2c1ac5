import type { Json } from '../../wire/json.ts';
import type { Storage } from '../storage.ts';

/** A record as it is kept. */
export type Row = { readonly [member: string]: Json };

/** The tables, to read. Keys within a table are any text. */
export interface View<Table extends string> {
  get(table: Table, key: string): Row | undefined;
  /** Keys that begin with `prefix`, in order (by UTF-16 code unit). */
  keys(table: Table, prefix: string): string[];
}

export const keyOf = (table: string, key: string) => `${table}/${key}`;

/** The tables as they are kept. */
export function viewOf<Table extends string>(storage: Storage): View<Table> {
  return {
    get: (table, key) => storage.get(keyOf(table, key)) as Row | undefined,
    keys: (table, prefix) => storage.keys(keyOf(table, prefix)).map((key) => key.slice(table.length + 1)),
  };
}

/** Milliseconds of the epoch until which a key cannot be locked again, by key. */
type LockDelays = Map<string, number>;

/**
 * A change of the tables in the making: reads see what was written before, and nobody else sees any of it until
 * it is committed as a whole. All its writes have one index.
 */
export class Draft<Table extends string> implements View<Table> {
  readonly index: number;
  /** Milliseconds of the epoch. */
  readonly now: number;
  /** Bytes that nobody can guess. */
  readonly random: (length: number) => Uint8Array;
  readonly #base: View<Table>;
  readonly #changed = new Map<Table, Map<string, Row | undefined>>();
  readonly #delays: LockDelays = new Map();

  constructor(
    base: View<Table>,
    parts: { readonly index: number; readonly now: number; readonly random: Draft<Table>['random'] },
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
    const kept = this.#base.keys(table, prefix);
    if (!changed) return kept;
    const own = [...changed.keys()].filter(
      (key) => key.startsWith(prefix) && this.#base.get(table, key) === undefined,
    );
    return [...kept, ...own].filter((key) => this.get(table, key) !== undefined).sort();
  }

  put(table: Table, key: string, row: Row | undefined): void {
    const changed = this.#changed.get(table) ?? new Map<string, Row | undefined>();
    changed.set(key, row);
    this.#changed.set(table, changed);
  }

  /** From the commit on, the key cannot be locked for so many milliseconds. */
  delayLock(key: string, milliseconds: number): void {
    this.#delays.set(key, this.now + milliseconds);
  }

  get lockDelays(): ReadonlyMap<string, number> {
    return this.#delays;
  }

  /** What a commit writes, table by table. */
  get changed(): ReadonlyMap<Table, ReadonlyMap<string, Row | undefined>> {
    return this.#changed;
  }
}

import type { Json } from '../../../wire/json.ts';
import { SortedMap } from '../../core/store/sorted-map.ts';
import type { Change, Storage } from '../../core/store/storage.ts';
import { prefixedStorage } from '../../core/store/store.ts';
import { yieldingIterator } from '../../core/yielding-iterator.ts';

/** Separates an index entry from the key of its row; never part of an entry. */
const separator = '\0';

/** Rows per batch. */
const batchSize = 200;

/**
 * A storage with a secondary index: index entries, computed from the content of rows, find them in order
 * without a scan.
 */
export class IndexedStorage implements Storage {
  readonly #base: Storage;
  readonly #indexKeysOf: (key: string, value: Json) => readonly string[];
  /** By index entry and key. */
  readonly #keys: SortedMap<string>;
  readonly #indexKeys = new Map<string, readonly string[]>();

  /** @param indexKeysOf the index entries of a row; no other code may write to the base */
  constructor(base: Storage, indexKeysOf: (key: string, value: Json) => readonly string[]) {
    this.#base = base;
    this.#indexKeysOf = indexKeysOf;
    const all = base.keys('');
    for (const key of all) this.#indexKeys.set(key, this.#currentIndexKeys(key));
    this.#keys = SortedMap.from(
      all.flatMap((key) =>
        this.#indexKeysAt(key).map((indexKey) => [indexKey + separator + key, key] as const),
      ),
    );
  }

  get(key: string): Json | undefined {
    return this.#base.get(key);
  }

  keys(prefix: string): string[] {
    return this.#base.keys(prefix);
  }

  async write(changes: readonly Change[]): Promise<void> {
    const durable = this.#base.write(changes);
    for (const { key } of changes) this.#updateIndex(key);
    try {
      await durable;
    } catch (error) {
      // The underlying storage was rolled back to what is durable.
      for (const { key } of changes) this.#updateIndex(key);
      throw error;
    }
  }

  withPrefix(prefix: string): Storage {
    return prefixedStorage(this, prefix);
  }

  /** Keys of the rows with an index entry, in order. */
  keysWithIndexKey(indexKey: string): string[] {
    return this.#keys.keys(indexKey + separator).flatMap((each) => this.#keys.get(each) ?? []);
  }

  /** The first index entry that begins with `prefix`. */
  firstIndexKey(prefix: string): string | undefined {
    return this.#keys.keys(prefix, undefined, 1).map(indexKeyOf)[0];
  }

  /** Keys of the rows whose entries begin with `prefix` and are not after `last`, in batches. */
  *keysUntilIndexKey(prefix: string, last: string): Generator<string[]> {
    for (let after: string | undefined; ; ) {
      const batch = this.#keys.keys(prefix, after, batchSize);
      const matching = batch.filter((each) => indexKeyOf(each) <= last);
      if (matching.length === 0) return;
      after = matching.at(-1);
      yield matching.flatMap((each) => this.#keys.get(each) ?? []);
    }
  }

  #updateIndex(key: string): void {
    for (const indexKey of this.#indexKeysAt(key)) this.#keys.put(indexKey + separator + key, undefined);
    const indexKeys = this.#currentIndexKeys(key);
    for (const indexKey of indexKeys) this.#keys.put(indexKey + separator + key, key);
    if (indexKeys.length > 0) this.#indexKeys.set(key, indexKeys);
    else this.#indexKeys.delete(key);
  }

  #indexKeysAt(key: string): readonly string[] {
    return this.#indexKeys.get(key) ?? [];
  }

  #currentIndexKeys(key: string): readonly string[] {
    const value = this.#base.get(key);
    return value === undefined ? [] : this.#indexKeysOf(key, value);
  }
}

const indexKeyOf = (entryKey: string): string => entryKey.slice(0, entryKey.indexOf(separator));

const expiryPrefix = 'ends/';

/** The index entry for an expiry in unix seconds. These entries are ordered by time. */
export const expiryIndexKey = (time: number): string =>
  expiryPrefix + String(Math.ceil(time)).padStart(16, '0');

/** The earliest expiry of a row, in unix seconds; infinity: no row expires. */
export function firstExpiry(rows: IndexedStorage): number {
  const indexKey = rows.firstIndexKey(expiryPrefix);
  return indexKey === undefined ? Number.POSITIVE_INFINITY : Number(indexKey.slice(expiryPrefix.length));
}

/**
 * Passes the keys of all expired rows to `end`, in batches, so that other work can run in between; a failure
 * does not stop later ones.
 * @throws the first error of `end`
 */
export async function forEachExpired(
  rows: IndexedStorage,
  now: number,
  end: (keys: readonly string[]) => Promise<void>,
): Promise<void> {
  const failures: unknown[] = [];
  for await (const keys of yieldingIterator(rows.keysUntilIndexKey(expiryPrefix, expiryIndexKey(now)))) {
    await end(keys).catch((error: unknown) => failures.push(error));
  }
  if (failures.length > 0) throw failures[0];
}

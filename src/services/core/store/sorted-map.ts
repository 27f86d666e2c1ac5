import { ShardedMap } from './sharded-map.ts';

/** Maximum keys per block: few enough to move, enough to keep the number of blocks small. */
const maxBlockKeys = 1024;

/** A map with text keys in order (UTF-16), searchable by prefix. Keys are in blocks: an insertion moves only a few. */
export class SortedMap<Value> {
  readonly #values = new ShardedMap<Value>();
  /** All keys in order; no block is empty. */
  readonly #blocks: string[][] = [];
  #keyCount = 0;

  /** Builds a map of many entries with different keys: sorts once instead of inserting each entry. */
  static async fromBatches<Value>(batches: AsyncIterable<Iterable<readonly [string, Value]>>) {
    const map = new SortedMap<Value>();
    const keys: string[] = [];
    for await (const entries of batches) {
      for (const [key, value] of entries) {
        keys.push(key);
        map.#values.set(key, value);
      }
    }
    keys.sort();
    map.#keyCount = keys.length;
    for (let at = 0; at < keys.length; at += maxBlockKeys / 2)
      map.#blocks.push(keys.slice(at, at + maxBlockKeys / 2));
    return map;
  }

  get(key: string): Value | undefined {
    return this.#values.get(key);
  }

  /** Sets a value; undefined removes the key. */
  put(key: string, value: Value | undefined): void {
    const exists = this.#values.has(key);
    if (value === undefined) {
      if (exists) this.#remove(key);
      this.#values.delete(key);
      return;
    }
    if (!exists) this.#insert(key);
    this.#values.set(key, value);
  }

  /** Keys that begin with `prefix`, in order; at most `limit` of those after `after`, if given. */
  keys(prefix: string, after?: string, limit?: number): string[] {
    const result: string[] = [];
    for (const keys of this.#runs(prefix, after, limit)) for (const key of keys) result.push(key);
    return result;
  }

  /** The entries of {@link keys}. */
  entries(prefix: string, after?: string, limit?: number): (readonly [key: string, value: Value])[] {
    const result: (readonly [string, Value])[] = [];
    for (const keys of this.#runs(prefix, after, limit))
      for (const key of keys) result.push([key, this.#values.get(key) as Value]);
    return result;
  }

  *#runs(
    prefix: string,
    after: string | undefined,
    limit = Number.POSITIVE_INFINITY,
  ): Generator<readonly string[]> {
    const start = after !== undefined && after > prefix ? after : prefix;
    let at = this.#blockOf(start);
    let from = insertionIndex(this.#blocks[at] ?? [], start);
    if (after !== undefined && this.#blocks[at]?.[from] === after) from++;
    for (let left = limit; left > 0; at++, from = 0) {
      const block = this.#blocks[at];
      if (!block) return;
      const end = prefixEnd(block, from, prefix);
      yield block.slice(from, Math.min(end, from + left));
      if (end < block.length) return;
      left -= end - from;
    }
  }

  /** At most `limit` of the keys that begin with `prefix`, before `before` if given; the last one first. */
  keysBefore(prefix: string, before: string | undefined, limit: number): string[] {
    const isPast = (key: string): boolean =>
      (before !== undefined && key >= before) || (key > prefix && !key.startsWith(prefix));
    const result: string[] = [];
    let at = firstIndex(this.#blocks.length, (index) => isPast(this.#blocks[index]?.[0] ?? '')) - 1;
    for (; at >= 0; at--) {
      const block = this.#blocks[at] ?? [];
      for (
        let index = firstIndex(block.length, (each) => isPast(block[each] ?? '')) - 1;
        index >= 0;
        index--
      ) {
        const key = block[index] ?? '';
        if (result.length === limit || !key.startsWith(prefix)) return result;
        result.push(key);
      }
    }
    return result;
  }

  get size(): number {
    return this.#keyCount;
  }

  /** Number of keys that come before a key, which need not exist. Counts blocks, not keys. */
  countBefore(key: string): number {
    const at = this.#blockOf(key);
    let count = insertionIndex(this.#blocks[at] ?? [], key);
    for (let index = 0; index < at; index++) count += this.#blocks[index]?.length ?? 0;
    return count;
  }

  /** At most `limit` keys, in order, from the one with this index on. Skips blocks, not keys. */
  keysAt(index: number, limit: number): string[] {
    let at = 0;
    let skipped = 0;
    for (; skipped + (this.#blocks[at]?.length ?? 0) <= index; at++) {
      if (at === this.#blocks.length) return [];
      skipped += this.#blocks[at]?.length ?? 0;
    }
    const result = (this.#blocks[at] ?? []).slice(index - skipped, index - skipped + limit);
    for (at++; at < this.#blocks.length && result.length < limit; at++)
      result.push(...(this.#blocks[at] ?? []).slice(0, limit - result.length));
    return result;
  }

  #insert(key: string): void {
    this.#keyCount++;
    const at = this.#blockOf(key);
    const block = this.#blocks[at];
    if (!block) {
      this.#blocks.push([key]);
      return;
    }
    block.splice(insertionIndex(block, key), 0, key);
    // Keys inserted in order fill their blocks; others leave room on both sides.
    if (block.length > maxBlockKeys) this.#blocks.splice(at + 1, 0, block.splice(splitIndex(block, key)));
  }

  #remove(key: string): void {
    this.#keyCount--;
    const at = this.#blockOf(key);
    const block = this.#blocks[at] ?? [];
    block.splice(insertionIndex(block, key), 1);
    if (block.length === 0) this.#blocks.splice(at, 1);
  }

  #blockOf(key: string): number {
    return Math.max(0, firstIndex(this.#blocks.length, (at) => (this.#blocks[at]?.[0] ?? '') > key) - 1);
  }
}

const splitIndex = (block: readonly string[], insertedKey: string): number =>
  block.at(-1) === insertedKey ? block.length - 1 : maxBlockKeys / 2;

/** The index of the key, or where it would be inserted. */
const insertionIndex = (keys: readonly string[], key: string): number =>
  firstIndex(keys.length, (at) => (keys[at] ?? '') >= key);

/** The first index for which `test` is true; it is for all later ones. */
export function firstIndex(length: number, test: (index: number) => boolean): number {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (test(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** The index after the last key that begins with `prefix`; those from `from` on are not before it. */
function prefixEnd(keys: readonly string[], from: number, prefix: string): number {
  if (keys.at(-1)?.startsWith(prefix)) return keys.length;
  let low = from;
  let high = keys.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (keys[middle]?.startsWith(prefix)) low = middle + 1;
    else high = middle;
  }
  return low;
}

import type { Json } from '../../../wire/json.ts';
import { ShardedMap } from '../store/sharded-map.ts';
import { SortedMap } from '../store/sorted-map.ts';
import type { Change, Rows } from '../store/storage.ts';

/** Changed keys that are searched one by one. */
const maxUnsorted = 32;

/** A transaction: reads see its own writes, which are visible outside once it is committed. They have one index. */
export class Transaction implements Rows {
  readonly index: number;
  /** Milliseconds of the epoch. */
  readonly now: number;
  /** Cryptographically secure bytes. */
  readonly random: (length: number) => Uint8Array;
  readonly changed = new ShardedMap<Json | undefined>();
  readonly tables = new Set<string>();
  /** Milliseconds of the epoch until which a key cannot be locked again, by key. */
  readonly lockDelays = new Map<string, number>();
  readonly #base: Rows;
  /** The keys of `changed`, once there are many. */
  #sorted: SortedMap<true> | undefined;
  readonly #deferred: (() => Iterable<unknown>)[] = [];

  constructor(base: Rows, { index, now, random }: Pick<Transaction, 'index' | 'now' | 'random'>) {
    this.#base = base;
    this.index = index;
    this.now = now;
    this.random = random;
  }

  get(key: string): Json | undefined {
    return this.changed.has(key) ? this.changed.get(key) : this.#base.get(key);
  }

  keys(prefix: string): string[] {
    const changedKeys =
      this.#sorted?.keys(prefix) ??
      [...this.changed].map(([key]) => key).filter((key) => key.startsWith(prefix));
    const baseKeys = this.#base.keys(prefix);
    if (changedKeys.length === 0) return baseKeys;
    const addedKeys = changedKeys.filter((key) => this.#base.get(key) === undefined);
    return [...baseKeys, ...addedKeys].filter((key) => this.get(key) !== undefined).sort();
  }

  write(...changes: readonly Change[]): void {
    for (const { key, value } of changes) {
      this.changed.set(key, value);
      this.tables.add(key.slice(0, key.indexOf('/')));
      this.#sorted?.put(key, true);
    }
    if (!this.#sorted && this.changed.size > maxUnsorted) {
      this.#sorted = new SortedMap();
      for (const [key] of this.changed) this.#sorted.put(key, true);
    }
  }

  /** Adds work on any number of rows, which yields after each of them. It is done, in slices, before the commit. */
  defer(work: () => Iterable<unknown>): void {
    this.#deferred.push(work);
  }

  get hasDeferred(): boolean {
    return this.#deferred.length > 0;
  }

  /** Does the deferred work; each part of it may add more. */
  *runDeferred(): Generator<unknown> {
    for (const work of this.#deferred) {
      yield* work();
      // Work that has nothing to do takes time as well.
      yield;
    }
    this.#deferred.length = 0;
  }

  clear(): void {
    this.changed.clear();
    this.tables.clear();
    this.#sorted = undefined;
    this.#deferred.length = 0;
    this.lockDelays.clear();
  }

  /** After the commit, the key cannot be locked for this many milliseconds. */
  delayLock(key: string, milliseconds: number): void {
    this.lockDelays.set(key, this.now + milliseconds);
  }
}

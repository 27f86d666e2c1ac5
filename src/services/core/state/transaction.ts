import type { Json } from '../../../wire/json.ts';
import type { Change, Rows } from '../store/storage.ts';

/**
 * A transaction: reads see its own writes, and nothing is visible outside until it is committed as one. All
 * its writes have one index.
 */
export class Transaction implements Rows {
  readonly index: number;
  /** Milliseconds of the epoch. */
  readonly now: number;
  /** Cryptographically secure bytes. */
  readonly random: (length: number) => Uint8Array;
  /** The writes, by key. */
  readonly changed = new Map<string, Json | undefined>();
  /** Milliseconds of the epoch until which a key cannot be locked again, by key. */
  readonly lockDelays = new Map<string, number>();
  readonly #base: Rows;

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
    const changedKeys = [...this.changed.keys()].filter((key) => key.startsWith(prefix));
    const baseKeys = this.#base.keys(prefix);
    if (changedKeys.length === 0) return baseKeys;
    const addedKeys = changedKeys.filter((key) => this.#base.get(key) === undefined);
    return [...baseKeys, ...addedKeys].filter((key) => this.get(key) !== undefined).sort();
  }

  write(...changes: readonly Change[]): void {
    for (const { key, value } of changes) this.changed.set(key, value);
  }

  /** After the commit, the key cannot be locked for this many milliseconds. */
  delayLock(key: string, milliseconds: number): void {
    this.lockDelays.set(key, this.now + milliseconds);
  }
}

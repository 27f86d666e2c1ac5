import type { Json } from '../wire/json.ts';

/** A change of one key; without a value it is removed. Values are treated as immutable. */
export interface Change {
  readonly key: string;
  readonly value?: Json;
}

/**
 * What the embedded services keep their state in: an ordered map of JSON values. Reads are answered from
 * memory; a write is seen at once and acknowledged when it is durable.
 */
export interface Storage {
  get(key: string): Json | undefined;
  /** Keys that begin with `prefix`, in order, whole. */
  keys(prefix: string): string[];
  /**
   * Applies all changes or none; resolves when they would survive a crash, and all that could be seen before: without
   * changes it waits for that alone.
   */
  write(changes: readonly Change[]): Promise<void>;
  /** The same storage seen below a prefix. */
  below(prefix: string): Storage;
}

/** A storage whose keys can be had in parts, where there are many. */
export interface PagedStorage extends Storage {
  /** The first keys that begin with `prefix` and come after one (empty: from the first on), at most so many. */
  keysAfter(prefix: string, after: string, most: number): string[];
  below(prefix: string): PagedStorage;
}

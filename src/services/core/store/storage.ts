import type { Json } from '../../../wire/json.ts';

/** A change of one key; undefined removes it. Values are treated as immutable. */
export interface Change {
  readonly key: string;
  readonly value?: Json | undefined;
}

/** What can be read: a storage, or a storage as a transaction changes it. */
export interface Rows {
  get(key: string): Json | undefined;
  /** Full keys that begin with `prefix`, in order (by UTF-16 code unit). */
  keys(prefix: string): string[];
}

/**
 * Storage of the embedded services: an ordered map of JSON values. Reads come from memory; a write is
 * visible immediately and acknowledged when it is durable.
 */
export interface Storage extends Rows {
  /** At most `limit` of the keys that begin with `prefix` and come after `after` (empty: from the first). */
  keysAfter(prefix: string, after: string, limit: number): string[];
  /** The same with their values: faster than a `get` for each key. */
  entriesAfter(prefix: string, after: string, limit: number): (readonly [key: string, value: Json])[];
  /** At most `limit` of the keys that begin with `prefix` and come before `before` (empty: from the last), the last first. */
  keysBefore(prefix: string, before: string, limit: number): string[];
  /**
   * Applies all changes or none. Resolves when they, and everything visible before, would survive a crash;
   * without changes it waits for the latter alone.
   */
  write(changes: readonly Change[]): Promise<void>;
  withPrefix(prefix: string): Storage;
}

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
  /** The same of rows of one moment, found in batches as they are taken. */
  eachKey?(prefix: string): Iterable<string>;
}

/** Rows as they were at one time, until they are released. */
export interface Snapshot extends Rows {
  release(): void;
}

/** A write of many changes, prepared in small parts: nothing of it is visible or durable without the rest. */
export interface StagedWrite {
  /** Adds changes, of keys that no earlier part has. */
  add(changes: readonly Change[]): void;
  /** Makes all changes visible at once; resolves when they are durable. */
  commit(): Promise<void>;
  /** Ends it without a change, if it was not committed. */
  discard(): void;
}

/** An ordered map of JSON values. Reads come from memory; a write is visible at once, acknowledged when durable. */
export interface Storage extends Rows {
  /** At most `limit` of the keys that begin with `prefix` and come after `after` (empty: from the first). */
  keysAfter(prefix: string, after: string, limit: number): string[];
  /** The same with their values: faster than a `get` for each key. */
  entriesAfter(prefix: string, after: string, limit: number): (readonly [key: string, value: Json])[];
  /** At most `limit` of the keys that begin with `prefix` and come before `before` (empty: from the last), the last first. */
  keysBefore(prefix: string, before: string, limit: number): string[];
  /**
   * Applies all changes or none. Resolves when they, and everything visible before, would survive a crash; without
   * changes it waits for what was visible before.
   */
  write(changes: readonly Change[]): Promise<void>;
  /** Starts a large write; an earlier one ends first. It must be committed or discarded. */
  stage(): Promise<StagedWrite>;
  snapshot(): Snapshot;
  withPrefix(prefix: string): Storage;
}

/** Keys that begin with `prefix`, in order, for work in slices. */
export const eachKey = (rows: Rows, prefix: string): Iterable<string> =>
  rows.eachKey?.(prefix) ?? rows.keys(prefix);

import { type Indexes, matchesIndex, putWithIndexes } from '../../core/state/put-with-indexes.ts';
import type { Row } from '../../core/state/transaction.ts';
import type { Transaction, View } from './tables.ts';

/** An entry of the key-value store in a response, without its key. */
export interface Entry extends Indexes {
  /** The number of times that its lock was acquired. */
  readonly LockIndex: number;
  /** An unsigned integer of 64 bits. */
  readonly Flags: number | bigint;
  /** Base64. */
  readonly Value: string;
  /** The session that holds the lock. */
  readonly Session?: string;
}

/** The fields that clients write. */
export type Content = Pick<Entry, 'Value' | 'Flags'>;

/** Maximum length of a value in bytes (docs/protocol/registry.md#key-value-store). */
export const maxValueBytes = 512 * 1024;

export function entryOf(view: View, key: string): Entry | undefined {
  return view.get('kv', key) as (Row & Entry) | undefined;
}

/** An entry in a response. */
export function entryView(key: string, entry: Entry, withValue = true): object {
  return {
    LockIndex: entry.LockIndex,
    Key: key,
    Flags: entry.Flags,
    Value: withValue && entry.Value !== '' ? entry.Value : null,
    ...(entry.Session !== undefined && { Session: entry.Session }),
    CreateIndex: entry.CreateIndex,
    ModifyIndex: entry.ModifyIndex,
  };
}

/** Sets a key; its lock is unchanged. */
export function setEntry(transaction: Transaction, key: string, content: Content): Entry {
  const { LockIndex = 0, Session } = entryOf(transaction, key) ?? {};
  return putEntryRow(transaction, key, { ...content, LockIndex, ...(Session !== undefined && { Session }) });
}

/** Sets a key if its index matches; undefined: it does not. */
export function casEntry(
  transaction: Transaction,
  key: string,
  content: Content,
  index: number,
): Entry | undefined {
  return matchesIndex(entryOf(transaction, key), index) ? setEntry(transaction, key, content) : undefined;
}

/**
 * Acquires the lock of a key for a session, which must exist; if the session has it already, only sets the key.
 *
 * @returns undefined: another session has it
 */
export function lockEntry(
  transaction: Transaction,
  key: string,
  content: Content,
  session: string,
): Entry | undefined {
  const previous = entryOf(transaction, key);
  if (previous?.Session !== undefined && previous.Session !== session) return undefined;
  const LockIndex = (previous?.LockIndex ?? 0) + (previous?.Session === session ? 0 : 1);
  return putEntryRow(transaction, key, { ...content, LockIndex, Session: session });
}

/** Sets a key and releases its lock; undefined: the session does not have it. */
export function unlockEntry(
  transaction: Transaction,
  key: string,
  content: Content,
  session: string,
): Entry | undefined {
  const previous = entryOf(transaction, key);
  if (previous?.Session !== session) return undefined;
  return putEntryRow(transaction, key, { ...content, LockIndex: previous.LockIndex });
}

export function deleteEntry(transaction: Transaction, key: string): void {
  const previous = entryOf(transaction, key);
  if (!previous) return;
  if (previous.Session !== undefined) transaction.put('locks', lockKey(previous.Session, key), undefined);
  transaction.put('kv', key, undefined);
}

/** Deletes a key if its index matches; false: it does not. A missing key is not an error. */
export function casDeleteEntry(transaction: Transaction, key: string, index: number): boolean {
  const previous = entryOf(transaction, key);
  if (previous && !matchesIndex(previous, index)) return false;
  deleteEntry(transaction, key);
  return true;
}

export function deleteTree(transaction: Transaction, prefix: string): void {
  for (const key of transaction.keys('kv', prefix)) deleteEntry(transaction, key);
}

/** The keys that a session has locked. */
export function lockedKeys(view: View, session: string): string[] {
  const prefix = lockKey(session, '');
  return view.keys('locks', prefix).map((key) => key.slice(prefix.length));
}

function putEntryRow(transaction: Transaction, key: string, content: Omit<Entry, keyof Indexes>): Entry {
  const previous = entryOf(transaction, key)?.Session;
  if (previous !== content.Session) {
    if (previous !== undefined) transaction.put('locks', lockKey(previous, key), undefined);
    if (content.Session !== undefined) transaction.put('locks', lockKey(content.Session, key), {});
  }
  return putWithIndexes(transaction, 'kv', key, content);
}

const lockKey = (session: string, key: string) => `${session}/${key}`;

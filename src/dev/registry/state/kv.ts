import type { Row } from '../../state/draft.ts';
import { type Indexes, matchesIndex, putIndexed } from '../../state/indexed.ts';
import type { Draft, View } from './draft.ts';

/** An entry of the key-value store as it is answered, less its key. */
export interface Entry extends Indexes {
  /** How often it was locked afresh. */
  readonly LockIndex: number;
  /** An unsigned integer of 64 bits. */
  readonly Flags: number | bigint;
  /** Base64. */
  readonly Value: string;
  /** The session that holds the lock. */
  readonly Session?: string;
}

/** What a client writes. */
export type Content = Pick<Entry, 'Value' | 'Flags'>;

/** Bytes of a value at the most (docs/protocol/registry.md#key-value-store). */
export const maxValueBytes = 512 * 1024;

export function entryOf(view: View, key: string): Entry | undefined {
  return view.get('kv', key) as (Row & Entry) | undefined;
}

/** An entry as clients read it. */
export function entryAnswer(key: string, entry: Entry, withValue = true): object {
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

/** Sets a key; a lock on it stays. */
export function setEntry(draft: Draft, key: string, content: Content): Entry {
  const { LockIndex = 0, Session } = entryOf(draft, key) ?? {};
  return put(draft, key, { ...content, LockIndex, ...(Session !== undefined && { Session }) });
}

/** Sets a key if its index is the one given; undefined: it is not. */
export function casEntry(draft: Draft, key: string, content: Content, index: number): Entry | undefined {
  return matchesIndex(entryOf(draft, key), index) ? setEntry(draft, key, content) : undefined;
}

/**
 * Locks a key for a session, which must exist; locking it again only sets it.
 * @returns undefined: another session holds it
 */
export function lockEntry(draft: Draft, key: string, content: Content, session: string): Entry | undefined {
  const before = entryOf(draft, key);
  if (before?.Session !== undefined && before.Session !== session) return undefined;
  const LockIndex = (before?.LockIndex ?? 0) + (before?.Session === session ? 0 : 1);
  return put(draft, key, { ...content, LockIndex, Session: session });
}

/** Sets a key and lets go of the lock; undefined: the session does not hold it. */
export function unlockEntry(draft: Draft, key: string, content: Content, session: string): Entry | undefined {
  const before = entryOf(draft, key);
  if (before?.Session !== session) return undefined;
  return put(draft, key, { ...content, LockIndex: before.LockIndex });
}

export function deleteEntry(draft: Draft, key: string): void {
  const before = entryOf(draft, key);
  if (!before) return;
  if (before.Session !== undefined) draft.put('locks', lockKey(before.Session, key), undefined);
  draft.put('kv', key, undefined);
}

/** Deletes a key if its index is the one given; false: it is not. A key that is gone is deleted already. */
export function casDeleteEntry(draft: Draft, key: string, index: number): boolean {
  const before = entryOf(draft, key);
  if (before && !matchesIndex(before, index)) return false;
  deleteEntry(draft, key);
  return true;
}

export function deleteTree(draft: Draft, prefix: string): void {
  for (const key of draft.keys('kv', prefix)) deleteEntry(draft, key);
}

/** The keys that a session holds. */
export function lockedKeys(view: View, session: string): string[] {
  const prefix = lockKey(session, '');
  return view.keys('locks', prefix).map((key) => key.slice(prefix.length));
}

function put(draft: Draft, key: string, content: Omit<Entry, keyof Indexes>): Entry {
  const before = entryOf(draft, key)?.Session;
  if (before !== content.Session) {
    if (before !== undefined) draft.put('locks', lockKey(before, key), undefined);
    if (content.Session !== undefined) draft.put('locks', lockKey(content.Session, key), {});
  }
  return putIndexed(draft, 'kv', key, content);
}

const lockKey = (session: string, key: string) => `${session}/${key}`;

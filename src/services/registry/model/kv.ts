import * as s from '../../core/schema/types.ts';
import { matchesIndex, shownIndexes, stateTable } from '../../core/state/state-table.ts';
import { type RowOf, table } from '../../core/store/table.ts';
import type { Transaction, View } from './tables.ts';

/** The locked keys of each session. */
const locks = table('locks/', {});
const lockKey = (session: string, key: string) => `${session}/${key}`;

export const flags = s.int64('An unsigned 64-bit integer with a meaning of your own.', { minimum: 0 });

const lockIndex = { LockIndex: s.integer('How many times it was locked.') };
const fields = {
  Flags: flags,
  Value: s.string('Base64.'),
  Session: s.optional(s.string('The session that holds its lock.')),
};

/** An entry of the key-value store, with its key (docs/protocol/registry.md#key-value-store). */
export const keyValue = s.named(
  'KeyValue',
  s.object({
    ...lockIndex,
    Key: s.string(),
    ...fields,
    Value: s.nullable(s.described('Base64; null if it is empty.', fields.Value)),
    ...shownIndexes,
  }),
);

const entries = stateTable('kv/', { ...lockIndex, ...fields }).with({
  lookups: ({ Session }, key) => (Session === undefined ? [] : [locks.put(lockKey(Session, key), {})]),
});
export type Entry = RowOf<typeof entries>;

export const kvTables = [entries, locks];

/** The part that a client writes. */
export type Content = Pick<Entry, 'Value' | 'Flags'>;

/** Maximum bytes of a value (docs/protocol/registry.md#key-value-store). */
export const maxValueBytes = 512 * 1024;

export const entryOf = (view: View, key: string) => entries.get(view, key);
export const entryKeys = (view: View, prefix: string) => entries.keys(view, prefix);

export function entryView(key: string, entry: Entry, withValue = true): object {
  const { LockIndex, Flags, Value, Session, CreateIndex, ModifyIndex } = entry;
  const shown = withValue && Value !== '' ? Value : null;
  const session = Session === undefined ? {} : { Session };
  return { LockIndex, Key: key, Flags, Value: shown, ...session, CreateIndex, ModifyIndex };
}

/** The view of an entry as JSON: long lists of them are encoded in a quarter of the time. */
export function entryJson(
  key: string,
  { LockIndex, Flags, Value, Session, CreateIndex, ModifyIndex }: Entry,
): string {
  const value = Value === '' ? 'null' : JSON.stringify(Value);
  const session = Session === undefined ? '' : `"Session":${JSON.stringify(Session)},`;
  return `{"LockIndex":${LockIndex},"Key":${JSON.stringify(key)},"Flags":${Flags},"Value":${value},${session}"CreateIndex":${CreateIndex},"ModifyIndex":${ModifyIndex}}`;
}

/** Sets a key; a lock on it is kept. */
export function setEntry(transaction: Transaction, key: string, content: Content): Entry {
  const { LockIndex = 0, Session } = entryOf(transaction, key) ?? {};
  return entries.write(transaction, key, {
    ...content,
    LockIndex,
    ...(Session !== undefined && { Session }),
  });
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

type WriteForSession = (
  transaction: Transaction,
  key: string,
  content: Content,
  session: string,
) => Entry | undefined;

/**
 * Acquires the lock of a key for a session, which must exist; if the session has it already, only sets the key.
 *
 * @returns undefined: another session has it
 */
export const lockEntry: WriteForSession = (transaction, key, content, session) => {
  const previous = entryOf(transaction, key);
  if (previous?.Session !== undefined && previous.Session !== session) return undefined;
  const LockIndex = (previous?.LockIndex ?? 0) + (previous?.Session === session ? 0 : 1);
  return entries.write(transaction, key, { ...content, LockIndex, Session: session });
};

/** Sets a key and releases the lock; undefined: the session does not hold it. */
export const unlockEntry: WriteForSession = (transaction, key, content, session) => {
  const previous = entryOf(transaction, key);
  if (previous?.Session !== session) return undefined;
  return entries.write(transaction, key, { ...content, LockIndex: previous.LockIndex });
};

export function deleteEntry(transaction: Transaction, key: string): void {
  if (entryOf(transaction, key)) entries.delete(transaction, key);
}

/** Deletes a key if its index matches; false: it does not. A key that does not exist counts as deleted. */
export function casDeleteEntry(transaction: Transaction, key: string, index: number): boolean {
  const previous = entryOf(transaction, key);
  if (previous && !matchesIndex(previous, index)) return false;
  deleteEntry(transaction, key);
  return true;
}

/** Deletes all keys with a prefix, one with each step. */
export function* deleteTree(transaction: Transaction, prefix: string): Generator<undefined> {
  for (const key of entryKeys(transaction, prefix)) {
    deleteEntry(transaction, key);
    yield;
  }
}

export function lockedKeys(view: View, session: string): string[] {
  const prefix = lockKey(session, '');
  return locks.keys(view, prefix).map((key) => key.slice(prefix.length));
}

import { type Indexes, putWithIndexes } from '../../core/state/put-with-indexes.ts';
import type { Row } from '../../core/state/transaction.ts';
import { deleteEntry, entryOf, lockedKeys, unlockEntry } from './kv.ts';
import { deleteQueriesOf } from './queries.ts';
import type { Transaction, View } from './tables.ts';

/** What happens to the keys of a session that ends. */
export type Behavior = 'release' | 'delete';

export interface Session extends Indexes {
  readonly ID: string;
  readonly Name: string;
  readonly Node: string;
  /** Nanoseconds. */
  readonly LockDelay: number;
  readonly Behavior: Behavior;
  /** A duration; empty: unlimited. */
  readonly TTL: string;
  /** IDs of checks of the node; the session ends when one of them is critical or removed. */
  readonly NodeChecks: readonly string[];
}

export function sessionOf(view: View, id: string): Session | undefined {
  return view.get('sessions', id) as (Row & Session) | undefined;
}

export function sessionsOf(view: View, node?: string): Session[] {
  const all = view.keys('sessions', '').flatMap((id) => sessionOf(view, id) ?? []);
  return node === undefined ? all : all.filter((session) => session.Node === node);
}

export function createSession(transaction: Transaction, session: Omit<Session, keyof Indexes>): Session {
  return putWithIndexes(transaction, 'sessions', session.ID, session);
}

/** Ends a session: its keys are released or deleted, with the lock delay; its prepared queries are deleted. */
export function endSession(transaction: Transaction, id: string): void {
  const session = sessionOf(transaction, id);
  if (!session) return;
  transaction.put('sessions', id, undefined);
  deleteQueriesOf(transaction, id);
  for (const key of lockedKeys(transaction, id)) {
    if (session.LockDelay > 0) transaction.delayLock(key, session.LockDelay / 1e6);
    const entry = entryOf(transaction, key);
    if (session.Behavior === 'delete') deleteEntry(transaction, key);
    else if (entry) unlockEntry(transaction, key, { Value: entry.Value, Flags: entry.Flags }, id);
  }
}

/** Ends the sessions of a node, or only those that depend on one of its checks. */
export function endSessionsOf(transaction: Transaction, node: string, check?: string): void {
  for (const { ID, NodeChecks } of sessionsOf(transaction, node)) {
    if (check === undefined || NodeChecks.includes(check)) endSession(transaction, ID);
  }
}

import { type Content, stateTable } from '../../core/state/state-table.ts';
import * as s from '../../core/store/schema.ts';
import type { RowOf } from '../../core/store/table.ts';
import { isSameName } from '../fold-name.ts';
import { deleteEntry, entryOf, lockedKeys, unlockEntry } from './kv.ts';
import { deleteQueriesOf } from './queries.ts';
import type { Transaction, View } from './tables.ts';

const behavior = s.oneOf('release', 'delete');
/** What happens to the locked keys when a session ends. */
export type Behavior = s.TypeOf<typeof behavior>;

const sessions = stateTable('sessions/', {
  ID: s.string,
  Name: s.string,
  Node: s.string,
  /** Nanoseconds. */
  LockDelay: s.number,
  Behavior: behavior,
  /** A duration; empty: the session does not expire. */
  TTL: s.string,
  /** IDs of checks of the node; the session ends when one of them is critical or removed. */
  NodeChecks: s.array(s.string),
  /** IDs of checks of services of the node, with the same effect. */
  ServiceChecks: s.optional(s.array(s.string)),
});
export type Session = RowOf<typeof sessions>;

export const sessionTables = [sessions];

export const sessionOf = (view: View, id: string) => sessions.get(view, id.toLowerCase());

export function sessionsOf(view: View, node?: string): Session[] {
  const all = sessions.values(view);
  return node === undefined ? all : all.filter((session) => isSameName(session.Node, node));
}

export const createSession = (transaction: Transaction, session: Content<Session>) =>
  sessions.write(transaction, session.ID, session);

/** Ends a session: its keys are released or deleted, with the lock delay; its prepared queries are deleted. */
export function endSession(transaction: Transaction, id: string): void {
  const session = sessionOf(transaction, id);
  if (!session) return;
  sessions.delete(transaction, id);
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
  for (const { ID, NodeChecks, ServiceChecks = [] } of sessionsOf(transaction, node)) {
    const checks = [...NodeChecks, ...ServiceChecks];
    if (check === undefined || checks.some((each) => isSameName(each, check))) endSession(transaction, ID);
  }
}

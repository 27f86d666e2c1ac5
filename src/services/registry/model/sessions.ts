import { mapInSlices } from '../../core/in-slices.ts';
import * as s from '../../core/schema/types.ts';
import { type Content, shownIndexes, stateTable } from '../../core/state/state-table.ts';
import { type RowOf, table } from '../../core/store/table.ts';
import { childKey, foldName } from '../fold-name.ts';
import { deleteEntry, entryOf, lockedKeys, unlockEntry } from './kv.ts';
import { deleteQueriesOf } from './queries.ts';
import type { Transaction, View } from './tables.ts';

const behavior = s.oneOf(['release', 'delete'], 'What happens with its locks.');
/** What happens to the locked keys when a session ends. */
export type Behavior = s.Stored<typeof behavior>;

/** By node, and by each check of it that the session depends on. */
const nodeSessions = table('node-sessions/', { id: s.string() });
const nodeSessionKey = (node: string, check: string, id: string): string =>
  childKey(childKey(node, check), id);

const fields = {
  ID: s.string(),
  Name: s.string(),
  Node: s.string(),
  LockDelay: s.integer('Nanoseconds.'),
  Behavior: behavior,
  TTL: s.string('A duration; empty: the session does not expire.'),
  NodeChecks: s.list(s.string(), 'Checks of the node; the session ends when one is critical or removed.'),
};

/** A session (docs/protocol/registry.md#sessions). */
export const session = s.named(
  'Session',
  s.object({
    ...fields,
    ServiceChecks: s.nullable(s.list(s.object({ ID: s.string(), Namespace: s.string() }))),
    ...shownIndexes,
  }),
);

const sessions = stateTable('sessions/', {
  ...fields,
  /** IDs of checks of services of the node, with the same effect as `NodeChecks`. */
  ServiceChecks: s.optional(s.list(s.string())),
}).with({
  lookups: ({ ID, Node, NodeChecks, ServiceChecks = [] }) =>
    [...new Set(['', ...NodeChecks, ...ServiceChecks].map(foldName))].map((check) =>
      nodeSessions.put(nodeSessionKey(Node, check, ID), { id: ID }),
    ),
});
export type Session = RowOf<typeof sessions>;

export const sessionTables = [sessions, nodeSessions];

export const sessionOf = (view: View, id: string) => sessions.get(view, id.toLowerCase());

export const allSessions = (view: View) => sessions.values(view);

/** All sessions, or the sessions of a node; the view must be of one moment. */
export async function sessionsOf(view: View, node?: string): Promise<Session[]> {
  if (node === undefined) return sessions.list(view);
  const found = await mapInSlices(sessionIdsOf(view, node), (id) => sessions.get(view, id));
  return found.filter((session) => session !== undefined);
}

/** The IDs of the sessions of a node; with a check, of those that depend on it. */
function sessionIdsOf(view: View, node: string, check = ''): string[] {
  const start = nodeSessionKey(node, check, '');
  return nodeSessions.keys(view, start).map((key) => key.slice(start.length));
}

export const createSession = (transaction: Transaction, session: Content<Session>) =>
  sessions.write(transaction, session.ID, session);

/** Ends a session: its keys are released or deleted, with the lock delay; its prepared queries are deleted. */
export function endSession(transaction: Transaction, id: string): void {
  const session = sessionOf(transaction, id);
  if (!session) return;
  sessions.delete(transaction, session.ID);
  transaction.defer(function* () {
    yield* deleteQueriesOf(transaction, id);
    for (const key of lockedKeys(transaction, id)) {
      if (session.LockDelay > 0) transaction.delayLock(key, session.LockDelay / 1e6);
      const entry = entryOf(transaction, key);
      if (session.Behavior === 'delete') deleteEntry(transaction, key);
      else if (entry) unlockEntry(transaction, key, { Value: entry.Value, Flags: entry.Flags }, id);
      yield;
    }
  });
}

/** Ends the sessions of a node, or only those that depend on one of its checks. */
export function endSessionsOf(transaction: Transaction, node: string, check?: string): void {
  const ids = sessionIdsOf(transaction, node, check);
  if (ids.length === 0) return;
  transaction.defer(function* () {
    for (const id of ids) yield endSession(transaction, id);
  });
}

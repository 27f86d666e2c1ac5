import type { Row } from '../../state/draft.ts';
import { type Indexes, putIndexed } from '../../state/indexed.ts';
import type { Draft, View } from './draft.ts';
import { deleteEntry, entryOf, lockedKeys, unlockEntry } from './kv.ts';
import { deleteQueriesOf } from './queries.ts';

/** What becomes of the keys of a session that ends. */
export type Behavior = 'release' | 'delete';

export interface Session extends Indexes {
  readonly ID: string;
  readonly Name: string;
  readonly Node: string;
  /** Nanoseconds. */
  readonly LockDelay: number;
  readonly Behavior: Behavior;
  /** A duration; empty: the session has no end of its own. */
  readonly TTL: string;
  /** IDs of checks of the node; the session ends when one of them is critical or gone. */
  readonly NodeChecks: readonly string[];
}

export function sessionOf(view: View, id: string): Session | undefined {
  return view.get('sessions', id) as (Row & Session) | undefined;
}

export function sessionsOf(view: View, node?: string): Session[] {
  const all = view.keys('sessions', '').flatMap((id) => sessionOf(view, id) ?? []);
  return node === undefined ? all : all.filter((session) => session.Node === node);
}

export function createSession(draft: Draft, session: Omit<Session, keyof Indexes>): Session {
  return putIndexed(draft, 'sessions', session.ID, session);
}

/**
 * Ends a session: its keys are released or deleted, and cannot be locked again for a while; its prepared queries are
 * deleted.
 */
export function endSession(draft: Draft, id: string): void {
  const session = sessionOf(draft, id);
  if (!session) return;
  draft.put('sessions', id, undefined);
  deleteQueriesOf(draft, id);
  for (const key of lockedKeys(draft, id)) {
    if (session.LockDelay > 0) draft.delayLock(key, session.LockDelay / 1e6);
    const entry = entryOf(draft, key);
    if (session.Behavior === 'delete') deleteEntry(draft, key);
    else if (entry) unlockEntry(draft, key, { Value: entry.Value, Flags: entry.Flags }, id);
  }
}

/** Ends the sessions of a node, or only those that depend on one of its checks. */
export function endSessionsOf(draft: Draft, node: string, check?: string): void {
  for (const { ID, NodeChecks } of sessionsOf(draft, node)) {
    if (check === undefined || NodeChecks.includes(check)) endSession(draft, ID);
  }
}

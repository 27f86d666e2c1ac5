import type { Row } from '../../state/draft.ts';
import { type Indexes, putIndexed } from '../../state/indexed.ts';
import { deleteToken, putToken, type Token, tokenOf } from '../state/acl.ts';
import type { Draft, Table } from '../state/draft.ts';

/**
 * The tables that a secondary datacenter follows. A token comes after what it names; that access control is
 * bootstrapped comes last, when the tokens that still may do something are there.
 */
export const followedTables = ['cluster', 'config', 'policies', 'roles', 'tokens', 'bootstrap'] as const;

/** Makes a row what it is in the primary datacenter; undefined: it is gone there. Its indexes are those of here. */
export function followRow(draft: Draft, table: Table, key: string, theirs: Row | undefined): void {
  if (table === 'tokens') followToken(draft, key, theirs as (Row & Token) | undefined);
  else if (theirs) putIndexed(draft, table, key, withoutIndexes(theirs));
  else draft.put(table, key, undefined);
}

/** Tokens that are local are of the datacenter that made them. */
function followToken(draft: Draft, accessor: string, theirs: (Row & Token) | undefined): void {
  const wanted = theirs?.Local ? undefined : theirs;
  const own = tokenOf(draft, accessor);
  if (own && (wanted ? own.SecretID !== wanted.SecretID : !own.Local)) deleteToken(draft, own);
  if (wanted) putToken(draft, withoutIndexes(wanted));
}

function withoutIndexes<Content extends object>(row: Content): Omit<Content, keyof Indexes> {
  const { CreateIndex: _create, ModifyIndex: _modify, ...content } = row as Content & Partial<Indexes>;
  return content;
}

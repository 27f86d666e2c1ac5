import { type Indexes, putWithIndexes } from '../../core/state/put-with-indexes.ts';
import type { Row } from '../../core/state/transaction.ts';
import { deleteToken, putToken, type Token, tokenOf } from '../model/acl.ts';
import type { Table, Transaction } from '../model/tables.ts';

/**
 * The replicated tables in order. Tokens come after what they refer to; the bootstrap state comes last, when all
 * valid tokens have arrived.
 */
export const replicatedTables = ['cluster', 'config', 'policies', 'roles', 'tokens', 'bootstrap'] as const;

/** Copies a row from the primary datacenter; undefined: deleted there. Its indexes are local. */
export function replicateRow(
  transaction: Transaction,
  table: Table,
  key: string,
  primaryRow: Row | undefined,
): void {
  if (table === 'tokens') replicateToken(transaction, key, primaryRow as (Row & Token) | undefined);
  else if (primaryRow) putWithIndexes(transaction, table, key, withoutIndexes(primaryRow));
  else transaction.put(table, key, undefined);
}

/** Local tokens belong to their own datacenter. */
function replicateToken(
  transaction: Transaction,
  accessor: string,
  primaryRow: (Row & Token) | undefined,
): void {
  const primaryToken = primaryRow?.Local ? undefined : primaryRow;
  const localToken = tokenOf(transaction, accessor);
  if (localToken && (primaryToken ? localToken.SecretID !== primaryToken.SecretID : !localToken.Local))
    deleteToken(transaction, localToken);
  if (primaryToken) putToken(transaction, withoutIndexes(primaryToken));
}

function withoutIndexes<Content extends object>(row: Content): Omit<Content, keyof Indexes> {
  const { CreateIndex: _create, ModifyIndex: _modify, ...content } = row as Content & Partial<Indexes>;
  return content;
}

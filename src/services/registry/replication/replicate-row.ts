import { isDeepStrictEqual } from 'node:util';
import { type Indexes, StateTable, withoutIndexes } from '../../core/state/state-table.ts';
import type { Table } from '../../core/store/table.ts';
import { clusterTable } from '../chain/trust-domain.ts';
import { entryTable } from '../config/entries.ts';
import { aclTables, deleteToken, putToken, tokens } from '../model/acl.ts';
import type { Transaction, View } from '../model/tables.ts';

/**
 * The tables that a secondary datacenter replicates, by name. Tokens follow the policies and roles that they
 * refer to. The bootstrap row comes last, when the tokens with permissions exist.
 */
export const replicatedTables = {
  cluster: clusterTable,
  config: entryTable,
  policies: aclTables.policies,
  roles: aclTables.roles,
  tokens: aclTables.tokens,
  bootstrap: aclTables.bootstraps,
};
export type ReplicatedTable = keyof typeof replicatedTables;
export const replicatedNames = Object.keys(replicatedTables) as ReplicatedTable[];

/** Copies a row of the primary datacenter, or its removal. The copy has indexes of the secondary datacenter. */
export function replicateRow(
  transaction: Transaction,
  name: ReplicatedTable,
  key: string,
  primary: View,
): void {
  const table: Table<object> = replicatedTables[name];
  const primaryRow = table.get(primary, key);
  if (name === 'tokens') replicateToken(transaction, key, primary);
  else if (!primaryRow) transaction.write(...table.replace(key, table.get(transaction, key), undefined));
  else if (table instanceof StateTable) table.write(transaction, key, withoutIndexes(primaryRow as Indexes));
  else if (!isDeepStrictEqual(table.get(transaction, key), primaryRow))
    transaction.write(table.put(key, primaryRow));
}

/** Local tokens belong to the datacenter that created them. */
function replicateToken(transaction: Transaction, accessor: string, primary: View): void {
  const primaryRow = tokens.get(primary, accessor);
  const primaryToken = primaryRow?.Local ? undefined : primaryRow;
  const localToken = tokens.get(transaction, accessor);
  if (localToken && (primaryToken ? localToken.SecretID !== primaryToken.SecretID : !localToken.Local))
    deleteToken(transaction, localToken);
  if (primaryToken) putToken(transaction, withoutIndexes(primaryToken));
}

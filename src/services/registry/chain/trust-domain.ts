import * as s from '../../core/schema/types.ts';
import { table } from '../../core/store/table.ts';
import { uuid } from '../../core/uuid.ts';
import type { Transaction, View } from '../model/tables.ts';

export const clusterTable = table('cluster/', { ID: s.string() });
const clusterKey = 'id';

/** The suffix of target names, generated once (docs/protocol/queries-and-chain.md#discovery-chain). */
export function trustDomainOf(view: View): string | undefined {
  const row = clusterTable.get(view, clusterKey);
  return row && `${row.ID}.consul`;
}

/** Generates the cluster ID, if it is missing. */
export function ensureClusterId(transaction: Transaction): void {
  if (trustDomainOf(transaction) === undefined)
    transaction.write(clusterTable.put(clusterKey, { ID: uuid(transaction.random) }));
}

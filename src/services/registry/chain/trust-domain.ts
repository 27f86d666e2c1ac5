import { uuid } from '../../core/uuid.ts';
import type { Transaction, View } from '../model/tables.ts';

const clusterKey = 'id';

/** The suffix of target names: generated once, then stored (docs/protocol/queries-and-chain.md#discovery-chain). */
export function trustDomainOf(view: View): string | undefined {
  const id = view.get('cluster', clusterKey)?.ID;
  return typeof id === 'string' ? `${id}.consul` : undefined;
}

/** Generates the cluster ID, if it is missing. */
export function ensureClusterId(transaction: Transaction): void {
  if (trustDomainOf(transaction) === undefined)
    transaction.put('cluster', clusterKey, { ID: uuid(transaction.random) });
}

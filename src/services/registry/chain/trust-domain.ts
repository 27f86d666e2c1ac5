import { uuid } from '../../core/uuid.ts';
import type { Transaction, View } from '../model/tables.ts';

const clusterKey = 'id';

/** What the names of targets end in: made once, then kept (docs/protocol/queries-and-chain.md#discovery-chain). */
export function trustDomainOf(view: View): string | undefined {
  const id = view.get('cluster', clusterKey)?.ID;
  return typeof id === 'string' ? `${id}.consul` : undefined;
}

/** Gives the cluster its ID, if it has none. */
export function ensureClusterId(transaction: Transaction): void {
  if (trustDomainOf(transaction) === undefined)
    transaction.put('cluster', clusterKey, { ID: uuid(transaction.random) });
}

import { HttpError } from '../../core/http/http-service.ts';
import type { Permissions } from '../acl/permissions.ts';
import type { State } from '../model/state.ts';
import { applyCatalogOperation } from './catalog.ts';
import { applyKvOperation } from './kv.ts';
import type { Operation } from './operation.ts';

interface Failure {
  /** Index of the operation, from 0. */
  readonly OpIndex: number;
  readonly What: string;
}

/**
 * Applies operations in order, each on the result of those before it, and commits all of them or none. Every
 * operation is tried, so that all failures are reported (docs/protocol/transactions.md#results).
 *
 * @returns results, or failures and nothing applied; `filtered`: whether keys were omitted that the caller may not
 * read; `index`: the last one that it could read: a later one may not be durable when the response is sent
 */
export async function applyTransaction(
  state: State,
  permissions: Permissions,
  operations: readonly Operation[],
) {
  const index = state.lastIndex;
  const transaction = state.beginTransaction();
  const results: object[] = [];
  const failures: Failure[] = [];
  let filtered = false;
  const kv = {
    transaction,
    permissions,
    isLockDelayed: (key: string) => state.isLockDelayed(key),
    onHidden: () => {
      filtered = true;
    },
  };
  for (const [OpIndex, operation] of operations.entries()) {
    try {
      results.push(
        ...(operation.kind === 'KV'
          ? applyKvOperation(kv, operation)
          : applyCatalogOperation(transaction, permissions, operation)),
      );
    } catch (error) {
      if (!(error instanceof HttpError)) throw error;
      failures.push({ OpIndex, What: error.message });
    }
  }
  if (failures.length > 0) return { results: [], failures, filtered, index };
  await state.commit(transaction);
  return { results, failures, filtered, index };
}

import type { Permissions } from '../acl/permissions.ts';
import { CatalogError } from '../model/catalog.ts';
import type { State } from '../model/state.ts';
import { applyCatalogOperation } from './catalog.ts';
import { OperationFailure } from './failure.ts';
import { applyKvOperation } from './kv.ts';
import type { Operation } from './operation.ts';

export interface Failure {
  /** Index of the operation, from 0. */
  readonly OpIndex: number;
  readonly What: string;
}

/** The outcome of a transaction: results, or errors and no change. */
export interface TransactionOutcome {
  readonly results: readonly object[];
  readonly failures: readonly Failure[];
  /** Whether results were omitted that the caller may not see. */
  readonly filtered: boolean;
  /** The last index that it could read: a later one may not be durable yet. */
  readonly index: number;
}

/**
 * Applies operations in order, each on the result of the previous ones, and commits all or nothing. Every operation
 * is tried, so that every error is reported (docs/protocol/transactions.md#results).
 */
export async function applyTransaction(
  state: State,
  permissions: Permissions,
  operations: readonly Operation[],
): Promise<TransactionOutcome> {
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
      if (!(error instanceof OperationFailure || error instanceof CatalogError)) throw error;
      failures.push({ OpIndex, What: error.message });
    }
  }
  if (failures.length > 0) {
    await state.whenDurable();
    return { results: [], failures, filtered, index };
  }
  await state.commit(transaction);
  return { results, failures, filtered, index };
}

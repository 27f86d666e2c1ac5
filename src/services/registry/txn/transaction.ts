import { HttpError } from '../../core/http/http-service.ts';
import type { Permissions } from '../acl/permissions.ts';
import type { State } from '../model/state.ts';
import { applyCatalogOperation } from './catalog.ts';
import { applyKvOperation } from './kv.ts';
import type { Operation } from './operation.ts';

export interface Failure {
  /** Which operation it was, from 0. */
  readonly OpIndex: number;
  readonly What: string;
}

/** What became of a transaction: results, or failures and nothing applied. */
export interface TransactionOutcome {
  readonly results: readonly object[];
  readonly failures: readonly Failure[];
  /** Was something left out of the results that the caller may not see? */
  readonly filtered: boolean;
  /** The last index of all that it could see: a later one may not be durable when this is answered. */
  readonly index: number;
}

/**
 * Does operations one after the other, each seeing what those before it did, and keeps all of it or nothing.
 * Every operation is tried, so that every one that fails is told of (docs/protocol/transactions.md#results).
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
      if (!(error instanceof HttpError)) throw error;
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

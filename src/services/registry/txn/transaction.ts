import { HttpError } from '../../core/http/http-service.ts';
import type { Permissions } from '../acl/permissions.ts';
import type { State, Transaction } from '../model/tables.ts';
import { applyCatalogOperation } from './catalog.ts';
import { InvalidOperation } from './failure.ts';
import { applyKvOperation } from './kv.ts';
import type { Operation } from './operation.ts';
import type { OperationParts } from './parts.ts';

interface Failure {
  /** Index of the operation, from 0. */
  readonly OpIndex: number;
  readonly What: string;
}

/**
 * Applies operations in order, each on the result of those before it, and commits all of them or none. Every
 * operation is tried, so that all failures are reported; but if some are invalid or denied, only these are
 * (docs/protocol/transactions.md#results).
 *
 * @returns results, or failures and nothing applied; `filtered`: whether results were omitted that the caller may not
 * read; `index`: the last one that it could read: a later one may not be durable when the response is sent
 */
export async function applyTransaction(
  state: State,
  permissions: Permissions,
  operations: readonly Operation[],
) {
  const results: object[] = [];
  const failures: Failure[] = [];
  /** Those that the product finds before it applies any operation. */
  const early: Failure[] = [];
  let filtered = false;
  let index = 0;
  function* apply(transaction: Transaction): Generator<unknown> {
    index = state.lastIndex;
    const parts: OperationParts = {
      transaction,
      permissions,
      isLockDelayed: (key: string) => state.isLockDelayed(key),
      onHidden: () => {
        filtered = true;
      },
    };
    for (const [OpIndex, operation] of operations.entries()) {
      try {
        const applied =
          operation.kind === 'KV'
            ? applyKvOperation(parts, operation)
            : applyCatalogOperation(parts, operation);
        for (const result of applied) {
          if (result) results.push(result);
          yield;
        }
        yield* transaction.runDeferred();
      } catch (error) {
        if (!(error instanceof HttpError)) throw error;
        const isEarly = error instanceof InvalidOperation || error.status === 403;
        (isEarly ? early : failures).push({ OpIndex, What: error.message });
      }
    }
    if (early.length + failures.length > 0) transaction.clear();
  }
  await state.updateInSlices(apply);
  if (early.length > 0) return { results: [], failures: early, filtered: false, index };
  if (failures.length > 0) return { results: [], failures, filtered: false, index };
  return { results, failures, filtered, index };
}

import type { Authority } from '../acl/authority.ts';
import { CatalogError } from '../state/catalog.ts';
import type { State } from '../state/state.ts';
import { doCatalog } from './catalog.ts';
import { OperationFailure } from './failure.ts';
import { doKv } from './kv.ts';
import type { Operation } from './operation.ts';

export interface Failure {
  /** Which operation it was, from 0. */
  readonly OpIndex: number;
  readonly What: string;
}

/** What became of a transaction: results, or failures and nothing applied. */
export interface Outcome {
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
export async function transact(
  state: State,
  authority: Authority,
  operations: readonly Operation[],
): Promise<Outcome> {
  const index = state.last;
  const draft = state.draft();
  const results: object[] = [];
  const failures: Failure[] = [];
  let filtered = false;
  const kv = {
    draft,
    authority,
    lockDelayed: (key: string) => state.lockDelayed(key),
    hide: () => {
      filtered = true;
    },
  };
  for (const [OpIndex, operation] of operations.entries()) {
    try {
      results.push(
        ...(operation.kind === 'KV' ? doKv(kv, operation) : doCatalog(draft, authority, operation)),
      );
    } catch (error) {
      if (!(error instanceof OperationFailure || error instanceof CatalogError)) throw error;
      failures.push({ OpIndex, What: error.message });
    }
  }
  if (failures.length > 0) {
    await state.settled();
    return { results: [], failures, filtered, index };
  }
  await state.commit(draft);
  return { results, failures, filtered, index };
}

import type * as states from '../../core/state/state.ts';
import type * as transactions from '../../core/state/transaction.ts';
import type { Rows } from '../../core/store/storage.ts';

/**
 * What has an index of its own. `secrets` finds tokens by the hash of their secret; `locks` holds the locks of
 * variables, under the same keys; `key` is a text that only the right key opens.
 */
export type TableName =
  | 'namespaces'
  | 'variables'
  | 'locks'
  | 'tokens'
  | 'secrets'
  | 'policies'
  | 'bootstrap'
  | 'key';

/** The scheduler's tables, to read. */
export type View = Rows;

/** A change of the scheduler's tables in the making. */
export type Transaction = transactions.Transaction;

/** The scheduler's tables with their indexes. */
export type State = states.State<TableName>;

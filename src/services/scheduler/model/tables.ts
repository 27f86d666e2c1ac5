import type * as states from '../../core/state/state.ts';
import type * as transactions from '../../core/state/transaction.ts';
import type { Rows } from '../../core/store/storage.ts';

/** `secrets`: tokens by hash; `locks`: of variables, under the same keys; `key`: what verifies the encryption key. */
export type TableName =
  | 'namespaces'
  | 'variables'
  | 'locks'
  | 'tokens'
  | 'secrets'
  | 'policies'
  | 'bootstrap'
  | 'key';

/** The scheduler's tables, for reading. */
export type View = Rows;

/** A transaction on the scheduler's tables. */
export type Transaction = transactions.Transaction;

export type State = states.State<TableName>;

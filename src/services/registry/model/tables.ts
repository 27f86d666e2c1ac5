import type * as state from '../../core/state/state.ts';
import type * as transactions from '../../core/state/transaction.ts';
import type { Rows } from '../../core/store/storage.ts';

/**
 * The tables with an index of their own: the last one at which a row changed. Secondary indexes are not among them:
 * no request waits for them.
 */
export type TableName =
  | 'kv'
  | 'sessions'
  | 'nodes'
  | 'services'
  | 'checks'
  | 'agent-services'
  | 'agent-checks'
  | 'tokens'
  | 'policies'
  | 'roles'
  | 'auth-methods'
  | 'binding-rules'
  | 'bootstrap'
  | 'config'
  | 'cluster'
  | 'queries';

export type State = state.State<TableName>;

export type View = Rows;

export type Transaction = transactions.Transaction;

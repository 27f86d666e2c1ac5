import type * as states from '../../core/state/state.ts';
import type * as transactions from '../../core/state/transaction.ts';
import type { Rows } from '../../core/store/storage.ts';

/**
 * The tables, each with its own index. `secrets` finds tokens by the hash of their secret, `role-names` roles by name; `locks` has the locks of
 * variables, under the same keys; `key` has a text that verifies the encryption key.
 */
export type TableName =
  | 'namespaces'
  | 'variables'
  | 'locks'
  | 'tokens'
  | 'secrets'
  | 'policies'
  | 'roles'
  | 'role-names'
  | 'bootstrap'
  | 'key';

export type View = Rows;

export type Transaction = transactions.Transaction;

export type State = states.State<TableName>;

import type * as states from '../../core/state/state.ts';
import type * as tables from '../../core/state/transaction.ts';

/**
 * The tables, each with its own index. `secrets` finds tokens by the hash of their secret; `locks` has the locks of
 * variables, under the same keys; `key` has a text that verifies the encryption key.
 */
export type Table =
  | 'namespaces'
  | 'variables'
  | 'locks'
  | 'tokens'
  | 'secrets'
  | 'policies'
  | 'bootstrap'
  | 'key';

/** The scheduler's tables, for reading. */
export type View = tables.TableView<Table>;

/** A transaction on the scheduler's tables. */
export type Transaction = tables.Transaction<Table>;

export type State = states.State<Table>;

import type * as states from '../../core/state/state.ts';
import type * as tables from '../../core/state/transaction.ts';

/**
 * What has an index of its own. `secrets` finds tokens by the hash of their secret; `locks` holds the locks of
 * variables, under the same keys; `key` is a text that only the right key opens.
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

/** The scheduler's tables, to read. */
export type View = tables.TableView<Table>;

/** A change of the scheduler's tables in the making. */
export type Transaction = tables.Transaction<Table>;

/** The scheduler's tables with their indexes. */
export type State = states.State<Table>;

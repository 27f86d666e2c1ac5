import type * as tables from '../../state/draft.ts';
import type * as states from '../../state/state.ts';

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
export type View = tables.View<Table>;

/** A change of the scheduler's tables in the making. */
export type Draft = tables.Draft<Table>;

/** The scheduler's tables with their indexes. */
export type State = states.State<Table>;

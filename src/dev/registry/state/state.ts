import type * as tables from '../../state/state.ts';
import type { Table } from './draft.ts';

/** The registry's tables with their indexes. */
export type State = tables.State<Table>;

import type * as tables from '../../core/state/state.ts';
import type { TableName } from './tables.ts';

/** The registry's tables with their indexes. */
export type State = tables.State<TableName>;

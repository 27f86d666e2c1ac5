import type * as tables from '../../core/state/state.ts';
import type { TableName } from './tables.ts';

export type State = tables.State<TableName>;

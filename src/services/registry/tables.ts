import type { Table } from '../core/store/table.ts';
import { authTables } from './auth/state.ts';
import { clusterTable } from './chain/trust-domain.ts';
import { entryTable } from './config/entries.ts';
import { aclTables } from './model/acl.ts';
import { agentTables } from './model/agent.ts';
import { catalogTables } from './model/catalog.ts';
import { kvTables } from './model/kv.ts';
import { queryTables } from './model/queries.ts';
import { sessionTables } from './model/sessions.ts';

/** The tables of the servers: a snapshot has them, as in the product. The agent keeps what it registered itself. */
export const serverTables: readonly Table<object>[] = [
  ...Object.values(aclTables),
  ...authTables,
  ...catalogTables,
  ...kvTables,
  ...queryTables,
  ...sessionTables,
  clusterTable,
  entryTable,
];

/** All tables of a datacenter. */
export const allTables: readonly Table<object>[] = [...serverTables, ...agentTables];

import type * as transactions from '../../core/state/transaction.ts';
import type { Rows } from '../../core/store/storage.ts';

/**
 * What has an index of its own: the last one at which anything in it changed. `locks`, `secrets`, `instances`,
 * `proxies`, `node-ids`, `query-names` and `query-sessions` only say where to find rows of the others: by session, hash
 * of the secret, service name, service that a proxy is for, node ID, name, session.
 */
export type TableName =
  | 'kv'
  | 'locks'
  | 'sessions'
  | 'nodes'
  | 'node-ids'
  | 'services'
  | 'instances'
  | 'proxies'
  | 'checks'
  | 'tokens'
  | 'secrets'
  | 'policies'
  | 'roles'
  | 'auth-methods'
  | 'binding-rules'
  | 'bootstrap'
  | 'config'
  | 'cluster'
  | 'queries'
  | 'query-names'
  | 'query-sessions';

/** The registry's tables, to read. */
export type View = Rows;

/** A change of the registry's tables in the making. */
export type Transaction = transactions.Transaction;

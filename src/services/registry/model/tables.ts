import type * as transactions from '../../core/state/transaction.ts';
import type { Rows } from '../../core/store/storage.ts';

/**
 * The tables, each with its own index: the last one at which a row changed. `locks`, `secrets`, `instances`,
 * `proxies`, `node-ids`, `query-names` and `query-sessions` are secondary indexes: by session, hash of the secret,
 * service name, destination of a proxy, node ID, name, session.
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
  | 'agent-services'
  | 'agent-checks'
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

export type View = Rows;

export type Transaction = transactions.Transaction;

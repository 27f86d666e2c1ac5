import type * as tables from '../../core/state/transaction.ts';

/**
 * The tables, each with its own index: the last one at which a row changed. `locks`, `secrets`, `instances`,
 * `proxies`, `node-ids`, `query-names` and `query-sessions` are secondary indexes: by session, hash of the secret,
 * service name, destination of a proxy, node ID, name, session.
 */
export type Table =
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

/** The registry's tables, for reading. */
export type View = tables.TableView<Table>;

/** A transaction on the registry's tables. */
export type Transaction = tables.Transaction<Table>;

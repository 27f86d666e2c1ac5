import type * as transactions from '../../core/state/transaction.ts';
import type { Rows } from '../../core/store/storage.ts';

/**
 * The tables, each with its own index: the last one at which a row changed. `locks`, `secrets`, `instances`,
 * `proxies`, `node-ids`, `query-names`, `query-sessions`, `policy-names`, `role-names`, `node-sessions`, `service-checks`
 * and `agent-service-checks` are secondary indexes: by session, hash of the secret, service name, destination of a proxy,
 * node ID, name, session, name, name, node and check, instance of a service, service.
 */
export type TableName =
  | 'kv'
  | 'locks'
  | 'sessions'
  | 'node-sessions'
  | 'nodes'
  | 'node-ids'
  | 'services'
  | 'instances'
  | 'proxies'
  | 'checks'
  | 'service-checks'
  | 'agent-services'
  | 'agent-checks'
  | 'agent-service-checks'
  | 'tokens'
  | 'secrets'
  | 'policies'
  | 'roles'
  | 'policy-names'
  | 'role-names'
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

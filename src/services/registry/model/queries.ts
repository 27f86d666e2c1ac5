import { type Indexes, putWithIndexes } from '../../core/state/put-with-indexes.ts';
import type { Row } from '../../core/state/transaction.ts';
import type { Transaction, View } from './tables.ts';

type Strings = readonly string[];
type Meta = { readonly [name: string]: string };

/** The lookup of a query (docs/protocol/queries-and-chain.md#prepared-query). Null: not set. */
export interface ServiceQuery {
  readonly Service: string;
  readonly Namespace: string;
  readonly Failover: Failover;
  readonly IgnoreCheckIDs: Strings | null;
  readonly OnlyPassing: boolean;
  readonly Near: string;
  readonly Tags: Strings | null;
  readonly NodeMeta: Meta | null;
  readonly ServiceMeta: Meta | null;
  readonly Connect: boolean;
}

/** Where to look if the own datacenter has no healthy instance. */
export interface Failover {
  readonly NearestN: number;
  readonly Datacenters: Strings | null;
  readonly Targets: readonly { readonly Peer: string; readonly Datacenter: string }[] | null;
}

export interface Template {
  readonly Type: 'name_prefix_match';
  readonly Regexp: string;
  readonly RemoveEmptyTags: boolean;
}

export interface Query extends Indexes {
  readonly ID: string;
  readonly Name: string;
  readonly Session: string;
  readonly Token: string;
  /** Undefined: not a template. */
  readonly Template?: Template;
  readonly Service: ServiceQuery;
  readonly DNS: { readonly TTL: string };
}

/** Maximum characters of a name, stored or looked up. */
export const maxNameLength = 512;

export function queryOf(view: View, id: string): Query | undefined {
  return view.get('queries', id.toLowerCase()) as (Row & Query) | undefined;
}

export function queriesOf(view: View): Query[] {
  return view.keys('queries', '').flatMap((id) => queryOf(view, id) ?? []);
}

/** The query with exactly this name, which may be empty for a template. */
export function queryByName(view: View, name: string): Query | undefined {
  const entry = view.get('query-names', name) as { readonly id: string } | undefined;
  return entry && queryOf(view, entry.id);
}

/**
 * The query for a name: the one with this name, or else the template whose name is its longest prefix. Names are
 * unique among queries of both kinds, so a static query with this name comes first.
 */
export function queryForName(view: View, name: string): Query | undefined {
  if (name.length > maxNameLength) return undefined;
  for (let length = name.length; length >= 0; length--) {
    const query = queryByName(view, name.slice(0, length));
    if (query && (query.Template || length === name.length)) return query;
  }
  return undefined;
}

export function putQuery(transaction: Transaction, query: Omit<Query, keyof Indexes>): Query {
  removeIndexes(transaction, query.ID);
  if (isNamed(query)) transaction.put('query-names', query.Name, { id: query.ID });
  if (query.Session !== '')
    transaction.put('query-sessions', sessionQueryKey(query.Session, query.ID), { id: query.ID });
  return putWithIndexes(transaction, 'queries', query.ID, query);
}

export function deleteQuery(transaction: Transaction, id: string): void {
  removeIndexes(transaction, id);
  transaction.put('queries', id, undefined);
}

/** Deletes the queries that are bound to a session. */
export function deleteQueriesOf(transaction: Transaction, session: string): void {
  for (const key of transaction.keys('query-sessions', sessionQueryKey(session, ''))) {
    const entry = transaction.get('query-sessions', key) as { readonly id: string };
    deleteQuery(transaction, entry.id);
  }
}

/** Whether permissions depend on its name. The name of a template may be empty. */
export function isNamed({ Name, Template }: Pick<Query, 'Name' | 'Template'>): boolean {
  return Name !== '' || Template !== undefined;
}

function removeIndexes(transaction: Transaction, id: string): void {
  const previous = queryOf(transaction, id);
  if (!previous) return;
  if (isNamed(previous)) transaction.put('query-names', previous.Name, undefined);
  if (previous.Session !== '')
    transaction.put('query-sessions', sessionQueryKey(previous.Session, id), undefined);
}

const sessionQueryKey = (session: string, id: string) => `${session}/${id}`;

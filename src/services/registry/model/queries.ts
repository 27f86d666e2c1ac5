import * as s from '../../core/schema/types.ts';
import { type Content, indexFields, shownIndexes, stateTable } from '../../core/state/state-table.ts';
import { type RowOf, table } from '../../core/store/table.ts';
import { foldName } from '../fold-name.ts';
import type { Transaction, View } from './tables.ts';

const strings = s.nullable(s.list(s.string()));
const meta = s.nullable(s.map(s.string()));

/** The datacenters to query if the local one has no healthy instances. */
const failover = s.object({
  NearestN: s.integer('How many of the nearest datacenters to try.'),
  Datacenters: strings,
  Targets: s.nullable(s.list(s.object(s.each(['Peer', 'Datacenter'], s.string())))),
});
export type Failover = s.Stored<typeof failover>;

/** The service of a query (docs/protocol/queries-and-chain.md#prepared-query). Null: not specified. */
const serviceQuery = s.object({
  Service: s.required(s.string('Name of the service.')),
  Namespace: s.string(),
  ...s.each(['SamenessGroup', 'Peer'], s.requestOnly(s.string('Must be empty.'))),
  Failover: failover,
  IgnoreCheckIDs: strings,
  OnlyPassing: s.boolean(),
  Near: s.string(),
  Tags: s.described('Tags that instances must have; `!tag`: must not have.', strings),
  NodeMeta: meta,
  ServiceMeta: meta,
  /** In the explanation of a query only. */
  Meta: s.responseOnly(s.optional(meta)),
  Connect: s.boolean('Only instances in the mesh.'),
});
export type ServiceQuery = s.Stored<typeof serviceQuery>;

const template = s.object({
  Type: s.string('`name_prefix_match`. Empty: a static query, whose other fields here have no effect.'),
  Regexp: s.string(),
  RemoveEmptyTags: s.boolean(),
});
const storedTemplate = s.object({ ...template.fields, Type: s.oneOf(['name_prefix_match', '']) });
export type Template = s.Stored<typeof storedTemplate>;

export const query = s.named(
  'Query',
  s.object({
    ID: s.string(),
    Name: s.string('Required unless a session is given or it is the catch-all template.'),
    Session: s.string('The session with which the query ends.'),
    Token: s.string('The token of executions; `<hidden>` from callers who may not see it.'),
    Template: s.optional(template),
    Service: s.required(serviceQuery),
    DNS: s.object({ TTL: s.string() }),
    RaftIndex: s.responseOnly(s.object(indexFields)),
    ...shownIndexes,
  }),
);
export type QueryInput = s.Input<typeof query>;

export const queryNames = table('query-names/', { id: s.string() });
const querySessions = table('query-sessions/', { id: s.string() });
const sessionQueryKey = (session: string, id: string) => `${session}/${id}`;

export const queries = stateTable('queries/', {
  ...query.fields,
  /** Missing: the query is static. */
  Template: s.optional(storedTemplate),
}).with({
  encrypted: true,
  lookups: (row) => [
    ...(isNamed(row) ? [queryNames.put(foldName(row.Name), { id: row.ID })] : []),
    ...(row.Session === '' ? [] : [querySessions.put(sessionQueryKey(row.Session, row.ID), { id: row.ID })]),
  ],
});
export type Query = RowOf<typeof queries>;

export const queryTables = [queries, queryNames, querySessions];

/** Maximum characters of a name, stored or looked up. */
export const maxNameLength = 512;

export const queryOf = (view: View, id: string) => queries.get(view, id.toLowerCase());
export const queriesOf = (view: View) => queries.list(view);

/** The query with this name, which may be empty for a template. */
export function queryByName(view: View, name: string): Query | undefined {
  const entry = queryNames.get(view, foldName(name));
  return entry && queryOf(view, entry.id);
}

/**
 * The query for a name: the one with this name, or else the template whose name is its longest prefix. Names
 * are unique among queries of both kinds, so a static query with this name comes first.
 */
export function queryForName(view: View, name: string): Query | undefined {
  if (name.length > maxNameLength) return undefined;
  for (let length = name.length; length >= 0; length--) {
    const query = queryByName(view, name.slice(0, length));
    if (query && (isTemplate(query) || length === name.length)) return query;
  }
  return undefined;
}

export const putQuery = (transaction: Transaction, query: Content<Query>) =>
  queries.write(transaction, query.ID, query);
export const deleteQuery = (transaction: Transaction, id: string) => queries.delete(transaction, id);

/** Deletes the queries that are bound to a session. */
export function* deleteQueriesOf(transaction: Transaction, session: string): Generator<void> {
  const start = sessionQueryKey(session, '');
  for (const key of querySessions.keys(transaction, start))
    yield deleteQuery(transaction, key.slice(start.length));
}

/** Whether a query can be looked up and permitted by name; the name of a template may be empty. */
export function isNamed(query: Pick<Query, 'Name' | 'Template'>): boolean {
  return query.Name !== '' || isTemplate(query);
}

/** Whether a query serves names with a prefix. */
export const isTemplate = ({ Template }: Pick<Query, 'Template'>): boolean =>
  Template !== undefined && Template.Type !== '';

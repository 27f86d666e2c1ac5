import type { Row } from '../../state/draft.ts';
import { type Indexes, putIndexed } from '../../state/indexed.ts';
import type { Draft, View } from './draft.ts';

type Texts = readonly string[];
type Meta = { readonly [name: string]: string };

/** What a query looks for (docs/protocol/queries-and-chain.md#prepared-query). Null: not given. */
export interface ServiceQuery {
  readonly Service: string;
  readonly Namespace: string;
  readonly Failover: Failover;
  readonly IgnoreCheckIDs: Texts | null;
  readonly OnlyPassing: boolean;
  readonly Near: string;
  readonly Tags: Texts | null;
  readonly NodeMeta: Meta | null;
  readonly ServiceMeta: Meta | null;
  readonly Connect: boolean;
}

/** Where to ask when the own datacenter has nothing healthy. */
export interface Failover {
  readonly NearestN: number;
  readonly Datacenters: Texts | null;
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
  /** Undefined: the query is static. */
  readonly Template?: Template;
  readonly Service: ServiceQuery;
  readonly DNS: { readonly TTL: string };
}

/** Characters of a name: of one that is stored, and of one that is looked up. */
export const longestName = 512;

export function queryOf(view: View, id: string): Query | undefined {
  return view.get('queries', id.toLowerCase()) as (Row & Query) | undefined;
}

export function queriesOf(view: View): Query[] {
  return view.keys('queries', '').flatMap((id) => queryOf(view, id) ?? []);
}

/** The query of exactly that name, which may be empty for a template. */
export function queryByName(view: View, name: string): Query | undefined {
  const found = view.get('query-names', name) as { readonly id: string } | undefined;
  return found && queryOf(view, found.id);
}

/**
 * The query that a name means: the one that is called so, or else the template whose name is its longest prefix.
 * Names are unique among queries of both kinds, so a static query that is called so comes first.
 */
export function queryForName(view: View, name: string): Query | undefined {
  if (name.length > longestName) return undefined;
  for (let length = name.length; length >= 0; length--) {
    const query = queryByName(view, name.slice(0, length));
    if (query && (query.Template || length === name.length)) return query;
  }
  return undefined;
}

export function putQuery(draft: Draft, query: Omit<Query, keyof Indexes>): Query {
  unlink(draft, query.ID);
  if (isNamed(query)) draft.put('query-names', query.Name, { id: query.ID });
  if (query.Session !== '') draft.put('query-sessions', bound(query.Session, query.ID), { id: query.ID });
  return putIndexed(draft, 'queries', query.ID, query);
}

export function deleteQuery(draft: Draft, id: string): void {
  unlink(draft, id);
  draft.put('queries', id, undefined);
}

/** Deletes the queries that are bound to a session. */
export function deleteQueriesOf(draft: Draft, session: string): void {
  for (const key of draft.keys('query-sessions', bound(session, ''))) {
    const found = draft.get('query-sessions', key) as { readonly id: string };
    deleteQuery(draft, found.id);
  }
}

/** Is there a name to find it by, and to permit it by? That of a template may be empty. */
export function isNamed({ Name, Template }: Pick<Query, 'Name' | 'Template'>): boolean {
  return Name !== '' || Template !== undefined;
}

function unlink(draft: Draft, id: string): void {
  const before = queryOf(draft, id);
  if (!before) return;
  if (isNamed(before)) draft.put('query-names', before.Name, undefined);
  if (before.Session !== '') draft.put('query-sessions', bound(before.Session, id), undefined);
}

const bound = (session: string, id: string) => `${session}/${id}`;

import { decode } from '../../http/fields.ts';
import { type Answer, HttpRefusal } from '../../http/service.ts';
import { uuid } from '../../uuid.ts';
import type { Authority } from '../acl/authority.ts';
import type { Call } from '../http/call.ts';
import { demand, visible } from '../http/demand.ts';
import { readOnce, written } from '../http/read.ts';
import type { Draft } from '../state/draft.ts';
import {
  deleteQuery,
  isNamed,
  putQuery,
  type Query,
  queriesOf,
  queryByName,
  queryOf,
} from '../state/queries.ts';
import { sessionOf } from '../state/sessions.ts';
import { type Definition, hidden, readDefinition, validate } from './definition.ts';
import { rendered } from './template.ts';

/** Makes a query (docs/protocol/queries-and-chain.md#query-endpoints). */
export async function createQuery(call: Call): Promise<Answer> {
  const { registry } = call;
  const { ID: given, definition } = await readQuery(call);
  if (given !== '') throw new HttpRefusal(500, 'ID must be empty when creating a new prepared query');
  const ID = uuid(registry.random);
  await registry.state.change((draft) => {
    checkAgainst(draft, ID, definition);
    putQuery(draft, { ID, ...definition });
  });
  return written(call, { ID });
}

/** Puts another definition in a query's place. */
export async function updateQuery(call: Call): Promise<Answer> {
  const { params, registry } = call;
  const { definition } = await readQuery(call);
  await registry.state.change((draft) => {
    const { ID } = existing(call.authority, draft, params.query ?? '');
    checkAgainst(draft, ID, definition);
    putQuery(draft, { ID, ...definition });
  });
  return written(call, undefined);
}

export async function removeQuery(call: Call): Promise<Answer> {
  const { params, registry } = call;
  await registry.state.change((draft) => {
    deleteQuery(draft, existing(call.authority, draft, params.query ?? '').ID);
  });
  return written(call, undefined);
}

/** Reads a query of a body; a template is rendered once, so that none is stored that cannot be. */
async function readQuery({ authority, request }: Call): Promise<ReturnType<typeof readDefinition>> {
  const query = await decode(request, 'Request decode failed', readDefinition);
  allowWrite(authority, query.definition);
  validate(query.definition);
  await rendered(query.definition, query.definition.Name);
  return query;
}

/** The query to change. @throws HttpRefusal 403, 500 */
function existing(authority: Authority, draft: Draft, id: string): Query {
  const query = queryOf(draft, id);
  if (!query) throw new HttpRefusal(500, `Cannot modify non-existent prepared query: '${id}'`);
  allowWrite(authority, query);
  return query;
}

/** One without a name is protected by its ID, which nobody can guess. */
function allowWrite(authority: Authority, query: Pick<Query, 'Name' | 'Template'>): void {
  if (isNamed(query)) demand(authority, 'query:write', query.Name);
}

/** Names are unique, among names and IDs; one template may be without. @throws HttpRefusal 500 */
function checkAgainst(draft: Draft, id: string, query: Definition): void {
  const { Name, Session } = query;
  if (Session !== '' && !sessionOf(draft, Session))
    throw new HttpRefusal(500, `invalid session "${Session}"`);
  if (!isNamed(query)) return;
  const other = queryByName(draft, Name);
  if (other && other.ID !== id) {
    throw new HttpRefusal(
      500,
      Name === ''
        ? 'a query template with an empty name already exists'
        : `name '${Name}' aliases an existing query name`,
    );
  }
  if (queryOf(draft, Name)) throw new HttpRefusal(500, `name '${Name}' aliases an existing query ID`);
}

/** One query: a list of one. */
export function getQuery(call: Call): Answer {
  const { params, registry } = call;
  const query = queryOf(registry.state.view, params.query ?? '') ?? missing();
  allowRead(call, query);
  return readOnce(call, { value: [shown(call, query)], index: query.ModifyIndex });
}

/**
 * The queries whose names the caller may read. Those without one are for those who may read all; that they are left
 * out is not told, for no policy could allow to see them.
 */
export function listQueries(call: Call): Answer {
  const { authority, registry } = call;
  const { state } = registry;
  const all = queriesOf(state.view).filter((query) => isNamed(query) || seesUnnamed(call));
  const { items, filtered } = visible(
    all,
    (query) => !isNamed(query) || authority.may('query:read', query.Name),
  );
  return readOnce(call, {
    value: items.map((query) => shown(call, query)),
    index: state.indexOf('queries'),
    filtered,
  });
}

/** Before access control is bootstrapped, nothing but secrets is kept from anybody. */
function seesUnnamed({ authority, registry }: Call): boolean {
  return registry.acl.defaultPolicy === 'allow' || managesAcl(authority);
}

function managesAcl(authority: Authority): boolean {
  return authority.may('acl:write', '');
}

/** One without a name may be read by whoever knows its ID. @throws HttpRefusal 403 */
export function allowRead({ authority }: Call, query: Query): void {
  if (isNamed(query)) demand(authority, 'query:read', query.Name);
}

export function missing(): never {
  throw new HttpRefusal(404, 'Query not found');
}

/** A query as its readers see it: with its indexes where the specification has them and where clients look today. */
export function shown({ authority }: Call, query: Query): Query & { readonly RaftIndex: object } {
  const { CreateIndex, ModifyIndex, Token } = query;
  return {
    ...query,
    Token: Token === '' || managesAcl(authority) ? Token : hidden,
    RaftIndex: { CreateIndex, ModifyIndex },
  };
}

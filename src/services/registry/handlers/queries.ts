import { decodeBody, FieldError } from '../../core/http/fields.ts';
import { HttpError, type HttpResponse } from '../../core/http/http-service.ts';
import { filterInSlices, mapInSlices } from '../../core/in-slices.ts';
import { uuid } from '../../core/uuid.ts';
import { checkUuid } from '../acl/names.ts';
import type { Permissions } from '../acl/permissions.ts';
import { nonBlockingQuery, writeResponse } from '../blocking-query.ts';
import type { Call } from '../call.ts';
import {
  deleteQuery,
  isNamed,
  putQuery,
  type Query,
  queriesOf,
  queryByName,
  queryOf,
} from '../model/queries.ts';
import { sessionOf } from '../model/sessions.ts';
import type { Transaction, View } from '../model/tables.ts';
import { type Definition, invalidTemplate, readDefinition, redacted, validate } from '../query/definition.ts';
import { renderQuery } from '../query/template.ts';
import { filterVisible, requirePermission } from '../require-permission.ts';

/** Creates a query (docs/protocol/queries-and-chain.md#query-endpoints). */
export async function createQuery(call: Call): Promise<HttpResponse> {
  const { registry } = call;
  const { ID: requestedId, definition } = await readQuery(call);
  if (requestedId !== '') throw new HttpError(500, 'ID must be empty when creating a new prepared query');
  const ID = uuid(registry.random);
  await registry.state.update((transaction) => {
    checkConflicts(transaction, ID, definition);
    putQuery(transaction, { ID, ...definition });
  });
  return writeResponse(call, { ID });
}

/** Replaces the definition of a query. */
export async function updateQuery(call: Call): Promise<HttpResponse> {
  const { params, registry } = call;
  const { definition } = await readQuery(call);
  await registry.state.update((transaction) => {
    const { ID } = requireWritableQuery(call.permissions, transaction, params.query ?? '');
    checkConflicts(transaction, ID, definition);
    putQuery(transaction, { ID, ...definition });
  });
  return emptyResponse(call);
}

export async function removeQuery(call: Call): Promise<HttpResponse> {
  const { params, registry } = call;
  await registry.state.update((transaction) => {
    deleteQuery(transaction, requireWritableQuery(call.permissions, transaction, params.query ?? '').ID);
  });
  return emptyResponse(call);
}

/** An empty body with the media type of JSON, as in Consul. */
function emptyResponse(call: Call): HttpResponse {
  const response = writeResponse(call, undefined);
  return { ...response, headers: { ...response.headers, 'Content-Type': 'application/json' } };
}

/** Reads a query from a body, for the query of the path, if there is one; a template is rendered once, so that an invalid one is rejected. */
async function readQuery({
  params,
  permissions,
  registry,
  request,
}: Call): Promise<ReturnType<typeof readDefinition>> {
  const query = await decodeBody(request, 'Request decode failed', (body) => {
    if (body === undefined && request.method === 'POST') throw new FieldError('EOF');
    return readDefinition(body);
  });
  requireWrite(permissions, query.definition);
  if (params.query !== undefined) requireWritableQuery(permissions, registry.state.view, params.query);
  validate(query.definition);
  await renderQuery(query.definition, query.definition.Name).catch((error) => {
    throw error instanceof HttpError ? invalidTemplate(error.message) : error;
  });
  return query;
}

/** The query to change. @throws HttpError 403, 500 */
function requireWritableQuery(permissions: Permissions, view: View, id: string): Query {
  checkUuid('prepared query', id, 'Prepared Query lookup failed: ');
  const query = queryOf(view, id);
  if (!query) throw new HttpError(500, `Cannot modify non-existent prepared query: '${id}'`);
  requireWrite(permissions, query);
  return query;
}

/** A query without a name is protected by its unguessable ID. */
function requireWrite(permissions: Permissions, query: Pick<Query, 'Name' | 'Template'>): void {
  if (isNamed(query)) requirePermission(permissions, 'query:write', query.Name);
}

/** Names and IDs are unique together; only one template may have no name. @throws HttpError 500 */
function checkConflicts(transaction: Transaction, id: string, query: Definition): void {
  const { Name, Session } = query;
  if (Session !== '' && !sessionOf(transaction, Session))
    throw new HttpError(500, `raft apply failed: invalid session "${Session}"`);
  if (!isNamed(query)) return;
  const other = queryByName(transaction, Name);
  if (other && other.ID !== id) {
    throw new HttpError(
      500,
      Name === ''
        ? 'raft apply failed: a query template with an empty name already exists'
        : `raft apply failed: name '${Name}' aliases an existing query name`,
    );
  }
  if (queryOf(transaction, Name))
    throw new HttpError(500, `raft apply failed: name '${Name}' aliases an existing query ID`);
}

/** One query, as a list. */
export function getQuery(call: Call): HttpResponse {
  const { params, registry } = call;
  const id = params.query ?? '';
  checkUuid('prepared query', id);
  const query = queryOf(registry.state.view, id) ?? queryNotFound();
  requireRead(call, query);
  return nonBlockingQuery(call, { value: [queryView(call, query)], index: query.ModifyIndex });
}

/**
 * The queries whose names the caller may read. Queries without a name need management permissions; their absence is
 * not reported in the headers, because no policy could grant them.
 */
export async function listQueries(call: Call): Promise<HttpResponse> {
  const { permissions, registry } = call;
  const index = registry.state.indexOf('queries');
  const all = await registry.state.read(queriesOf);
  const seesUnnamed = canSeeUnnamed(call);
  const { items, filtered } = await filterVisible(
    await filterInSlices(all, (query) => isNamed(query) || seesUnnamed),
    (query) => !isNamed(query) || permissions.allows('query:read', query.Name),
  );
  return nonBlockingQuery(call, {
    value: await mapInSlices(items, (query) => queryView(call, query)),
    index,
    filtered,
  });
}

/** Before ACLs are bootstrapped, only secrets are hidden. */
function canSeeUnnamed({ permissions, registry }: Call): boolean {
  return registry.acl.defaultPolicy === 'allow' || isAclManagement(permissions);
}

const isAclManagement = (permissions: Permissions): boolean => permissions.allows('acl:write', '');

/** A query without a name may be read by its ID. @throws HttpError 403 */
export function requireRead({ permissions }: Call, query: Query): void {
  // The text does not tell the name.
  if (isNamed(query) && !permissions.allows('query:read', query.Name))
    throw new HttpError(403, 'Permission denied');
}

export function queryNotFound(): never {
  throw new HttpError(404, 'Query not found');
}

/**
 * A query in a response: its indexes are both where the specification has them and where current clients expect them.
 */
export function queryView({ permissions }: Call, query: Query): Query & { readonly RaftIndex: object } {
  const { CreateIndex, ModifyIndex, Token } = query;
  return {
    ...query,
    Token: Token === '' || isAclManagement(permissions) ? Token : redacted,
    RaftIndex: { CreateIndex, ModifyIndex },
  };
}

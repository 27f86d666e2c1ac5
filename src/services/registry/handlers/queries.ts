import { HttpError } from '../../core/http/http-service.ts';
import { filterInSlices, mapInSlices } from '../../core/in-slices.ts';
import * as s from '../../core/schema/types.ts';
import { uuid } from '../../core/uuid.ts';
import { checkUuid } from '../acl/names.ts';
import type { Permissions } from '../acl/permissions.ts';
import { nonBlockingQuery, writeResponse } from '../blocking-query.ts';
import { type Call, operations, readOperations } from '../call.ts';
import {
  deleteQuery,
  isNamed,
  putQuery,
  type Query,
  type QueryInput,
  queriesOf,
  query,
  queryByName,
  queryOf,
} from '../model/queries.ts';
import { sessionOf } from '../model/sessions.ts';
import type { Transaction, View } from '../model/tables.ts';
import { type Definition, definitionOf, invalidTemplate, redacted, validate } from '../query/definition.ts';
import { renderQuery } from '../query/template.ts';
import { filterVisible, requirePermission } from '../require-permission.ts';

const operation = operations('Prepared queries');
const readOperation = readOperations('Prepared queries');

/** What the operations with a query in the body have in common. */
const withBody = { body: query, bodyError: 'Request decode failed', rejectsUnknownFields: true };

/** Creates a query (docs/protocol/queries-and-chain.md#query-endpoints). */
export const createQuery = operation('createQuery', 'Create a prepared query', {
  ...withBody,
  returns: s.object({ ID: s.string() }),
  async handle(call) {
    const { registry } = call;
    const input = await call.body();
    const definition = await checkedDefinition(call, input);
    if (input.ID !== '') throw new HttpError(500, 'ID must be empty when creating a new prepared query');
    const ID = uuid(registry.random);
    await registry.state.update((transaction) => {
      checkConflicts(transaction, ID, definition);
      putQuery(transaction, { ID, ...definition });
    });
    return writeResponse(call, { ID });
  },
});

/** Replaces the definition of a query. */
export const updateQuery = operation('updateQuery', 'Replace a prepared query', {
  ...withBody,
  isBodyOptional: true,
  errors: [404],
  async handle(call) {
    const { params, registry } = call;
    const definition = await checkedDefinition(call, await call.body());
    await registry.state.update((transaction) => {
      const { ID } = requireWritableQuery(call.permissions, transaction, params.query ?? '');
      checkConflicts(transaction, ID, definition);
      putQuery(transaction, { ID, ...definition });
    });
    return writeResponse(call);
  },
});

export const removeQuery = operation('deleteQuery', 'Delete a prepared query', {
  errors: [400, 404],
  async handle(call) {
    const { params, registry } = call;
    await registry.state.update((transaction) => {
      deleteQuery(transaction, requireWritableQuery(call.permissions, transaction, params.query ?? '').ID);
    });
    return writeResponse(call);
  },
});

/**
 * The definition in a body, for the query of the path, if there is one; a template is rendered once, so that an
 * invalid one is rejected.
 */
async function checkedDefinition(
  { params, permissions, registry }: Call,
  input: QueryInput,
): Promise<Definition> {
  const definition = definitionOf(input);
  requireWrite(permissions, definition);
  if (params.query !== undefined) requireWritableQuery(permissions, registry.state.view, params.query);
  validate(definition);
  await renderQuery(definition, definition.Name).catch((error) => {
    throw error instanceof HttpError ? invalidTemplate(error.message) : error;
  });
  return definition;
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
export const getQuery = readOperation('getQuery', 'Read a prepared query', {
  returns: s.list(query),
  errors: [400, 404],
  handle(call) {
    const { params, registry } = call;
    const id = params.query ?? '';
    checkUuid('prepared query', id);
    const found = queryOf(registry.state.view, id) ?? queryNotFound();
    requireRead(call, found);
    return nonBlockingQuery(call, { value: [queryView(call, found)], index: found.ModifyIndex });
  },
});

/**
 * The queries whose names the caller may read. Queries without a name need management permissions; their absence is
 * not reported in the headers, because no policy could grant them.
 */
export const listQueries = readOperation('listQueries', 'List prepared queries', {
  returns: s.list(query),
  async handle(call) {
    const { permissions, registry } = call;
    const index = registry.state.indexOf('queries');
    const all = await registry.state.read(queriesOf);
    // Before ACLs are bootstrapped, only secrets are hidden.
    const seesUnnamed = registry.acl.defaultPolicy === 'allow' || isAclManagement(permissions);
    const { items, filtered } = await filterVisible(
      await filterInSlices(all, (each) => isNamed(each) || seesUnnamed),
      (each) => !isNamed(each) || permissions.allows('query:read', each.Name),
    );
    const value = await mapInSlices(items, (each) => queryView(call, each));
    return nonBlockingQuery(call, { value, index, filtered });
  },
});

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

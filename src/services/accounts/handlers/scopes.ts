import { base62 } from '../../core/base62.ts';
import { type HttpResponse, jsonResponse } from '../../core/http/http-service.ts';
import { requireAdmin, requireCaller } from '../auth.ts';
import { type Fields, readBody } from '../body.ts';
import { type Call, timeOf } from '../call.ts';
import { checkId, invalidField, isId, notFound, versionMismatch } from '../errors.ts';
import { listResponse } from '../list/list-response.ts';
import { listScopes as scopesOfList } from '../list/list-scope.ts';
import { methodOf, methodTypeOf } from '../model/auth-methods.ts';
import { removeScope } from '../model/removals.ts';
import {
  globalScope,
  putScope,
  scopeCollection,
  scopeOf,
  createScope as storeScope,
} from '../model/scopes.ts';
import { checkUniqueName } from '../model/unique-names.ts';
import { scopeInListView, scopeView } from '../views.ts';
import { readVersion } from './accounts.ts';

/** Requires no token: a client lists scopes before it logs in. */
export async function listScopes(call: Call): Promise<HttpResponse> {
  const { storage } = call.service;
  const parent = call.request.query.get('scope_id') ?? globalScope;
  if (parent !== globalScope && !isId(parent, ['o_']))
    throw invalidField('scope_id', "Must be 'global' or a valid org scope id when listing.");
  if (!scopeOf(storage, parent)) throw notFound();
  return listResponse(call, (await scopesOfList(call, parent)).map(scopeCollection), (id) => {
    const scope = scopeOf(storage, id);
    return scope && scopeInListView(call, scope);
  });
}

/** @throws InvalidFieldsError 400: a malformed ID */
const requireScopeId = ({ params }: Call): string =>
  params.id === globalScope ? params.id : checkId(params.id, ['o_', 'p_'], 'Invalidly formatted scope id.');

/** As in the product, every caller with a token may read scopes. @throws HttpError 400, 401, 404 */
export function getScope(call: Call): HttpResponse {
  const scope = scopeOf(call.service.storage, requireScopeId(call));
  if (!scope) throw notFound();
  requireCaller(call);
  return jsonResponse(200, scopeView(call, scope));
}

/** Deletes a scope with everything in it. @throws HttpError 400, 401, 403, 404 */
export async function deleteScope(call: Call): Promise<HttpResponse> {
  const id = requireScopeId(call);
  if (id === globalScope) throw invalidField('id', 'Invalid to delete the global scope.');
  const scope = scopeOf(call.service.storage, id);
  if (!scope) throw notFound();
  requireAdmin(call);
  await removeScope(call.service.storage, scope, call.service.clock());
  return { status: 204 };
}

/** Creates an organization in the global scope, or a project in an organization. */
export async function createScope(call: Call): Promise<HttpResponse> {
  const { storage, random } = call.service;
  const body = await readBody(call.request);
  const parentId = body.required('scope_id', 'Missing value for scope_id.');
  checkNewType(body, parentId);
  for (const field of ['id', 'created_time', 'updated_time'])
    if (body.has(field)) body.addProblem(field, 'This is a read only field.');
  if (body.has('version')) body.addProblem('version', 'Cannot specify this field in a create request.');
  const [name, description] = [body.label('name'), body.label('description')];
  body.check();
  const parent = scopeOf(storage, parentId);
  if (!parent) throw notFound();
  requireAdmin(call);
  if (parent.type === 'project') throw invalidField('scope_id', 'A project holds no other scopes.');
  const [type, prefix] = parent.type === 'global' ? (['org', 'o_'] as const) : (['project', 'p_'] as const);
  checkUniqueName(storage, scopeCollection(parentId), name);
  const draft = { id: prefix + base62(10, random), type, name, description, parent: parentId };
  return jsonResponse(200, scopeView(call, await storeScope(storage, draft, timeOf(call.service))));
}

/** The type follows from the parent; one that contradicts it is a problem of the fields, an unknown one is ignored. */
function checkNewType(body: Fields, parent: string): void {
  const type = body.string('type');
  if (type === 'global') body.addProblem('type', 'Cannot create a global scope.');
  if (type === 'org' && parent !== globalScope)
    body.addProblem('type', 'Org scopes can only be created under the global scope.');
  if (type === 'project' && !isId(parent, ['o_']))
    body.addProblem('type', 'Project scopes can only be created under an org scope.');
}

/**
 * Changes the fields of the body (name, description, primary auth method); null unsets a field.
 * @throws HttpError 400, 401, 403, 404: not found, or a version mismatch
 */
export async function updateScope(call: Call): Promise<HttpResponse> {
  const { storage } = call.service;
  const id = requireScopeId(call);
  const body = await readBody(call.request);
  const version = readVersion(body);
  const primary = body.string('primary_auth_method_id') ?? null;
  if (primary !== null && !methodTypeOf(primary))
    body.addProblem('primary_auth_method_id', 'Improperly formatted identifier.');
  for (const field of ['id', 'created_time', 'updated_time'])
    if (body.has(field))
      body.addProblem(field, 'This is a read only field and cannot be specified in an update request.');
  const type = id.startsWith('o_') ? 'org' : id.startsWith('p_') ? 'project' : undefined;
  if (type !== undefined && (body.string('type') ?? type) !== type)
    body.addProblem('type', 'Cannot modify the resource type.');
  const changes = {
    ...(body.names.includes('name') && { name: body.label('name') }),
    ...(body.names.includes('description') && { description: body.label('description') }),
    ...(body.names.includes('primary_auth_method_id') && { primary }),
  };
  body.check();
  const scope = scopeOf(storage, id);
  if (!scope) throw notFound();
  requireAdmin(call);
  if (Object.keys(changes).length === 0)
    body.addProblem('update_mask', 'No valid fields provided in the update mask.');
  body.check('No valid fields included in the update mask.');
  if (version !== scope.version) throw versionMismatch(id, 'Scope');
  if (primary !== null && methodOf(storage, primary)?.scope !== id)
    throw invalidField('primary_auth_method_id', 'This scope has no such auth method.');
  checkUniqueName(storage, scopeCollection(scope.parent), changes.name ?? null, id);
  const updated = { ...scope, ...changes, version: version + 1, updatedAt: timeOf(call.service) };
  return jsonResponse(200, scopeView(call, await putScope(storage, updated, scope)));
}

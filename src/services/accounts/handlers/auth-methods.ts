import { base62 } from '../../core/base62.ts';
import { type HttpResponse, jsonResponse } from '../../core/http/http-service.ts';
import { requireAdmin } from '../auth.ts';
import { readBody } from '../body.ts';
import { type Call, timeOf } from '../call.ts';
import { checkId, notFound, versionMismatch } from '../errors.ts';
import { listResponse } from '../list/list-response.ts';
import { isListScope, listScopes, readListScope, scopeExpected } from '../list/list-scope.ts';
import { isMethodAttribute, newMethodAttributes, updatedMethodAttributes } from '../method-attributes.ts';
import {
  type AuthMethod,
  type MethodType,
  methodCollection,
  methodOf,
  methodPrefixes,
  methodTypeOf,
  putMethod,
  createMethod as storeMethod,
} from '../model/auth-methods.ts';
import { removeMethod } from '../model/removals.ts';
import { scopeOf } from '../model/scopes.ts';
import { checkUniqueName } from '../model/unique-names.ts';
import { methodView } from '../views.ts';
import { readUpdateMask, readVersion } from './accounts.ts';

/** Requires no token: a client lists auth methods before it logs in. */
export async function listMethods(call: Call): Promise<HttpResponse> {
  const { storage } = call.service;
  const collections = (await listScopes(call, readListScope(call))).map(methodCollection);
  return listResponse(call, collections, (id) => {
    const method = methodOf(storage, id);
    return method && methodView(call, method);
  });
}

export const getMethod = (call: Call): HttpResponse =>
  jsonResponse(200, methodView(call, requireMethod(call)));

export async function createMethod(call: Call): Promise<HttpResponse> {
  const { storage, random } = call.service;
  const body = await readBody(call.request);
  const scope = body.string('scope_id') ?? '';
  if (!isListScope(scope)) body.addProblem('scope_id', scopeExpected);
  if (body.has('version')) body.addProblem('version', 'Cannot specify this field in a create request.');
  for (const field of ['id', 'created_time', 'updated_time'])
    if (body.has(field)) body.addProblem(field, 'This is a read only field.');
  if (body.has('is_primary')) body.addProblem('is_primary', 'This field is read only.');
  const type = body.string('type') ?? '';
  const [name, description] = [body.label('name'), body.label('description')];
  if (!isMethodType(type)) {
    body.addProblem('type', 'This field must be password, oidc or ldap.');
    body.check();
    throw notFound();
  }
  const attributes = newMethodAttributes(type, body.attributes());
  body.check();
  if (!scopeOf(storage, scope)) throw notFound();
  requireAdmin(call);
  checkUniqueName(storage, methodCollection(scope), name);
  const draft = { id: methodPrefixes[type] + base62(10, random), type, scope, name, description, attributes };
  return jsonResponse(200, methodView(call, await storeMethod(storage, draft, timeOf(call.service))));
}

function isMethodType(type: string): type is MethodType {
  return Object.hasOwn(methodPrefixes, type);
}

/**
 * Changes the fields of the body, or those in `update_mask`; null unsets a field.
 * @throws HttpError 400, 401, 403, 404: not found, or a version mismatch
 */
export async function updateMethod(call: Call): Promise<HttpResponse> {
  const { storage } = call.service;
  const type = methodTypeOf(checkMethodId(call));
  const body = await readBody(call.request);
  const version = readVersion(body);
  if (body.has('type') && body.string('type') !== type)
    body.addProblem('type', 'Cannot modify the resource type.');
  for (const field of ['id', 'created_time', 'updated_time'])
    if (body.has(field))
      body.addProblem(field, 'This is a read only field and cannot be specified in an update request.');
  if (body.has('is_primary')) body.addProblem('is_primary', 'This field is read only.');
  const fields = body.attributes();
  const paths = readUpdateMask(call.request) ?? [
    ...body.names,
    ...fields.names.map((name) => `attributes.${name}`),
  ];
  const labelNames = (['name', 'description'] as const).filter((name) => paths.includes(name));
  const labels = Object.fromEntries(labelNames.map((name) => [name, body.label(name)]));
  body.check();
  const method = requireMethod(call, malformed);
  const names = paths
    .filter((path) => path.startsWith('attributes.'))
    .map((path) => path.slice('attributes.'.length));
  const attributes = updatedMethodAttributes(method, fields, names);
  if (labelNames.length + names.filter((name) => isMethodAttribute(method.type, name)).length === 0)
    body.addProblem('update_mask', 'No valid fields provided in the update mask.');
  body.check();
  if (version !== method.version) throw versionMismatch(method.id, 'AuthMethod');
  if (labels.name !== undefined)
    checkUniqueName(storage, methodCollection(method.scope), labels.name, method.id);
  const updated = { ...method, ...labels, attributes, version: version + 1, updatedAt: timeOf(call.service) };
  return jsonResponse(200, methodView(call, await putMethod(storage, updated, method)));
}

/** Deletes an auth method with its accounts, their users and tokens. @throws HttpError 400, 401, 403, 404 */
export async function deleteMethod(call: Call): Promise<HttpResponse> {
  await removeMethod(call.service.storage, requireMethod(call, malformed), call.service.clock());
  return jsonResponse(200, {});
}

const malformed = 'Incorrectly formatted identifier.';

const checkMethodId = ({ params }: Call, description = malformed): string =>
  checkId(params.id, Object.values(methodPrefixes), description);

/** The auth method of the path. @throws HttpError 400, 401, 403, 404 */
function requireMethod(call: Call, description = 'Invalid formatted identifier.'): AuthMethod {
  const method = methodOf(call.service.storage, checkMethodId(call, description));
  if (!method) throw notFound();
  requireAdmin(call);
  return method;
}

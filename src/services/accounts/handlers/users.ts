import { type HttpResponse, jsonResponse } from '../../core/http/http-service.ts';
import { requireAdmin } from '../auth.ts';
import { type Fields, readBody } from '../body.ts';
import { type Call, timeOf } from '../call.ts';
import { checkId, notFound, versionMismatch } from '../errors.ts';
import { listResponse } from '../list/list-response.ts';
import { isListScope, listScopes, readListScope } from '../list/list-scope.ts';
import { ChangeBatch } from '../model/change-log.ts';
import { removeUser } from '../model/removals.ts';
import { scopeOf } from '../model/scopes.ts';
import { checkUniqueName } from '../model/unique-names.ts';
import { addUser, newUserId, recordUserChange, type User, userCollection, userOf } from '../model/users.ts';
import { userDetails, userView } from '../views.ts';
import { readUpdateMask, readVersion } from './accounts.ts';

/** @throws HttpError 400, 401, 403, 404 */
export async function listUsers(call: Call): Promise<HttpResponse> {
  const { storage } = call.service;
  const scope = readListScope(call, "Must be 'global' or a valid org scope id when listing.");
  const collections = (await listScopes(call, scope)).map(userCollection);
  requireAdmin(call);
  return listResponse(call, collections, (id) => {
    const user = userOf(storage, id);
    return user && userView(call, user);
  });
}

/** @throws HttpError 400, 401, 403, 404 */
export const getUser = (call: Call): HttpResponse =>
  jsonResponse(200, userDetails(call, requireUser(call, checkId(call.params.id, ['u_']))));

/** Creates a user without accounts. @throws HttpError 400, 401, 403, 404 */
export async function createUser(call: Call): Promise<HttpResponse> {
  const { storage, random } = call.service;
  const body = await readBody(call.request);
  const scope = body.string('scope_id') ?? '';
  if (!isListScope(scope)) body.addProblem('scope_id', "Must be 'global' or a valid org scope id.");
  if (body.has('version')) body.addProblem('version', 'Cannot specify this field in a create request.');
  for (const field of ['id', 'created_time', 'updated_time'])
    if (body.has(field)) body.addProblem(field, 'This is a read only field.');
  const [name, description] = [body.label('name'), body.label('description')];
  body.check();
  if (!scopeOf(storage, scope)) throw notFound();
  requireAdmin(call);
  checkUniqueName(storage, userCollection(scope), name);
  const batch = new ChangeBatch(storage);
  const draft = { id: newUserId(random), scope, name, description };
  const user = addUser(batch, draft, timeOf(call.service));
  await batch.write();
  return jsonResponse(200, userDetails(call, user));
}

/**
 * Changes the name and the description, or those in `update_mask`; null unsets one.
 * @throws HttpError 400, 401, 403, 404: not found, or a version mismatch
 */
export async function updateUser(call: Call): Promise<HttpResponse> {
  const { storage } = call.service;
  const id = checkId(call.params.id, ['u_'], 'Improperly formatted path identifier.');
  const body = await readBody(call.request);
  const version = readVersion(body);
  const labels = readLabels(call, body);
  body.check();
  const user = requireUser(call, id);
  if (Object.keys(labels).length === 0)
    body.addProblem('update_mask', 'No valid fields provided in the update mask.');
  body.check('No valid fields included in the update mask.');
  if (version !== user.version) throw versionMismatch(id, 'User');
  if (labels.name !== undefined) checkUniqueName(storage, userCollection(user.scope), labels.name, id);
  const batch = new ChangeBatch(storage);
  const changed = { ...user, ...labels, version: version + 1, updatedAt: timeOf(call.service) };
  const updated = recordUserChange(batch, changed, user);
  await batch.write();
  return jsonResponse(200, userDetails(call, updated));
}

/** The fields to change. Problems are collected in the fields. */
function readLabels(call: Call, body: Fields): Partial<Pick<User, 'name' | 'description'>> {
  for (const field of ['id', 'created_time', 'updated_time'])
    if (body.has(field))
      body.addProblem(field, 'This is a read only field and cannot be specified in an update request.');
  const paths = readUpdateMask(call.request) ?? body.names;
  const names = (['name', 'description'] as const).filter((name) => paths.includes(name));
  return Object.fromEntries(names.map((name) => [name, body.label(name)]));
}

/** Deletes a user and the tokens of its accounts, which are kept. @throws HttpError 400, 401, 403, 404 */
export async function deleteUser(call: Call): Promise<HttpResponse> {
  const id = checkId(call.params.id, ['u_'], 'Incorrectly formatted identifier.');
  await removeUser(call.service.storage, requireUser(call, id), call.service.clock());
  return { status: 204 };
}

/** @throws HttpError 401, 403, 404 */
export function requireUser(call: Call, id: string): User {
  const user = userOf(call.service.storage, id);
  if (!user) throw notFound();
  requireAdmin(call);
  return user;
}

import { requireAdmin } from '../auth.ts';
import { type Call, timeOf } from '../call.ts';
import { checkId, notFound, versionMismatch } from '../errors.ts';
import { isListScope, listScopes, scopeQuery } from '../list/list-scope.ts';
import { ChangeBatch } from '../model/change-log.ts';
import { removeUser } from '../model/removals.ts';
import { scopeOf } from '../model/scopes.ts';
import { checkUniqueName } from '../model/unique-names.ts';
import {
  addUser,
  newUserId,
  recordUserChange,
  type User,
  userCollection,
  userDetailsSchema,
  userOf,
  userSchema,
  userUpdate,
} from '../model/users.ts';
import { resource } from '../resource.ts';
import { changedPaths, changesIn } from '../update.ts';
import { userDetails, userView } from '../views.ts';

const users = resource({
  tag: 'Users',
  name: 'User',
  noun: 'a user',
  schema: userSchema,
  details: userDetailsSchema,
});

export const listUsers = users.list('List users', {
  query: scopeQuery,
  async collections(call, query) {
    const scopes = await listScopes(call, query, "Must be 'global' or a valid org scope id when listing.");
    requireAdmin(call);
    return scopes.map(userCollection);
  },
  viewOf(call, id) {
    const user = userOf(call.service.storage, id);
    return user && userView(call, user);
  },
});

export const getUser = users.get((call) =>
  userDetails(call, requireUser(call, checkId(call.params.id, ['u_']))),
);

export const createUser = users.create(async (call) => {
  const { problems, service } = call;
  const { storage, random } = service;
  const { scope_id: scope, name, description } = await call.body();
  if (!isListScope(scope)) problems.add('scope_id', "Must be 'global' or a valid org scope id.");
  problems.check();
  if (!scopeOf(storage, scope)) throw notFound();
  requireAdmin(call);
  checkUniqueName(storage, userCollection(scope), name);
  const batch = new ChangeBatch(storage);
  const user = addUser(batch, { id: newUserId(random), scope, name, description }, timeOf(service));
  await batch.write();
  return userDetails(call, user);
});

export const updateUser = users.update(userUpdate, async (call) => {
  const { problems, service } = call;
  const { storage } = service;
  const id = checkId(call.params.id, ['u_'], 'Improperly formatted path identifier.');
  const body = await call.body();
  problems.check();
  const labels = changesIn(body, ['name', 'description'], changedPaths(call.query(), body));
  const user = requireUser(call, id);
  if (Object.keys(labels).length === 0)
    problems.add('update_mask', 'No valid fields provided in the update mask.');
  problems.check('No valid fields included in the update mask.');
  if (body.version !== user.version) throw versionMismatch(id, 'User');
  if (labels.name !== undefined) checkUniqueName(storage, userCollection(user.scope), labels.name, id);
  const batch = new ChangeBatch(storage);
  const changed = { ...user, ...labels, version: user.version + 1, updatedAt: timeOf(service) };
  const updated = recordUserChange(batch, changed, user);
  await batch.write();
  return userDetails(call, updated);
});

export const deleteUser = users.remove(async (call) => {
  const id = checkId(call.params.id, ['u_'], 'Incorrectly formatted identifier.');
  await removeUser(call.service.storage, requireUser(call, id), call.service.clock());
}, 'Delete a user and the tokens of its accounts');

/** @throws HttpError 401, 403, 404 */
export function requireUser(call: Call, id: string): User {
  const user = userOf(call.service.storage, id);
  if (!user) throw notFound();
  requireAdmin(call);
  return user;
}

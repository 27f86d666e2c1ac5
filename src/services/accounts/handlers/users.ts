import { requireAdmin, requireForAdmin } from '../auth.ts';
import { type Call, timeOf } from '../call.ts';
import { checkId, versionMismatch } from '../errors.ts';
import { isListScope, listScopes, scopeQuery } from '../list/list-scope.ts';
import { nextVersion, writeBatch } from '../model/change-log.ts';
import { removeUser } from '../model/removals.ts';
import { scopes } from '../model/scopes.ts';
import { checkUniqueName } from '../model/unique-names.ts';
import {
  newUserId,
  type User,
  userCollection,
  userDetailsSchema,
  userSchema,
  users,
  userUpdate,
} from '../model/users.ts';
import { resource } from '../resource.ts';
import { changedPaths, changesIn } from '../update.ts';
import { userDetails, userView, viewsOf } from '../views.ts';

const resources = resource({
  tag: 'Users',
  name: 'User',
  noun: 'a user',
  schema: userSchema,
  details: userDetailsSchema,
});

export const listUsers = resources.list('List users', {
  query: scopeQuery,
  async collections(call, query) {
    const ids = await listScopes(call, query, "Must be 'global' or a valid org scope id when listing.");
    requireAdmin(call);
    return ids.map(userCollection);
  },
  viewOf: viewsOf(users, userView),
});

export const getUser = resources.get((call) =>
  userDetails(call, requireUser(call, checkId(call.params.id, ['u_']))),
);

export const createUser = resources.create(async (call) => {
  const { problems, service } = call;
  const { storage, random } = service;
  const { scope_id: scope, name, description } = await call.body();
  if (!isListScope(scope)) problems.add('scope_id', "Must be 'global' or a valid org scope id.");
  problems.check();
  requireForAdmin(call, scopes.get(storage, scope));
  checkUniqueName(storage, userCollection(scope), name);
  const draft = { id: newUserId(random), scope, name, description };
  return userDetails(call, await writeBatch(storage, (batch) => users.create(batch, draft, timeOf(service))));
});

export const updateUser = resources.update(userUpdate, async (call) => {
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
  const changed = { ...user, ...labels, ...nextVersion(user, timeOf(service)) };
  return userDetails(call, await writeBatch(storage, (batch) => users.write(batch, changed, user)));
});

export const deleteUser = resources.remove(async (call) => {
  const id = checkId(call.params.id, ['u_'], 'Incorrectly formatted identifier.');
  await removeUser(call.service.storage, requireUser(call, id), call.service.clock());
}, 'Delete a user and the tokens of its accounts');

/** @throws HttpError 401, 403, 404 */
export const requireUser = (call: Call, id: string): User =>
  requireForAdmin(call, users.get(call.service.storage, id));

import { requireFound, requirePermission, userTarget } from '../auth.ts';
import { type Call, timeOf } from '../call.ts';
import { checkId, invalidField, versionMismatch } from '../errors.ts';
import { isListScope, scopeQuery, scopesOfList } from '../list/list-scope.ts';
import { nextVersion, writeBatch } from '../model/change-log.ts';
import { removeUser } from '../model/removals.ts';
import { scopes } from '../model/scopes.ts';
import { checkUniqueName } from '../model/unique-names.ts';
import {
  builtInName,
  newUserId,
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
  async read(call, query) {
    const description = "Must be 'global' or a valid org scope id when listing.";
    const { access, ids } = await scopesOfList(call, query, 'user', { description });
    return { access, collections: ids.map(userCollection) };
  },
  viewOf: viewsOf(users, userView),
});

export const getUser = resources.get((call) => {
  const { user, access } = requireUser(call, checkId(call.params.id, ['u_']), 'read');
  return userDetails(access, user);
});

export const createUser = resources.create(async (call) => {
  const { problems, service } = call;
  const { storage, random } = service;
  const { scope_id: scope, name, description } = await call.body();
  if (!isListScope(scope)) problems.add('scope_id', "Must be 'global' or a valid org scope id.");
  problems.check();
  requireFound(scopes.get(storage, scope));
  const access = requirePermission(call, { type: 'user', scope, action: 'create' });
  checkUniqueName(storage, userCollection(scope), name);
  const draft = { id: newUserId(random), scope, name, description };
  return userDetails(
    access,
    await writeBatch(storage, (batch) => users.create(batch, draft, timeOf(service))),
  );
});

export const updateUser = resources.update(userUpdate, async (call) => {
  const { problems, service } = call;
  const { storage } = service;
  const id = checkId(call.params.id, ['u_'], 'Improperly formatted path identifier.');
  const body = await call.body();
  problems.check();
  const labels = changesIn(body, ['name', 'description'], changedPaths(call.query(), body));
  const { user, access } = requireUser(call, id, 'update');
  if (Object.keys(labels).length === 0)
    problems.add('update_mask', 'No valid fields provided in the update mask.');
  problems.check('No valid fields included in the update mask.');
  if (body.version !== user.version) throw versionMismatch(id, 'User');
  if (labels.name !== undefined) checkUniqueName(storage, userCollection(user.scope), labels.name, id);
  const changed = { ...user, ...labels, ...nextVersion(user, timeOf(service)) };
  return userDetails(access, await writeBatch(storage, (batch) => users.write(batch, changed, user)));
});

export const deleteUser = resources.remove(async (call) => {
  const id = checkId(call.params.id, ['u_'], 'Incorrectly formatted identifier.');
  const { user } = requireUser(call, id, 'delete');
  const builtIn = builtInName(id);
  if (builtIn !== undefined) throw invalidField('id', `Deletion of the ${builtIn} user is not allowed.`);
  await removeUser(call.service.storage, user, call.service.clock());
}, 'Delete a user and the tokens of its accounts');

/** A user, and what the caller may do with it. @throws HttpError 401, 403, 404 */
export function requireUser(call: Call, id: string, action: string) {
  const user = requireFound(users.get(call.service.storage, id));
  return { user, access: requirePermission(call, { ...userTarget(user), action }) };
}

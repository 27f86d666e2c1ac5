import { requireFound, requirePermission, roleTarget } from '../auth.ts';
import { type Call, timeOf } from '../call.ts';
import { checkId, isId, versionMismatch } from '../errors.ts';
import { isListScope, scopeQuery, scopesOfList } from '../list/list-scope.ts';
import { nextVersion, writeBatch } from '../model/change-log.ts';
import {
  addRole,
  newRole,
  newRoleId,
  roleCollection,
  roleDetailsSchema,
  roleSchema,
  roles,
  roleUpdate,
  thisScope,
} from '../model/roles.ts';
import { scopes } from '../model/scopes.ts';
import { checkUniqueName } from '../model/unique-names.ts';
import { resource } from '../resource.ts';
import { changedPaths, changesIn } from '../update.ts';
import { roleDetails, roleView, viewsOf } from '../views.ts';

const resources = resource({
  tag: 'Roles',
  name: 'Role',
  noun: 'a role',
  schema: newRole,
  item: roleSchema,
  details: roleDetailsSchema,
});

const isRoleScope = (id: string): boolean => isListScope(id) || isId(id, ['p_']);

export const listRoles = resources.list('List roles', {
  query: scopeQuery,
  async read(call, query) {
    const rules = { description: 'Improperly formatted field.', isScope: isRoleScope };
    const { access, ids } = await scopesOfList(call, query, 'role', rules);
    return { access, collections: ids.map(roleCollection) };
  },
  viewOf: viewsOf(roles, roleView),
});

export const getRole = resources.get((call) => {
  const { role, access } = requireRole(call, checkId(call.params.id, ['r_']), 'read');
  return roleDetails(access, role);
});

export const createRole = resources.create(async (call) => {
  const { problems, service } = call;
  const { storage, random } = service;
  const { scope_id: scope, name, description } = await call.body();
  if (!isRoleScope(scope)) problems.add('scope_id', 'This field is missing or improperly formatted.');
  problems.check();
  requireFound(scopes.get(storage, scope));
  const access = requirePermission(call, { type: 'role', scope, action: 'create' });
  checkUniqueName(storage, roleCollection(scope), name);
  const members = { principals: [], grants: [], grantScopes: [thisScope] };
  const draft = { id: newRoleId(random), scope, name, description, ...members };
  return roleDetails(access, await writeBatch(storage, (batch) => addRole(batch, draft, timeOf(service))));
});

export const updateRole = resources.update(roleUpdate, async (call) => {
  const { problems, service } = call;
  const { storage } = service;
  const id = checkId(call.params.id, ['r_'], 'Improperly formatted path identifier.');
  const body = await call.body();
  problems.check();
  const labels = changesIn(body, ['name', 'description'], changedPaths(call.query(), body));
  const { role, access } = requireRole(call, id, 'update');
  if (Object.keys(labels).length === 0)
    problems.add('update_mask', 'No valid fields provided in the update mask.');
  problems.check('No valid fields provided in the update mask.');
  if (body.version !== role.version) throw versionMismatch(id, 'Role');
  if (labels.name !== undefined) checkUniqueName(storage, roleCollection(role.scope), labels.name, id);
  const changed = { ...role, ...labels, ...nextVersion(role, timeOf(service)) };
  return roleDetails(access, await writeBatch(storage, (batch) => roles.write(batch, changed, role)));
});

export const deleteRole = resources.remove(async (call) => {
  const { storage, clock } = call.service;
  const { role } = requireRole(
    call,
    checkId(call.params.id, ['r_'], 'Incorrectly formatted identifier.'),
    'delete',
  );
  await writeBatch(storage, (batch) => roles.delete(batch, role, clock()));
});

/** A role, and what the caller may do with it. @throws HttpError 401, 403, 404 */
export function requireRole(call: Call, id: string, action: string) {
  const role = requireFound(roles.get(call.service.storage, id));
  return { role, access: requirePermission(call, { ...roleTarget(role), action }) };
}

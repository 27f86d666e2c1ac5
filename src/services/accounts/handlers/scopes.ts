import { base62 } from '../../core/base62.ts';
import * as s from '../../core/schema/types.ts';
import { requireFound, requirePermission, scopeTarget } from '../auth.ts';
import { type Call, timeOf } from '../call.ts';
import { checkId, invalidField, isId, versionMismatch } from '../errors.ts';
import { permittedScopes, recursiveParameter } from '../list/list-scope.ts';
import { authMethods, methodTypeOf } from '../model/auth-methods.ts';
import { nextVersion, writeBatch } from '../model/change-log.ts';
import { removeScope } from '../model/removals.ts';
import { addAdminRole, addDefaultRole } from '../model/scope-roles.ts';
import { globalScope, scopeCollection, scopeSchema, scopes, scopeUpdate } from '../model/scopes.ts';
import { checkUniqueName } from '../model/unique-names.ts';
import { isAnonymous } from '../permissions/access.ts';
import { resource } from '../resource.ts';
import { changedPaths, changesIn } from '../update.ts';
import { scopeView, viewsOf } from '../views.ts';

const resources = resource({ tag: 'Scopes', name: 'Scope', noun: 'a scope', schema: scopeSchema });

export const listScopes = resources.list('List scopes', {
  description: 'Callers without a token do not see times.',
  // A client lists scopes before it logs in.
  isUnauthenticated: true,
  query: {
    scope_id: s.string('`global` or an organization.', { default: globalScope }),
    ...recursiveParameter,
  },
  async read(call, { scope_id: scope, recursive }) {
    if (scope !== globalScope && !isId(scope, ['o_']))
      throw invalidField('scope_id', "Must be 'global' or a valid org scope id when listing.");
    requireFound(scopes.get(call.service.storage, scope));
    // Each item has the actions on its collections, for which the grants of all scopes count.
    const requested = { type: 'scope', scope, action: 'list', isRecursive: true } as const;
    const { access, ids } = await permittedScopes(call, requested, recursive);
    return { access, collections: ids.map(scopeCollection) };
  },
  viewOf: viewsOf(scopes, scopeView),
});

/** Which of the roles of a new scope are not created. */
const newScopeQuery = s.each(
  ['skip_admin_role_creation', 'skip_default_role_creation'],
  s.boolean(undefined, { default: false }),
);

/** @throws InvalidFieldsError: a malformed ID */
const requireScopeId = ({ params }: Call): string =>
  params.id === globalScope ? params.id : checkId(params.id, ['o_', 'p_'], 'Invalidly formatted scope id.');

/** The scope of the path, and what the caller may do with it. @throws HttpError 400, 401, 403, 404 */
function requireScope(call: Call, id: string, action: string) {
  const scope = requireFound(scopes.get(call.service.storage, id));
  return { scope, access: requirePermission(call, { ...scopeTarget(scope), action }) };
}

export const getScope = resources.get((call) => {
  const { scope, access } = requireScope(call, requireScopeId(call), 'read');
  return scopeView(access, scope);
});

export const deleteScope = resources.remove(async (call) => {
  const id = requireScopeId(call);
  if (id === globalScope) throw invalidField('id', 'Invalid to delete the global scope.');
  const { scope } = requireScope(call, id, 'delete');
  await removeScope(call.service.storage, scope, call.service.clock());
}, 'Delete a scope with everything in it');

export const createScope = resources.createWith(
  newScopeQuery,
  async (call) => {
    const { problems, service } = call;
    const { storage, random } = service;
    const { scope_id: parentId, type: givenType, name, description } = await call.body();
    checkNewType(call, givenType, parentId);
    problems.check();
    const parent = requireFound(scopes.get(storage, parentId));
    const access = requirePermission(call, { type: 'scope', scope: parentId, action: 'create' });
    if (parent.type === 'project') throw invalidField('scope_id', 'A project holds no other scopes.');
    const [type, prefix] = parent.type === 'global' ? (['org', 'o_'] as const) : (['project', 'p_'] as const);
    checkUniqueName(storage, scopeCollection(parentId), name);
    const draft = { id: prefix + base62(10, random), type, name, description, parent: parentId };
    const { skip_admin_role_creation: skipsAdmin, skip_default_role_creation: skipsDefault } = call.query();
    const created = await writeBatch(storage, (batch) => {
      const scope = scopes.create(batch, draft, timeOf(service));
      const parts = { now: timeOf(service), random };
      if (!skipsAdmin && !isAnonymous(call.caller)) addAdminRole(batch, scope, call.caller.user, parts);
      if (!skipsDefault) addDefaultRole(batch, scope, parts);
      return scope;
    });
    return scopeView(access, created);
  },
  'Create an organization or a project',
);

/** The type follows from the parent; a contradicting type is an invalid field, an unknown type is ignored. */
function checkNewType({ problems }: Call, type: string, parent: string): void {
  if (type === 'global') problems.add('type', 'Cannot create a global scope.');
  if (type === 'org' && parent !== globalScope)
    problems.add('type', 'Org scopes can only be created under the global scope.');
  if (type === 'project' && !isId(parent, ['o_']))
    problems.add('type', 'Project scopes can only be created under an org scope.');
}

export const updateScope = resources.update(scopeUpdate, async (call) => {
  const { problems, service } = call;
  const { storage } = service;
  const id = requireScopeId(call);
  const body = await call.body();
  const { primary_auth_method_id: primary } = body;
  if (primary && !methodTypeOf(primary))
    problems.add('primary_auth_method_id', 'Improperly formatted identifier.');
  const type = id.startsWith('o_') ? 'org' : id.startsWith('p_') ? 'project' : undefined;
  if (type !== undefined && (body.type ?? type) !== type)
    problems.add('type', 'Cannot modify the resource type.');
  problems.check();
  const changes = changesIn(
    body,
    ['name', 'description', 'primary_auth_method_id'],
    changedPaths(call.query(), body),
  );
  const { scope, access } = requireScope(call, id, 'update');
  if (Object.keys(changes).length === 0)
    problems.add('update_mask', 'No valid fields provided in the update mask.');
  problems.check('No valid fields included in the update mask.');
  if (body.version !== scope.version) throw versionMismatch(id, 'Scope');
  const { primary_auth_method_id: newPrimary, ...labels } = changes;
  if (newPrimary && authMethods.get(storage, newPrimary)?.scope !== id)
    throw invalidField('primary_auth_method_id', 'This scope has no such auth method.');
  checkUniqueName(storage, scopeCollection(scope.parent), labels.name ?? null, id);
  const updated = {
    ...scope,
    ...labels,
    ...(newPrimary !== undefined && { primary: newPrimary }),
    ...nextVersion(scope, timeOf(service)),
  };
  return scopeView(access, await writeBatch(storage, (batch) => scopes.write(batch, updated, scope)));
});

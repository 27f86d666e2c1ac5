import { base62 } from '../../core/base62.ts';
import { string } from '../../core/schema/types.ts';
import { requireAdmin, requireCaller } from '../auth.ts';
import { type Call, timeOf } from '../call.ts';
import { checkId, invalidField, isId, notFound, versionMismatch } from '../errors.ts';
import { recursiveParameter } from '../list/list-scope.ts';
import { methodOf, methodTypeOf } from '../model/auth-methods.ts';
import { removeScope } from '../model/removals.ts';
import {
  globalScope,
  putScope,
  scopeCollection,
  scopeOf,
  scopeSchema,
  scopeTree,
  scopeUpdate,
  createScope as storeScope,
} from '../model/scopes.ts';
import { checkUniqueName } from '../model/unique-names.ts';
import { resource } from '../resource.ts';
import { changedPaths, changesIn } from '../update.ts';
import { scopeInListView, scopeView } from '../views.ts';

const scopes = resource({ tag: 'Scopes', name: 'Scope', noun: 'a scope', schema: scopeSchema });

export const listScopes = scopes.list('List scopes', {
  description: 'Callers without a token do not see times.',
  // A client lists scopes before it logs in.
  isUnauthenticated: true,
  query: {
    scope_id: string('`global` or an organization.', { default: globalScope }),
    ...recursiveParameter,
  },
  async collections({ service: { storage } }, { scope_id: parent, recursive }) {
    if (parent !== globalScope && !isId(parent, ['o_']))
      throw invalidField('scope_id', "Must be 'global' or a valid org scope id when listing.");
    if (!scopeOf(storage, parent)) throw notFound();
    const parents = recursive ? await scopeTree(storage, parent) : [parent];
    return parents.map(scopeCollection);
  },
  viewOf(call, id) {
    const scope = scopeOf(call.service.storage, id);
    return scope && scopeInListView(call, scope);
  },
});

/** @throws InvalidFieldsError: a malformed ID */
const requireScopeId = ({ params }: Call): string =>
  params.id === globalScope ? params.id : checkId(params.id, ['o_', 'p_'], 'Invalidly formatted scope id.');

export const getScope = scopes.get((call) => {
  const scope = scopeOf(call.service.storage, requireScopeId(call));
  if (!scope) throw notFound();
  // As in the product, every caller with a token may read scopes.
  requireCaller(call);
  return scopeView(call, scope);
});

export const deleteScope = scopes.remove(async (call) => {
  const id = requireScopeId(call);
  if (id === globalScope) throw invalidField('id', 'Invalid to delete the global scope.');
  const scope = scopeOf(call.service.storage, id);
  if (!scope) throw notFound();
  requireAdmin(call);
  await removeScope(call.service.storage, scope, call.service.clock());
}, 'Delete a scope with everything in it');

export const createScope = scopes.create(async (call) => {
  const { problems, service } = call;
  const { storage, random } = service;
  const { scope_id: parentId, type: givenType, name, description } = await call.body();
  checkNewType(call, givenType, parentId);
  problems.check();
  const parent = scopeOf(storage, parentId);
  if (!parent) throw notFound();
  requireAdmin(call);
  if (parent.type === 'project') throw invalidField('scope_id', 'A project holds no other scopes.');
  const [type, prefix] = parent.type === 'global' ? (['org', 'o_'] as const) : (['project', 'p_'] as const);
  checkUniqueName(storage, scopeCollection(parentId), name);
  const draft = { id: prefix + base62(10, random), type, name, description, parent: parentId };
  return scopeView(call, await storeScope(storage, draft, timeOf(service)));
}, 'Create an organization or a project');

/** The type follows from the parent; one that contradicts it is a problem of the fields, an unknown one is ignored. */
function checkNewType({ problems }: Call, type: string, parent: string): void {
  if (type === 'global') problems.add('type', 'Cannot create a global scope.');
  if (type === 'org' && parent !== globalScope)
    problems.add('type', 'Org scopes can only be created under the global scope.');
  if (type === 'project' && !isId(parent, ['o_']))
    problems.add('type', 'Project scopes can only be created under an org scope.');
}

export const updateScope = scopes.update(scopeUpdate, async (call) => {
  const { problems, service } = call;
  const { storage } = service;
  const id = requireScopeId(call);
  const body = await call.body();
  const { version, primary_auth_method_id: primary } = body;
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
  const scope = scopeOf(storage, id);
  if (!scope) throw notFound();
  requireAdmin(call);
  if (Object.keys(changes).length === 0)
    problems.add('update_mask', 'No valid fields provided in the update mask.');
  problems.check('No valid fields included in the update mask.');
  if (version !== scope.version) throw versionMismatch(id, 'Scope');
  const { primary_auth_method_id: newPrimary, ...labels } = changes;
  if (newPrimary && methodOf(storage, newPrimary)?.scope !== id)
    throw invalidField('primary_auth_method_id', 'This scope has no such auth method.');
  checkUniqueName(storage, scopeCollection(scope.parent), labels.name ?? null, id);
  const updated = {
    ...scope,
    ...labels,
    ...(newPrimary !== undefined && { primary: newPrimary }),
    version: version + 1,
    updatedAt: timeOf(service),
  };
  return scopeView(call, await putScope(storage, updated, scope));
});

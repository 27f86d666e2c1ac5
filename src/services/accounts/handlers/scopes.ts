import { base62 } from '../../core/base62.ts';
import { string } from '../../core/schema/types.ts';
import { requireCaller, requireForAdmin } from '../auth.ts';
import { type Call, timeOf } from '../call.ts';
import { checkId, invalidField, isId, notFound, versionMismatch } from '../errors.ts';
import { recursiveParameter } from '../list/list-scope.ts';
import { authMethods, methodTypeOf } from '../model/auth-methods.ts';
import { nextVersion, writeBatch } from '../model/change-log.ts';
import { removeScope } from '../model/removals.ts';
import {
  globalScope,
  scopeCollection,
  scopeSchema,
  scopes,
  scopeTree,
  scopeUpdate,
} from '../model/scopes.ts';
import { checkUniqueName } from '../model/unique-names.ts';
import { resource } from '../resource.ts';
import { changedPaths, changesIn } from '../update.ts';
import { scopeInListView, scopeView, viewsOf } from '../views.ts';

const resources = resource({ tag: 'Scopes', name: 'Scope', noun: 'a scope', schema: scopeSchema });

export const listScopes = resources.list('List scopes', {
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
    if (!scopes.get(storage, parent)) throw notFound();
    const parents = recursive ? await scopeTree(storage, parent) : [parent];
    return parents.map(scopeCollection);
  },
  viewOf: viewsOf(scopes, scopeInListView),
});

/** @throws InvalidFieldsError: a malformed ID */
const requireScopeId = ({ params }: Call): string =>
  params.id === globalScope ? params.id : checkId(params.id, ['o_', 'p_'], 'Invalidly formatted scope id.');

export const getScope = resources.get((call) => {
  const scope = scopes.get(call.service.storage, requireScopeId(call));
  if (!scope) throw notFound();
  // As in the product, every caller with a token may read scopes.
  requireCaller(call);
  return scopeView(call, scope);
});

export const deleteScope = resources.remove(async (call) => {
  const id = requireScopeId(call);
  if (id === globalScope) throw invalidField('id', 'Invalid to delete the global scope.');
  const scope = requireForAdmin(call, scopes.get(call.service.storage, id));
  await removeScope(call.service.storage, scope, call.service.clock());
}, 'Delete a scope with everything in it');

export const createScope = resources.create(async (call) => {
  const { problems, service } = call;
  const { storage, random } = service;
  const { scope_id: parentId, type: givenType, name, description } = await call.body();
  checkNewType(call, givenType, parentId);
  problems.check();
  const parent = requireForAdmin(call, scopes.get(storage, parentId));
  if (parent.type === 'project') throw invalidField('scope_id', 'A project holds no other scopes.');
  const [type, prefix] = parent.type === 'global' ? (['org', 'o_'] as const) : (['project', 'p_'] as const);
  checkUniqueName(storage, scopeCollection(parentId), name);
  const draft = { id: prefix + base62(10, random), type, name, description, parent: parentId };
  return scopeView(call, await writeBatch(storage, (batch) => scopes.create(batch, draft, timeOf(service))));
}, 'Create an organization or a project');

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
  const scope = requireForAdmin(call, scopes.get(storage, id));
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
  return scopeView(call, await writeBatch(storage, (batch) => scopes.write(batch, updated, scope)));
});

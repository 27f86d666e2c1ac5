import { base62 } from '../../base62.ts';
import { type Answer, jsonAnswer } from '../../http/service.ts';
import { demandAdmin } from '../access.ts';
import { type Call, timeOf } from '../http/call.ts';
import { bodyOf } from '../http/fields.ts';
import { badField, checkId, notFound, staleVersion } from '../http/refusals.ts';
import { listAnswer } from '../list/list.ts';
import { methodOf, methodTypeOf } from '../state/auth-methods.ts';
import { globalScope, newScope, putScope, scopeOf, scopesOf } from '../state/scopes.ts';
import { scopeView } from '../views.ts';
import { requiredVersion } from './accounts.ts';

/** Everybody may see which scopes there are in one: to log in begins with it. */
export function listScopes(call: Call): Promise<Answer> {
  const { storage } = call.service;
  const parent = call.request.query.get('scope_id') ?? globalScope;
  if (!scopeOf(storage, parent)) throw notFound();
  return listAnswer(call, scopesOf(parent), (id) => {
    const scope = scopeOf(storage, id);
    return scope && scopeView(call, scope);
  });
}

/** @throws FieldRefusal 400: no scope can have the ID */
const scopeId = ({ params }: Call): string =>
  params.id === globalScope ? params.id : checkId(params.id, ['o_', 'p_'], 'Invalidly formatted scope id.');

export function getScope(call: Call): Answer {
  const scope = scopeOf(call.service.storage, scopeId(call));
  if (!scope) throw notFound();
  demandAdmin(call);
  return jsonAnswer(200, scopeView(call, scope));
}

/** An organisation in the global scope, or a project in an organisation. */
export async function createScope(call: Call): Promise<Answer> {
  demandAdmin(call);
  const { storage, random } = call.service;
  const body = await bodyOf(call.request);
  const parentId = body.required('scope_id');
  const [name, description] = [body.label('name'), body.label('description')];
  body.check();
  const parent = scopeOf(storage, parentId);
  if (!parent) throw notFound();
  if (parent.type === 'project') throw badField('scope_id', 'A project holds no other scopes.');
  const [type, prefix] = parent.type === 'global' ? (['org', 'o_'] as const) : (['project', 'p_'] as const);
  const draft = { id: prefix + base62(10, random), type, name, description, parent: parentId };
  const { scope, changes } = newScope(storage, draft, timeOf(call.service));
  await storage.write(changes);
  return jsonAnswer(200, scopeView(call, scope));
}

/**
 * Changes the fields that the body names, null unsets one: the name, the description, and the primary auth method.
 * @throws HttpRefusal 400, 401, 403, 404: not there, or its version is another one
 */
export async function updateScope(call: Call): Promise<Answer> {
  const { storage } = call.service;
  const id = scopeId(call);
  if (!scopeOf(storage, id)) throw notFound();
  demandAdmin(call);
  const body = await bodyOf(call.request);
  const scope = scopeOf(storage, id);
  if (!scope) throw notFound();
  const version = requiredVersion(body);
  const primary = body.text('primary_auth_method_id');
  if (primary !== null && !methodTypeOf(primary))
    body.problem('primary_auth_method_id', 'Improperly formatted identifier.');
  const named = {
    ...(body.names.includes('name') && { name: body.label('name') }),
    ...(body.names.includes('description') && { description: body.label('description') }),
    ...(body.names.includes('primary_auth_method_id') && { primary }),
  };
  if (Object.keys(named).length === 0)
    body.problem('update_mask', 'No valid fields provided in the update mask.');
  body.check();
  if (version !== scope.version) throw staleVersion(id, 'Scope');
  if (primary !== null && methodOf(storage, primary)?.scope !== id)
    throw badField('primary_auth_method_id', 'This scope has no such auth method.');
  const updated = { ...scope, ...named, version: version + 1, updatedAt: timeOf(call.service) };
  return jsonAnswer(200, scopeView(call, await putScope(storage, updated, scope)));
}

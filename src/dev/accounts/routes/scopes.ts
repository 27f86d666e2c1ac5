import { base62 } from '../../base62.ts';
import { type Answer, jsonAnswer } from '../../http/service.ts';
import { demandAdmin } from '../access.ts';
import { type Call, timeOf } from '../http/call.ts';
import { bodyOf } from '../http/fields.ts';
import { badField, notFound } from '../http/refusals.ts';
import { listAnswer } from '../list/list.ts';
import { globalScope, newScope, scopeOf, scopesOf } from '../state/scopes.ts';
import { scopeView } from '../views.ts';

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

export function getScope(call: Call): Answer {
  const scope = scopeOf(call.service.storage, call.params.id ?? '');
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
  const [name, description] = [body.text('name'), body.text('description')];
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

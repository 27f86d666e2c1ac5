import type { Call } from '../call.ts';
import { InvalidFieldsError, invalidField, isId, notFound } from '../errors.ts';
import { globalScope, scopeOf, scopeTree } from '../model/scopes.ts';

/** Whether an ID can be that of a scope that has auth methods, users and tokens. */
export const isListScope = (id: string): boolean => id === globalScope || isId(id, ['o_']);

export const scopeExpected = "This field must be 'global' or a valid org scope id.";

/**
 * The scope whose resources are listed.
 *
 * @param description the product's description of a malformed ID in this call
 * @throws HttpError 400, 404
 */
export function readListScope({ request, service }: Call, description = scopeExpected): string {
  const scope = request.query.get('scope_id') ?? '';
  if (!isListScope(scope))
    throw new InvalidFieldsError([{ name: 'scope_id', description }], 'Improperly formatted identifier.');
  if (!scopeOf(service.storage, scope)) throw notFound();
  return scope;
}

/** The scopes of a list: with `recursive`, also those below. @throws InvalidFieldsError 400 */
export async function listScopes(call: Call, scope: string): Promise<string[]> {
  return isRecursive(call) ? scopeTree(call.service.storage, scope) : [scope];
}

/** @throws InvalidFieldsError 400 */
export function isRecursive({ request }: Pick<Call, 'request'>): boolean {
  const text = request.query.get('recursive') ?? '';
  if (!['', 'true', 'false'].includes(text))
    throw invalidField('recursive', 'This field must be true or false.');
  return text === 'true';
}

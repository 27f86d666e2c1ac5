import * as s from '../../core/schema/types.ts';
import type { Call } from '../call.ts';
import { InvalidFieldsError, isId, notFound } from '../errors.ts';
import { globalScope, scopes, scopeTree } from '../model/scopes.ts';

/** Whether an ID can belong to a scope with auth methods, users and tokens. */
export const isListScope = (id: string): boolean => id === globalScope || isId(id, ['o_']);

export const scopeExpected = "This field must be 'global' or a valid org scope id.";

export const recursiveParameter = { recursive: s.boolean('Also list the scopes below.', { default: false }) };

export const scopeQuery = {
  scope_id: s.required(s.string('`global` or an organization.')),
  ...recursiveParameter,
};

type ScopeQuery = s.Input<s.ObjectType<typeof scopeQuery>>;

/**
 * The scopes of a list: with `recursive`, also those below.
 *
 * @param description the product's description of a malformed ID in this call
 * @throws HttpError 400, 404
 */
export async function listScopes(
  { service: { storage } }: Call,
  { scope_id, recursive }: ScopeQuery,
  description = scopeExpected,
): Promise<string[]> {
  if (!isListScope(scope_id))
    throw new InvalidFieldsError([{ name: 'scope_id', description }], 'Improperly formatted identifier.');
  if (!scopes.get(storage, scope_id)) throw notFound();
  return recursive ? scopeTree(storage, scope_id) : [scope_id];
}

import * as s from '../../core/schema/types.ts';
import { yieldingIterator } from '../../core/yielding-iterator.ts';
import { accessOf, denied, requireFound, requirePermission } from '../auth.ts';
import type { Call } from '../call.ts';
import { InvalidFieldsError, isId } from '../errors.ts';
import { globalScope, scopes, scopeTree } from '../model/scopes.ts';
import type { Access, RequestedAccess } from '../permissions/access.ts';
import type { ResourceType } from '../permissions/types.ts';

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
 * What a list of resources in scopes reads.
 *
 * @param description the product's description of a malformed ID in this call
 * @throws HttpError 400, 401, 403, 404
 */
export async function scopesOfList(
  call: Call,
  { scope_id, recursive }: ScopeQuery,
  type: ResourceType,
  { description = scopeExpected, isScope = isListScope }: ScopeRules = {},
): Promise<ScopesOfList> {
  if (!isScope(scope_id))
    throw new InvalidFieldsError([{ name: 'scope_id', description }], 'Improperly formatted identifier.');
  requireFound(scopes.get(call.service.storage, scope_id));
  return permittedScopes(call, { type, scope: scope_id, action: 'list', isRecursive: recursive }, recursive);
}

interface ScopeRules {
  readonly description?: string;
  /** Whether an ID is one of a scope that can have the resources. */
  readonly isScope?: (id: string) => boolean;
}

interface ScopesOfList {
  readonly access: Access;
  readonly ids: readonly string[];
}

/**
 * The scope of a list; if it is recursive, of this scope and those below it those whose resources the caller may list.
 * As in the product, this includes what a list in the parent or in the global scope permits.
 * @throws HttpError 401, 403
 */
export async function permittedScopes(
  call: Call,
  requested: RequestedAccess,
  recursive: boolean,
): Promise<ScopesOfList> {
  const { storage } = call.service;
  const { type, scope } = requested;
  if (!recursive) return { access: requirePermission(call, requested), ids: [scope] };
  const access = accessOf(call, requested);
  const isPermitted = (id: string): boolean => access.permits({ type, scope: id }, 'list');
  const tree = await scopeTree(storage, scope);
  if (isPermitted(globalScope)) return { access, ids: tree };
  const ids: string[] = [];
  for await (const id of yieldingIterator(tree))
    if (isPermitted(id) || isPermitted(scopes.get(storage, id)?.parent || globalScope)) ids.push(id);
  if (ids.length === 0) throw denied(call);
  return { access, ids };
}

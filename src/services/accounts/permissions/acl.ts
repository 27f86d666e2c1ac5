import type { Grant } from './grants.ts';
import { mergeFields, type OutputFields } from './output-fields.ts';
import { type GrantType, isTopLevel, isWithin, typeOfId } from './types.ts';

/** What an action concerns: a resource, or with no ID the collection of a type. */
export interface Target {
  readonly type: GrantType | undefined;
  readonly id?: string;
  /** The ID of the resource that contains it, such as the auth method of an account. */
  readonly pin?: string;
}

/** Whether grants permit an action, and the output fields that they state for it. */
export interface Decision {
  readonly isAuthorized: boolean;
  /** Undefined: not stated. */
  readonly fields: OutputFields | undefined;
}

/**
 * Decides about an action with the grants that apply in the scope of a target, as Boundary 0.21 does
 * (`internal/perms/acl.go`). The IDs of the grants have no templates.
 *
 * @param isAnonymous the caller has no token: only scopes and auth methods can be found, and auth methods be used
 */
export function decide(
  grants: readonly Grant[],
  target: Target,
  action: string,
  { isAnonymous = false }: { readonly isAnonymous?: boolean } = {},
): Decision {
  let isAuthorized = false;
  let fields: OutputFields | undefined;
  const parent = action.split(':', 1)[0] ?? '';
  for (const grant of grants) {
    const { actions, ids, id: single, type, outputFields } = grant;
    const hasAction = actions.includes(action) || actions.includes(parent) || actions.includes('*');
    if (!hasAction && !(actions.length === 0 && outputFields)) continue;
    const concerns = (id: string): boolean => matches(type, id, target, action);
    const found = isAnonymous
      ? isForAnonymous(type, target, action)
      : ids.length === 0
        ? concerns(single ?? '')
        : ids.some(concerns);
    if (!found) continue;
    isAuthorized ||= hasAction;
    fields = mergeFields(fields, outputFields);
    if (isAuthorized && fields?.has('*')) break;
  }
  return { isAuthorized, fields };
}

function isForAnonymous(type: GrantType | undefined, target: Target, action: string): boolean {
  if (type !== target.type) return false;
  if (type === 'scope') return ['list', 'no-op'].includes(action);
  return type === 'auth-method' && ['list', 'no-op', 'authenticate'].includes(action);
}

/** Whether a grant of a type and an ID (empty: none) concerns a target. */
function matches(type: GrantType | undefined, id: string, target: Target, action: string): boolean {
  const isOfCollection = isWithin(action, 'list') || isWithin(action, 'create');
  const hasType = type !== undefined && type === target.type;
  if (id === '') return (target.id ?? '') === '' && hasType && isTopLevel(type) && isOfCollection;
  if (id === '*') return hasType || type === '*';
  if (id === target.id && (type === undefined || type === typeOfId(id)) && !isOfCollection) return true;
  return id === target.pin && (hasType || type === '*') && !isTopLevel(target.type);
}

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

interface DecisionOptions {
  /** The caller has no token: only scopes and auth methods can be found, and auth methods be used. */
  readonly isAnonymous?: boolean;
}

/**
 * Decides about an action with the grants that apply in the scope of a target, as Boundary 0.21 does
 * (`internal/perms/acl.go`). The IDs of the grants have no templates.
 */
export function decide(
  grants: readonly Grant[],
  target: Target,
  action: string,
  options: DecisionOptions = {},
): Decision {
  let isAuthorized = false;
  let fields: OutputFields | undefined;
  for (const grant of grants) {
    const permits = hasAction(grant, action);
    const statesFields = grant.actions.length === 0 && grant.outputFields !== undefined;
    if ((!permits && !statesFields) || !concerns(grant, target, action, options)) continue;
    isAuthorized ||= permits;
    fields = mergeFields(fields, grant.outputFields);
    if (isAuthorized && fields?.has('*')) break;
  }
  return { isAuthorized, fields };
}

/** Whether grants permit an action: faster than a decision. */
export const isPermitted = (
  grants: readonly Grant[],
  target: Target,
  action: string,
  options: DecisionOptions = {},
): boolean => grants.some((grant) => hasAction(grant, action) && concerns(grant, target, action, options));

const hasAction = ({ actions }: Grant, action: string): boolean =>
  actions.includes('*') || actions.includes(action) || actions.includes(action.split(':', 1)[0] ?? '');

function concerns(
  { ids, id: single = '', type }: Grant,
  target: Target,
  action: string,
  { isAnonymous = false }: DecisionOptions,
): boolean {
  if (isAnonymous) return isForAnonymous(type, target, action);
  if (ids.length === 0) return matches(type, single, target, action);
  return ids.some((id) => matches(type, id, target, action));
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

import type { Storage } from '../core/store/storage.ts';
import { InvalidFieldsError, isId } from './errors.ts';
import { children, descendants, isScopeId, type Role, thisScope } from './model/roles.ts';
import { globalScope, scopes } from './model/scopes.ts';
import { users } from './model/users.ts';
import { checkGrant } from './permissions/check-grant.ts';
import { canonicalGrant, GrantError, parseGrant } from './permissions/grants.ts';
import { replacementOf, typeOfId } from './permissions/types.ts';

export type Verb = 'add' | 'set' | 'remove';

export const problemMessage = 'Errors in provided fields.';

const invalid = (name: string, description: string, message = problemMessage): InvalidFieldsError =>
  new InvalidFieldsError([{ name, description }], message);

/** The members after a change; undefined: the same. @throws Error for one that cannot be added or removed, from `fail` */
function changed(
  current: readonly string[],
  given: readonly string[],
  verb: Verb,
  fail: (member: string) => Error,
): readonly string[] | undefined {
  const members = new Set(current);
  const named = new Set(given);
  const isMember = (each: string): boolean => members.has(each);
  const wrong = verb === 'add' ? given.find(isMember) : given.find((each) => !isMember(each));
  if (verb !== 'set' && wrong !== undefined) throw fail(wrong);
  if (verb === 'remove') return current.filter((each) => !named.has(each));
  if (verb === 'add') return [...current, ...given];
  const kept = current.filter((each) => named.has(each));
  const added = given.filter((each) => !isMember(each));
  return kept.length === current.length && added.length === 0 ? undefined : [...kept, ...added];
}

/** The product's problem with an ID of a principal. Groups are not supported: they do not exist. */
export function principalProblem(id: string, verb: Verb): string | undefined {
  if (!isId(id, ['u_', 'g_', 'mgoidc_', 'mgldap_']))
    return 'Must only have valid user, group, and/or managed group ids.';
  return id === 'u_recovery' && verb !== 'remove' ? 'u_recovery cannot be assigned to a role' : undefined;
}

/** @throws InvalidFieldsError */
export function principalsAfter(storage: Storage, role: Role, given: readonly string[], verb: Verb) {
  const field = 'principal_ids';
  const unknown = given.find((id) => !users.get(storage, id));
  if (unknown !== undefined && verb !== 'remove')
    throw invalid(field, `Principal ${unknown} does not exist.`);
  const state = verb === 'add' ? 'already has' : 'does not have';
  return changed(role.principals, given, verb, (id) => invalid(field, `The role ${state} principal ${id}.`));
}

/** The product's problem with the text of a grant. */
export function grantProblem(text: string, verb: Verb): string | undefined {
  if (text === '') return 'Grant strings must not be empty.';
  const quoted = JSON.stringify(text);
  try {
    const { id, actions } = checkGrant(text);
    if (verb === 'remove') return undefined;
    if (id !== undefined)
      return `Grant ${quoted} uses the "id" field which is no longer supported. Please use "ids" instead.`;
    const deprecated = actions.find((action) => replacementOf(action) !== undefined);
    return deprecated === undefined
      ? undefined
      : `Action "${deprecated}" has been deprecated and is not allowed to be set in grants. Use "${replacementOf(deprecated)}" instead.`;
  } catch (error) {
    if (!(error instanceof GrantError)) throw error;
    const cause = verb === 'set' ? `: ${error.message}` : '';
    return `Improperly formatted grant ${quoted}${cause}.`;
  }
}

/** Grants are compared in their canonical form; what is not there need not be removed. @throws InvalidFieldsError */
export function grantsAfter(
  { grants }: Role,
  given: readonly string[],
  verb: Verb,
): Role['grants'] | undefined {
  const all = new Map(grants.map((grant) => [grant.canonical, grant]));
  const texts = new Map(given.map((raw) => [canonicalGrant(parseGrant(raw)), raw]));
  const current = [...all.keys()];
  const canonical = [...texts.keys()];
  const named = verb === 'remove' ? canonical.filter((each) => all.has(each)) : canonical;
  const after = changed(current, named, verb, (each) =>
    invalid('grant_strings', `The role already has grant ${JSON.stringify(texts.get(each))}.`),
  );
  return after?.map((each) => all.get(each) ?? { canonical: each, raw: texts.get(each) ?? each });
}

/** The product's problem with a grant scope. */
export function grantScopeProblem(text: string): string | undefined {
  if (text === '') return 'Grant scope IDs must not be empty.';
  if (!isScopeId(text) || text === globalScope) return undefined;
  if (typeOfId(text) !== 'scope') return `Unknown value ${JSON.stringify(text)}.`;
  return isId(text, ['o_', 'p_']) ? undefined : `Incorrectly formatted identifier ${JSON.stringify(text)}.`;
}

/**
 * Adding what a role has, and removing what it does not have, changes nothing.
 * @throws InvalidFieldsError
 */
export function grantScopesAfter(
  storage: Storage,
  { scope, grantScopes }: Role,
  given: readonly string[],
  verb: Verb,
): readonly string[] | undefined {
  const wanted =
    verb === 'remove' ? given : [...new Set(given.map((each) => (each === scope ? thisScope : each)))];
  if (verb !== 'remove') for (const each of wanted) checkGrantScope(storage, scope, each);
  const has = (each: string): boolean => grantScopes.includes(each);
  const named = verb === 'set' ? wanted : wanted.filter((each) => has(each) === (verb === 'remove'));
  if (verb !== 'set' && named.length === 0) return undefined;
  const after = changed(grantScopes, named, verb, () => invalidGrantScope('cannot be changed'));
  if (after) checkTogether(after, scope);
  return after;
}

const invalidGrantScope = (description: string): InvalidFieldsError =>
  invalid('grant_scope_ids', description, 'Invalid grant scope.');

/** Whether a role of a scope may have a grant scope. @throws InvalidFieldsError */
function checkGrantScope(storage: Storage, scope: string, grantScope: string): void {
  if (grantScope === thisScope) return;
  if (isId(scope, ['p_']))
    throw invalidGrantScope('Project scopes can only have their own scope ID or "this" as a grant scope ID.');
  const isOrganization = isId(scope, ['o_']);
  if (isOrganization && grantScope !== children && !isId(grantScope, ['p_']))
    throw invalidGrantScope(`Grant scope ID "${grantScope}" is not valid to set on an organization role.`);
  if (!isScopeId(grantScope)) return;
  const found = scopes.get(storage, grantScope);
  if (!found) throw invalidGrantScope(`Scope ${grantScope} does not exist.`);
  if (isOrganization && found.parent !== scope)
    throw invalidGrantScope(`Scope ${grantScope} is not in the organization of the role.`);
}

/** @throws InvalidFieldsError: one of the grant scopes includes another one */
function checkTogether(grantScopes: readonly string[], scope: string): void {
  const has = (each: string): boolean => grantScopes.includes(each);
  if (has(children) && has(descendants))
    throw invalidGrantScope('Only one of descendants or children grant scope can be specified.');
  const included = grantScopes.find(
    (each) =>
      isScopeId(each) &&
      (has(descendants) || (has(children) && (scope !== globalScope || isId(each, ['o_'])))),
  );
  if (included !== undefined)
    throw invalidGrantScope(`Scope ${included} is already included by descendants or children.`);
}

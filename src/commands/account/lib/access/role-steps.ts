import type { AccountsClient } from '../../../../api/accounts.ts';
import type { AccountRole } from '../../../../api/accounts-access.ts';
import { flag } from '../../../../command/command.ts';
import type { Context } from '../../../../command/context.ts';
import { usage } from '../../../../errors.ts';
import { checkGrant, comparableGrant } from '../../../../objects/grants/check.ts';
import { GrantError } from '../../../../objects/grants/parse.ts';
import { shellWord } from '../../../../wire/printable.ts';
import { findScopeId } from '../find-scope.ts';
import { counted } from './members.ts';
import type { Step } from './steps.ts';

export const grantScopeFlag = flag.texts(
  'SCOPE',
  'scope of the grants: this (default), children, descendants, or a scope; repeatable',
  { completes: 'account-scope' },
);

/** Grant scopes that are relative to the scope of the role. */
const relativeScopes = ['this', 'children', 'descendants'];

/** The grant scopes as the service takes them: names of scopes are looked up. */
export async function grantScopeIds(
  given: readonly string[],
  ctx: Pick<Context, 'api'>,
): Promise<readonly string[]> {
  const ids: string[] = [];
  for (const each of given) ids.push(relativeScopes.includes(each) ? each : await findScopeId(each, ctx));
  return [...new Set(ids)];
}

/** Checks the form of grants. @throws LanyardError usage: what is wrong, and where; nothing was sent */
export function checkGrants(grants: readonly string[]): void {
  const problems = grants.flatMap((text) => {
    try {
      checkGrant(text);
      return [];
    } catch (error) {
      if (!(error instanceof GrantError)) throw error;
      const { offset, message } = error;
      return [
        `${JSON.stringify(text)}${offset === undefined ? '' : `, character ${offset + 1}`}: ${message}`,
      ];
    }
  });
  if (problems.length > 0)
    throw usage(`invalid grant${problems.length > 1 ? 's' : ''}`, {
      details: problems,
      hint: 'A grant is for example "ids=*;type=target;actions=list,read,authorize-session".',
    });
}

/** The grants that a role does not have yet. */
export function newGrants(
  role: Pick<AccountRole, 'grant_strings'>,
  grants: readonly string[],
): readonly string[] {
  const existing = new Set((role.grant_strings ?? []).map(comparableGrant));
  return grants.filter((grant, index) => {
    const form = comparableGrant(grant);
    const isFirst = grants.findIndex((other) => comparableGrant(other) === form) === index;
    return isFirst && !existing.has(form);
  });
}

const words = (values: readonly string[]): string => values.map(shellWord).join(' ');

/** Adds grants to a role. */
export const addGrantsStep = (accounts: AccountsClient, grants: readonly string[]): Step<AccountRole> => ({
  write: (guard) => accounts.addRoleGrants({ ...guard, grant_strings: grants }),
  isWritten: (role) => newGrants(role, grants).length === 0,
  done: `Added ${counted(grants.length, 'grant')}.`,
  command: (id) => `account role add-grants ${id} ${words(grants)}`,
});

/** Adds principals to a role. @param ids of users, groups and managed groups */
export const addPrincipalsStep = (accounts: AccountsClient, ids: readonly string[]): Step<AccountRole> => ({
  write: (guard) => accounts.addRolePrincipals({ ...guard, principal_ids: ids }),
  isWritten: ({ principal_ids }) => ids.every((id) => principal_ids?.includes(id)),
  done: `Added ${counted(ids.length, 'principal')}.`,
  command: (id) => `account role add-principals ${id} ${words(ids)}`,
});

/** Whether a role has exactly these grant scopes. The service returns the scope of the role itself as `this`. */
export function hasGrantScopes(
  { grant_scope_ids, scope_id }: Pick<AccountRole, 'grant_scope_ids' | 'scope_id'>,
  ids: readonly string[],
): boolean {
  const normal = (values: readonly string[]) => new Set(values.map((id) => (id === scope_id ? 'this' : id)));
  return normal(grant_scope_ids ?? []).symmetricDifference(normal(ids)).size === 0;
}

/** Replaces the grant scopes of a role. */
export const setGrantScopesStep = (accounts: AccountsClient, ids: readonly string[]): Step<AccountRole> => ({
  write: (guard) => accounts.setRoleGrantScopes({ ...guard, grant_scope_ids: ids }),
  isWritten: (role) => hasGrantScopes(role, ids),
  done: `Set the grant scopes to ${ids.join(', ')}.`,
  command: (id) => `account role update ${id} ${ids.map((each) => `--grant-scope ${each}`).join(' ')}`,
});

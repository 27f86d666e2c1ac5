import { allPages, type Page } from '../../../../api/account-pages.ts';
import type { AccountsClient, AuthMethod } from '../../../../api/accounts.ts';
import type { AccountRole, AccountUser } from '../../../../api/accounts-access.ts';
import { arg } from '../../../../command/command.ts';
import type { Context } from '../../../../command/context.ts';
import { LanyardError, notFound, usage } from '../../../../errors.ts';
import { describeMissingScope } from '../errors.ts';
import { anyOf } from '../filters.ts';
import { findScopeId } from '../find-scope.ts';
import type { Versioned } from '../versioned.ts';

export const userArg = arg.text('USER', 'name or ID, such as bob or u_1234567890', {
  completes: 'account-user',
});
export const methodArg = arg.text('METHOD', 'name or ID, such as staff or ampw_1234567890', {
  completes: 'account-auth-method',
});
export const roleArg = arg.text('ROLE', 'name or ID, such as ops or r_1234567890', {
  completes: 'account-role',
});

/** A user to change. */
export const userOf = (accounts: AccountsClient, id: string): Versioned<AccountUser> => ({
  noun: 'user',
  id,
  read: () => accounts.readUser({ id }),
});

/** A role to change. */
export const roleOf = (accounts: AccountsClient, id: string): Versioned<AccountRole> => ({
  noun: 'role',
  id,
  read: () => accounts.readRole({ id }),
});

/** An auth method to change; the version is missing if the token may not see it. */
export const methodOf = (accounts: AccountsClient, id: string): Versioned<VersionedMethod> => ({
  noun: 'auth method',
  id,
  read: async () => versioned(await accounts.readAuthMethod({ id })),
});

type VersionedMethod = AuthMethod & { readonly version: number };

/** A response with an auth method, as one whose version is known. */
export const versioned = ({ body }: { readonly body: AuthMethod }): { readonly body: VersionedMethod } => ({
  body: { ...body, version: body.version ?? 0 },
});

interface Named {
  readonly id: string;
  readonly name?: string | undefined;
}

interface ListRequest {
  scope_id: string;
  filter?: string | undefined;
  list_token?: string | undefined;
}

interface Kind {
  readonly noun: 'user' | 'role' | 'auth method';
  /** What IDs look like: such a text is an ID. */
  readonly id: RegExp;
  readonly list: (accounts: AccountsClient, request: ListRequest) => Promise<{ readonly body: Page<Named> }>;
}

const users: Kind = {
  noun: 'user',
  id: /^u_[0-9A-Za-z]+$/,
  list: (accounts, request) => accounts.findUsers(request),
};
const roles: Kind = {
  noun: 'role',
  id: /^r_[0-9A-Za-z]+$/,
  list: (accounts, request) => accounts.findRoles(request),
};

/** What IDs of auth methods look like. */
export const methodId = /^(ampw|apw|amoidc|amldap)_[0-9A-Za-z]+$/;

const methods: Kind = {
  noun: 'auth method',
  id: methodId,
  list: (accounts, request) => accounts.lookUpAuthMethods(request),
};

/** `a user`, `an auth method` */
export const withArticle = (noun: string): string => `${noun.startsWith('a') ? 'an' : 'a'} ${noun}`;

type Scoped = { readonly scope: string | undefined };

/** The ID of a user, given by its ID, or by its name in a scope. @throws LanyardError not_found */
export const findUserId = (given: string, { scope }: Scoped, ctx: Pick<Context, 'api'>): Promise<string> =>
  findId(users, given, scope, ctx);

/** The ID of a role, given by its ID, or by its name in a scope. @throws LanyardError not_found */
export const findRoleId = (given: string, { scope }: Scoped, ctx: Pick<Context, 'api'>): Promise<string> =>
  findId(roles, given, scope, ctx);

/** The ID of an auth method, given by its ID, or by its name in a scope. @throws LanyardError not_found */
export const findMethodId = (given: string, { scope }: Scoped, ctx: Pick<Context, 'api'>): Promise<string> =>
  findId(methods, given, scope, ctx);

async function findId(
  kind: Kind,
  given: string,
  scope: string | undefined,
  ctx: Pick<Context, 'api'>,
): Promise<string> {
  if (kind.id.test(given)) return given;
  const scopeId = await findScopeId(scope, ctx);
  const [found] = await named(kind, [given], scopeId, ctx);
  if (found) return found.id;
  throw notFound(`${kind.noun} "${given}" not found in scope "${scope ?? scopeId}"`, {
    service: 'accounts',
    hint: `Pass --scope for ${withArticle(kind.noun)} of another scope. ${listHint(kind)}`,
  });
}

/** Auth methods are listed without a token, and only in one scope. */
const listHint = ({ noun }: Kind): string =>
  noun === 'auth method'
    ? 'Run `lanyard account auth-method list` for the auth methods of the global scope.'
    : `Run \`lanyard account ${noun} list --recursive\` for all ${noun}s.`;

/** The objects with one of the names in a scope, by one list. */
async function named(
  { noun, list }: Kind,
  names: readonly string[],
  scopeId: string,
  ctx: Pick<Context, 'api'>,
): Promise<readonly Named[]> {
  if (names.includes('')) throw usage(`invalid ${noun} "": expected a name or an ID`);
  const accounts = await ctx.api.accounts();
  const filter = anyOf('name', names);
  const { items } = await allPages<Named, Page<Named>>((list_token) =>
    list(accounts, { scope_id: scopeId, filter, list_token }).catch(describeMissingScope(scopeId)),
  );
  return items.filter(({ name }) => name !== undefined && names.includes(name));
}

/** The user with a name in a scope; undefined: it does not exist. */
export const findUserNamed = async (
  name: string,
  scopeId: string,
  ctx: Pick<Context, 'api'>,
): Promise<Named | undefined> => (await named(users, [name], scopeId, ctx))[0];

/** IDs of what a role may be given to: users, groups, and managed groups of OIDC and LDAP. */
const principalId = /^(u|g|mgoidc|mgldap)_[0-9A-Za-z]+$/;

/**
 * The IDs of principals, given by their IDs, or as names of users in one of the scopes.
 *
 * @param scopes the scope of the role and those above it; one list each, if a name is given.
 * @throws LanyardError not_found; usage: a name that several users have.
 */
export async function findPrincipalIds(
  given: readonly string[],
  scopes: () => Promise<readonly string[]>,
  ctx: Pick<Context, 'api'>,
): Promise<readonly string[]> {
  const names = [...new Set(given.filter((each) => !principalId.test(each)))];
  const found: Named[] = [];
  // Projects have no users.
  const searched = names.length === 0 ? [] : (await scopes()).filter((id) => !id.startsWith('p_'));
  for (const scopeId of searched) found.push(...(await named(users, names, scopeId, ctx)));
  const idOf = (name: string): string => {
    const [user, ...others] = found.filter((each) => each.name === name);
    if (user === undefined)
      throw notFound(`user "${name}" not found in ${searched.map((id) => `"${id}"`).join(' or ')}`, {
        service: 'accounts',
        hint: 'Groups are given by their IDs. Run `lanyard account user list --recursive` for all users.',
      });
    if (others.length > 0)
      throw new LanyardError('usage', `several users have the name "${name}"`, {
        details: [user, ...others].map(({ id }) => id),
        hint: 'Use the ID of the user.',
      });
    return user.id;
  };
  return [...new Set(given.map((each) => (principalId.test(each) ? each : idOf(each))))];
}

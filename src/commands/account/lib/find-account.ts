import { allPages } from '../../../api/account-pages.ts';
import type { Account } from '../../../api/accounts.ts';
import { arg, flag } from '../../../command/command.ts';
import type { Context } from '../../../command/context.ts';
import { notFound, usage } from '../../../errors.ts';
import { findAuthMethod, primaryAuthMethod } from './auth-method.ts';
import { describeMissingMethod } from './errors.ts';
import { anyOf } from './filters.ts';
import { globalScope } from './find-scope.ts';

export const accountArg = arg.text('ACCOUNT', 'ID or login name, such as acctpw_1234567890 or bob', {
  completes: 'account',
});

/** For commands whose accounts may be login names. */
export const loginMethodFlag = flag.text(
  'ID',
  'auth method of a login name (default: from settings, else the primary one)',
  { completes: 'account-auth-method' },
);

/** Login names have no upper-case letters. What looks like an ID is one, also of a kind that Lanyard does not know. */
const isLoginName = (text: string): boolean =>
  /^[a-z0-9][^\s/\\A-Z]*$/.test(text) && !/^(acct[a-z]*|apw)_/.test(text);

/** Where login names are looked up. */
interface LoginNames {
  /** The auth method. Absent: from the settings, or the primary one of the global scope. */
  readonly authMethod: string | undefined;
  /** The scope whose primary auth method is the default, if it is not the global one. */
  readonly scopeId?: string;
}

/**
 * The ID of an account, given by its ID or by its login name in an auth method.
 *
 * @throws LanyardError not_found; usage: several accounts have the login name, or no auth method is set or found.
 */
export async function findAccountId(
  given: string,
  names: LoginNames,
  ctx: Pick<Context, 'api'>,
): Promise<string> {
  const [id] = await findAccountIds([given], names, ctx);
  if (id === undefined) throw new Error('an account without an ID');
  return id;
}

/** As {@link findAccountId}, of several accounts: one list for all login names. Each ID is returned once. */
export async function findAccountIds(
  given: readonly string[],
  { authMethod, scopeId = globalScope }: LoginNames,
  ctx: Pick<Context, 'api'>,
): Promise<readonly string[]> {
  const names = [...new Set(given.filter(isLoginName))];
  const [name] = names;
  if (name === undefined) return [...new Set(given)];
  const auth_method_id =
    authMethod ??
    (scopeId === globalScope ? await findAuthMethod(undefined, ctx) : await primaryAuthMethod(scopeId, ctx));
  if (auth_method_id === undefined)
    throw usage(`cannot find account "${name}" by its login name: no auth method is set or primary`, {
      hint: 'Use the ID of the account, or pass --auth-method ID.',
    });
  const found = await accountsNamed(names, auth_method_id, ctx);
  const idOf = (each: string): string => {
    const [account, ...others] = found.filter(({ attributes }) => attributes?.login_name === each);
    if (account === undefined)
      throw notFound(`account "${each}" not found in auth method "${auth_method_id}"`, {
        service: 'accounts',
        hint: 'Pass --auth-method ID for a login name of another auth method. Run `lanyard account list` for the accounts of an auth method.',
      });
    if (others.length > 0)
      throw usage(`several accounts have the login name "${each}"`, {
        details: [account, ...others].map(({ id }) => id),
        hint: 'Use the ID of the account.',
      });
    return account.id;
  };
  return [...new Set(given.map((each) => (isLoginName(each) ? idOf(each) : each)))];
}

async function accountsNamed(
  names: readonly string[],
  auth_method_id: string,
  ctx: Pick<Context, 'api'>,
): Promise<readonly Account[]> {
  const accounts = await ctx.api.accounts();
  const filter = anyOf('attributes/login_name', names);
  const { items } = await allPages((list_token) =>
    accounts
      .findAccounts({ auth_method_id, filter, list_token })
      .catch(describeMissingMethod(auth_method_id)),
  );
  return items;
}

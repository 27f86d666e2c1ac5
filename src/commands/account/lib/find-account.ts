import { allPages } from '../../../api/account-pages.ts';
import { arg } from '../../../command/command.ts';
import type { Context } from '../../../command/context.ts';
import { notFound, usage } from '../../../errors.ts';
import { findAuthMethod } from './auth-method.ts';
import { describeMissingMethod } from './errors.ts';

export const accountArg = arg.text('ACCOUNT', 'ID or login name, such as acctpw_1234567890 or bob', {
  completes: 'account',
});

/** Login names have no underscore, IDs have one. */
const loginName = /^[a-z0-9][a-z0-9.-]*$/;

/**
 * The ID of an account, given by its ID or by its login name in the auth method of the settings or the primary one.
 *
 * @throws LanyardError not_found; usage: several accounts have the login name, or no auth method is set or found.
 */
export async function findAccountId(given: string, ctx: Context): Promise<string> {
  if (!loginName.test(given)) return given;
  const auth_method_id = await findAuthMethod(undefined, ctx);
  if (auth_method_id === undefined)
    throw usage(`cannot find account "${given}" by its login name: no auth method is set or primary`, {
      hint: 'Use the ID of the account, set BOUNDARY_AUTH_METHOD_ID, or run `lanyard profile put NAME accounts.auth-method=ID`.',
    });
  const accounts = await ctx.api.accounts();
  const requested = { auth_method_id, filter: `"/item/attributes/login_name" == "${given}"` };
  const { items } = await allPages((list_token) =>
    accounts.listAccounts({ ...requested, list_token }).catch(describeMissingMethod(auth_method_id)),
  );
  const found = items.filter(({ attributes }) => attributes?.login_name === given);
  const [account, ...others] = found;
  if (account === undefined)
    throw notFound(`account "${given}" not found in auth method "${auth_method_id}"`, {
      service: 'accounts',
      hint: 'Use the ID of the account. Run `lanyard account list --auth-method ID` for the accounts of another auth method.',
    });
  if (others.length > 0)
    throw usage(`several accounts have the login name "${given}"`, {
      details: found.map(({ id }) => id),
      hint: 'Use the ID of the account.',
    });
  return account.id;
}

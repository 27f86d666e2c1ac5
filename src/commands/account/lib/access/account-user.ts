import type { Account } from '../../../../api/accounts.ts';
import type { AccountUser } from '../../../../api/accounts-access.ts';
import type { Context } from '../../../../command/context.ts';
import { LanyardError, partiallyAppliedError } from '../../../../errors.ts';
import { shellWord } from '../../../../wire/printable.ts';
import { describeMissing, describeMissingMethod } from '../errors.ts';
import { changeVersioned, readCurrent } from '../versioned.ts';
import { title } from '../views.ts';
import { checkNewName } from './create-named.ts';
import { createUser } from './create-user.ts';
import { findUserId, findUserNamed, userOf } from './find-named.ts';
import { describeRejectedAccounts } from './user-accounts.ts';
import { objectTitle } from './views.ts';

/** The user that gets a new account. */
export interface AccountOwner {
  /** The scope of the auth method. */
  readonly scopeId: string;
  /** The given text. */
  readonly name: string;
  /** undefined: it does not exist yet. */
  readonly id: string | undefined;
}

/**
 * The user that `--user` names, before the account is created: by ID, or by name in the scope of the auth method.
 *
 * @throws LanyardError not_found: the auth method, or the user with the ID.
 */
export async function findAccountUser(
  given: string,
  authMethod: string,
  ctx: Pick<Context, 'api'>,
): Promise<AccountOwner> {
  const accounts = await ctx.api.accounts();
  const method = await accounts.readAuthMethod({ id: authMethod }).catch(describeMissingMethod(authMethod));
  const scopeId = method.body.scope_id ?? 'global';
  if (/^u_[0-9A-Za-z]+$/.test(given)) {
    const id = await findUserId(given, { scope: scopeId }, ctx);
    await accounts.readUser({ id }).catch(describeMissing('user')(id));
    return { scopeId, name: given, id };
  }
  checkNewName('user', given);
  return { scopeId, name: given, id: (await findUserNamed(given, scopeId, ctx))?.id };
}

/**
 * Adds a new account to its user, which is created if it does not exist.
 *
 * @throws LanyardError unknown: what was done, and the command line for the rest.
 */
export async function giveAccount(
  account: Account,
  { scopeId, name, id }: AccountOwner,
  ctx: Pick<Context, 'api' | 'output' | 'system'>,
): Promise<AccountUser> {
  const done = [`Created account ${title(account)}.`];
  const scope = scopeId === 'global' ? '' : ` --scope ${scopeId}`;
  let rest = `lanyard account user add-accounts ${id ?? shellWord(name)} ${account.id}`;
  if (id === undefined) rest = `lanyard account user create ${shellWord(name)}${scope} && ${rest}${scope}`;
  try {
    let userId = id;
    if (userId === undefined) {
      const user = await createUser({ name }, scopeId, ctx);
      userId = user.id;
      done.push(`Created user ${objectTitle(user)}.`);
      rest = `lanyard account user add-accounts ${userId} ${account.id}`;
    }
    const accounts = await ctx.api.accounts();
    const base = await readCurrent(userOf(accounts, userId));
    return await changeVersioned(
      ctx,
      base,
      () =>
        accounts
          .addUserAccounts({ id: base.id, version: base.version, account_ids: [account.id] })
          .catch(describeRejectedAccounts),
      { isWritten: ({ account_ids }) => account_ids?.includes(account.id) === true },
    );
  } catch (error) {
    const partial = partiallyAppliedError(error, done);
    throw partial instanceof LanyardError
      ? partial.withHint(`Fix the error, then run \`${rest}\`.`)
      : partial;
  }
}

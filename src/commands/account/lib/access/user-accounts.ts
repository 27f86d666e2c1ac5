import { isAccountTaken } from '../../../../api/conditions/accounts.ts';
import { arg, type Values } from '../../../../command/command.ts';
import type { Context } from '../../../../command/context.ts';
import { describeAs } from '../../../../errors.ts';
import { findAccountIds, loginMethodFlag } from '../find-account.ts';
import { expectVersion, readCurrent } from '../versioned.ts';
import { findUserId, userOf } from './find-named.ts';
import { atFlag, nameScopeFlag } from './label-update.ts';

export const accountsArg = arg.rest('ACCOUNT', 'IDs or login names', 1, { completes: 'account' });

/** The flags of the commands that change the accounts of a user. */
export const userAccountFlags = {
  scope: nameScopeFlag('user'),
  authMethod: loginMethodFlag,
  at: atFlag('user'),
} as const;

interface Args {
  readonly user: string;
  readonly accounts: readonly string[];
}

/** The user at its expected version, and the IDs of the accounts. The user is always read: for its scope and accounts. */
export async function changeUserAccounts(
  args: Args,
  { scope, authMethod, at }: Values<typeof userAccountFlags>,
  ctx: Pick<Context, 'api'>,
) {
  const id = await findUserId(args.user, { scope }, ctx);
  const accounts = await ctx.api.accounts();
  const user = await readCurrent(userOf(accounts, id));
  const { scope_id: scopeId } = user.current;
  const ids = await findAccountIds(
    args.accounts,
    { authMethod, ...(scopeId === undefined ? {} : { scopeId }) },
    ctx,
  );
  return { accounts, base: expectVersion(user, at), ids };
}

/** Rejects with a conflict if an account has another user. */
export const describeRejectedAccounts = describeAs(
  isAccountTaken,
  'conflict',
  'cannot add accounts: an account already has another user',
  { hint: 'Remove it from the other user with `lanyard account user remove-accounts USER ACCOUNT`.' },
);

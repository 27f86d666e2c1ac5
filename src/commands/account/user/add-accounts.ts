import { command } from '../../../command/command.ts';
import { userArg } from '../lib/access/find-named.ts';
import { counted, membersResult, unchangedResult } from '../lib/access/members.ts';
import {
  accountsArg,
  changeUserAccounts,
  describeRejectedAccounts,
  userAccountFlags,
} from '../lib/access/user-accounts.ts';
import { changeVersioned } from '../lib/versioned.ts';

export default command({
  description:
    'A login with one of the accounts is a login of the user. An account has at most one user, of its own scope. Accounts are IDs, or login names in the primary auth method of the scope of the user, or in --auth-method.',
  examples: [
    'lanyard account user add-accounts bob acctpw_1234567890',
    'lanyard account user add-accounts bob bob --auth-method ampw_1234567890',
  ],
  service: 'accounts',
  writes: 'after reads',
  args: {
    user: userArg,
    accounts: accountsArg,
  },
  flags: userAccountFlags,
  async run({ args, flags }, ctx) {
    const { accounts, base, ids } = await changeUserAccounts(args, flags, ctx);
    const existing = base.current.account_ids ?? [];
    const added = ids.filter((id) => !existing.includes(id));
    if (added.length === 0 && !base.isStale)
      return unchangedResult('User', base.current, 'already has these accounts');
    const user = await changeVersioned(
      ctx,
      base,
      () =>
        accounts
          .addUserAccounts({ id: base.id, version: base.version, account_ids: base.isStale ? ids : added })
          .catch(describeRejectedAccounts),
      { isWritten: ({ account_ids }) => added.every((id) => account_ids?.includes(id)) },
    );
    return membersResult(`Added ${counted(added.length, 'account')} to user`, user);
  },
});

import { command } from '../../../command/command.ts';
import { userArg } from '../lib/access/find-named.ts';
import { counted, membersResult, requireMembers } from '../lib/access/members.ts';
import { accountsArg, changeUserAccounts, userAccountFlags } from '../lib/access/user-accounts.ts';
import { objectTitle } from '../lib/access/views.ts';
import { changeVersioned } from '../lib/versioned.ts';

export default command({
  description:
    'The accounts remain, without a user: they can log in only through the primary auth method of the scope, as a new user. Their tokens are deleted.',
  examples: ['lanyard account user remove-accounts bob bob'],
  service: 'accounts',
  writes: 'after reads',
  changes: ['account token'],
  args: {
    user: userArg,
    accounts: accountsArg,
  },
  flags: userAccountFlags,
  async run({ args, flags }, ctx) {
    const { accounts, base, ids } = await changeUserAccounts(args, flags, ctx);
    const existing = base.current.account_ids ?? [];
    if (!base.isStale)
      requireMembers(
        `user ${objectTitle(base.current)}`,
        'account',
        ids.filter((id) => !existing.includes(id)),
      );
    const user = await changeVersioned(
      ctx,
      base,
      () => accounts.removeUserAccounts({ id: base.id, version: base.version, account_ids: ids }),
      { isWritten: ({ account_ids }) => !ids.some((id) => account_ids?.includes(id)) },
    );
    return membersResult(`Removed ${counted(ids.length, 'account')} from user`, user);
  },
});

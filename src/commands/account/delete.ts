import { command } from '../../command/command.ts';
import { deleteObject } from '../../command/delete-object.ts';
import { isNotFound } from '../../errors.ts';
import { describeMissingAccount } from './lib/errors.ts';
import { accountArg, findAccountId, loginMethodFlag } from './lib/find-account.ts';
import { title } from './lib/views.ts';

export default command({
  description: 'The account can no longer be used to log in. This cannot be undone.',
  examples: ['lanyard account delete acctpw_1234567890', 'lanyard account delete acctpw_1234567890 --yes'],
  service: 'accounts',
  writes: 'after reads',
  changes: ['account token', 'account user'],
  args: { account: accountArg },
  flags: { authMethod: loginMethodFlag },
  async run({ args, flags }, ctx) {
    const id = await findAccountId(args.account, flags, ctx);
    const accounts = await ctx.api.accounts();
    const account = (await accounts.readAccount({ id }).catch(describeMissingAccount(id))).body;
    return deleteObject(ctx, 'account', title(account), {
      prompt: `Delete account ${title(account)}?`,
      remove: () => accounts.deleteAccount({ id }).catch(describeMissingAccount(id)),
      read: () => accounts.readAccount({ id }),
      isMissing: isNotFound,
      data: () => account,
    });
  },
});

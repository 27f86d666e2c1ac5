import { command } from '../../command/command.ts';
import { confirmDelete, isNotFound } from '../../errors.ts';
import { code, text } from '../../output/document.ts';
import { describeMissingAccount } from './lib/errors.ts';
import { accountArg, findAccountId } from './lib/find-account.ts';
import { title } from './lib/views.ts';

export default command({
  description: 'The account can no longer be used to log in. This cannot be undone.',
  examples: ['lanyard account delete acctpw_1234567890', 'lanyard account delete acctpw_1234567890 --yes'],
  service: 'accounts',
  writes: true,
  readsFirst: true,
  changes: ['account token', 'account user'],
  args: { account: accountArg },
  flags: {},
  async run({ args }, ctx) {
    const id = await findAccountId(args.account, ctx);
    const accounts = await ctx.api.accounts();
    const account = (await accounts.readAccount({ id }).catch(describeMissingAccount(id))).body;
    await ctx.input.confirm(`Delete account ${title(account)}? This cannot be undone.`);
    await confirmDelete(
      () => accounts.deleteAccount({ id }).catch(describeMissingAccount(id)),
      () => accounts.readAccount({ id }),
      'the account',
      isNotFound,
    );
    return { data: account, document: [text('Deleted account ', code(title(account)), '.')] };
  },
});

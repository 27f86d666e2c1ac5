import { command } from '../../cli/command.ts';
import { confirmWrite, LanyardError } from '../../errors.ts';
import { code, text } from '../../output/document.ts';
import { accountArg, describeMissingAccount } from './lib/versioned-update.ts';
import { title } from './lib/views.ts';

export default command({
  description: 'The account can no longer be used to log in. This cannot be undone.',
  examples: ['lanyard account delete acctpw_1234567890', 'lanyard account delete acctpw_1234567890 --yes'],
  service: 'accounts',
  writes: true,
  readsFirst: true,
  args: { id: accountArg },
  flags: {},
  async run({ args: { id } }, ctx) {
    const accounts = await ctx.api.accounts();
    const account = (await accounts.readAccount({ id }).catch(describeMissingAccount(id))).body;
    await ctx.input.confirm(`Delete account ${title(account)}? This cannot be undone.`);
    await confirmWrite(
      () => accounts.deleteAccount({ id }).catch(describeMissingAccount(id)),
      async () => {
        try {
          await accounts.readAccount({ id });
          return { done: false, found: 'the account still exists' };
        } catch (error) {
          const isGone = error instanceof LanyardError && error.kind === 'not_found';
          return { done: isGone, found: 'the account could not be read' };
        }
      },
    );
    return { data: account, document: [text('Deleted account ', code(title(account)), '.')] };
  },
});

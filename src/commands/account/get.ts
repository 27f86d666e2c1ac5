import { command } from '../../cli/command.ts';
import { accountArg, describeMissingAccount } from './lib/versioned-update.ts';
import { accountView } from './lib/views.ts';

export default command({
  examples: [
    'lanyard account get acctpw_1234567890',
    'lanyard account get acctpw_1234567890 --field version',
  ],
  service: 'accounts',
  args: { id: accountArg },
  flags: {},
  async run({ args }, ctx) {
    const { body } = await (await ctx.api.accounts())
      .readAccount(args)
      .catch(describeMissingAccount(args.id));
    return { data: body, document: accountView(body) };
  },
});

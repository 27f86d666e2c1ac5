import { command } from '../../command/command.ts';
import { describeMissingAccount } from './lib/errors.ts';
import { accountArg, findAccountId, loginMethodFlag } from './lib/find-account.ts';
import { accountView } from './lib/views.ts';

export default command({
  examples: [
    'lanyard account get acctpw_1234567890',
    'lanyard account get acctpw_1234567890 --field version',
  ],
  service: 'accounts',
  args: { account: accountArg },
  flags: { authMethod: loginMethodFlag },
  async run({ args, flags }, ctx) {
    const id = await findAccountId(args.account, flags, ctx);
    const { body } = await (await ctx.api.accounts()).readAccount({ id }).catch(describeMissingAccount(id));
    return { data: body, document: accountView(body) };
  },
});

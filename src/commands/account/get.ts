import { command } from '../../command.ts';
import { accountArg, missing } from './versions.ts';
import { accountView } from './views.ts';

export default command({
  examples: [
    'lanyard account get acctpw_1234567890',
    'lanyard account get acctpw_1234567890 --field version',
  ],
  service: 'accounts',
  args: { id: accountArg },
  flags: {},
  async run({ args }, ctx) {
    const { body } = await (await ctx.api.accounts()).readAccount(args).catch(missing(args.id));
    return { data: body, document: accountView(body) };
  },
});

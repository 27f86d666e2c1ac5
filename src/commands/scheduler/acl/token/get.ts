import { command, flag } from '../../../../command/command.ts';
import { findToken, redacted, tokenArg } from '../../lib/tokens.ts';
import { tokenView } from '../../lib/views.ts';

export default command({
  description:
    'The secret is redacted unless --show-secret is given. A management token reads every token, other tokens read their own.',
  examples: [
    'lanyard scheduler acl token get 6a1253d2-1785-24fd-91c2-f8e78c745511',
    'lanyard scheduler acl token get deploy-job -o json',
  ],
  service: 'scheduler',
  args: { token: tokenArg },
  flags: { showSecret: flag.boolean('show the secret') },
  async run({ args, flags }, ctx) {
    const found = await findToken(await ctx.api.scheduler(), args.token);
    if (flags.showSecret) ctx.output.mask(found.SecretID);
    const token = flags.showSecret ? found : redacted(found);
    return { data: token, document: [tokenView(token)] };
  },
});

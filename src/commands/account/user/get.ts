import { command } from '../../../command/command.ts';
import { findUserId, userArg } from '../lib/access/find-named.ts';
import { nameScopeFlag } from '../lib/access/label-update.ts';
import { userResult } from '../lib/access/views.ts';
import { describeMissing } from '../lib/errors.ts';

export default command({
  examples: [
    'lanyard account user get u_1234567890',
    'lanyard account user get u_1234567890 --field account_ids.0',
  ],
  service: 'accounts',
  args: { user: userArg },
  flags: { scope: nameScopeFlag('user') },
  async run({ args, flags }, ctx) {
    const id = await findUserId(args.user, flags, ctx);
    const { body } = await (await ctx.api.accounts()).readUser({ id }).catch(describeMissing('user')(id));
    return userResult(body);
  },
});

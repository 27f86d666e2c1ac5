import { command } from '../../../command/command.ts';
import { findRoleId, roleArg } from '../lib/access/find-named.ts';
import { nameScopeFlag } from '../lib/access/label-update.ts';
import { roleResult } from '../lib/access/views.ts';
import { describeMissing } from '../lib/errors.ts';

export default command({
  examples: ['lanyard account role get r_1234567890', 'lanyard account role get ops --field grant_strings'],
  service: 'accounts',
  args: { role: roleArg },
  flags: { scope: nameScopeFlag('role') },
  async run({ args, flags }, ctx) {
    const id = await findRoleId(args.role, flags, ctx);
    const { body } = await (await ctx.api.accounts()).readRole({ id }).catch(describeMissing('role')(id));
    return roleResult(body);
  },
});

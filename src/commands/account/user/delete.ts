import { command } from '../../../command/command.ts';
import { deleteObject } from '../../../command/delete-object.ts';
import { isNotFound } from '../../../errors.ts';
import { findUserId, userArg } from '../lib/access/find-named.ts';
import { nameScopeFlag } from '../lib/access/label-update.ts';
import { objectTitle } from '../lib/access/views.ts';
import { describeMissing } from '../lib/errors.ts';

export default command({
  description: 'Its tokens are deleted too, and roles lose it as a principal. Its accounts are unchanged.',
  examples: ['lanyard account user delete u_2345678901', 'lanyard account user delete bob --yes'],
  service: 'accounts',
  writes: 'after reads',
  changes: ['account token', 'account role'],
  args: { user: userArg },
  flags: { scope: nameScopeFlag('user') },
  async run({ args, flags }, ctx) {
    const id = await findUserId(args.user, flags, ctx);
    const accounts = await ctx.api.accounts();
    const missing = describeMissing('user')(id);
    const user = (await accounts.readUser({ id }).catch(missing)).body;
    return deleteObject(ctx, 'user', objectTitle(user), {
      prompt: `Delete user ${objectTitle(user)}? Everything that uses its tokens is logged out.`,
      remove: () => accounts.deleteUser({ id }).catch(missing),
      read: () => accounts.readUser({ id }),
      isMissing: isNotFound,
      data: () => user,
    });
  },
});

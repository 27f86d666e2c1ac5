import { command } from '../../../command/command.ts';
import { deleteObject } from '../../../command/delete-object.ts';
import { isNotFound } from '../../../errors.ts';
import { findRoleId, roleArg } from '../lib/access/find-named.ts';
import { nameScopeFlag } from '../lib/access/label-update.ts';
import { objectTitle } from '../lib/access/views.ts';
import { describeMissing } from '../lib/errors.ts';

export default command({
  description: 'Its users and groups lose its grants at once.',
  examples: ['lanyard account role delete r_2345678901', 'lanyard account role delete ops --yes'],
  service: 'accounts',
  writes: 'after reads',
  args: { role: roleArg },
  flags: { scope: nameScopeFlag('role') },
  async run({ args, flags }, ctx) {
    const id = await findRoleId(args.role, flags, ctx);
    const accounts = await ctx.api.accounts();
    const missing = describeMissing('role')(id);
    const role = (await accounts.readRole({ id }).catch(missing)).body;
    return deleteObject(ctx, 'role', objectTitle(role), {
      prompt: `Delete role ${objectTitle(role)}? Its users and groups lose its grants.`,
      remove: () => accounts.deleteRole({ id }).catch(missing),
      read: () => accounts.readRole({ id }),
      isMissing: isNotFound,
      data: () => role,
    });
  },
});

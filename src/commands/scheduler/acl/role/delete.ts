import { command } from '../../../../command/command.ts';
import { deleteObject } from '../../../../command/delete-object.ts';
import { isNotFound } from '../../../../errors.ts';
import { findRole, policyNames, roleArg } from '../../lib/roles.ts';

export default command({
  description: 'Tokens that have the role lose its permissions at once.',
  examples: ['lanyard scheduler acl role delete ops', 'lanyard scheduler acl role delete ops --yes'],
  service: 'scheduler',
  writes: 'after reads',
  args: { role: roleArg },
  async run({ args }, ctx) {
    const scheduler = await ctx.api.scheduler();
    const role = await findRole(scheduler, args.role);
    const { ID: id, Name } = role;
    const policies = policyNames(role).join(', ') || 'no policies';
    return deleteObject(ctx, 'role', Name, {
      prompt: `Delete role "${Name}" (${id}), with ${policies}? Tokens lose its permissions.`,
      remove: () => scheduler.deleteRole({ id }),
      read: () => scheduler.readRole({ id }),
      isMissing: isNotFound,
      data: () => ({ ID: id, Name }),
    });
  },
});

import { arg, command } from '../../../command/command.ts';
import { deleteObject } from '../../../command/delete-object.ts';
import { isNotFound } from '../../../errors.ts';
import { dcFlag, describeMissing, findRole, whereShared } from '../lib/find.ts';

export default command({
  description: 'Tokens that are linked to the role lose its permissions.',
  examples: ['lanyard acl role delete ops', 'lanyard acl role delete ops --yes'],
  service: 'registry',
  writes: 'after reads',
  args: { role: arg.text('ROLE', 'name or ID of the role', { completes: 'acl-role' }) },
  flags: { dc: dcFlag },
  async run({ args, flags }, ctx) {
    const registry = await ctx.api.registry();
    const where = await whereShared('roles', flags, ctx);
    const { ID: id, Name } = await findRole(registry, args.role, where);
    return deleteObject(ctx, 'role', Name, {
      prompt: `Delete role "${Name}" (${id})? Tokens lose its permissions.`,
      remove: () => registry.deleteRole({ id }).catch(describeMissing('role', args.role)),
      read: () => registry.readRole({ id, ...where }),
      isMissing: isNotFound,
      data: () => ({ ID: id, Name }),
    });
  },
});

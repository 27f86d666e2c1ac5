import { arg, command } from '../../../command/command.ts';
import { deleteObject } from '../../../command/delete-object.ts';
import { isNotFound } from '../../../errors.ts';
import { dcFlag, describeMissing, describeProtected, findPolicy, whereShared } from '../lib/find.ts';

export default command({
  description: 'Tokens and roles that are linked to the policy lose its permissions.',
  examples: ['lanyard acl policy delete deploy', 'lanyard acl policy delete deploy --yes'],
  service: 'registry',
  writes: 'after reads',
  args: { policy: arg.text('POLICY', 'name or ID of the policy', { completes: 'acl-policy' }) },
  flags: { dc: dcFlag },
  async run({ args, flags }, ctx) {
    const registry = await ctx.api.registry();
    const where = await whereShared('policies', flags, ctx);
    const { ID: id, Name } = await findPolicy(registry, args.policy, where);
    return deleteObject(ctx, 'policy', Name, {
      prompt: `Delete policy "${Name}" (${id})? Tokens and roles lose its permissions.`,
      remove: () =>
        registry
          .deletePolicy({ id })
          .catch(describeMissing('policy', args.policy))
          .catch(describeProtected('policy', Name)),
      read: () => registry.readPolicy({ id, ...where }),
      isMissing: isNotFound,
      data: () => ({ ID: id, Name }),
    });
  },
});

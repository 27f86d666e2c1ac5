import { arg, command } from '../../../command/command.ts';
import { confirmDelete, isNotFound } from '../../../errors.ts';
import { code, text } from '../../../output/document.ts';
import { describeMissing, describeProtected, findPolicy, whereShared, writeDcFlag } from '../lib/find.ts';

export default command({
  description: 'Tokens and roles that are linked to the policy lose its permissions.',
  examples: ['lanyard acl policy delete deploy', 'lanyard acl policy delete deploy --yes'],
  service: 'registry',
  writes: true,
  readsFirst: true,
  args: { policy: arg.text('POLICY', 'name or ID of the policy', { completes: { live: 'acl-policy' } }) },
  flags: { dc: writeDcFlag },
  async run({ args, flags }, ctx) {
    const registry = await ctx.api.registry();
    const where = await whereShared('policies', flags, ctx);
    const { ID: id, Name } = await findPolicy(registry, args.policy, where);
    await ctx.input.confirm(
      `Delete policy "${Name}" (${id})? Tokens and roles lose its permissions. This cannot be undone.`,
    );
    await confirmDelete(
      () =>
        registry
          .deletePolicy({ id })
          .catch(describeMissing('policy', args.policy))
          .catch(describeProtected('policy', Name)),
      () => registry.readPolicy({ id, ...where }),
      'the policy',
      isNotFound,
    );
    return { data: { ID: id, Name }, document: [text('Deleted policy ', code(Name), '.')] };
  },
});

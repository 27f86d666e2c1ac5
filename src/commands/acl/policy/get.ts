import { arg, command } from '../../../command/command.ts';
import { dcFlag, findPolicy, whereFrom } from '../lib/find.ts';
import { policyView } from '../lib/policy-views.ts';

export default command({
  examples: [
    'lanyard acl policy get deploy',
    'lanyard acl policy get deploy --field Rules > deploy.hcl',
    'lanyard acl policy get global-management -o yaml',
  ],
  service: 'registry',
  args: { policy: arg.text('POLICY', 'name or ID of the policy', { completes: { live: 'acl-policy' } }) },
  flags: { dc: dcFlag },
  async run({ args, flags }, ctx) {
    const policy = await findPolicy(await ctx.api.registry(), args.policy, whereFrom(flags));
    return { data: policy, document: policyView(policy) };
  },
});

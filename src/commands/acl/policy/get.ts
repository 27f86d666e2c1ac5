import { arg, command } from '../../../command/command.ts';
import { dim, fields, raw, strong } from '../../../output/document.ts';
import { dcFlag, findPolicy, whereFrom } from '../lib/find.ts';
import { datacentersOf } from '../lib/views.ts';

export default command({
  examples: [
    'lanyard acl policy get deploy',
    'lanyard acl policy get deploy --field Rules > deploy.hcl',
    'lanyard acl policy get global-management -o yaml',
  ],
  service: 'registry',
  args: { policy: arg.text('POLICY', 'name or ID of the policy', { completes: 'acl-policy' }) },
  flags: { dc: dcFlag },
  async run({ args, flags }, ctx) {
    const policy = await findPolicy(await ctx.api.registry(), args.policy, whereFrom(flags));
    const rules = (policy.Rules ?? '').replace(/^\n+|\s+$/g, '');
    const rows = fields([
      ['name', strong(policy.Name)],
      ['ID', policy.ID],
      ['description', policy.Description || null],
      ['datacenters', datacentersOf(policy)],
      ['rules', rules === '' ? dim('(none)') : undefined],
    ]);
    return { data: policy, document: rules === '' ? [rows] : [rows, raw(`\n${rules}\n`)] };
  },
});

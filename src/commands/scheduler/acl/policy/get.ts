import { command } from '../../../../command/command.ts';
import { dim, fields, raw, strong } from '../../../../output/document.ts';
import { jobText } from '../../lib/job.ts';
import { findPolicy, policyArg } from '../../lib/policies.ts';

export default command({
  examples: [
    'lanyard scheduler acl policy get web',
    'lanyard scheduler acl policy get web --field Rules > web-policy.hcl',
  ],
  service: 'scheduler',
  args: { policy: policyArg },
  async run({ args }, ctx) {
    const policy = await findPolicy(await ctx.api.scheduler(), args.policy);
    const rules = (policy.Rules ?? '').replace(/^\n+|\s+$/g, '');
    const rows = fields([
      ['name', strong(policy.Name)],
      ['description', policy.Description || null],
      ['job', jobText(policy.JobACL)],
      ['rules', rules === '' ? dim('(none)') : undefined],
    ]);
    return { data: policy, document: rules === '' ? [rows] : [rows, raw(`\n${rules}\n`)] };
  },
});

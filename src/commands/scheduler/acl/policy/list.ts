import { command } from '../../../../command/command.ts';
import { warnOfLimits } from '../../../../command/scheduler-lists.ts';
import { listResult, strong } from '../../../../output/document.ts';
import { jobText } from '../../lib/job.ts';

export default command({
  description: 'Without a management token, only the policies of the token are listed.',
  examples: [
    'lanyard scheduler acl policy list',
    'lanyard scheduler acl policy list -o json --select "[].Name"',
  ],
  service: 'scheduler',
  async run(_input, ctx) {
    const scheduler = await ctx.api.scheduler();
    const policies = (await scheduler.listPolicies({})).body ?? [];
    await warnOfLimits(scheduler, 'policies', policies.length, ctx);
    return listResult(policies, 'No policies.', {
      NAME: ({ Name }) => strong(Name),
      DESCRIPTION: { shrinkPriority: 1, cell: ({ Description }) => Description || null },
      JOB: { shrinkPriority: 2, cell: ({ JobACL }) => jobText(JobACL) ?? null },
    });
  },
});

import { command } from '../../../../command/command.ts';
import { warnOfLimits } from '../../../../command/scheduler-lists.ts';
import { listResult, strong } from '../../../../output/document.ts';
import { policyNames } from '../../lib/roles.ts';

export default command({
  description: 'Without a management token, only the roles of the token are listed.',
  examples: ['lanyard scheduler acl role list'],
  service: 'scheduler',
  async run(_input, ctx) {
    const scheduler = await ctx.api.scheduler();
    const roles = (await scheduler.listRoles({})).body ?? [];
    await warnOfLimits(scheduler, 'roles', roles.length, ctx);
    const sorted = roles.toSorted((one, other) => (one.Name < other.Name ? -1 : 1));
    return listResult(sorted, 'No roles.', {
      NAME: ({ Name }) => strong(Name),
      POLICIES: { shrinkPriority: 1, cell: (role) => policyNames(role).join(', ') || null },
      DESCRIPTION: { shrinkPriority: 2, cell: ({ Description }) => Description || null },
      ID: { optional: 1, cell: ({ ID }) => ID },
    });
  },
});

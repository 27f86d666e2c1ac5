import { command } from '../../../../command/command.ts';
import { fieldsResult, strong } from '../../../../output/document.ts';
import { findRole, policyNames, roleArg } from '../../lib/roles.ts';

export default command({
  examples: ['lanyard scheduler acl role get ops'],
  service: 'scheduler',
  args: { role: roleArg },
  async run({ args }, ctx) {
    const role = await findRole(await ctx.api.scheduler(), args.role);
    return fieldsResult(role, [
      ['name', [strong(role.Name)]],
      ['ID', role.ID],
      ['description', role.Description || null],
      ['policies', policyNames(role).join(', ') || null],
    ]);
  },
});

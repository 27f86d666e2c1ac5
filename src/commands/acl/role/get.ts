import { arg, command } from '../../../command/command.ts';
import { fieldsResult, strong } from '../../../output/document.ts';
import { dcFlag, findRole, whereFrom } from '../lib/find.ts';
import { grantRows } from '../lib/views.ts';

export default command({
  examples: ['lanyard acl role get ops', 'lanyard acl role get ops -o json'],
  service: 'registry',
  args: { role: arg.text('ROLE', 'name or ID of the role', { completes: 'acl-role' }) },
  flags: { dc: dcFlag },
  async run({ args, flags }, ctx) {
    const role = await findRole(await ctx.api.registry(), args.role, whereFrom(flags));
    return fieldsResult(role, [
      ['name', strong(role.Name)],
      ['ID', role.ID],
      ['description', role.Description || null],
      ...grantRows(role),
    ]);
  },
});

import { command } from '../../../command/command.ts';
import { dcFlag, whereFrom } from '../lib/find.ts';
import { byName } from '../lib/sort.ts';
import { rolesView } from '../lib/views.ts';

export default command({
  examples: ['lanyard acl role list'],
  service: 'registry',
  flags: { dc: dcFlag },
  async run({ flags }, ctx) {
    const { body } = await (await ctx.api.registry()).listRoles(whereFrom(flags));
    const roles = (body ?? []).toSorted(byName);
    return { data: roles, rows: roles, document: rolesView(roles) };
  },
});

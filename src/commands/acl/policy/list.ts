import { command } from '../../../command/command.ts';
import { dcFlag, whereFrom } from '../lib/find.ts';
import { policiesView } from '../lib/policy-views.ts';
import { byName } from '../lib/sort.ts';

export default command({
  examples: ['lanyard acl policy list', 'lanyard acl policy list -o json --select "[].Name"'],
  service: 'registry',
  flags: { dc: dcFlag },
  async run({ flags }, ctx) {
    const { body } = await (await ctx.api.registry()).listPolicies(whereFrom(flags));
    const policies = (body ?? []).toSorted(byName);
    return { data: policies, rows: policies, document: policiesView(policies) };
  },
});

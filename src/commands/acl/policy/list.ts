import { command } from '../../../command/command.ts';
import { listResult, strong } from '../../../output/document.ts';
import { byName, dcFlag, whereFrom } from '../lib/find.ts';
import { datacentersOf } from '../lib/views.ts';

export default command({
  examples: ['lanyard acl policy list', 'lanyard acl policy list -o json --select "[].Name"'],
  service: 'registry',
  flags: { dc: dcFlag },
  async run({ flags }, ctx) {
    const { body } = await (await ctx.api.registry()).listPolicies(whereFrom(flags));
    return listResult((body ?? []).toSorted(byName), 'No policies.', {
      NAME: ({ Name }) => strong(Name),
      DESCRIPTION: { shrinkPriority: 1, cell: ({ Description }) => Description || null },
      DATACENTERS: { shrinkPriority: 2, cell: datacentersOf },
      ID: { optional: 1, cell: ({ ID }) => ID },
    });
  },
});

import { command } from '../../../command/command.ts';
import { listResult, strong } from '../../../output/document.ts';
import { byName, dcFlag, whereFrom } from '../lib/find.ts';
import { grants } from '../lib/views.ts';

export default command({
  examples: ['lanyard acl role list'],
  service: 'registry',
  flags: { dc: dcFlag },
  async run({ flags }, ctx) {
    const { body } = await (await ctx.api.registry()).listRoles(whereFrom(flags));
    return listResult((body ?? []).toSorted(byName), 'No roles.', {
      NAME: ({ Name }) => strong(Name),
      DESCRIPTION: { shrinkPriority: 2, cell: ({ Description }) => Description || null },
      GRANTS: { shrinkPriority: 1, cell: grants },
      ID: { optional: 1, cell: ({ ID }) => ID },
    });
  },
});

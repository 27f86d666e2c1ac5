import { command } from '../../../command/command.ts';
import { listResult, strong } from '../../../output/document.ts';
import { byName, dcFlag, whereFrom } from '../lib/find.ts';

export default command({
  examples: ['lanyard acl auth-method list'],
  service: 'registry',
  flags: { dc: dcFlag },
  async run({ flags }, ctx) {
    const { body } = await (await ctx.api.registry()).listAuthMethods(whereFrom(flags));
    return listResult((body ?? []).toSorted(byName), 'No auth methods.', {
      NAME: ({ Name }) => strong(Name),
      TYPE: ({ Type }) => Type,
      TOKENS: { optional: 2, cell: ({ TokenLocality }) => TokenLocality || 'local' },
      'MAX TTL': { optional: 1, cell: ({ MaxTokenTTL }) => MaxTokenTTL || null },
      DESCRIPTION: { shrinkPriority: 1, cell: ({ Description }) => Description || null },
    });
  },
});

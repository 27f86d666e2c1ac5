import { command, flag } from '../../../../command/command.ts';
import { listResult, strong } from '../../../../output/document.ts';
import { readTokens } from '../../lib/tokens.ts';
import { expiresText, grants, scopeText } from '../../lib/views.ts';

export default command({
  description: 'Requires a management token. Secrets are not in the list.',
  examples: [
    'lanyard scheduler acl token list',
    'lanyard scheduler acl token list --policy deploy -o json',
    'lanyard scheduler acl token list --type management',
  ],
  service: 'scheduler',
  flags: {
    policy: flag.name('NAME', 'only tokens with this policy', { completes: 'scheduler-policy' }),
    role: flag.name('NAME|ID', 'only tokens with this role', { completes: 'scheduler-role' }),
    type: flag.choice(['client', 'management'], 'only tokens of this type'),
  },
  async run({ flags: { policy, role, type } }, ctx) {
    const tokens = (await readTokens(await ctx.api.scheduler())).filter(
      ({ Type, Policies, Roles }) =>
        (type === undefined || Type === type) &&
        (policy === undefined || Policies?.includes(policy)) &&
        (role === undefined || Roles?.some(({ ID, Name }) => ID === role || Name === role)),
    );
    return listResult(tokens, 'No tokens.', {
      ACCESSOR: ({ AccessorID }) => strong(AccessorID),
      NAME: { shrinkPriority: 2, cell: ({ Name }) => Name || null },
      GRANTS: { shrinkPriority: 1, cell: grants },
      SCOPE: { optional: 1, cell: scopeText },
      EXPIRES: expiresText,
    });
  },
});

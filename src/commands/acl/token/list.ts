import { command, flag } from '../../../command/command.ts';
import { usage } from '../../../errors.ts';
import { listResult, strong } from '../../../output/document.ts';
import { compact } from '../../../wire/objects.ts';
import { dcFlag, findPolicy, findRole, whereFrom } from '../lib/find.ts';
import { redacted } from '../lib/find-token.ts';
import { expirationText, grants } from '../lib/views.ts';

export default command({
  description: 'Secrets are not shown; run "acl token get --show-secret" for the secret of a token.',
  examples: ['lanyard acl token list', 'lanyard acl token list --policy deploy -o json'],
  service: 'registry',
  flags: {
    policy: flag.name('NAME|ID', 'only tokens that are linked to this policy', { completes: 'acl-policy' }),
    role: flag.name('NAME|ID', 'only tokens that are linked to this role', { completes: 'acl-role' }),
    authMethod: flag.name('NAME', 'only tokens that were created by logins with this auth method', {
      completes: 'acl-auth-method',
    }),
    dc: dcFlag,
  },
  async run({ flags }, ctx) {
    if ([flags.policy, flags.role, flags.authMethod].filter((each) => each !== undefined).length > 1)
      throw usage('--policy, --role and --auth-method cannot be combined');
    const where = whereFrom(flags);
    const registry = await ctx.api.registry();
    const filter = compact({
      policy: flags.policy && (await findPolicy(registry, flags.policy, where)).ID,
      role: flags.role && (await findRole(registry, flags.role, where)).ID,
      authmethod: flags.authMethod,
    });
    const { body } = await registry.listTokens({ ...filter, ...where });
    return listResult((body ?? []).map(redacted), 'No tokens.', {
      ACCESSOR: ({ AccessorID }) => strong(AccessorID),
      DESCRIPTION: { shrinkPriority: 2, cell: ({ Description }) => Description || null },
      GRANTS: { shrinkPriority: 1, cell: grants },
      SCOPE: { optional: 1, cell: ({ Local }) => (Local ? 'local' : 'global') },
      EXPIRES: (token) => expirationText(token) ?? 'never',
    });
  },
});

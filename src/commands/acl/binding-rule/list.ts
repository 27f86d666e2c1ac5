import { command, flag } from '../../../command/command.ts';
import { dim, listResult, strong } from '../../../output/document.ts';
import { compact } from '../../../wire/objects.ts';
import { dcFlag, whereFrom } from '../lib/find.ts';
import { bindText } from '../lib/method-views.ts';

export default command({
  examples: ['lanyard acl binding-rule list', 'lanyard acl binding-rule list --method ci'],
  service: 'registry',
  flags: {
    method: flag.name('NAME', 'only rules of this auth method', { completes: 'acl-auth-method' }),
    dc: dcFlag,
  },
  async run({ flags }, ctx) {
    const registry = await ctx.api.registry();
    const { body } = await registry.listBindingRules({
      ...compact({ authmethod: flags.method }),
      ...whereFrom(flags),
    });
    return listResult(body ?? [], 'No binding rules.', {
      METHOD: ({ AuthMethod }) => strong(AuthMethod),
      BINDS: { shrinkPriority: 1, cell: bindText },
      SELECTOR: { shrinkPriority: 2, cell: ({ Selector }) => Selector || dim('(all)') },
      DESCRIPTION: { shrinkPriority: 3, cell: ({ Description }) => Description || null },
      ID: ({ ID }) => ID,
    });
  },
});

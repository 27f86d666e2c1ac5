import { command, flag } from '../../../command/command.ts';
import { compact } from '../../../wire/objects.ts';
import { dcFlag, whereFrom } from '../lib/find.ts';
import { bindingRulesView } from '../lib/method-views.ts';

export default command({
  examples: ['lanyard acl binding-rule list', 'lanyard acl binding-rule list --method ci'],
  service: 'registry',
  flags: {
    method: flag.name('NAME', 'only rules of this auth method', { completes: { live: 'acl-auth-method' } }),
    dc: dcFlag,
  },
  async run({ flags }, ctx) {
    const registry = await ctx.api.registry();
    const { body } = await registry.listBindingRules({
      ...compact({ authmethod: flags.method }),
      ...whereFrom(flags),
    });
    const rules = body ?? [];
    return { data: rules, rows: rules, document: bindingRulesView(rules) };
  },
});

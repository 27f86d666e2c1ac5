import { command } from '../../../command/command.ts';
import { findRule, ruleArg } from '../lib/binding-rule.ts';
import { dcFlag, whereFrom } from '../lib/find.ts';
import { bindingRuleView } from '../lib/method-views.ts';

export default command({
  examples: ['lanyard acl binding-rule get 5ad8d41c'],
  service: 'registry',
  args: { rule: ruleArg },
  flags: { dc: dcFlag },
  async run({ args, flags }, ctx) {
    const rule = await findRule(await ctx.api.registry(), args.rule, whereFrom(flags));
    return { data: rule, document: bindingRuleView(rule) };
  },
});

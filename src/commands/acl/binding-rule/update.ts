import { command } from '../../../command/command.ts';
import { emptied, unsetFields, unsetFlagFor } from '../../../command/object-flags.ts';
import { usage } from '../../../errors.ts';
import { registryBindingRule } from '../../../objects/registry-binding-rule.ts';
import { diff, updatedResult } from '../../../output/diff.ts';
import { bindFlags, describeRejectedRule, findRule, ruleArg, ruleFields } from '../lib/binding-rule.ts';
import { changedFields, writableFields } from '../lib/fields.ts';
import { dcFlag, describeMissing, whereFrom } from '../lib/find.ts';
import { warnAboutUnstored, writeIfChanged } from '../lib/put-result.ts';

export default command({
  description:
    'Changes the given fields; other fields are unchanged. Existing tokens keep their permissions. The registry has no check-and-set for binding rules: of two concurrent updates, the last one wins.',
  examples: ["lanyard acl binding-rule update 5ad8d41c --selector 'value.project == web'"],
  service: 'registry',
  writes: 'after reads',
  returnsList: () => true,
  args: { rule: ruleArg },
  flags: { ...bindFlags, unset: unsetFlagFor(registryBindingRule), dc: dcFlag },
  async run({ args, flags }, ctx) {
    const where = whereFrom(flags);
    const change = { ...emptied(unsetFields(registryBindingRule, flags)), ...(await ruleFields(flags, ctx)) };
    if (Object.keys(change).length === 0)
      throw usage('nothing to change', { hint: 'Pass a flag for each field to change.' });
    const registry = await ctx.api.registry();
    const rule = await findRule(registry, args.rule, where);
    const { ID: id } = rule;
    const before = writableFields(rule);
    const after = changedFields(before, change);
    const written = await writeIfChanged(
      'binding rule',
      { current: rule, after },
      () =>
        registry
          .updateBindingRule({ ...after, id, ...where })
          .catch(describeMissing('binding-rule', args.rule))
          .catch(describeRejectedRule),
      async () => (await registry.readBindingRule({ id, ...where })).body,
    );
    const stored = writableFields(written ?? rule);
    warnAboutUnstored('binding rule', after, stored, ctx.output);
    return updatedResult('binding rule', id, { ID: id }, diff(before, stored));
  },
});

import { command } from '../../../command/command.ts';
import { deleteObject } from '../../../command/delete-object.ts';
import { isNotFound } from '../../../errors.ts';
import { findRule, ruleArg } from '../lib/binding-rule.ts';
import { dcFlag, describeMissing, whereFrom } from '../lib/find.ts';
import { bindText } from '../lib/method-views.ts';

export default command({
  description: 'Existing tokens keep their permissions until they expire.',
  examples: ['lanyard acl binding-rule delete 5ad8d41c', 'lanyard acl binding-rule delete 5ad8d41c --yes'],
  service: 'registry',
  writes: 'after reads',
  args: { rule: ruleArg },
  flags: { dc: dcFlag },
  async run({ args, flags }, ctx) {
    const where = whereFrom(flags);
    const registry = await ctx.api.registry();
    const rule = await findRule(registry, args.rule, where);
    const { ID: id, AuthMethod } = rule;
    return deleteObject(ctx, 'binding rule', id, {
      prompt: `Delete binding rule ${id} of auth method "${AuthMethod}" (${bindText(rule)})?`,
      remove: () =>
        registry.deleteBindingRule({ id, ...where }).catch(describeMissing('binding-rule', args.rule)),
      read: () => registry.readBindingRule({ id, ...where }),
      isMissing: isNotFound,
      data: () => ({ ID: id }),
    });
  },
});

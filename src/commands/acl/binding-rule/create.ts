import { command, flag } from '../../../command/command.ts';
import { hintFor, usage } from '../../../errors.ts';
import { code, text } from '../../../output/document.ts';
import { bindFlags, describeRejectedRule, ruleFields } from '../lib/binding-rule.ts';
import { type Fields, writableFields } from '../lib/fields.ts';
import { dcFlag, describeMissing, whereFrom } from '../lib/find.ts';
import { bindingRuleView } from '../lib/method-views.ts';
import { warnAboutUnstored } from '../lib/put-result.ts';

export default command({
  description:
    'A login gets what every matching rule binds. The syntax of the selector is checked before anything is sent; "acl binding-rule test" evaluates it with claims.',
  examples: [
    `lanyard acl binding-rule create --method ci --bind-type service --bind-name '\${value.project}' --selector 'value.project != ""'`,
    'lanyard acl binding-rule create --method ci --bind-type role --bind-name ops',
  ],
  service: 'registry',
  writes: true,
  flags: {
    method: flag.required('NAME', 'auth method', { completes: 'acl-auth-method' }),
    ...bindFlags,
    dc: dcFlag,
  },
  async run({ flags }, ctx) {
    const fields: Fields = { AuthMethod: flags.method, ...(await ruleFields(flags, ctx)) };
    if (fields.BindType === undefined) throw usage('--bind-type TYPE is required');
    if (fields.BindName === undefined) throw usage('--bind-name NAME is required');
    const registry = await ctx.api.registry();
    const { body: rule } = await registry
      .createBindingRule({ ...fields, ...whereFrom(flags) })
      .catch(describeMissing('auth-method', flags.method))
      .catch(describeRejectedRule)
      .catch(describeLostRule);
    warnAboutUnstored('binding rule', writableFields(fields), writableFields(rule), ctx.output);
    return {
      data: rule,
      document: [text('Created binding rule ', code(rule.ID), '.'), ...bindingRuleView(rule)],
    };
  },
});

const describeLostRule = hintFor(
  ({ kind }) => kind === 'unknown',
  'Run `lanyard acl binding-rule list` to see whether the rule was created.',
);

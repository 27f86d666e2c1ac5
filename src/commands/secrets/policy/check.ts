import { command } from '../../../command/command.ts';
import { code, text } from '../../../output/document.ts';
import { policyTextArg, readPolicy, requireValid } from '../lib/read-policy.ts';

export default command({
  description:
    'Checks the syntax, the fields and the capabilities of a policy, with line and column of each error, and sends nothing. The exit code is 2 if it is invalid.',
  examples: ['lanyard secrets policy check @deploy.hcl', 'lanyard secrets policy check - < deploy.hcl'],
  args: { text: policyTextArg },
  async run({ args }, ctx) {
    const policy = await readPolicy(args.text, ctx);
    const rules = requireValid(policy, ctx);
    const name = policy.name === 'the policy' ? 'The policy' : policy.name;
    return {
      data: { name: policy.name, rules },
      document: [text(code(name), ` is valid: ${rules} ${rules === 1 ? 'rule' : 'rules'}.`)],
    };
  },
});

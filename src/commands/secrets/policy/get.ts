import { command } from '../../../command/command.ts';
import { rawLine } from '../../../output/document.ts';
import { findPolicy, policyArg } from '../lib/policies.ts';

export default command({
  description: 'Prints the text of the policy; --output json adds its other fields.',
  examples: [
    'lanyard secrets policy get default',
    'lanyard secrets policy get deploy > deploy.hcl',
    'lanyard secrets policy get deploy -o json',
  ],
  service: 'secrets',
  args: { policy: policyArg },
  async run({ args }, ctx) {
    const policy = await findPolicy(await ctx.api.secrets(), args.policy);
    return { data: policy, document: [rawLine(policy.policy)] };
  },
});

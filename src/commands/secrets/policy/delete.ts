import { command } from '../../../command/command.ts';
import { deleteObject } from '../../../command/delete-object.ts';
import { findPolicy, policyArg } from '../lib/policies.ts';

export default command({
  description: 'Tokens that have the policy lose its permissions at once. Prompts for confirmation.',
  examples: ['lanyard secrets policy delete deploy', 'lanyard secrets policy delete ops --yes'],
  service: 'secrets',
  writes: 'after reads',
  args: { policy: policyArg },
  async run({ args: { policy: name } }, ctx) {
    const secrets = await ctx.api.secrets();
    await findPolicy(secrets, name);
    return deleteObject(ctx, 'policy', name, {
      prompt: `Delete policy "${name}"? Tokens lose its permissions.`,
      remove: () => secrets.deletePolicy({ name }),
      read: () => secrets.readPolicy({ name }),
      data: () => ({ name }),
    });
  },
});

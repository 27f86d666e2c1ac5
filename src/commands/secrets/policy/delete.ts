import { command } from '../../../command/command.ts';
import { confirmDelete } from '../../../errors.ts';
import { code, text } from '../../../output/document.ts';
import { findPolicy, policyArg } from '../lib/policies.ts';

export default command({
  description: 'Tokens that have the policy lose its permissions at once. Prompts for confirmation.',
  examples: ['lanyard secrets policy delete deploy', 'lanyard secrets policy delete ops --yes'],
  service: 'secrets',
  writes: true,
  readsFirst: true,
  args: { policy: policyArg },
  flags: {},
  async run({ args: { policy: name } }, ctx) {
    const secrets = await ctx.api.secrets();
    await findPolicy(secrets, name);
    await ctx.input.confirm(`Delete policy "${name}"? Tokens lose its permissions. This cannot be undone.`);
    await confirmDelete(
      () => secrets.deletePolicy({ name }),
      () => secrets.readPolicy({ name }),
      'the policy',
    );
    return { data: { name }, document: [text('Deleted policy ', code(name), '.')] };
  },
});

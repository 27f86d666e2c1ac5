import { arg, command } from '../../../command/command.ts';
import { authMethods } from '../lib/mounts.ts';
import { moveMount } from '../lib/move-mount.ts';

export default command({
  description:
    'The configuration moves along; the command waits for completion. Tokens from its logins are revoked. Prompts for confirmation.',
  examples: ['lanyard secrets auth move ci ci-jobs'],
  service: 'secrets',
  writes: 'after reads',
  args: {
    source: arg.text('SOURCE', 'current path', { completes: 'secrets-auth' }),
    destination: arg.text('DESTINATION', 'new path'),
  },
  run: ({ args }, ctx) => moveMount(authMethods, args, ctx),
});

import { arg, command } from '../../../cli/command.ts';
import { authMethods } from '../lib/mounts.ts';
import { moveMount } from '../lib/move-mount.ts';

export default command({
  description:
    'The configuration is moved too; the command waits for the end. The tokens of its logins are revoked. Asks before it moves.',
  examples: ['lanyard secrets auth move ci ci-jobs'],
  service: 'secrets',
  writes: true,
  readsFirst: true,
  args: {
    source: arg.text('SOURCE', 'current path', { completes: { live: 'secrets-auth' } }),
    destination: arg.text('DESTINATION', 'new path'),
  },
  flags: {},
  run: ({ args }, ctx) => moveMount(authMethods, args, ctx),
});

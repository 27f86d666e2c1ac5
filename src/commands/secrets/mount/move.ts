import { arg, command } from '../../../command/command.ts';
import { engines } from '../lib/mounts.ts';
import { moveMount } from '../lib/move-mount.ts';

export default command({
  description:
    'The data moves along; the command waits for completion. Leases are revoked; policies and clients must use the new path. Prompts for confirmation.',
  examples: ['lanyard secrets mount move team/kv teams/kv'],
  service: 'secrets',
  writes: 'after reads',
  args: {
    source: arg.text('SOURCE', 'current path', { completes: 'secrets-mount' }),
    destination: arg.text('DESTINATION', 'new path'),
  },
  run: ({ args }, ctx) => moveMount(engines, args, ctx),
});

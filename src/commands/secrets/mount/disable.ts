import { command } from '../../../command/command.ts';
import { disableMount } from '../lib/disable-mount.ts';
import { enginePathArg, engines } from '../lib/mounts.ts';

export default command({
  description: 'Deletes all data of the secrets engine and revokes its leases. Prompts for confirmation.',
  examples: ['lanyard secrets mount disable teams/kv', 'lanyard secrets mount disable ssh-hosts --yes'],
  service: 'secrets',
  writes: 'after reads',
  changes: ['secrets'],
  args: { path: enginePathArg },
  run: ({ args }, ctx) => disableMount(engines, args.path, ctx),
});

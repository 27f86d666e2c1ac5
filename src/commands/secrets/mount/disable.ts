import { arg, command } from '../../../command/command.ts';
import { disableMount } from '../lib/disable-mount.ts';
import { engines } from '../lib/mounts.ts';

export default command({
  description: 'Deletes all data of the secrets engine and revokes its leases. Prompts for confirmation.',
  examples: ['lanyard secrets mount disable teams/kv', 'lanyard secrets mount disable ssh-hosts --yes'],
  service: 'secrets',
  writes: true,
  readsFirst: true,
  changes: ['secrets'],
  args: { path: arg.text('PATH', 'path of the secrets engine', { completes: { live: 'secrets-mount' } }) },
  run: ({ args }, ctx) => disableMount(engines, args.path, ctx),
});

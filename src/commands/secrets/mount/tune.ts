import { command } from '../../../command/command.ts';
import { secretsEngine } from '../../../objects/mount.ts';
import { enginePathArg, engines } from '../lib/mounts.ts';
import { tuneFlags, tuneMount } from '../lib/tuning.ts';

export default command({
  description: 'Changes the given settings and shows which ones changed; others are unchanged.',
  examples: [
    'lanyard secrets mount tune ssh --default-lease-ttl 30m --max-lease-ttl 1h',
    'lanyard secrets mount tune secret --description "All teams"',
  ],
  service: 'secrets',
  writes: 'after reads',
  returnsList: () => true,
  args: { path: enginePathArg },
  flags: tuneFlags(secretsEngine),
  run: ({ args, flags }, ctx) => tuneMount(engines, { given: args.path, schema: secretsEngine, flags }, ctx),
});

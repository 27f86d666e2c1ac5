import { command } from '../../../command/command.ts';
import { enginePathArg, engines } from '../lib/mounts.ts';
import { getMount } from '../lib/read-mounts.ts';

export default command({
  examples: ['lanyard secrets mount get secret', 'lanyard secrets mount get ssh --field accessor'],
  service: 'secrets',
  args: { path: enginePathArg },
  run: ({ args }, ctx) => getMount(engines, args.path, ctx),
});

import { command } from '../../../command/command.ts';
import { authMethods, authPathArg } from '../lib/mounts.ts';
import { getMount } from '../lib/read-mounts.ts';

export default command({
  examples: ['lanyard secrets auth get token', 'lanyard secrets auth get token --field accessor'],
  service: 'secrets',
  args: { path: authPathArg },
  run: ({ args }, ctx) => getMount(authMethods, args.path, ctx),
});

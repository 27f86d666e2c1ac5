import { command } from '../../../command/command.ts';
import { mountView } from '../lib/mount-views.ts';
import { authMethods, authPathArg, findMount, mountPath } from '../lib/mounts.ts';

export default command({
  examples: ['lanyard secrets auth get token', 'lanyard secrets auth get token --field accessor'],
  service: 'secrets',
  args: { path: authPathArg },
  async run({ args }, ctx) {
    const mount = await findMount(authMethods, await ctx.api.secrets(), mountPath(authMethods, args.path));
    return { data: mount, document: mountView(mount) };
  },
});

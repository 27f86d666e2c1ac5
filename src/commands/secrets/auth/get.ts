import { arg, command } from '../../../command/command.ts';
import { mountView } from '../lib/mount-views.ts';
import { authMethods, findMount, mountPath } from '../lib/mounts.ts';

export default command({
  examples: ['lanyard secrets auth get token', 'lanyard secrets auth get token --field accessor'],
  service: 'secrets',
  args: {
    path: arg.text('PATH', 'path of the auth method, below auth/', { completes: { live: 'secrets-auth' } }),
  },
  async run({ args }, ctx) {
    const mount = await findMount(authMethods, await ctx.api.secrets(), mountPath(authMethods, args.path));
    return { data: mount, document: mountView(mount) };
  },
});

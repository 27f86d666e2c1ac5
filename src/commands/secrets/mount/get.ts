import { arg, command } from '../../../command/command.ts';
import { mountView } from '../lib/mount-views.ts';
import { engines, findMount, mountPath } from '../lib/mounts.ts';

export default command({
  examples: ['lanyard secrets mount get secret', 'lanyard secrets mount get ssh --field accessor'],
  service: 'secrets',
  args: { path: arg.text('PATH', 'path of the secrets engine', { completes: { live: 'secrets-mount' } }) },
  async run({ args }, ctx) {
    const mount = await findMount(engines, await ctx.api.secrets(), mountPath(engines, args.path));
    return { data: mount, document: mountView(mount) };
  },
});

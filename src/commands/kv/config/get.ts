import { arg, command, showWarnings } from '../../../command/command.ts';
import { requireVersionedMount } from '../lib/secret-path.ts';
import { configView } from '../lib/views.ts';

export default command({
  examples: ['lanyard kv config get secret'],
  service: 'secrets',
  args: { mount: arg.text('MOUNT', 'mount path of the engine, such as secret') },
  async run({ args }, ctx) {
    const secrets = await ctx.api.secrets();
    const mount = await requireVersionedMount(secrets, args.mount);
    const { body } = await secrets.readKvConfig({ mount });
    showWarnings(ctx.output, body);
    return { data: body, payload: body.data, document: configView(mount, body.data) };
  },
});

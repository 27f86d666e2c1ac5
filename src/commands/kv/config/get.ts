import { arg, command, passWarnings } from '../../../command.ts';
import { mountAt } from '../place.ts';
import { configView } from '../views.ts';

export default command({
  examples: ['lanyard kv config get secret'],
  service: 'secrets',
  args: { mount: arg.text('MOUNT', 'mount path of the engine, such as secret') },
  flags: {},
  async run({ args }, ctx) {
    const secrets = await ctx.api.secrets();
    const mount = await mountAt(secrets, args.mount);
    const { body } = await secrets.readKvConfig({ mount });
    passWarnings(ctx.io, body);
    return { data: body, payload: body.data, document: configView(mount, body.data) };
  },
});

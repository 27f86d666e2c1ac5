import { command } from '../../../command/command.ts';
import { boxArg, boxTag, versionArg } from '../lib/box-names.ts';
import { versionView } from '../lib/views.ts';

export default command({
  examples: ['lanyard box version get dev/web 1.0.0'],
  service: 'box',
  args: { box: boxArg, version: versionArg },
  async run({ args }, ctx) {
    const { body } = await (await ctx.api.box()).readVersion({ ...args.box, version: args.version });
    return { data: body, document: versionView(boxTag(args.box), body) };
  },
});

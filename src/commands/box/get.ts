import { command } from '../../command/command.ts';
import { boxArg } from './lib/box-names.ts';
import { boxView } from './lib/views.ts';

export default command({
  description: 'Private boxes are visible only to authorized users.',
  examples: ['lanyard box get dev/web'],
  service: 'box',
  args: { box: boxArg },
  async run({ args }, ctx) {
    const { body } = await (await ctx.api.box()).readBox(args.box);
    return { data: body, document: boxView(body) };
  },
});

import { command } from '../../command.ts';
import { boxArg } from './names.ts';
import { boxView } from './views.ts';

export default command({
  description: 'Shows a box with all of its versions. A private one is there only for those who may see it.',
  examples: ['lanyard box get hashicorp/bionic64'],
  service: 'box',
  args: { box: boxArg },
  flags: {},
  async run({ args }, ctx) {
    const { body } = await (await ctx.api.box()).readBox(args.box);
    return { data: body, document: boxView(body) };
  },
});

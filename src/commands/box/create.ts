import { command } from '../../command.ts';
import { code, text } from '../../output/document.ts';
import { boxFields, boxFlags } from './fields.ts';
import { boxArg, tagOf } from './names.ts';
import { created, shows } from './shared.ts';

export default command({
  description:
    'The box is private unless --public is given. It can be downloaded when it has a released version with an image; "box publish" does all of this in one step.',
  examples: [
    'lanyard box create dev/web --short-description nginx',
    'lanyard box create dev/db --public --description @README.md',
  ],
  service: 'box',
  writes: true,
  args: { box: boxArg },
  flags: boxFlags,
  async run({ args, flags }, ctx) {
    const fields = await boxFields(flags, ctx);
    const box = await ctx.api.box();
    const body = await created(
      { name: `box ${tagOf(args.box)}`, update: `box update ${tagOf(args.box)}` },
      () => box.createBox({ box: { ...args.box, ...fields } }),
      () => box.readBox(args.box),
      (there) => shows(there, fields),
      ctx.io,
    );
    return { data: body, document: [text('Created box ', code(tagOf(args.box)), '.')] };
  },
});

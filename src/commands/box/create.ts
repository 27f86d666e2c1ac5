import { command } from '../../command/command.ts';
import { code, textResult } from '../../output/document.ts';
import { boxArg, boxTag } from './lib/box-names.ts';
import { writeNamed } from './lib/confirmed-writes.ts';
import { boxFields, boxFlags } from './lib/fields.ts';

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
    const body = await writeNamed(
      { name: `box ${boxTag(args.box)}`, update: `box update ${boxTag(args.box)}` },
      () => box.createBox({ box: { ...args.box, ...fields } }),
      () => box.readBox(args.box),
      fields,
      ctx.output,
    );
    return textResult(body, 'Created box ', code(boxTag(args.box)), '.');
  },
});

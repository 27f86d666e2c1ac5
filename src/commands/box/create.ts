import { command } from '../../command.ts';
import { code, text } from '../../output/document.ts';
import { boxFields, boxFlags } from './fields.ts';
import { boxArg, tagOf } from './names.ts';
import { created, shows } from './shared.ts';

export default command({
  description:
    'A new box is private unless --public says otherwise. It is of use once it has a version, with a provider that has an image, which is released.',
  examples: [
    'lanyard box create acme/web --public --short-description "Debian with nginx" --description @README.md',
  ],
  service: 'box',
  writes: true,
  args: { box: boxArg },
  flags: boxFlags,
  async run({ args, flags }, ctx) {
    const fields = await boxFields(flags, ctx);
    const box = await ctx.api.box();
    const body = await created(
      { name: `the box ${tagOf(args.box)}`, update: `box update ${tagOf(args.box)}` },
      () => box.createBox({ box: { ...args.box, ...fields } }),
      () => box.readBox(args.box),
      (there) => shows(there, fields),
      ctx.io,
    );
    return { data: body, document: [text('The box ', code(tagOf(args.box)), ' is created.')] };
  },
});

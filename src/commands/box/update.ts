import { command, flag } from '../../command.ts';
import { code, text } from '../../output/document.ts';
import { boxFields, boxFlags } from './fields.ts';
import { boxArg, checkedName, tagOf } from './names.ts';
import { present, refuseNothing, renamed, shows } from './shared.ts';

export default command({
  description:
    'Changes what is named and nothing else: who may see the box stays as it is unless --private or --public says otherwise.',
  examples: ['lanyard box update acme/web --description @README.md', 'lanyard box update acme/web --public'],
  service: 'box',
  writes: true,
  readsFirst: true,
  args: { box: boxArg },
  flags: { ...boxFlags, name: flag.text('NAME', 'a new name; the owner stays') },
  async run({ args, flags }, ctx) {
    const name = flags.name === undefined ? undefined : checkedName('the box', flags.name);
    const named = { ...present<{ name: string }>({ name }), ...(await boxFields(flags, ctx)) };
    refuseNothing(named);
    const box = await ctx.api.box();
    // An update that does not say who may see the box makes it private.
    const fields = named.is_private === undefined ? { is_private: await isPrivate(), ...named } : named;
    const after = { ...args.box, ...present<{ name: string }>({ name }) };
    const isRenamed = name !== undefined && name !== args.box.name;
    const body = await renamed(
      isRenamed ? `the box ${tagOf(after)}` : undefined,
      () => box.updateBox({ ...args.box, box: fields }),
      () => box.readBox(after),
      (there) => shows(there, fields),
      ctx.io,
    );
    return { data: body, document: [text('The box ', code(tagOf(after)), ' is changed.')] };

    async function isPrivate(): Promise<boolean> {
      return (await box.readBox(args.box)).body.private ?? true;
    }
  },
});

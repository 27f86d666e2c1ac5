import { command, flag } from '../../command.ts';
import { code, text } from '../../output/document.ts';
import { boxFields, boxFlags } from './fields.ts';
import { boxArg, checkedName, tagOf } from './names.ts';
import { present, refuseNothing, renamed, shows } from './shared.ts';

export default command({
  description: 'Changes only the given fields.',
  examples: ['lanyard box update dev/web --public', 'lanyard box update dev/web --description @README.md'],
  service: 'box',
  writes: true,
  readsFirst: true,
  args: { box: boxArg },
  flags: { ...boxFlags, name: flag.text('NAME', 'new name, without the owner') },
  async run({ args, flags }, ctx) {
    const name = flags.name === undefined ? undefined : checkedName('box', flags.name);
    const named = { ...present<{ name: string }>({ name }), ...(await boxFields(flags, ctx)) };
    refuseNothing(named);
    const box = await ctx.api.box();
    // An update without is_private makes the box private.
    const fields = named.is_private === undefined ? { is_private: await isPrivate(), ...named } : named;
    const after = { ...args.box, ...present<{ name: string }>({ name }) };
    const isRenamed = name !== undefined && name !== args.box.name;
    const body = await renamed(
      isRenamed ? `box ${tagOf(after)}` : undefined,
      () => box.updateBox({ ...args.box, box: fields }),
      () => box.readBox(after),
      (there) => shows(there, fields),
      ctx.io,
    );
    return { data: body, document: [text('Updated box ', code(tagOf(after)), '.')] };

    async function isPrivate(): Promise<boolean> {
      return (await box.readBox(args.box)).body.private ?? true;
    }
  },
});

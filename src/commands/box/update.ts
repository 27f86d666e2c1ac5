import { command, flag } from '../../cli/command.ts';
import { code, text } from '../../output/document.ts';
import { compact } from '../../wire/objects.ts';
import { boxArg, boxTag, checkName } from './lib/box-names.ts';
import { requireChanges, writeNamed } from './lib/confirmed-writes.ts';
import { boxFields, boxFlags } from './lib/fields.ts';

export default command({
  description: 'Changes only the given fields.',
  examples: ['lanyard box update dev/web --public', 'lanyard box update dev/web --description @README.md'],
  service: 'box',
  writes: true,
  readsFirst: true,
  args: { box: boxArg },
  flags: { ...boxFlags, name: flag.text('NAME', 'new name, without the owner') },
  async run({ args, flags }, ctx) {
    const name = flags.name === undefined ? undefined : checkName('box', flags.name);
    const named = { ...compact({ name }), ...(await boxFields(flags, ctx)) };
    requireChanges(named);
    const box = await ctx.api.box();
    // An update without is_private makes the box private.
    const fields = named.is_private === undefined ? { is_private: await isPrivate(), ...named } : named;
    const after = { ...args.box, ...compact({ name }) };
    const isRenamed = name !== undefined && name !== args.box.name;
    const body = await writeNamed(
      isRenamed ? { name: `box ${boxTag(after)}` } : undefined,
      () => box.updateBox({ ...args.box, box: fields }),
      () => box.readBox(after),
      fields,
      ctx.output,
    );
    return { data: body, document: [text('Updated box ', code(boxTag(after)), '.')] };

    async function isPrivate(): Promise<boolean> {
      return (await box.readBox(args.box)).body.private ?? true;
    }
  },
});

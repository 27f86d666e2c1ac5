import { command, flag } from '../../command/command.ts';
import { unsetFlagFor } from '../../command/object-flags.ts';
import { box as boxObject } from '../../objects/box.ts';
import { compact } from '../../wire/objects.ts';
import { boxArg, boxTag, checkName } from './lib/box-names.ts';
import { requireChanges, updateNamed } from './lib/confirmed-writes.ts';
import { boxFields, boxFlags } from './lib/fields.ts';

export default command({
  description: 'Changes the given fields; others are unchanged.',
  examples: ['lanyard box update dev/web --public', 'lanyard box update dev/web --description @README.md'],
  service: 'box',
  writes: 'after reads',
  args: { box: boxArg },
  flags: {
    ...boxFlags,
    unset: unsetFlagFor(boxObject),
    name: flag.text('NAME', 'new name, without the owner'),
  },
  async run({ args, flags }, ctx) {
    const name = flags.name === undefined ? undefined : checkName('box', flags.name);
    const named = { ...compact({ name }), ...(await boxFields(flags, ctx)) };
    requireChanges(named);
    const box = await ctx.api.box();
    // An update without is_private makes the box private.
    const fields = named.is_private === undefined ? { is_private: await isPrivate(), ...named } : named;
    const after = { ...args.box, ...compact({ name }) };
    return updateNamed(
      {
        noun: 'box',
        name: boxTag(after),
        isRenamed: name !== undefined && name !== args.box.name,
        sent: fields,
        readBefore: () => box.readBox(args.box),
        readAfter: () => box.readBox(after),
      },
      () => box.updateBox({ ...args.box, box: fields }),
      ctx.output,
    );

    async function isPrivate(): Promise<boolean> {
      return (await box.readBox(args.box)).body.private ?? true;
    }
  },
});

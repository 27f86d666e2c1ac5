import { command } from '../../command/command.ts';
import { code, textResult } from '../../output/document.ts';
import { boxArg, boxTag } from './lib/box-names.ts';
import { deleteAndConfirm } from './lib/confirmed-writes.ts';

export default command({
  description: 'The images are deleted too. This cannot be undone.',
  examples: ['lanyard box delete dev/web'],
  service: 'box',
  writes: true,
  changes: ['download count'],
  args: { box: boxArg },
  async run({ args }, ctx) {
    const box = await ctx.api.box();
    await ctx.input.confirm(
      `Delete box ${boxTag(args.box)} with all of its versions? This cannot be undone.`,
    );
    const body = await deleteAndConfirm(
      () => box.deleteBox(args.box),
      () => box.readBox(args.box),
    );
    return textResult(body, 'Deleted box ', code(boxTag(args.box)), '.');
  },
});

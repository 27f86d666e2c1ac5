import { command } from '../../../command/command.ts';
import { code, textResult } from '../../../output/document.ts';
import { boxArg, boxTag, versionArg } from '../lib/box-names.ts';
import { deleteAndConfirm } from '../lib/confirmed-writes.ts';

export default command({
  description: 'This cannot be undone.',
  examples: ['lanyard box version delete dev/web 1.0.0'],
  service: 'box',
  writes: true,
  args: { box: boxArg, version: versionArg },
  async run({ args }, ctx) {
    const box = await ctx.api.box();
    const at = { ...args.box, version: args.version };
    const name = `${boxTag(args.box)} ${args.version}`;
    await ctx.input.confirm(`Delete version ${name} with its images? This cannot be undone.`);
    const body = await deleteAndConfirm(
      () => box.deleteVersion(at),
      () => box.readVersion(at),
    );
    return textResult(body, 'Deleted version ', code(name), '.');
  },
});

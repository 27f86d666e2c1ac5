import { command } from '../../../command/command.ts';
import { flagsOf } from '../../../command/object-flags.ts';
import { readFields } from '../../../command/read-fields.ts';
import { boxVersion } from '../../../objects/box.ts';
import { code, textResult } from '../../../output/document.ts';
import { boxArg, boxTag, versionArg } from '../lib/box-names.ts';
import { writeNamed } from '../lib/confirmed-writes.ts';

export default command({
  description:
    'Other users do not see the version until it is released, which requires a provider with an image.',
  examples: [
    'lanyard box version create dev/web 1.0.0',
    'lanyard box version create dev/web 1.1.0 --description @CHANGES.md',
  ],
  service: 'box',
  writes: true,
  args: { box: boxArg, version: versionArg },
  flags: flagsOf(boxVersion),
  async run({ args, flags }, ctx) {
    const { version } = args;
    const fields = await readFields(boxVersion, flags, ctx);
    const box = await ctx.api.box();
    const name = `${boxTag(args.box)} ${version}`;
    const body = await writeNamed(
      { name: `version ${name}`, update: `box version update ${name}` },
      () => box.createVersion({ ...args.box, version: { version, ...fields } }),
      () => box.readVersion({ ...args.box, version }),
      fields,
      ctx.output,
    );
    return textResult(body, 'Created version ', code(name), '.');
  },
});

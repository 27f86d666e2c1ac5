import { command } from '../../../command/command.ts';
import { code, text } from '../../../output/document.ts';
import { compact } from '../../../wire/objects.ts';
import { boxArg, boxTag, versionArg } from '../lib/box-names.ts';
import { readTextSource, writeNamed } from '../lib/confirmed-writes.ts';
import { descriptionFlag } from '../lib/fields.ts';

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
  flags: { description: descriptionFlag },
  async run({ args, flags }, ctx) {
    const { version } = args;
    const description = await readTextSource(flags.description, 'description', ctx);
    const fields = compact({ description });
    const box = await ctx.api.box();
    const name = `${boxTag(args.box)} ${version}`;
    const body = await writeNamed(
      { name: `version ${name}`, update: `box version update ${name}` },
      () => box.createVersion({ ...args.box, version: { version, ...fields } }),
      () => box.readVersion({ ...args.box, version }),
      fields,
      ctx.output,
    );
    return { data: body, document: [text('Created version ', code(name), '.')] };
  },
});

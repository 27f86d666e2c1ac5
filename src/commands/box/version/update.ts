import { command, flag } from '../../../cli/command.ts';
import { code, text } from '../../../output/document.ts';
import { compact } from '../../../wire/objects.ts';
import { boxArg, boxTag, checkVersion, versionArg } from '../lib/box-names.ts';
import { readTextSource, requireChanges, writeNamed } from '../lib/confirmed-writes.ts';
import { descriptionFlag } from '../lib/fields.ts';

export default command({
  examples: [
    'lanyard box version update dev/web 1.0.0 --description "first release"',
    'lanyard box version update dev/web 1.0.0 --number 1.0.1',
  ],
  service: 'box',
  writes: true,
  args: { box: boxArg, version: versionArg },
  flags: { description: descriptionFlag, number: flag.text('VERSION', 'new version number') },
  async run({ args, flags }, ctx) {
    const version = flags.number === undefined ? undefined : checkVersion(flags.number);
    const description = await readTextSource(flags.description, 'description', ctx);
    const fields = compact({ version, description });
    requireChanges(fields);
    const box = await ctx.api.box();
    const after = version ?? args.version;
    const body = await writeNamed(
      after === args.version ? undefined : { name: `version ${boxTag(args.box)} ${after}` },
      () => box.updateVersion({ ...args.box, number: args.version, version: fields }),
      () => box.readVersion({ ...args.box, version: after }),
      fields,
      ctx.output,
    );
    return { data: body, document: [text('Updated version ', code(`${boxTag(args.box)} ${after}`), '.')] };
  },
});

import { command, flag } from '../../../command/command.ts';
import { unsetFlagOf, withUnset } from '../../../command/unset-flag.ts';
import { compact } from '../../../wire/objects.ts';
import { boxArg, boxTag, checkVersion, versionArg } from '../lib/box-names.ts';
import { readTextSource, requireChanges, updateNamed } from '../lib/confirmed-writes.ts';
import { descriptionFlag } from '../lib/fields.ts';

const fieldFlags = { description: descriptionFlag };

export default command({
  description: 'Changes the given fields; others are kept.',
  examples: [
    'lanyard box version update dev/web 1.0.0 --description "first release"',
    'lanyard box version update dev/web 1.0.0 --number 1.0.1',
  ],
  service: 'box',
  writes: true,
  readsFirst: true,
  args: { box: boxArg, version: versionArg },
  flags: {
    ...fieldFlags,
    unset: unsetFlagOf(fieldFlags),
    number: flag.text('VERSION', 'new version number'),
  },
  async run({ args, flags: given }, ctx) {
    const flags = withUnset(given, fieldFlags);
    const version = flags.number === undefined ? undefined : checkVersion(flags.number);
    const description = await readTextSource(flags.description, 'description', ctx);
    const fields = compact({ version, description });
    requireChanges(fields);
    const box = await ctx.api.box();
    const after = version ?? args.version;
    return updateNamed(
      {
        noun: 'version',
        name: `${boxTag(args.box)} ${after}`,
        isRenamed: after !== args.version,
        sent: fields,
        readBefore: () => box.readVersion({ ...args.box, version: args.version }),
        readAfter: () => box.readVersion({ ...args.box, version: after }),
      },
      () => box.updateVersion({ ...args.box, number: args.version, version: fields }),
      ctx.output,
    );
  },
});

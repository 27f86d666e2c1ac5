import { command, flag } from '../../../command/command.ts';
import { flagsOf, unsetFlagFor } from '../../../command/object-flags.ts';
import { boxVersion } from '../../../objects/box.ts';
import { compact } from '../../../wire/objects.ts';
import { boxArg, boxTag, checkVersion, versionArg } from '../lib/box-names.ts';
import { requireChanges, updateNamed } from '../lib/confirmed-writes.ts';
import { changedFields } from '../lib/fields.ts';

export default command({
  description: 'Changes the given fields; others are unchanged.',
  examples: [
    'lanyard box version update dev/web 1.0.0 --description "first release"',
    'lanyard box version update dev/web 1.0.0 --number 1.0.1',
  ],
  service: 'box',
  writes: 'after reads',
  args: { box: boxArg, version: versionArg },
  flags: {
    ...flagsOf(boxVersion),
    unset: unsetFlagFor(boxVersion),
    number: flag.text('VERSION', 'new version number'),
  },
  async run({ args, flags }, ctx) {
    const version = flags.number === undefined ? undefined : checkVersion(flags.number);
    const fields = { ...compact({ version }), ...(await changedFields(boxVersion, flags, ctx)) };
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

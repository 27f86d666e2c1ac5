import { command, flag } from '../../../command.ts';
import { code, text } from '../../../output/document.ts';
import { descriptionFlag } from '../fields.ts';
import { boxArg, checkedVersion, tagOf, versionArg } from '../names.ts';
import { present, refuseNothing, renamed, shows, textFrom } from '../shared.ts';

export default command({
  examples: ['lanyard box version update acme/web 1.0.0 --description @CHANGES.md'],
  service: 'box',
  writes: true,
  args: { box: boxArg, version: versionArg },
  flags: { description: descriptionFlag, number: flag.text('VERSION', 'a new number') },
  async run({ args, flags }, ctx) {
    const version = flags.number === undefined ? undefined : checkedVersion(flags.number);
    const description = await textFrom(flags.description, 'the description', ctx);
    const fields = present<{ version: string; description: string }>({ version, description });
    refuseNothing(fields);
    const box = await ctx.api.box();
    const after = version ?? args.version;
    const body = await renamed(
      after === args.version ? undefined : `the version ${tagOf(args.box)} ${after}`,
      () => box.updateVersion({ ...args.box, number: args.version, version: fields }),
      () => box.readVersion({ ...args.box, version: after }),
      (there) => shows(there, fields),
      ctx.io,
    );
    return {
      data: body,
      document: [text('The version ', code(`${tagOf(args.box)} ${after}`), ' is changed.')],
    };
  },
});

import { command, flag } from '../../../command.ts';
import { code, text } from '../../../output/document.ts';
import { descriptionFlag } from '../fields.ts';
import { boxArg, checkedVersion, tagOf, versionArg } from '../names.ts';
import { present, refuseNothing, renamed, shows, textFrom } from '../shared.ts';

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
    const version = flags.number === undefined ? undefined : checkedVersion(flags.number);
    const description = await textFrom(flags.description, 'description', ctx);
    const fields = present<{ version: string; description: string }>({ version, description });
    refuseNothing(fields);
    const box = await ctx.api.box();
    const after = version ?? args.version;
    const body = await renamed(
      after === args.version ? undefined : `version ${tagOf(args.box)} ${after}`,
      () => box.updateVersion({ ...args.box, number: args.version, version: fields }),
      () => box.readVersion({ ...args.box, version: after }),
      (there) => shows(there, fields),
      ctx.io,
    );
    return {
      data: body,
      document: [text('Updated version ', code(`${tagOf(args.box)} ${after}`), '.')],
    };
  },
});

import { command } from '../../../command.ts';
import { code, text } from '../../../output/document.ts';
import { descriptionFlag } from '../fields.ts';
import { boxArg, tagOf, versionArg } from '../names.ts';
import { created, present, shows, textFrom } from '../shared.ts';

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
    const description = await textFrom(flags.description, 'description', ctx);
    const fields = present<{ description: string }>({ description });
    const box = await ctx.api.box();
    const name = `${tagOf(args.box)} ${version}`;
    const body = await created(
      { name: `version ${name}`, update: `box version update ${name}` },
      () => box.createVersion({ ...args.box, version: { version, ...fields } }),
      () => box.readVersion({ ...args.box, version }),
      (there) => shows(there, fields),
      ctx.io,
    );
    return {
      data: body,
      document: [text('Created version ', code(name), '.')],
    };
  },
});

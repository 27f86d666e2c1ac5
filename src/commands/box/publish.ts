import { arg, command, flag } from '../../command.ts';
import { LanyardError, usage } from '../../errors.ts';
import { code, strong, table, text } from '../../output/document.ts';
import { boxFields, boxFlags, checksumTypes, descriptionFlag, providerFields } from './fields.ts';
import { architectureFlag, boxArg, providerArg, tagOf, versionArg } from './names.ts';
import { planOf } from './plan.ts';
import { textFrom } from './shared.ts';

export default command({
  description:
    'Creates the box, the version and the provider where they are not there, changes what differs from what is named, uploads the image, and releases the version when that image is known to be there; other providers of it may get theirs later. What is so already is left: run again after a failure, it goes on where it ended. A new box is private unless --public says otherwise.',
  examples: [
    'lanyard box publish acme/web 1.0.0 virtualbox web.box --public',
    'lanyard box publish acme/web 1.0.0 virtualbox web.box --dry-run',
    'lanyard box publish acme/web 1.0.0 libvirt web.qcow2 --no-release --version-description @CHANGES.md',
    'lanyard box publish acme/web 1.0.0 libvirt --url https://example.com/web.box',
  ],
  service: 'box',
  writes: true,
  readsFirst: true,
  args: {
    box: boxArg,
    version: versionArg,
    provider: providerArg,
    file: arg.optional('FILE', 'the image; without it --url is needed', { completes: 'file' }),
  },
  flags: {
    ...boxFlags,
    versionDescription: descriptionFlag,
    url: flag.text('URL', 'where the image is, in the place of FILE'),
    checksum: flag.text('HEX', 'of the image at --url; that of FILE is computed'),
    checksumType: flag.choice(
      checksumTypes,
      'of the checksum (default: sha256; of --checksum by its length)',
    ),
    architecture: architectureFlag,
    noRelease: flag.boolean('leave the version as it is; "lanyard box release" releases it'),
  },
  async run({ args, flags }, ctx) {
    if ((args.file === undefined) === (flags.url === undefined))
      throw usage('the image is given as FILE or as --url URL, one of them');
    if (args.file !== undefined && flags.checksum !== undefined)
      throw usage('--checksum is for an image at --url; that of a file is computed');
    const at = { ...args.box, version: args.version, provider: args.provider };
    const name = `${tagOf(at)} ${at.version}`;
    const file = args.file === undefined ? undefined : await ctx.files.large(args.file, 'the image');
    try {
      const { steps: plan, check } = await planOf(
        {
          at,
          architecture: flags.architecture,
          box: await boxFields(flags, ctx),
          description: await textFrom(flags.versionDescription, 'the description of the version', ctx),
          image: file
            ? { file, type: flags.checksumType }
            : { url: flags.url ?? '', fields: providerFields(flags) },
          release: !flags.noRelease,
        },
        ctx,
      );
      const steps = plan.map(({ act, what }) => ({ act, what }));
      const left = plan.filter(({ act }) => act !== 'leave');
      const view = table(
        ['ACT', 'WHAT'],
        steps.map(({ act, what }) => [[strong(act)], what]),
      );
      if (ctx.dryRun) return { data: { steps }, document: [text('This would be done; nothing was.'), view] };
      for (const [index, step] of left.entries()) {
        try {
          await step.run();
        } catch (error) {
          const then = left.slice(index + 1).map(({ act, what }) => `then ${act} ${what}`);
          if (ctx.rehearsal) return await ctx.rehearsed(error, [...(step.further ?? []), ...then]);
          // After a conflict somebody has to look first.
          const isConflict = error instanceof LanyardError && error.kind === 'conflict';
          if (index > 0 && !isConflict) ctx.io.note('Run the same command again: it goes on from here.');
          throw error;
        }
        ctx.io.note(`${step.done} ${step.what}.`);
      }
      if (left.length > 0) await check();
      const { body: version } = await (await ctx.api.box()).readVersion(at);
      const end =
        left.length === 0
          ? [' is as it should be; nothing was changed.']
          : version.status === 'active'
            ? [' is published.']
            : [' is ready; "lanyard box release" releases it.'];
      return { data: { steps, version }, document: [text(code(name), ...end), view] };
    } finally {
      await file?.close();
    }
  },
});

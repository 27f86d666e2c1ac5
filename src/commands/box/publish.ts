import { arg, command, flag } from '../../command/command.ts';
import { readTextSource } from '../../command/read-fields.ts';
import { LanyardError, usage } from '../../errors.ts';
import { code, listTable, strong, text } from '../../output/document.ts';
import { architectureFlag, boxArg, boxTag, providerArg, versionArg } from './lib/box-names.ts';
import { boxFields, boxFlags, checksumTypes, providerFields } from './lib/fields.ts';
import { createPlan, type Step } from './lib/publish-plan.ts';

const completed: { readonly [Action in Step['action']]: string } = {
  create: 'Created',
  update: 'Updated',
  upload: 'Uploaded',
  release: 'Released',
  unchanged: 'Kept',
};

export default command({
  description:
    'Creates or updates the box, version and provider as needed, uploads the image, and releases the version after the upload is verified. Steps that are already done are skipped: after a failure, run the command again. A new box is private unless --public is given.',
  examples: [
    'lanyard box publish dev/web 1.0.0 virtualbox web.box --dry-run',
    'lanyard box publish dev/web 1.0.0 virtualbox web.box --public',
    'lanyard box publish dev/web 1.1.0 libvirt web.box --no-release --version-description @CHANGES.md',
    'lanyard box publish dev/web 1.2.0 libvirt --url https://example.com/web.box',
  ],
  service: 'box',
  writes: 'after reads',
  args: {
    box: boxArg,
    version: versionArg,
    provider: providerArg,
    file: arg.optional('FILE', 'image file; required without --url', { completes: 'file' }),
  },
  flags: {
    ...boxFlags,
    versionDescription: flag.file('TEXT|@FILE|-', 'description of the version in Markdown'),
    url: flag.text('URL', 'URL of the image, instead of FILE'),
    checksum: flag.text('HEX', 'checksum of the image at --url'),
    checksumType: flag.choice(
      checksumTypes,
      'checksum type (default: sha256, or by the length of --checksum)',
    ),
    architecture: architectureFlag,
    noRelease: flag.boolean('do not release the version; use "box release" later'),
  },
  async run({ args, flags }, ctx) {
    if ((args.file === undefined) === (flags.url === undefined)) throw usage('expected either FILE or --url');
    if (args.file !== undefined && flags.checksum !== undefined)
      throw usage('--checksum requires --url: the checksum of a file is computed');
    const at = { ...args.box, version: args.version, provider: args.provider };
    const name = `${boxTag(at)} ${at.version}`;
    const file = args.file === undefined ? undefined : await ctx.files.openLarge(args.file, 'image');
    try {
      const { steps: plan, check } = await createPlan(
        {
          at,
          architecture: flags.architecture,
          box: await boxFields(flags, ctx),
          description:
            flags.versionDescription === undefined
              ? undefined
              : await readTextSource(flags.versionDescription, 'version description', ctx),
          image: file
            ? { file, type: flags.checksumType }
            : { url: flags.url ?? '', fields: providerFields(flags) },
          release: !flags.noRelease,
        },
        ctx,
      );
      const steps = plan.map(({ action, target }) => ({ action, target }));
      const pending = plan.filter(({ action }) => action !== 'unchanged');
      const view = listTable(steps, undefined, {
        ACTION: ({ action }) => strong(action),
        TARGET: ({ target }) => target,
      });
      if (ctx.output.dryRunFlag)
        return { data: { steps }, document: [text('Dry run: nothing was changed.'), view] };
      for (const [index, step] of pending.entries()) {
        try {
          await step.run();
        } catch (error) {
          const then = pending.slice(index + 1).map(({ action, target }) => `then ${action} ${target}`);
          if (ctx.output.isDryRun)
            return await ctx.output.dryRunResult(error, [...(step.followUps ?? []), ...then]);
          // After a conflict, a user must check the state first.
          const isConflict = error instanceof LanyardError && error.kind === 'conflict';
          if (index > 0 && !isConflict) ctx.output.note('Run the same command again to continue.');
          throw error;
        }
        ctx.output.note(`${completed[step.action]} ${step.target}.`);
      }
      if (pending.length > 0) await check();
      const { body: version } = await (await ctx.api.box()).readVersion(at);
      const end =
        pending.length === 0
          ? [' is already up to date.']
          : version.status === 'active'
            ? [' is released.']
            : [' is ready. Run ', code(`lanyard box release ${name}`), ' to release it.'];
      return { data: { steps, version }, document: [text(code(name), ...end)] };
    } finally {
      await file?.close();
    }
  },
});

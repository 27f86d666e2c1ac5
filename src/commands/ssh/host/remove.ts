import { command } from '../../../command/command.ts';
import { type Block, code, raw, text } from '../../../output/document.ts';
import { withOwnDirectory } from '../lib/host/enroll.ts';
import { sshdConfigFlag } from '../lib/host/enrollment.ts';
import { defaultConfig, hostPaths } from '../lib/host/paths.ts';
import { planRemoval, type Removal, removalCommands, removeEnrollment } from '../lib/host/remove.ts';

export default command({
  description:
    'Deletes its files, and restores the previous content of files that existed before. Files that were changed since then are kept, and listed. The host keys and the secret ID of the service are unchanged.',
  examples: ['lanyard ssh host remove', 'lanyard ssh host remove --dry-run'],
  writes: true,
  changes: ['sshd files'],
  flags: { sshdConfig: sshdConfigFlag },
  async run({ flags }, ctx) {
    const paths = hostPaths(ctx.files.absolute(flags.sshdConfig ?? defaultConfig));
    const planned = await planRemoval(paths, ctx);
    if (planned === undefined) {
      // An interrupted removal leaves at most the directory.
      if (!ctx.output.isDryRun && (await ctx.files.isDirectory(paths.own)))
        await withOwnDirectory(paths, ctx, async () => undefined);
      const data = { removed: [], restored: [], kept: [], reloaded: null, commands: [] };
      return { data, document: [text('This host is not enrolled: nothing to remove.')] };
    }
    if (ctx.output.isDryRun) {
      const { files: _, ...removal } = planned;
      const commands = await removalCommands(planned, paths, ctx);
      return {
        data: { ...removal, reloaded: null, commands },
        document: [
          text('Dry run: nothing was removed.'),
          ...removalView(removal, 'Remove', 'Restore', 'Keep'),
          text('Commands:'),
          raw(commands.map((line) => `${line}\n`).join('')),
        ],
      };
    }
    await ctx.input.confirm(
      'Remove the enrollment of this host? Users with certificates may not be able to log in any more.',
    );
    const done = await withOwnDirectory(paths, ctx, async () => {
      // Another command may have changed it before this one got the lock.
      const current = await planRemoval(paths, ctx);
      return current && { ...current, reloaded: await removeEnrollment(current, paths, ctx) };
    });
    const { removed, restored, kept, reloaded } = done ?? { ...planned, reloaded: null };
    return {
      data: {
        /** Files that did not exist before the enrollment. */
        removed,
        /** Files that have their content from before the enrollment. */
        restored,
        /** Files that somebody else has changed, and those that they refer to. */
        kept,
        /** The command that reloaded sshd; null: sshd does not run. */
        reloaded,
        /** The commands of a dry run. */
        commands: [],
      },
      document: [
        ...removalView({ removed, restored, kept }, 'Removed', 'Restored', 'Kept'),
        ...(reloaded === null ? [] : [text('Reloaded sshd (', code(reloaded), ').')]),
      ],
    };
  },
});

const removalView = (
  { removed, restored, kept }: Removal,
  ...[remove, restore, keep]: readonly [string, string, string]
): Block[] => [
  ...removed.map((path) => text(`${remove} `, code(path), '.')),
  ...restored.map((path) => text(`${restore} `, code(path), '.')),
  ...kept.map((path) => text(`${keep} `, code(path), ': it was changed, or a changed file refers to it.')),
];

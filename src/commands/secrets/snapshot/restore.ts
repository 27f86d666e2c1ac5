import { isOtherSealKeys } from '../../../api/conditions/secrets.ts';
import { arg, command, flag } from '../../../command/command.ts';
import type { Context } from '../../../command/context.ts';
import { sendSnapshot, summaryOf, verifySnapshot } from '../../../command/snapshot-files.ts';
import { describeAs, hintFor, isKind, LanyardError } from '../../../errors.ts';
import { code, textResult } from '../../../output/document.ts';
import { formatSize } from '../../../output/humanize.ts';
import { describeWithoutRaft, sealedForm } from '../lib/snapshots.ts';

export default command({
  description:
    'Verifies FILE and prompts for confirmation; without --force, only the same unseal keys are accepted. After --force with other keys, the cluster must be unsealed with those. Restart standbys afterwards: they may serve earlier data.',
  examples: [
    'lanyard secrets snapshot restore backup.snap',
    'lanyard secrets snapshot restore backup.snap --yes',
  ],
  service: 'secrets',
  writes: 'after reads',
  changes: ['secrets'],
  args: { file: arg.text('FILE', 'snapshot file', { completes: 'file' }) },
  flags: { force: flag.boolean('restore a snapshot of a cluster with other unseal keys') },
  async run({ args: { file: path }, flags: { force } }, ctx) {
    const contents = await verifySnapshot(path, sealedForm, ctx);
    const summary = summaryOf(path, contents.size, contents);
    const { address } = await ctx.api.settings('secrets');
    await ctx.input.confirm(
      `Restore ${path} (${formatSize(summary.size)}, index ${summary.index ?? 'unknown'}) to ${address}? All current data of the cluster is replaced. This cannot be undone.`,
    );
    const snapshots = await ctx.api.snapshots('secrets');
    const state = await sendSnapshot(
      path,
      (body) =>
        snapshots
          .restore(body, force)
          .catch(describeWithoutRaft('restore snapshot'))
          .catch(describeOtherKeys)
          .catch(
            hintFor(
              isKind('unknown'),
              'Run `lanyard secrets status`, and read a secret to see which data the cluster has.',
            ),
          ),
      ctx,
    );
    checkSeal(state, force, ctx.output);
    return textResult(summary, 'Restored snapshot ', code(path), '.');
  },
});

/** @throws LanyardError unknown: a server that cannot apply a snapshot seals itself */
function checkSeal(
  { sealed }: { readonly sealed: boolean },
  force: boolean,
  output: Context['output'],
): void {
  if (!sealed) return;
  if (force) {
    output.note('The service is sealed: unseal it with the keys of the cluster of the snapshot.');
    return;
  }
  throw new LanyardError(
    'unknown',
    'the service took the snapshot and sealed itself: it may not be applied',
    {
      service: 'secrets',
      hint: 'Read the log of the server, and run `lanyard secrets unseal`.',
    },
  );
}

const describeOtherKeys = describeAs(
  isOtherSealKeys,
  'conflict',
  'cannot restore snapshot: it is of a cluster with other unseal keys (400)',
  { hint: 'Use --force to restore it anyway: the unseal keys of that cluster are required then.' },
);

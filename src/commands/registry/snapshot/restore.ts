import { askedDatacenter } from '../../../api/registry-datacenter.ts';
import { arg, command, flag } from '../../../command/command.ts';
import { sendSnapshot, summaryOf, verifySnapshot } from '../../../command/snapshot-files.ts';
import { hintFor, isForbidden, isKind } from '../../../errors.ts';
import { code, textResult } from '../../../output/document.ts';
import { formatSize } from '../../../output/humanize.ts';
import { compact } from '../../../wire/objects.ts';
import { registryForm } from '../lib/snapshots.ts';

export default command({
  description:
    'Replaces the state of a datacenter by a snapshot, after its checksums are verified. Tokens are replaced too; requires acl:write. Prompts for confirmation.',
  examples: [
    'lanyard registry snapshot restore backup.snap',
    'lanyard registry snapshot restore backup.snap --yes',
  ],
  service: 'registry',
  writes: true,
  changes: ['registry'],
  args: { file: arg.text('FILE', 'snapshot file', { completes: 'file' }) },
  flags: { dc: flag.datacenter('datacenter') },
  async run({ args: { file }, flags }, ctx) {
    const form = registryForm();
    const contents = await verifySnapshot(file, form, ctx);
    const summary = summaryOf(file, contents.size, contents);
    const { address } = await ctx.api.settings('registry');
    const datacenter = await askedDatacenter(flags.dc, ctx.api);
    const where = datacenter === undefined ? address : `datacenter ${datacenter} at ${address}`;
    await ctx.input.confirm(
      `Restore ${file} (${formatSize(summary.size)}, index ${summary.index ?? 'unknown'}) to ${where}? Its state and tokens are replaced. This cannot be undone.`,
    );
    const snapshots = await ctx.api.registrySnapshots();
    await sendSnapshot(
      file,
      (body) =>
        snapshots
          .restore(compact({ dc: flags.dc }), body)
          .catch(
            hintFor(isForbidden, 'Use a token with acl:write, such as one of the policy global-management.'),
          )
          .catch(
            hintFor(
              isKind('unknown'),
              'Run the same command again: restoring the same snapshot twice is safe.',
            ),
          ),
      ctx,
    );
    return textResult(summary, 'Restored snapshot ', code(file), '.');
  },
});

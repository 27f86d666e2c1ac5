import { arg, command, flag } from '../../../command/command.ts';
import { receiveSnapshot, summaryOf, summaryRows } from '../../../command/snapshot-files.ts';
import { usage } from '../../../errors.ts';
import { code, fields, text } from '../../../output/document.ts';
import { describeWithoutRaft, sealedForm } from '../lib/snapshots.ts';

export default command({
  description:
    'Requires raft storage. FILE has mode 0600, and is written after the snapshot is complete and its checksums are verified. Its contents are encrypted; a restored cluster needs the unseal keys of this one.',
  examples: ['lanyard secrets snapshot save backup.snap'],
  service: 'secrets',
  changes: ['files'],
  args: { file: arg.text('FILE', 'output file', { completes: 'file' }) },
  flags: { force: flag.boolean('overwrite an existing file') },
  async run({ args: { file }, flags }, ctx) {
    if (file === '-')
      throw usage('cannot write a snapshot to standard output: it must be verified first', {
        hint: 'Specify a file.',
      });
    const target = { path: file, replace: flags.force };
    await ctx.files.checkWritable([target]);
    const snapshots = await ctx.api.snapshots('secrets');
    const contents = await receiveSnapshot(
      target,
      { ...sealedForm, from: 'the secrets service' },
      (write) => snapshots.save(write).catch(describeWithoutRaft('save snapshot')),
      ctx,
    );
    const summary = summaryOf(file, contents.size, contents);
    return {
      data: summary,
      document: [text('Saved snapshot ', code(file), '.'), fields(summaryRows(summary))],
    };
  },
});

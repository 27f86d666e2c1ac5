import { arg, command, flag } from '../../../command/command.ts';
import type { Context } from '../../../command/context.ts';
import { usage } from '../../../errors.ts';
import type { PartialDownload } from '../../../io/partial-download.ts';
import type { SnapshotContents } from '../../../io/snapshot-archive.ts';
import { code, fields, text } from '../../../output/document.ts';
import { describeWithoutRaft, startProgress, summaryOf, summaryRows } from '../lib/snapshots.ts';

export default command({
  description:
    'Saves all data of a cluster with raft storage. FILE has mode 0600, and is written after the snapshot is complete and its checksums are verified. Its contents are encrypted; a restored cluster needs the unseal keys of this one.',
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
    const target = { path: file, replace: flags.force, isBackup: true };
    await ctx.files.checkWritable([target]);
    const { contents, size } = await receive(target, ctx);
    const summary = summaryOf(file, size, contents);
    return {
      data: summary,
      document: [text('Saved snapshot ', code(file), '.'), fields(summaryRows(summary))],
    };
  },
});

interface Target {
  readonly path: string;
  readonly replace: boolean;
  readonly isBackup: boolean;
}

async function receive(
  target: Target,
  ctx: Context,
): Promise<{ readonly contents: SnapshotContents; readonly size: number }> {
  const snapshots = await ctx.api.snapshots('secrets');
  const reader = await ctx.files.snapshotReader('from the secrets service', 'SHA256SUMS.sealed');
  const progress = await startProgress('Saving snapshot', ctx);
  let part: PartialDownload | undefined;
  let size = 0;
  const open = async (): Promise<PartialDownload> => {
    const opened = await ctx.files.openPartialDownload(target, 'sha256');
    await opened.start({ from: 0, etag: undefined });
    return opened;
  };
  try {
    await snapshots
      .save(async (chunk) => {
        part ??= await open();
        await Promise.all([part.write(chunk), reader.write(chunk)]);
        size += chunk.length;
        progress.update(size);
      })
      .catch(describeWithoutRaft('save snapshot'));
    const contents = await reader.end();
    await part?.digest();
    await part?.moveIntoPlace();
    return { contents, size };
  } finally {
    progress.stop();
    reader.close();
    await part?.close();
  }
}

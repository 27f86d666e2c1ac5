import { arg, command } from '../../../command/command.ts';
import { summaryOf, summaryRows, verifySnapshot } from '../../../command/snapshot-files.ts';
import { fields, strong, table } from '../../../output/document.ts';
import { sealedForm } from '../lib/snapshots.ts';

export default command({
  description: 'Verifies the checksums of a snapshot file and shows what it contains. No request is sent.',
  examples: ['lanyard secrets snapshot inspect backup.snap'],
  args: { file: arg.text('FILE', 'snapshot file', { completes: 'file' }) },
  async run({ args: { file } }, ctx) {
    const contents = await verifySnapshot(file, sealedForm, ctx);
    const summary = summaryOf(file, contents.size, contents);
    const rows = contents.files.map(({ name, size, sha256 }) => [name, String(size), sha256]);
    return {
      data: { ...summary, files: contents.files },
      document: [
        fields([['file', strong(file)], ...summaryRows(summary)]),
        table(['NAME', 'BYTES', 'SHA256'], rows),
      ],
    };
  },
});

import { arg, command } from '../../../command/command.ts';
import { summaryOf, summaryRows, verifySnapshot } from '../../../command/snapshot-files.ts';
import { fields, listTable, strong } from '../../../output/document.ts';
import { formatSize } from '../../../output/humanize.ts';
import { isObject } from '../../../wire/objects.ts';
import { registryForm } from '../lib/snapshots.ts';

export default command({
  description:
    'Verifies the checksums of a snapshot file of Consul or "lanyard dev", and shows how many objects it has. No request is sent.',
  examples: ['lanyard registry snapshot inspect backup.snap'],
  args: { file: arg.text('FILE', 'snapshot file', { completes: 'file' }) },
  async run({ args: { file } }, ctx) {
    const form = registryForm();
    const contents = await verifySnapshot(file, form, ctx);
    const summary = summaryOf(file, contents.size, contents);
    const { Version } = isObject(contents.meta) ? contents.meta : {};
    const version = typeof Version === 'number' ? Version : null;
    const types = form.counts();
    return {
      data: {
        ...summary,
        /** The version of the format. */
        version,
        /** The objects in the state by type, the largest types first; null: unknown. */
        types,
        files: contents.files,
      },
      document: [
        fields([
          ['file', strong(file)],
          ...summaryRows(summary),
          ['version', version === null ? null : String(version)],
        ]),
        listTable(types ?? [], 'The objects in the state cannot be counted.', {
          TYPE: ({ Type }) => [strong(Type)],
          COUNT: { cell: ({ Count }) => String(Count), align: 'right' },
          SIZE: { cell: ({ Size }) => formatSize(Size), align: 'right' },
        }),
      ],
    };
  },
});

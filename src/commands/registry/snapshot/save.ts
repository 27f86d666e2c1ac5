import { arg, command, flag } from '../../../command/command.ts';
import { receiveSnapshot, summaryOf, summaryRows } from '../../../command/snapshot-files.ts';
import { hintFor, isForbidden, usage } from '../../../errors.ts';
import { code, fields, text } from '../../../output/document.ts';
import { compact } from '../../../wire/objects.ts';
import { registryForm } from '../lib/snapshots.ts';

export default command({
  description:
    'Saves the state of a datacenter: keys, catalog, sessions, queries, config entries and access control with the secrets of all tokens. FILE has mode 0600, and is written after the snapshot is complete and its checksums are verified. Requires acl:write.',
  examples: [
    'lanyard registry snapshot save backup.snap',
    'lanyard registry snapshot save stale.snap --stale',
  ],
  service: 'registry',
  changes: ['files'],
  args: { file: arg.text('FILE', 'output file', { completes: 'file' }) },
  flags: {
    force: flag.boolean('overwrite an existing file'),
    stale: flag.boolean('allow any server to save what it has, also without a leader'),
    dc: flag.datacenter('datacenter'),
  },
  async run({ args: { file }, flags }, ctx) {
    if (file === '-')
      throw usage('cannot write a snapshot to standard output: it must be verified first', {
        hint: 'Specify a file.',
      });
    const target = { path: file, replace: flags.force };
    await ctx.files.checkWritable([target]);
    const snapshots = await ctx.api.registrySnapshots();
    const form = registryForm();
    const from = compact({ dc: flags.dc, stale: flags.stale ? ('' as const) : undefined });
    const contents = await receiveSnapshot(
      target,
      { ...form, from: 'the service registry' },
      (write) => snapshots.save(from, write).catch(describeForbidden),
      ctx,
    );
    const summary = summaryOf(file, contents.size, contents);
    return {
      data: summary,
      document: [text('Saved snapshot ', code(file), '.'), fields(summaryRows(summary))],
    };
  },
});

const describeForbidden = hintFor(
  isForbidden,
  'Use a token with acl:write, such as one of the policy global-management: a snapshot has the secrets of all tokens.',
);

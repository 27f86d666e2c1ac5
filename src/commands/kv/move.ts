import type { SecretsClient } from '../../api/secrets.ts';
import { command } from '../../command/command.ts';
import { confirmDelete, conflict, LanyardError } from '../../errors.ts';
import { isEqual } from '../../output/diff.ts';
import { countText } from '../../output/humanize.ts';
import { version1Path } from './lib/secret-path.ts';
import { type Copy, copyArgs, copyFlags, planCopy } from './lib/transfer/copy-secrets.ts';
import { eachSecret, inOrder, requireAll } from './lib/transfer/each-secret.ts';
import type { SourceSecret } from './lib/transfer/plan-transfer.ts';
import { readStored } from './lib/transfer/stored-secret.ts';
import { transferRow, transferView } from './lib/transfer/views.ts';
import { verifyWritten, writePlanned, writesOf } from './lib/transfer/write-planned.ts';

export default command({
  description:
    'Copies each secret as "kv copy" does, reads the copy back, and deletes the source with all of its versions only if both are as expected. After an error, run the same command again to continue.',
  examples: [
    'lanyard kv move secret/app/db secret/app/database --yes',
    'lanyard kv move secret/app secret/team/app --recursive --dry-run',
  ],
  service: 'secrets',
  writes: 'after reads',
  returnsList: () => true,
  waitsForRateLimits: true,
  args: copyArgs,
  flags: copyFlags,
  async run({ args, flags }, ctx) {
    const { from, to, copies } = await planCopy('move', { args, flags }, ctx);
    for (const { source } of copies) requireMetadata(source);
    const rows = copies.map(transferRow);
    if (ctx.output.isDryRun) {
      const writes = copies.flatMap((each) => [...writesOf(to, each), () => remove(from, each.source)]);
      await ctx.output.sequentially(writes, (write) => write());
    } else if (!flags.dryRun) {
      if (copies.length > 0) await ctx.input.confirm(question(copies, flags.allVersions));
      const ended = await eachSecret(copies, async (each) => {
        const steps = [
          ...(each.action === 'unchanged' ? [] : [() => writePlanned(to, each)]),
          async () => {
            await verifyWritten(to, each, ctx.system.clock());
            await requireUnchanged(from, each.source, ctx.system.clock());
            await remove(from, each.source);
          },
        ];
        await inOrder(steps, `${each.source.from.name} was copied to ${each.to.name}, but not deleted`);
      });
      requireAll(ended, 'moved', ({ source }) => source.from.name);
    }
    return { data: rows, rows, document: transferView(rows, 'moved', flags.dryRun) };
  },
});

/** @throws LanyardError forbidden: the metadata would be lost. */
function requireMetadata({ from, stored }: SourceSecret): void {
  if (stored.metadata === null)
    throw new LanyardError('forbidden', `cannot move ${from.name}: permission denied to read its metadata`, {
      service: 'secrets',
      hint: 'Use a token that can read the metadata, or `lanyard kv copy`.',
    });
}

function question(copies: readonly Copy[], hasAllVersions: boolean): string {
  const [only] = copies;
  const older = hasAllVersions ? 0 : copies.reduce((sum, { source }) => sum + source.stored.older.length, 0);
  const lost =
    older === 0
      ? ''
      : ` ${countText(older, 'older version')} will be deleted and not moved; --all-versions moves them.`;
  return copies.length === 1
    ? `Move ${only?.source.from.name} to ${only?.to.name}, and delete the source?${lost}`
    : `Move ${countText(copies.length, 'secret')}, and delete the sources?${lost}`;
}

/** @throws LanyardError conflict: the secret was changed after it was copied. */
async function requireUnchanged(
  secrets: SecretsClient,
  { from, stored }: SourceSecret,
  now: Date,
): Promise<void> {
  const current = await readStored(secrets, from, now);
  if (!isEqual(current, stored))
    throw conflict(`cannot delete ${from.name}: it was changed after it was copied`, { service: 'secrets' });
}

/** Deletes a secret with all of its versions. */
const remove = (secrets: SecretsClient, { from }: SourceSecret): Promise<unknown> => {
  const { mount, path } = from;
  return from.version === 1
    ? confirmDelete(
        () => secrets.remove({ path: version1Path(from) }),
        () => secrets.readKv1({ path: version1Path(from) }),
        'the secret',
      )
    : confirmDelete(
        () => secrets.deleteKvMetadata({ mount, path }),
        () => secrets.readKvMetadata({ mount, path }),
        'the secret',
      );
};

import { command } from '../../command/command.ts';
import { copyArgs, copyFlags, planCopy } from './lib/transfer/copy-secrets.ts';
import { eachSecret, inOrder, requireAll } from './lib/transfer/each-secret.ts';
import { noteOlder, transferRow, transferView } from './lib/transfer/views.ts';
import { verifyWritten, writePlanned, writesOf } from './lib/transfer/write-planned.ts';

export default command({
  description:
    'Copies the newest version and the metadata, also to another mount, namespace or profile. Everything is read first: if secrets exist at the destination and differ, nothing is written without --overwrite. Each is written with check-and-set; after an error, run the same command again to continue.',
  examples: [
    'lanyard kv copy secret/app/db secret/app/db-old',
    'lanyard kv copy secret/app secret/backup/app --recursive --dry-run',
  ],
  service: 'secrets',
  writes: 'after reads',
  returnsList: () => true,
  waitsForRateLimits: true,
  args: copyArgs,
  flags: copyFlags,
  async run({ args, flags }, ctx) {
    const { to, copies } = await planCopy('copy', { args, flags }, ctx);
    const rows = copies.map(transferRow);
    if (ctx.output.isDryRun) {
      const writes = copies.flatMap((each) => writesOf(to, each));
      await ctx.output.sequentially(writes, (write) => write());
    } else if (!flags.dryRun) {
      const ended = await eachSecret(copies, async (each) => {
        const verify = () => verifyWritten(to, each, ctx.system.clock());
        const steps = [() => writePlanned(to, each), ...(flags.allVersions ? [verify] : [])];
        await inOrder(steps, `${each.to.name} was written`);
      });
      requireAll(ended, 'copied', ({ source }) => source.from.name);
    }
    if (!flags.allVersions && !flags.dryRun) noteOlder(ctx.output, copies);
    return { data: rows, rows, document: transferView(rows, 'copied', flags.dryRun) };
  },
});

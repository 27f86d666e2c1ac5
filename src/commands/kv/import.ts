import { arg, command, flag } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import { usage } from '../../errors.ts';
import { mapConcurrently } from '../../wire/concurrently.ts';
import { compact } from '../../wire/objects.ts';
import { type Backup, type BackupSecret, parseBackup } from './lib/backup-file.ts';
import { resolveDirectory, secretIn } from './lib/list-secrets.ts';
import { eachSecret, inOrder, requireAll } from './lib/transfer/each-secret.ts';
import { planSecret, rejectExisting } from './lib/transfer/plan-transfer.ts';
import { transferRow, transferView } from './lib/transfer/views.ts';
import { verifyWritten, writePlanned, writesOf } from './lib/transfer/write-planned.ts';

/** Bytes of an exported file. */
const maxFileSize = 256 * 1024 * 1024;

export default command({
  description:
    'The secrets of a file of "kv export" are written below PATH (default: the exported path). Everything is read first: if secrets exist and differ, nothing is written without --overwrite. Each is written with check-and-set; after an error, run the command again.',
  examples: [
    'lanyard kv import app.age --identity @key.txt --dry-run',
    'lanyard kv import app.age secret/restored --passphrase env://BACKUP_PASSPHRASE',
  ],
  service: 'secrets',
  writes: 'after reads',
  returnsList: () => true,
  waitsForRateLimits: true,
  args: {
    file: arg.text('FILE|-', 'exported file, or standard input', { completes: 'file' }),
    path: arg.optional('PATH', 'mount and directory', { completes: 'kv-path' }),
  },
  flags: {
    identity: flag.source('secret key of a recipient (AGE-SECRET-KEY-...)'),
    passphrase: flag.source('passphrase of the file', ' (default: prompt)'),
    overwrite: flag.boolean('replace secrets that exist and differ'),
    dryRun: flag.boolean('show what would be written without sending any change'),
  },
  async run({ args, flags }, ctx) {
    const backup = await readBackup(args.file, flags, ctx);
    const secrets = await ctx.api.secrets();
    const directory = await resolveDirectory(secrets, args.path ?? backup.path, undefined);
    if (directory.path === '' && backup.secrets.some(({ path }) => path === ''))
      throw usage(
        `${args.file} has the secret ${backup.path} itself: specify a PATH below ${directory.name}/`,
      );
    const planned = await mapConcurrently(backup.secrets, (each) =>
      planSecret(secrets, secretIn(directory, each.path), wantedOf(each), ctx.system.clock()),
    );
    rejectExisting(planned, flags.overwrite, 'Add --overwrite to replace what exists.');
    const rows = planned.map(transferRow);
    if (ctx.output.isDryRun) {
      const writes = planned.flatMap((each) => writesOf(secrets, each));
      await ctx.output.sequentially(writes, (write) => write());
    } else if (!flags.dryRun) {
      const ended = await eachSecret(planned, (each) => {
        const verify = () => verifyWritten(secrets, each, ctx.system.clock());
        const steps = [() => writePlanned(secrets, each), ...(each.wanted.earlier ? [verify] : [])];
        return inOrder(steps, `${each.to.name} was written`);
      });
      requireAll(ended, 'imported', ({ to }) => to.name);
    }
    return { data: rows, rows, document: transferView(rows, 'imported', flags.dryRun) };
  },
});

const wantedOf = ({ data, metadata, earlier }: BackupSecret) => ({ data, metadata, ...compact({ earlier }) });

/** Reads the file, decrypted. @throws LanyardError usage */
async function readBackup(
  file: string,
  {
    identity,
    passphrase,
  }: { readonly identity: string | undefined; readonly passphrase: string | undefined },
  { input, files }: Context,
): Promise<Backup> {
  if (file === '-' && [identity, passphrase].includes('-'))
    throw usage('standard input cannot be both the file and a secret');
  const name = file === '-' ? 'standard input' : file;
  const bytes = file === '-' ? await input.readStdin() : await files.readBytes(file, 'the file', maxFileSize);
  const age = await input.ageFiles();
  const needed = age.secretOf(bytes, name);
  if (needed === undefined) return parseBackup(bytes.toString('utf8'), name);
  if (needed === 'identity' && identity === undefined)
    throw usage(`${name} is encrypted for keys: --identity is required`, {
      hint: `Run \`lanyard kv import ${file} --identity @key.txt\` with the file of \`age-keygen\`.`,
    });
  const secrets =
    needed === 'identity'
      ? { identities: [await input.readSecret(identity, 'identity')], passphrase: undefined }
      : { identities: [], passphrase: await input.readSecret(passphrase, 'passphrase') };
  return parseBackup(await age.decrypt(bytes, secrets, name), name);
}

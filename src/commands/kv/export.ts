import type { SecretsClient } from '../../api/secrets.ts';
import { arg, command, flag, type Values } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import { notFound, usage } from '../../errors.ts';
import { code, raw, textResult } from '../../output/document.ts';
import { countText } from '../../output/humanize.ts';
import { mapConcurrently } from '../../wire/concurrently.ts';
import { compact } from '../../wire/objects.ts';
import { type Backup, type BackupSecret, backupOf, formatBackup } from './lib/backup-file.ts';
import { listSecrets, resolveDirectory, secretIn } from './lib/list-secrets.ts';
import { maskValues } from './lib/mask-values.ts';
import { checkForbidden, type ReadSecret, readSecrets } from './lib/read-secrets.ts';
import type { SecretPath } from './lib/secret-path.ts';
import { earlierData } from './lib/transfer/earlier-data.ts';
import { readStored, type StoredSecret } from './lib/transfer/stored-secret.ts';
import { noteSkipped } from './lib/transfer/views.ts';

const flags = {
  recipient: flag.texts('age1...', 'encrypt for the owner of this key; repeatable'),
  passphrase: flag.source('passphrase of the file', ' (default: prompt)'),
  plain: flag.boolean('write the values unencrypted'),
  allVersions: flag.boolean('all versions with data'),
  allowPartial: flag.boolean('only secrets that the token has permission to read'),
  force: flag.boolean('overwrite FILE'),
};

export default command({
  description:
    'Includes the secret PATH and all secrets below it with their metadata, for "kv import". The file has mode 0600 and is encrypted in the format of age unless --plain is given; "age --decrypt" reads it, too. For documents without values, run "lanyard export".',
  examples: [
    'lanyard kv export secret/app app.age --passphrase env://BACKUP_PASSPHRASE',
    'lanyard kv export secret - --plain',
  ],
  service: 'secrets',
  waitsForRateLimits: true,
  changes: ['files'],
  args: {
    path: arg.text('PATH', 'mount and directory, such as secret/app', { completes: 'kv-path' }),
    file: arg.optional('FILE|-', 'file to write (default: standard output)', { completes: 'file' }),
  },
  flags,
  async run({ args, flags }, ctx) {
    const file = args.file === '-' ? undefined : args.file;
    const encrypt = await encryption(flags, ctx);
    if (file !== undefined) await ctx.files.checkWritable([{ path: file, replace: flags.force }]);
    const secrets = await ctx.api.secrets({ forMany: true });
    const backup = await readBackup(secrets, args.path, flags, ctx);
    const plain = formatBackup(backup);
    const content = encrypt ? await encrypt(plain) : plain;
    if (file === undefined) {
      if (encrypt) return { data: content, document: [raw(content)] };
      for (const { data, earlier } of backup.secrets) maskValues(ctx.output, [data, earlier]);
      return { data: backup, document: [raw(content)] };
    }
    await ctx.files.write([{ path: file, content, replace: flags.force }]);
    const count = backup.secrets.length;
    const result = { file, secrets: count, encrypted: encrypt !== undefined };
    return textResult(result, `Wrote ${countText(count, 'secret')} to `, code(file), '.');
  },
});

type Encrypt = (text: string) => Promise<string>;

/** How the file is encrypted; undefined: it is not. @throws LanyardError usage */
async function encryption(
  { recipient, passphrase, plain }: Values<typeof flags>,
  { input }: Context,
): Promise<Encrypt | undefined> {
  const given = [recipient.length > 0, passphrase !== undefined, plain].filter(Boolean).length;
  if (given > 1) throw usage('only one of --recipient, --passphrase and --plain can be given');
  if (plain) return undefined;
  if (given === 0 && !input.isInteractive())
    throw usage('expected --recipient, --passphrase or --plain', {
      hint: 'Run `age-keygen` for a key; its public key is the recipient.',
    });
  const { encrypt } = await input.ageFiles();
  if (recipient.length > 0) {
    await encrypt('', { recipients: recipient });
    return (text) => encrypt(text, { recipients: recipient });
  }
  const secret = await input.readSecret(passphrase, 'passphrase', { repeat: true });
  return (text) => encrypt(text, { passphrase: secret });
}

async function readBackup(
  secrets: SecretsClient,
  path: string,
  flags: { readonly allVersions: boolean; readonly allowPartial: boolean },
  ctx: Context,
): Promise<Backup> {
  const directory = await resolveDirectory(secrets, path, undefined);
  const listed = await listSecrets(secrets, directory);
  // The secret that has the name of the directory.
  const names = directory.path === '' ? listed.names : ['', ...listed.names];
  const read = await readSecrets(
    names.map((name) => ({ name, from: secretIn(directory, name) })),
    (at) => readStored(secrets, at, ctx.system.clock()),
  );
  if (listed.denial && read.found.every(({ stored }) => stored.data === undefined)) throw listed.denial;
  const forbidden = [...listed.forbidden.map((name) => `${directory.name}/${name}`), ...read.forbidden];
  checkForbidden('export', forbidden, flags, ctx.output);
  const withData = read.found.filter(({ stored }) => stored.data !== undefined);
  if (withData.length === 0) throw missing(directory);
  noteSkipped(ctx.output, read.found);
  const exported = await mapConcurrently(withData, (each) => backupSecret(secrets, each, flags.allVersions));
  return backupOf(directory.name, exported);
}

async function backupSecret(
  secrets: SecretsClient,
  { name, from, stored }: ReadSecret<StoredSecret>,
  hasAllVersions: boolean,
): Promise<BackupSecret> {
  const earlier = hasAllVersions ? await earlierData(secrets, from, stored.older) : undefined;
  return {
    path: name,
    data: stored.data ?? {},
    ...compact({ earlier, metadata: stored.metadata ?? undefined }),
  };
}

const missing = ({ name, mount }: SecretPath) =>
  notFound(`no secrets found at ${name}`, {
    service: 'secrets',
    hint: `Run \`lanyard kv list ${mount}\` for the existing secrets.`,
  });

import { dirname, relative, sep } from 'node:path';
import { flag, type Values } from '../command/command.ts';
import type { Context } from '../command/context.ts';
import { usage } from '../errors.ts';
import { isStateFile } from './input.ts';
import { isPlanFile } from './plan-file.ts';
import type { UndoTarget } from './undo-file.ts';

/** The flags of plan and apply for encrypted files. */
export const decryptFlags = {
  identity: flag.source('secret key for an encrypted FILE (AGE-SECRET-KEY-...)'),
  passphrase: flag.source('passphrase of an encrypted FILE', ' (default: prompt)'),
} as const;

/** The flags of apply that write an undo. */
export const undoFlags = {
  undo: flag.name('UNDO-FILE', 'new file to write, with the documents that undo this apply', {
    completes: 'file',
  }),
  undoRecipient: flag.texts('age1...', 'encrypt UNDO-FILE, with previous values of secrets; repeatable'),
  undoPassphrase: flag.source('encrypt UNDO-FILE with a passphrase'),
  force: flag.boolean('overwrite UNDO-FILE'),
} as const;

/**
 * Where the flags write an undo; undefined: nowhere.
 *
 * @throws LanyardError usage: flags that exclude each other, or a file that cannot be written.
 */
export async function undoTarget(
  flags: Values<typeof undoFlags>,
  paths: readonly string[],
  { files, input }: Pick<Context, 'files' | 'input'>,
): Promise<UndoTarget | undefined> {
  const { undo: file, undoRecipient: recipients, undoPassphrase: passphrase, force: replace } = flags;
  if (file === undefined) {
    if (recipients.length > 0) throw usage('--undo-recipient requires --undo');
    if (passphrase !== undefined) throw usage('--undo-passphrase requires --undo');
    if (replace) throw usage('--force requires --undo');
    return undefined;
  }
  if (recipients.length > 0 && passphrase !== undefined)
    throw usage('only one of --undo-recipient and --undo-passphrase can be given');
  if (file === '-') throw usage('--undo requires a file: standard output has the results');
  if (/\.json$/i.test(file) || isPlanFile(file))
    throw usage(`invalid --undo ${file}: the file has YAML documents, use a name such as undo.yaml`);
  await rejectInside(file, paths, files);
  await files.checkWritable([{ path: file, replace }]);
  if (recipients.length === 0 && passphrase === undefined) return { file, replace, encrypt: undefined };
  const { encrypt } = await input.ageFiles();
  // An invalid recipient is an error before anything is planned.
  if (recipients.length > 0) await encrypt('', { recipients });
  const to =
    passphrase === undefined
      ? { recipients }
      : { passphrase: await input.readSecret(passphrase, 'passphrase of the undo', { repeat: true }) };
  return { file, replace, encrypt: (text) => encrypt(text, to) };
}

/** @throws LanyardError usage: the file would be read as a part of the set, or replace a part of it. */
async function rejectInside(file: string, paths: readonly string[], files: Context['files']): Promise<void> {
  const target = files.absolute(file);
  for (const path of paths.filter((each) => each !== '-')) {
    const source = files.absolute(path);
    if (source === target) throw usage(`invalid --undo ${file}: it is the file to apply`);
    if (!isStateFile(file) || !(await files.isDirectory(path))) continue;
    const way = relative(source, dirname(target));
    if (way !== '..' && !way.startsWith(`..${sep}`))
      throw usage(`invalid --undo ${file}: it is in ${path}, whose files are the set`);
  }
}

/** Reads encrypted files. @param flags the sources of what decrypts them; the passphrase is asked for once. */
export function decrypter(
  flags: Values<typeof decryptFlags>,
  input: Context['input'],
): (bytes: Buffer, name: string) => Promise<Buffer> {
  let secrets: Promise<string> | undefined;
  return async (bytes, name) => {
    const age = await input.ageFiles();
    const needed = age.secretOf(bytes, name);
    if (needed === undefined) return bytes;
    if (needed === 'identity' && flags.identity === undefined)
      throw usage(`${name} is encrypted for keys: --identity is required`, {
        hint: 'Use `--identity @key.txt` with the file of `age-keygen`.',
      });
    secrets ??= input.readSecret(needed === 'identity' ? flags.identity : flags.passphrase, needed);
    const secret = await secrets;
    const given =
      needed === 'identity'
        ? { identities: [secret], passphrase: undefined }
        : { identities: [], passphrase: secret };
    return Buffer.from(await age.decrypt(bytes, given, name));
  };
}

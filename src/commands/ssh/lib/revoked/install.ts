import type { Context } from '../../../../command/context.ts';
import { conflict, insteadOf, isKind, usage } from '../../../../errors.ts';
import type { StoredList } from './list.ts';

interface Target {
  /** An absolute path. */
  readonly file: string;
  /** Where the list is from, for messages. */
  readonly from: string;
  /** Also replaces a newer list. */
  readonly allowsOlder: boolean;
}

/**
 * Installs a list as the RevokedKeys file of sshd or the RevokedHostKeys file of ssh: atomically, with mode 0644 if it
 * is new, and not in place of a newer list. A damaged list, with which sshd rejects every login, is replaced.
 *
 * @returns whether the file changed.
 * @throws LanyardError conflict: the file has a newer list; usage: it is another kind of file.
 */
export async function installList(
  { krl, bytes }: StoredList,
  { file, from, allowsOlder }: Target,
  { files, ssh }: Pick<Context, 'files' | 'ssh'>,
): Promise<boolean> {
  const { entriesOf, isKrl, missingEntries, readKrl } = await ssh.revocation();
  return files.editBytes({ path: file, what: 'the revocation list', mode: 0o644 }, (before) => {
    if (before === undefined || before.length === 0) return bytes;
    if (!isKrl(before))
      throw usage(`cannot replace ${file}: it is not an OpenSSH key revocation list`, {
        hint: 'Move the keys of the file into the list with `lanyard ssh revoke FILE`, then remove the file.',
      });
    const installed = readOrUndefined(() => readKrl(before, file));
    if (installed === undefined || allowsOlder) return bytes;
    const hint =
      'If the list at this location was replaced on purpose, add --allow-older. The file was not changed.';
    if (krl.version < installed.version)
      throw conflict(
        `cannot install version ${krl.version} of ${from}: ${file} has the newer version ${installed.version}`,
        { hint },
      );
    if (krl.version === installed.version && missingEntries(krl, entriesOf(installed)).length > 0)
      throw conflict(
        `cannot install version ${krl.version} of ${from}: ${file} has other entries with the same version`,
        { hint },
      );
    return bytes;
  });
}

/** Undefined: the list is damaged. */
function readOrUndefined<Value>(read: () => Value): Value | undefined {
  try {
    return read();
  } catch (error) {
    return insteadOf(isKind('usage'), undefined)(error);
  }
}

import { closeSync, constants, fchmodSync, fstatSync, openSync, writeSync } from 'node:fs';
import { errorCode, osErrorMessage, usage } from '../errors.ts';

/** A file that diagnostic lines are appended to. */
export interface DebugFile {
  /** Writes one line at once: nothing is lost if the process ends. */
  write(line: string): void;
}

const full: readonly string[] = ['ENOSPC', 'EDQUOT'];

/**
 * Opens a file for diagnostic lines: a new one of mode 0600, or the end of an existing one that only the user can
 * access. Symbolic links are not followed.
 *
 * @param onFailure called once when a line cannot be written; later lines are dropped.
 * @throws LanyardError usage: the file cannot be opened, is no regular file, or others have access to it.
 */
export function openDebugFile(path: string, onFailure: (message: string) => void): DebugFile {
  let file: number | undefined;
  const fail = (error: unknown): void => {
    if (file !== undefined) closeSync(file);
    file = undefined;
    onFailure(`cannot write the debug file ${path}: ${osErrorMessage(error)}`);
  };
  try {
    file = openPrivate(path);
  } catch (error) {
    if (!full.includes(errorCode(error) ?? '')) throw openError(path, error);
    fail(error);
  }
  return {
    write(line) {
      if (file === undefined) return;
      try {
        const bytes = Buffer.from(`${line}\n`);
        for (let offset = 0; offset < bytes.length; ) offset += writeSync(file, bytes, offset);
      } catch (error) {
        fail(error);
      }
    },
  };
}

function openPrivate(path: string): number {
  const { O_WRONLY, O_APPEND, O_CREAT, O_EXCL, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;
  // Without O_NONBLOCK opening a pipe would block. Windows has neither flag.
  const flags = O_WRONLY | O_APPEND | O_NOFOLLOW | O_NONBLOCK;
  try {
    const created = openSync(path, flags | O_CREAT | O_EXCL, 0o600);
    // Whatever the umask.
    fchmodSync(created, 0o600);
    return created;
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
  }
  const file = openSync(path, flags);
  try {
    requirePrivate(path, file);
    return file;
  } catch (error) {
    closeSync(file);
    throw error;
  }
}

function requirePrivate(path: string, file: number): void {
  const stats = fstatSync(file);
  const user = process.geteuid?.();
  const rejected = (cause: string) =>
    usage(`cannot write the debug file ${path}: ${cause}`, { hint: 'Use a new file. Nothing was sent.' });
  if (!stats.isFile()) throw rejected('it is not a regular file');
  // Windows has no user IDs and mode bits.
  if (user === undefined) return;
  if (stats.uid !== user) throw rejected('it belongs to another user');
  if ((stats.mode & 0o077) !== 0) throw rejected('other users have access to it');
}

function openError(path: string, error: unknown): unknown {
  const code = errorCode(error);
  if (code === undefined) return error;
  const cause = code === 'ELOOP' ? 'it is a symbolic link' : osErrorMessage(error);
  return usage(`cannot write the debug file ${path}: ${cause}`, {
    hint: 'Use a new file. Nothing was sent.',
  });
}

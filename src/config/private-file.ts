import {
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  fsyncSync,
  lstatSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { errorCode, LanyardError, osFailure } from '../errors.ts';

const posix = process.platform !== 'win32';

/** Whether a mode gives access to other users. Windows has no such mode bits. */
export function isAccessibleToOthers(mode: number): boolean {
  return posix && (mode & 0o077) !== 0;
}

/**
 * Rejects a file or directory that belongs neither to the user nor to root.
 *
 * @throws LanyardError failure, with the path and the fix.
 */
function requireOwner(path: string, { uid }: Stats): void {
  const user = process.geteuid?.();
  // Windows has no user IDs.
  if (user === undefined || uid === user || uid === 0) return;
  throw new LanyardError('failure', `${path} belongs to another user (uid ${uid}); it was not used`, {
    hint: `Check its content, then run \`chown ${user} ${path}\`.`,
  });
}

/**
 * Rejects a file or directory that other users can write: its content decides where tokens are sent.
 *
 * @throws LanyardError failure, with the path and the fix.
 */
function requireOwnership(path: string, stats: Stats): void {
  requireOwner(path, stats);
  if (posix && (stats.mode & 0o022) !== 0) {
    throw new LanyardError(
      'failure',
      `${path} is writable by other users (mode ${formatMode(stats.mode)}); it was not used`,
      { hint: `Check its content, then run \`chmod go-w ${path}\`.` },
    );
  }
}

const formatMode = (mode: number): string => (mode & 0o777).toString(8).padStart(4, '0');

/**
 * Reads a file that decides where tokens are sent. The file and its directory must belong to the user or root, and
 * must not be writable by others. A symbolic link is followed; its target must fulfil the same conditions.
 *
 * @returns its text; undefined when the file does not exist.
 * @throws LanyardError failure: a condition is not met, or it cannot be read.
 */
export const readTrusted = async (path: string): Promise<string | undefined> =>
  readChecked(path, true, (stats) => {
    if (!stats.isFile() && !stats.isDirectory())
      throw new LanyardError('failure', `${path} is not a regular file`);
    requireOwnership(path, stats);
    requireOwnership(dirname(path), statSync(dirname(path)));
  });

/**
 * Reads a file that only its owner may read.
 *
 * @returns its text; undefined when the file does not exist.
 * @throws LanyardError failure: it is a link, others may read it, or it cannot be read.
 */
export const readPrivate = async (path: string): Promise<string | undefined> =>
  readChecked(path, false, (stats) => {
    if (!stats.isFile()) throw new LanyardError('failure', `${path} is not a regular file`);
    requireOwner(path, stats);
    if (isAccessibleToOthers(stats.mode)) {
      throw new LanyardError(
        'failure',
        `${path} is accessible to other users (mode ${formatMode(stats.mode)}); it was not used`,
        { hint: `Run \`chmod 600 ${path}\`, and renew its tokens if other users may have read them.` },
      );
    }
  });

/** Synchronous: these files are small, and `node:fs/promises` takes longer to load than to read them. */
function readChecked(path: string, followsLinks: boolean, check: (stats: Stats) => void): string | undefined {
  // Without O_NONBLOCK opening a pipe would block. Windows has neither flag.
  const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;
  let file: number;
  try {
    file = openSync(path, O_RDONLY | O_NONBLOCK | (followsLinks ? 0 : O_NOFOLLOW));
  } catch (error) {
    if (errorCode(error) === 'ENOENT' && !isDangling(path)) return undefined;
    if (errorCode(error) === 'ENOENT') {
      throw new LanyardError('failure', `${path} is a symbolic link to a file that does not exist`, {
        hint: 'Create that file or remove the link.',
      });
    }
    if (errorCode(error) === 'ELOOP' && !followsLinks) {
      throw new LanyardError('failure', `${path} is a symbolic link; it was not used`, {
        hint: 'Find out who created it and remove it.',
      });
    }
    throw osFailure(`read ${path}`, error);
  }
  try {
    const stats = fstatSync(file);
    check(stats);
    if (stats.size > maxBytes)
      throw new LanyardError('failure', `${path} is larger than ${maxBytes / 1024 / 1024} MiB`);
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw osFailure(`read ${path}`, error);
  } finally {
    closeSync(file);
  }
}

const isDangling = (path: string): boolean =>
  lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;

/** Maximum length of a file of settings or tokens. */
const maxBytes = 16 * 1024 * 1024;

/**
 * Replaces a file with a new one of mode 0600: written next to it, synced, renamed. Call it under the lock of the
 * file, so that one name for the temporary file is enough. Synchronous, so that a signal cannot interrupt it.
 *
 * @throws LanyardError failure.
 */
export function replacePrivate(path: string, content: string): void {
  const temporaryPath = `${path}.new`;
  try {
    rmSync(temporaryPath, { force: true });
    const file = openSync(temporaryPath, 'wx', 0o600);
    try {
      fchmodSync(file, 0o600);
      const bytes = Buffer.from(content);
      for (let offset = 0; offset < bytes.length; ) offset += writeSync(file, bytes, offset);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(temporaryPath, path);
  } catch (error) {
    try {
      rmSync(temporaryPath);
    } catch {
      // An error of the cleanup would hide the first one.
    }
    throw osFailure(`write ${path}`, error);
  }
}

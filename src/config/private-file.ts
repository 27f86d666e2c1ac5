import {
  closeSync,
  constants,
  fchmodSync,
  fsyncSync,
  lstatSync,
  openSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { errorCode, LanyardError, osErrorMessage } from '../errors.ts';

const posix = process.platform !== 'win32';

/** Does a mode let anyone but the owner in? Windows keeps that elsewhere. */
export function isAccessibleToOthers(mode: number): boolean {
  return posix && (mode & 0o077) !== 0;
}

/** What decides who may have written a file or folder. */
interface Ownership {
  readonly uid: number;
  readonly mode: number;
}

/**
 * Rejects a file or folder that belongs neither to the user nor to the administrator.
 *
 * @throws LanyardError failure, with the path and the fix.
 */
function requireOwner(path: string, { uid }: Pick<Ownership, 'uid'>): void {
  const user = process.geteuid?.();
  // Windows keeps that elsewhere.
  if (user === undefined || uid === user || uid === 0) return;
  throw new LanyardError('failure', `${path} belongs to another user (uid ${uid}); it was not used`, {
    hint: `Check its content, then run \`chown ${user} ${path}\`.`,
  });
}

/**
 * Rejects a file or folder that somebody else may have written: what it says decides where tokens are sent.
 *
 * @throws LanyardError failure, with the path and the fix.
 */
function requireOwnership(path: string, stats: Ownership): void {
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
 * Reads a file that decides where tokens go. It, and the folder that it is in, must belong to the user (or the
 * administrator), and others must not be able to write them. A symbolic link is followed; what it leads to must be such
 * a file.
 *
 * @returns its text; undefined when the file does not exist.
 * @throws LanyardError failure: it is none of that, or cannot be read.
 */
export async function readTrusted(path: string): Promise<string | undefined> {
  let file: Awaited<ReturnType<typeof open>>;
  try {
    // Else a pipe would be waited for.
    file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    if (errorCode(error) === 'ENOENT' && !isDangling(path)) return undefined;
    if (errorCode(error) === 'ENOENT') {
      throw new LanyardError('failure', `${path} is a symbolic link to a file that does not exist`, {
        hint: 'Create that file or remove the link.',
      });
    }
    throw unreadableError(path, error);
  }
  try {
    const stats = await file.stat();
    if (!stats.isFile() && !stats.isDirectory())
      throw new LanyardError('failure', `${path} is not a regular file`);
    requireOwnership(path, stats);
    requireOwnership(dirname(path), await stat(dirname(path)));
    requireSize(path, stats);
    return await file.readFile('utf8');
  } catch (error) {
    throw error instanceof LanyardError ? error : unreadableError(path, error);
  } finally {
    await file.close();
  }
}

const isDangling = (path: string): boolean =>
  lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;

/**
 * Reads a file that only its owner may read.
 *
 * @returns its text; undefined when the file does not exist.
 * @throws LanyardError failure: a link stands there, others may read it, or it cannot be read.
 */
export async function readPrivate(path: string): Promise<string | undefined> {
  let file: Awaited<ReturnType<typeof open>>;
  try {
    // Windows has neither flag.
    file = await open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    if (errorCode(error) === 'ELOOP') {
      throw new LanyardError('failure', `${path} is a symbolic link; it was not used`, {
        hint: 'Find out who created it and remove it.',
      });
    }
    throw unreadableError(path, error);
  }
  try {
    const stats = await file.stat();
    if (!stats.isFile()) throw new LanyardError('failure', `${path} is not a regular file`);
    requireOwner(path, stats);
    if (isAccessibleToOthers(stats.mode)) {
      throw new LanyardError(
        'failure',
        `${path} is accessible to other users (mode ${formatMode(stats.mode)}); it was not used`,
        { hint: `Run \`chmod 600 ${path}\`, and renew its tokens if other users may have read them.` },
      );
    }
    requireSize(path, stats);
    return await file.readFile('utf8');
  } catch (error) {
    throw error instanceof LanyardError ? error : unreadableError(path, error);
  } finally {
    await file.close();
  }
}

/**
 * Replaces a file with a new one of mode 0600: written next to it, synced, renamed. Call it under the file's lock,
 * which makes one name for the temporary file enough. Synchronous, so that a signal finds all of it done or
 * nothing begun.
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
    ignoreErrors(() => rmSync(temporaryPath));
    throw new LanyardError('failure', `cannot write ${path}: ${osErrorMessage(error)}`, { cause: error });
  }
}

/** Tidies up after a failure, which is what is told of. */
function ignoreErrors(act: () => void): void {
  try {
    act();
  } catch {
    // What is there is not a file of ours.
  }
}

/** Bytes that a file of settings or tokens may have. */
const maxBytes = 16 * 1024 * 1024;

function requireSize(path: string, { size }: { readonly size: number }): void {
  if (size > maxBytes)
    throw new LanyardError('failure', `${path} is larger than ${maxBytes / 1024 / 1024} MiB`);
}

function unreadableError(path: string, error: unknown): LanyardError {
  return new LanyardError('failure', `cannot read ${path}: ${osErrorMessage(error)}`, { cause: error });
}

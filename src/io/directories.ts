import { existsSync, readdirSync, realpathSync, rmdirSync, statSync } from 'node:fs';
import { lstat, mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode, osErrorMessage, osFailure, usage } from '../errors.ts';
import { createPrivateDirectory } from './private-directory.ts';

/** The names in a directory, sorted; undefined: not a directory. @throws LanyardError usage: not readable. */
export function listDirectory(path: string): string[] | undefined {
  try {
    return readdirSync(path).sort();
  } catch (error) {
    if (errorCode(error) === 'ENOTDIR') return undefined;
    throw usage(`cannot read ${path}: ${osErrorMessage(error)}`, { cause: error });
  }
}

/** A path without symbolic links; the path itself if it does not exist or cannot be read. */
export function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

/**
 * The files below a directory, as relative paths with `/`, sorted. Names that begin with a period are skipped.
 *
 * @param isListed of a name: entries with other names are skipped, except directories and links to them.
 * @throws LanyardError usage: not a directory, not readable, or contains a link, another entry that is not a regular
 * file, or a name that is not UTF-8.
 */
export async function listFilesRecursively(
  root: string,
  isListed: (name: string) => boolean = () => true,
): Promise<readonly string[]> {
  const files: string[] = [];
  const directories = [''];
  for (let directory = directories.shift(); directory !== undefined; directory = directories.shift()) {
    for (const entry of await readEntries(join(root, directory))) {
      if (entry.name.startsWith('.')) continue;
      const path = `${directory}${entry.name}`;
      const isFolder = entry.isDirectory() || (entry.isSymbolicLink() && isDirectory(join(root, path)));
      if (!isFolder && !isListed(entry.name)) continue;
      // Node replaces the bytes that are not UTF-8: the name that it returns does not exist.
      if (entry.name.includes('\ufffd') && !existsSync(join(root, path)))
        throw usage(`invalid file name ${join(root, path)}: not UTF-8`);
      if (entry.isDirectory()) directories.push(`${path}/`);
      else if (entry.isFile()) files.push(path);
      else
        throw usage(`${join(root, path)} is neither a file nor a directory`, {
          hint: 'Symbolic links are not followed.',
        });
    }
  }
  return files.sort();
}

/** Removes a directory, if it exists and is empty. @returns whether it is gone. @throws LanyardError failure */
export function removeEmptyDirectory(path: string): boolean {
  try {
    rmdirSync(path);
  } catch (error) {
    if (errorCode(error) === 'ENOTEMPTY') return false;
    if (errorCode(error) !== 'ENOENT') throw osFailure(`remove ${path}`, error);
  }
  return true;
}

/** Whether a path is a directory or a link to one; false if it cannot be read. */
export function isDirectory(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

async function readEntries(directory: string) {
  try {
    return await readdir(directory, { withFileTypes: true });
  } catch (error) {
    if (errorCode(error) === 'ENOENT') throw usage(`cannot read ${directory}: no such directory`);
    if (errorCode(error) === 'ENOTDIR') throw usage(`cannot read ${directory}: not a directory`);
    throw usage(`cannot read ${directory}: ${osErrorMessage(error)}`, { cause: error });
  }
}

/**
 * Creates a directory, and missing directories below it, with mode 0700.
 *
 * @param paths relative paths with `/`.
 * @throws LanyardError usage: a file or a link is in the way; failure: a directory cannot be created.
 */
export async function createDirectories(root: string, paths: readonly string[]): Promise<void> {
  try {
    createPrivateDirectory(root);
    const steps = paths.flatMap((path) =>
      path.split('/').map((_part, index, parts) => parts.slice(0, index + 1).join('/')),
    );
    for (const step of new Set(steps)) await createDirectory(join(root, step));
  } catch (error) {
    throw osFailure(`create directories in ${root}`, error);
  }
}

async function createDirectory(path: string): Promise<void> {
  try {
    await mkdir(path, { mode: 0o700 });
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
    // A link would redirect the files to another directory.
    if (!(await lstat(path)).isDirectory()) throw usage(`cannot write to ${path}: not a directory`);
  }
}

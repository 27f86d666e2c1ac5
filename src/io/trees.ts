import { lstat, mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode, LanyardError, reason, usage } from '../errors.ts';
import { makeFolderAndAbove } from './folder.ts';

/**
 * The files below a folder, as relative paths with `/`, sorted. Names that begin with a period are passed over.
 *
 * @throws LanyardError usage: it is no folder or cannot be read, or has a link or something else that is no file.
 */
export async function filesBelow(root: string): Promise<readonly string[]> {
  const found: string[] = [];
  const folders = [''];
  for (let folder = folders.shift(); folder !== undefined; folder = folders.shift()) {
    for (const entry of await entriesOf(join(root, folder))) {
      if (entry.name.startsWith('.')) continue;
      const path = `${folder}${entry.name}`;
      if (entry.isDirectory()) folders.push(`${path}/`);
      else if (entry.isFile()) found.push(path);
      else
        throw usage(`${join(root, path)} is neither a file nor a directory`, {
          hint: 'Symbolic links are not followed.',
        });
    }
  }
  return found.sort();
}

async function entriesOf(folder: string) {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch (error) {
    if (errorCode(error) === 'ENOENT') throw usage(`cannot read ${folder}: no such directory`);
    if (errorCode(error) === 'ENOTDIR') throw usage(`cannot read ${folder}: not a directory`);
    throw usage(`cannot read ${folder}: ${reason(error)}`, { cause: error });
  }
}

/**
 * Makes a folder and folders below it, of mode 0700, where they are missing.
 *
 * @param below relative paths with `/`.
 * @throws LanyardError usage: something else, or a link to elsewhere, exists where one below belongs; failure: it
 * cannot be made.
 */
export async function makeFolders(root: string, below: readonly string[]): Promise<void> {
  try {
    makeFolderAndAbove(root);
    const steps = below.flatMap((path) =>
      path.split('/').map((_part, index, parts) => parts.slice(0, index + 1).join('/')),
    );
    for (const step of new Set(steps)) await makeFolder(join(root, step));
  } catch (error) {
    if (error instanceof LanyardError) throw error;
    throw new LanyardError('failure', `cannot create directories in ${root}: ${reason(error)}`, {
      cause: error,
    });
  }
}

async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path, { mode: 0o700 });
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
    // A link would lead what is written there elsewhere.
    if (!(await lstat(path)).isDirectory()) throw usage(`cannot write to ${path}: not a directory`);
  }
}

import { chmod, mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { errorCode } from '../errors.ts';

/**
 * Makes a folder of mode 0700, and those above it, where it is missing. One after the other: the recursive `mkdir` of
 * Node never ends where the system rejects a folder with ENOENT although the one above it is there, as in /proc.
 *
 * @throws the error of the system.
 */
export async function createPrivateDirectory(path: string): Promise<void> {
  if (await isDirectory(path)) return;
  if (dirname(path) !== path) await createPrivateDirectory(dirname(path));
  try {
    await mkdir(path, { mode: 0o700 });
    // Whatever the mask of the process is.
    await chmod(path, 0o700);
  } catch (error) {
    // Somebody else may have been faster.
    if (!(await isDirectory(path))) throw error;
  }
}

async function isDirectory(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return false;
    throw error;
  }
}

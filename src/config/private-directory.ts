import { chmod, mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { errorCode } from '../errors.ts';

/**
 * Creates a directory of mode 0700, and missing parents, one by one: Node's recursive `mkdir` would loop forever if
 * the system reports ENOENT although the parent exists, as in /proc.
 *
 * @throws the error of the system.
 */
export async function createPrivateDirectory(path: string): Promise<void> {
  if (await isDirectory(path)) return;
  if (dirname(path) !== path) await createPrivateDirectory(dirname(path));
  try {
    await mkdir(path, { mode: 0o700 });
    // Whatever the umask.
    await chmod(path, 0o700);
  } catch (error) {
    // Another process may have created it.
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

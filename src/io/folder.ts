import { chmodSync, mkdirSync, statSync } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** Makes a new folder of mode 0700 among the system's temporary ones, or in another folder. */
export async function temporaryFolder(
  prefix: string,
  within: string = tmpdir(),
): Promise<{ readonly path: string; remove(): Promise<void> }> {
  const path = await mkdtemp(join(within, prefix));
  // Whatever the mask of the process is.
  await chmod(path, 0o700);
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
}

/**
 * Makes a folder of mode 0700, and those above it, where it is missing. Node's recursive `mkdir` would try for ever
 * where the system says ENOENT of a folder although there is one above it, as it does in /proc.
 *
 * @throws the error of the system.
 */
export function makeFolderAndAbove(path: string): void {
  if (isFolder(path)) return;
  if (dirname(path) !== path) makeFolderAndAbove(dirname(path));
  try {
    mkdirSync(path, { mode: 0o700 });
    // Whatever the mask of the process is.
    chmodSync(path, 0o700);
  } catch (error) {
    // Somebody else may have been faster.
    if (!isFolder(path)) throw error;
  }
}

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;

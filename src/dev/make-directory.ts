import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Makes a directory private to its owner (0700), and those above it, unless it is there. Node's recursive `mkdir` does
 * not end below a directory like /proc, in which nothing can be made, so each is made by itself.
 *
 * @returns the topmost that was made; undefined: all were there.
 * @throws the error of the system.
 */
export async function makeDirectory(path: string): Promise<string | undefined> {
  if (await isDirectory(path)) return undefined;
  const above = dirname(path);
  const topmost = above === path ? undefined : await makeDirectory(above);
  try {
    await mkdir(path, { mode: 0o700 });
  } catch (error) {
    if (await isDirectory(path)) return topmost;
    throw error;
  }
  return topmost ?? path;
}

const isDirectory = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isDirectory(),
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return false;
      throw error;
    },
  );

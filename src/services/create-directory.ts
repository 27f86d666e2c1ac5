import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Creates a directory private to its owner (0700), and its missing parents. Each is created separately
 * because Node's recursive `mkdir` never returns below a directory such as /proc, in which nothing can be
 * created.
 * @returns the topmost directory that was created; undefined: all existed.
 * @throws the system error.
 */
export async function createDirectory(path: string): Promise<string | undefined> {
  if (await isDirectory(path)) return undefined;
  const parent = dirname(path);
  const topmost = parent === path ? undefined : await createDirectory(parent);
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
    (stats) => stats.isDirectory(),
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return false;
      throw error;
    },
  );

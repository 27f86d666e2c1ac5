import { mkdir, rename, rm, statfs, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { osFailure, usage } from '../errors.ts';
import { createTemporaryDirectory, runtimeDirectory } from './private-directory.ts';

/** Linux: the types of file systems in memory, tmpfs and ramfs. */
const memoryTypes = [0x01021994, 0x858458f6];

/** Files in a private directory in memory, which are replaced together. */
export interface MemoryFiles {
  /** The directory of the current files. Its path does not change; it is a symbolic link. */
  readonly path: string;
  /**
   * Writes new files next to the current ones.
   *
   * @returns replaces all current files by them at once.
   */
  prepare(files: Readonly<Record<string, string>>): Promise<() => Promise<void>>;
  /** Removes everything. */
  remove(): Promise<void>;
}

/**
 * Creates a directory of mode 0700 in memory: in `$XDG_RUNTIME_DIR`, /dev/shm or the temporary directory. Its files have
 * mode 0600.
 *
 * @throws LanyardError usage: none of them is in memory, or the system is not Linux.
 */
export async function createMemoryFiles(
  env: Readonly<Record<string, string | undefined>>,
): Promise<MemoryFiles> {
  const parent = await memoryDirectory([runtimeDirectory(env), '/dev/shm', tmpdir()]);
  if (parent === undefined)
    throw usage('cannot create files in memory: $XDG_RUNTIME_DIR, /dev/shm and $TMPDIR are not a tmpfs', {
      hint: 'Without --files the values are set in the environment of the command.',
    });
  const directory = await createTemporaryDirectory('lanyard-run-', parent);
  const path = join(directory.path, 'current');
  let count = 0;
  const published: string[] = [];
  return {
    path,
    remove: directory.remove,
    async prepare(files) {
      count += 1;
      const name = String(count);
      const folder = join(directory.path, name);
      try {
        await mkdir(folder, { mode: 0o700 });
        for (const [file, content] of Object.entries(files))
          await writeFile(join(folder, file), content, { mode: 0o600, flag: 'wx' });
      } catch (error) {
        await rm(folder, { recursive: true, force: true });
        throw osFailure(`write files to ${directory.path}`, error);
      }
      return async () => {
        const next = join(directory.path, 'next');
        await symlink(name, next);
        await rename(next, path);
        // The last ones may still be read.
        published.push(name);
        for (const old of published.splice(0, published.length - 2))
          await rm(join(directory.path, old), { recursive: true, force: true });
      };
    },
  };
}

/** The first of the directories that is in memory. */
async function memoryDirectory(candidates: readonly (string | undefined)[]): Promise<string | undefined> {
  for (const path of candidates) {
    const stats =
      path === undefined || process.platform !== 'linux'
        ? undefined
        : await statfs(path).catch(() => undefined);
    if (stats && memoryTypes.includes(stats.type)) return path;
  }
  return undefined;
}

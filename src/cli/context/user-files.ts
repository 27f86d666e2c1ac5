import { join } from 'node:path';
import type { Files } from '../../command/files.ts';
import { withLock, withRemovableLock } from '../../config/lock.ts';
import { appendFiles } from '../../io/append-files.ts';
import {
  createDirectories,
  isDirectory,
  listDirectory,
  listFilesRecursively,
  realPath,
  removeEmptyDirectory,
} from '../../io/directories.ts';
import { syncDirectoryTogether } from '../../io/directory-sync.ts';
import * as files from '../../io/files.ts';
import { openLargeFile } from '../../io/large-file.ts';
import { checkOutputFiles } from '../../io/output-files.ts';
import { openPartialDownload } from '../../io/partial-download.ts';
import { resolvePath } from '../../io/resolve-path.ts';

/**
 * The files that users name, and the functions of `src/io` for them.
 *
 * @param directory the configuration directory, which has the lock of edited files.
 */
export function userFiles(
  host: { readonly cwd: string; readonly signal?: AbortSignal },
  directory: string,
): Omit<Files, 'absolute'> {
  const resolved = <File extends { readonly path: string }>(file: File): File => ({
    ...file,
    path: resolvePath(host, file.path),
  });
  const atPath =
    <Rest extends unknown[], Value>(work: (path: string, ...rest: Rest) => Value | Promise<Value>) =>
    async (name: string, ...rest: Rest): Promise<Value> =>
      work(resolvePath(host, name), ...rest);
  const locked = (work: () => Promise<boolean>): Promise<boolean> => {
    files.createDirectory(directory);
    return withLock(join(directory, 'edits'), work);
  };
  return {
    exists: atPath(files.exists),
    isFile: atPath(files.isFile),
    readText: atPath((path, what: string, limit?: number) =>
      files.readText(path, what, limit, { signal: host.signal }),
    ),
    readBytes: atPath((path, what: string, limit: number) => files.readBytes(path, what, limit, host.signal)),
    isDirectory: atPath(isDirectory),
    checkWritable: async (targets) => checkOutputFiles(targets.map(resolved)),
    write: async (all) => files.writeFiles(all.map(resolved)),
    writeOneOfMany: async (file) => {
      const syncs: Promise<void>[] = [];
      files.writeFiles([resolved(file)], (directory) => syncs.push(syncDirectoryTogether(directory)));
      await Promise.all(syncs);
    },
    append: async (all) => appendFiles(all.map(resolved)),
    listRecursively: atPath(listFilesRecursively),
    createDirectories: atPath(createDirectories),
    openLarge: (name, what) => openLargeFile(resolvePath(host, name), what, name),
    openPartialDownload: async ({ path, replace = false, isBackup = false }, hash) =>
      openPartialDownload(resolvePath(host, path), { replace, hash, isBackup }),
    snapshotReader: async (...given) => {
      const { snapshotReader } = await import('../../io/snapshot-archive.ts');
      return snapshotReader(...given);
    },
    listDirectory: atPath(listDirectory),
    realPath: atPath(realPath),
    createDirectory: atPath(files.createDirectory),
    edit: async (file, change) => {
      const { editFile } = await import('../../io/edit-file.ts');
      return locked(() => editFile(resolved(file), change));
    },
    editBytes: async (file, change) => {
      const { editBytes } = await import('../../io/edit-file.ts');
      return locked(() => editBytes(resolved(file), change));
    },
    mode: atPath(files.modeOf),
    attributes: atPath(files.attributesOf),
    remove: atPath(files.removeFile),
    removeEmptyDirectory: atPath(removeEmptyDirectory),
    locked: (path, work) => withRemovableLock(resolvePath(host, path), work),
  };
}

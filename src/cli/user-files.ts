import { join } from 'node:path';
import { withLock } from '../config/lock.ts';
import { createDirectories, listFilesRecursively } from '../io/directories.ts';
import {
  createDirectory,
  type EditedFile,
  editFile,
  exists,
  isFile,
  listDirectory,
  type NewFile,
  readBytes,
  readText,
  removeFile,
  writeFiles,
} from '../io/files.ts';
import { openLargeFile } from '../io/large-file.ts';
import { checkOutputFiles, type OutputFile } from '../io/output-files.ts';
import { openPartialDownload } from '../io/partial-download.ts';
import { resolvePath } from '../io/resolve-path.ts';

/**
 * The files that users name, and the functions of `src/io` for them.
 *
 * @param directory the configuration directory, which has the lock of edited files.
 */
export function userFiles(host: { readonly cwd: string }, directory: string) {
  const resolved = <File extends { readonly path: string }>(file: File): File => ({
    ...file,
    path: resolvePath(host, file.path),
  });
  const atPath =
    <Rest extends unknown[], Value>(work: (path: string, ...rest: Rest) => Value | Promise<Value>) =>
    async (name: string, ...rest: Rest): Promise<Value> =>
      work(resolvePath(host, name), ...rest);
  return {
    exists: atPath(exists),
    isFile: atPath(isFile),
    readText: atPath(readText),
    readBytes: atPath(readBytes),
    checkWritable: async (targets: readonly OutputFile[]) => checkOutputFiles(targets.map(resolved)),
    write: async (files: readonly NewFile[]) => writeFiles(files.map(resolved)),
    listRecursively: atPath(listFilesRecursively),
    createDirectories: atPath(createDirectories),
    openLarge: (name: string, what: string) => openLargeFile(resolvePath(host, name), what, name),
    openPartialDownload: async (
      { path, replace = false }: { readonly path: string; readonly replace?: boolean },
      hash: string,
    ) => openPartialDownload(resolvePath(host, path), { replace, hash }),
    listDirectory: atPath(listDirectory),
    createDirectory: atPath(createDirectory),
    /** As `editFile`, locked. */
    edit: async (file: EditedFile, change: (text: string) => string) => {
      createDirectory(directory);
      return withLock(join(directory, 'edits'), async () => editFile(resolved(file), change));
    },
    remove: atPath(removeFile),
  };
}

import { decodeText, readBytes, writeFiles } from './files.ts';
import { checkOutputFiles, lstat } from './output-files.ts';

/** A file that other programs write too. */
export interface EditedFile {
  readonly path: string;
  /** The role of the file, for messages: "the known_hosts file". */
  readonly what: string;
  /** Permission bits of a new file. */
  readonly mode: number;
}

/**
 * Changes a file with any content: writes what `change` returns for its bytes (undefined if the file is missing) and
 * keeps its mode. Call it under a lock.
 *
 * @returns whether it changed.
 * @throws LanyardError as readBytes, checkTargets and writeFiles.
 */
export async function editBytes(
  { path, what, mode }: EditedFile,
  change: (bytes: Buffer | undefined) => Uint8Array,
): Promise<boolean> {
  const target = { path, replace: true };
  checkOutputFiles([target]);
  const stats = lstat(path);
  const before = stats ? await readBytes(path, what, maxEditedBytes) : undefined;
  const content = change(before);
  if (before?.equals(content)) return false;
  writeFiles([{ ...target, content, mode: stats ? stats.mode & 0o7777 : mode }]);
  return true;
}

const maxEditedBytes = 64 * 1024 * 1024;

/**
 * Changes a text file: writes what `change` returns for its text (empty if the file is missing) and keeps its mode.
 * Call it under a lock.
 *
 * @param file.mode of a new file.
 * @returns whether it changed.
 * @throws LanyardError as readText, checkTargets and writeFiles.
 */
export const editFile = (file: EditedFile, change: (text: string) => string): Promise<boolean> =>
  editBytes(file, (bytes) =>
    Buffer.from(change(bytes === undefined ? '' : decodeText(bytes, `${file.what} in ${file.path}`))),
  );

import {
  closeSync,
  constants,
  copyFileSync,
  fchmodSync,
  fchownSync,
  fsyncSync,
  linkSync,
  lstatSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { errorCode, LanyardError, osErrorMessage, osFailure, usage } from '../errors.ts';
import { getOrCreate } from '../wire/maps.ts';
import { syncDirectory } from './directory-sync.ts';
import { checkOutputFiles, lstat, type OutputFile, withWriteErrors } from './output-files.ts';
import { createPrivateDirectory } from './private-directory.ts';
import { readChunks } from './read-chunks.ts';

const mebibyte = 1024 * 1024;

interface ReadOptions {
  readonly decode?: typeof decodeText;
  /** Ends the wait for a pipe. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Reads a text file of the user.
 *
 * @param what the subject of messages: "the public key".
 * @param limit bytes; a longer file is rejected.
 * @throws LanyardError usage: missing, a directory, unreadable, too long, or not UTF-8 text.
 */
export async function readText(
  path: string,
  what: string,
  limit = mebibyte,
  { decode = decodeText, signal }: ReadOptions = {},
): Promise<string> {
  return decode(await readBytes(path, what, limit, signal), `${what} in ${path}`);
}

/**
 * Decodes UTF-8 strictly, without a byte order mark. NUL bytes are rejected: text files have none.
 *
 * @throws LanyardError usage: not text; `name` is the subject of the message.
 */
export function decodeText(bytes: Uint8Array, name: string): string {
  if (bytes.includes(0)) throw notTextError(name);
  return decode(bytes, name, false);
}

/** As {@link decodeText}, but accepts NUL bytes and keeps a byte order mark, for values that must not change. */
export function decodeAnyText(bytes: Uint8Array, name: string): string {
  return decode(bytes, name, true);
}

function decode(bytes: Uint8Array, name: string, ignoreBOM: boolean): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM }).decode(bytes);
  } catch {
    throw notTextError(name);
  }
}

const notTextError = (name: string): LanyardError => usage(`${name} is not UTF-8 text`);

/**
 * Reads a file of the user with any content.
 *
 * @throws LanyardError usage: missing, a directory, unreadable or too long.
 */
export async function readBytes(
  path: string,
  what: string,
  limit: number,
  signal?: AbortSignal,
): Promise<Buffer> {
  try {
    // Read until one byte past the limit: pipes and /proc report a size of 0.
    const chunks: Buffer[] = [];
    let length = 0;
    for await (const chunk of readChunks(path, { end: limit, signal })) {
      length += chunk.length;
      if (length > limit) throw usage(`cannot read ${what} from ${path}: longer than ${limit} bytes`);
      chunks.push(chunk);
    }
    return Buffer.concat(chunks);
  } catch (error) {
    throw unreadableError(what, path, error);
  }
}

const readErrors: { readonly [code: string]: string } = { ENOENT: 'no such file', EISDIR: 'is a directory' };

/** The error for a file of the user that cannot be read. A LanyardError is unchanged. */
export const unreadableError = (what: string, path: string, error: unknown): LanyardError => {
  if (error instanceof LanyardError) return error;
  // Node replaces the bytes of an argument that are not UTF-8: the file with this name does not exist.
  const isReplaced = errorCode(error) === 'ENOENT' && path.includes('\ufffd');
  const known = isReplaced ? 'the file name is not UTF-8' : readErrors[errorCode(error) ?? ''];
  const cause = known ?? osErrorMessage(error);
  return usage(`cannot read ${what} from ${path}: ${cause}`, { cause: error });
};

/** User and group of a file, by their numbers. */
export interface FileOwner {
  readonly uid: number;
  readonly gid: number;
}

/** Permission bits, user and group of a file. */
export interface FileAttributes extends FileOwner {
  readonly mode: number;
}

export interface NewFile extends OutputFile {
  readonly content: string | Uint8Array;
  /** Permission bits (default 0600). */
  readonly mode?: number;
  /** Default: the user of this process. */
  readonly owner?: FileOwner | undefined;
}

/**
 * Writes files, all of them or none: each is written to a new file next to its target and synced, then all are
 * renamed; when a rename fails, the earlier ones are undone. Synchronous, so that a signal cannot interrupt it and no
 * temporary file is left.
 *
 * @param sync is called with each directory after the renames.
 * @throws LanyardError usage: as checkTargets; failure: a file cannot be written.
 */
export function writeFiles(files: readonly NewFile[], sync = syncDirectory): void {
  checkOutputFiles(files);
  const undo: (() => void)[] = [];
  const cleanup: (() => void)[] = [];
  try {
    const written = files.map((file) => {
      const temporary = temporaryPath(file.path);
      cleanup.push(() => rmSync(temporary, { force: true }));
      withWriteErrors(file.path, () => writeTemporary(temporary, file));
      removeStale(file.path, temporary);
      return { ...file, temporary };
    });
    for (const { temporary, ...target } of written) {
      const { path, replace } = target;
      withWriteErrors(path, () => {
        const backup = replace ? backUp(path) : undefined;
        if (backup !== undefined) cleanup.push(() => rmSync(backup, { force: true }));
        moveIntoPlace(target, temporary);
        undo.push(() => (backup === undefined ? rmSync(path) : renameSync(backup, path)));
      });
    }
    for (const directory of new Set(files.map(({ path }) => dirname(path)))) sync(directory);
  } catch (error) {
    for (const step of undo.reverse()) step();
    throw error;
  } finally {
    for (const step of cleanup) step();
  }
}

const staleMs = 10 * 60 * 1000;
/** The temporary files in each directory, as listed before the first write: name, and the name of the target. */
const temporaryFilesByDirectory = new Map<string, readonly RegExpExecArray[]>();

/** Removes what killed processes left next to a file: files with our naming pattern for this target. */
function removeStale(path: string, written: string): void {
  const directory = dirname(path);
  try {
    const temporary = getOrCreate(temporaryFilesByDirectory, directory, () => temporaryFiles(directory));
    const names = temporary.filter(([, file]) => file === basename(path)).map(({ input }) => input);
    removeStaleFiles(directory, names, lstatSync(written));
  } catch {
    // The new file is written in any case.
  }
}

/** Removes regular files of this user that are ten minutes older than a new file (by the clock of the file system). */
export function removeStaleFiles(directory: string, names: readonly string[], { mtimeMs, uid }: Stats): void {
  for (const name of names) {
    const stats = lstat(join(directory, name));
    if (stats?.isFile() && stats.uid === uid && mtimeMs - stats.mtimeMs > staleMs)
      rmSync(join(directory, name), { force: true });
  }
}

/** The names that `temporaryPath` creates; the first group is the name of the target. */
const temporaryNamePattern = /^\.(.+)\.[0-9a-f]{8}-[0-9a-f]{4}\.tmp$/;

const temporaryFiles = (directory: string): RegExpExecArray[] =>
  readdirSync(directory)
    .map((name) => temporaryNamePattern.exec(name))
    .filter((match) => match !== null);

function temporaryPath(path: string): string {
  return join(dirname(path), `.${basename(path)}.${crypto.randomUUID().slice(0, 13)}.tmp`);
}

function writeTemporary(path: string, { content, mode = 0o600, owner }: NewFile): void {
  const file = openSync(path, 'wx', 0o600);
  try {
    const bytes = Buffer.from(content);
    for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
    // A change of the owner may remove bits of the mode.
    if (owner) fchownSync(file, owner.uid, owner.gid);
    fchmodSync(file, mode);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** Keeps the existing file under another name until the new file is in place. */
function backUp(path: string): string | undefined {
  if (lstat(path) === undefined) return undefined;
  const backup = temporaryPath(path);
  try {
    linkSync(path, backup);
  } catch {
    // Not every file system has hard links.
    copyFileSync(path, backup, constants.COPYFILE_EXCL);
  }
  return backup;
}

/** Gives a complete file its final name. @throws LanyardError usage: an existing file may not be replaced. */
export function moveIntoPlace(target: OutputFile, temporary: string): void {
  const { path, replace } = target;
  if (!replace) {
    try {
      // Unlike a rename, a link fails if a file was created at the path in the meantime.
      linkSync(temporary, path);
      return;
    } catch (error) {
      if (errorCode(error) === 'EEXIST') throw error;
    }
  }
  checkOutputFiles([target]);
  renameSync(temporary, path);
}

/** Creates a directory of mode 0700, and missing parents. @throws LanyardError failure */
export function createDirectory(path: string): void {
  withWriteErrors(path, () => createPrivateDirectory(path));
}

/** Removes a file, if it exists. @throws LanyardError failure */
export function removeFile(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch (error) {
    throw osFailure(`remove ${path}`, error);
  }
}

/** The permission bits of the entry at a path; links are not followed. @returns undefined: it does not exist */
export function modeOf(path: string): number | undefined {
  const stats = lstat(path);
  return stats && stats.mode & 0o7777;
}

/** Mode, user and group of the entry at a path; links are not followed. @returns undefined: it does not exist */
export function attributesOf(path: string): FileAttributes | undefined {
  const stats = lstat(path);
  return stats && { mode: stats.mode & 0o7777, uid: stats.uid, gid: stats.gid };
}

/** Whether a path is a regular file or a link to one; false if it cannot be read. */
export function isFile(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

export function exists(path: string): boolean {
  try {
    return lstat(path) !== undefined;
  } catch (error) {
    // A path below a file does not exist.
    if (errorCode(error) === 'ENOTDIR') return false;
    throw error;
  }
}

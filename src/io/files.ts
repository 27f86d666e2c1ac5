import {
  closeSync,
  constants,
  copyFileSync,
  fchmodSync,
  fsyncSync,
  linkSync,
  lstatSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { open } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { errorCode, LanyardError, osErrorMessage, usage } from '../errors.ts';
import { checkOutputFiles, lstat, type OutputFile, withWriteErrors } from './output-files.ts';
import { createPrivateDirectory } from './private-directory.ts';

const mebibyte = 1024 * 1024;

/**
 * Reads a text file that the user named.
 *
 * @param what the file's part, as a message begins: "the public key".
 * @param limit bytes; a longer file is rejected.
 * @throws LanyardError usage: it is missing, a folder, unreadable, too long, or not UTF-8 text.
 */
export async function readText(
  path: string,
  what: string,
  limit = mebibyte,
  decode = decodeText,
): Promise<string> {
  return decode(await readBytes(path, what, limit), `${what} in ${path}`);
}

/**
 * Decodes UTF-8 without a byte order mark and without guesses. A byte that is 0 is in no file that people write.
 *
 * @throws LanyardError usage: it is not text; `name` begins the message.
 */
export function decodeText(bytes: Uint8Array, name: string): string {
  if (bytes.includes(0)) throw notTextError(name);
  return decode(bytes, name, false);
}

/** As {@link decodeText}, but that bytes may be 0 and a byte order mark stays: for values that are kept as they are. */
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
 * Reads a file that the user named, whatever is in it.
 *
 * @throws LanyardError usage: it is missing, a folder, unreadable or too long.
 */
export async function readBytes(path: string, what: string, limit: number): Promise<Buffer> {
  try {
    const file = await open(path);
    try {
      // Read to one byte past the limit, whatever size the file says it has: pipes and /proc say 0.
      const chunks: Buffer[] = [];
      let length = 0;
      for await (const chunk of file.createReadStream({ end: limit, autoClose: false })) {
        length += chunk.length;
        if (length > limit) throw usage(`cannot read ${what} from ${path}: longer than ${limit} bytes`);
        chunks.push(chunk);
      }
      return Buffer.concat(chunks);
    } finally {
      await file.close();
    }
  } catch (error) {
    if (error instanceof LanyardError) throw error;
    if (errorCode(error) === 'ENOENT') throw usage(`cannot read ${what} from ${path}: no such file`);
    if (errorCode(error) === 'EISDIR') throw usage(`cannot read ${what} from ${path}: is a directory`);
    throw usage(`cannot read ${what} from ${path}: ${osErrorMessage(error)}`, { cause: error });
  }
}

interface NewFile extends OutputFile {
  readonly content: string | Uint8Array;
  /** Permission bits, 0600 unless told. */
  readonly mode?: number;
}

/**
 * Keeps files for the user, all of them or none: each is written to a new file next to its target, synced, and
 * moved into place when all are written; when a move fails, those before it are taken back. Synchronous, so
 * that a signal finds all of it done or nothing begun, and no temporary file is left.
 *
 * @throws LanyardError usage: as checkTargets; failure: it cannot be written.
 */
export function writeFiles(files: readonly NewFile[]): void {
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
    for (const directory of new Set(files.map(({ path }) => dirname(path)))) syncDirectory(directory);
  } catch (error) {
    for (const step of undo.reverse()) step();
    throw error;
  } finally {
    for (const step of cleanup) step();
  }
}

const staleMs = 10 * 60 * 1000;
/** The temporary files in folders that were written to, as they were found the first time: name, and that of the file. */
const temporaryFilesByDirectory = new Map<string, readonly RegExpExecArray[]>();

/**
 * Removes what killed runs left next to a file: names of our own form for this very file, the user's own regular files,
 * and ten minutes older than the one that was just written (compared by the file system's own clock).
 */
function removeStale(path: string, written: string): void {
  const directory = dirname(path);
  try {
    const temporary = temporaryFilesByDirectory.get(directory) ?? temporaryFiles(directory);
    temporaryFilesByDirectory.set(directory, temporary);
    const { mtimeMs, uid } = lstatSync(written);
    for (const { input: name } of temporary.filter(([, file]) => file === basename(path))) {
      const stats = lstat(join(directory, name));
      if (stats?.isFile() && stats.uid === uid && mtimeMs - stats.mtimeMs > staleMs)
        rmSync(join(directory, name));
    }
  } catch {
    // What was asked for is written all the same.
  }
}

/** The names that `beside` makes; the first group is the file's own. */
const temporaryNamePattern = /^\.(.+)\.[0-9a-f]{8}-[0-9a-f]{4}\.tmp$/;

const temporaryFiles = (directory: string): RegExpExecArray[] =>
  readdirSync(directory)
    .map((name) => temporaryNamePattern.exec(name))
    .filter((match) => match !== null);

function temporaryPath(path: string): string {
  return join(dirname(path), `.${basename(path)}.${crypto.randomUUID().slice(0, 13)}.tmp`);
}

function writeTemporary(path: string, { content, mode = 0o600 }: NewFile): void {
  const file = openSync(path, 'wx', 0o600);
  try {
    const bytes = Buffer.from(content);
    for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
    fchmodSync(file, mode);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** Keeps what stands at the path under another name, until the new file is known to stand. */
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

function moveIntoPlace(target: OutputFile, temporary: string): void {
  const { path, replace } = target;
  if (!replace) {
    try {
      // Unlike a rename, a link fails when something has come to stand there meanwhile.
      linkSync(temporary, path);
      return;
    } catch (error) {
      if (errorCode(error) === 'EEXIST') throw error;
    }
  }
  checkOutputFiles([target]);
  renameSync(temporary, path);
}

function syncDirectory(directory: string): void {
  try {
    const handle = openSync(directory, 'r');
    try {
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
  } catch {
    // The files themselves are synced; not every system can sync a folder.
  }
}

/** The names in a folder, sorted; undefined: it is not one. @throws LanyardError usage: it cannot be read. */
export function listDirectory(path: string): string[] | undefined {
  try {
    return readdirSync(path).sort();
  } catch (error) {
    if (errorCode(error) === 'ENOTDIR') return undefined;
    throw usage(`cannot read ${path}: ${osErrorMessage(error)}`, { cause: error });
  }
}

/** Makes a folder of mode 0700, and those above it, where it is missing. @throws LanyardError failure */
export function createDirectory(path: string): void {
  withWriteErrors(path, () => createPrivateDirectory(path));
}

/** A text file that other programs write too. */
export interface EditedFile {
  readonly path: string;
  /** The role of the file, for messages: "the known_hosts file". */
  readonly what: string;
  /** Permission bits of a new file. */
  readonly mode: number;
}

/**
 * Changes a text file: what `change` makes of its text (empty where it is missing) takes its place, with the mode
 * that it has. Call it under a lock.
 *
 * @param file.mode of a file that is new.
 * @returns whether it changed.
 * @throws LanyardError as readText, checkTargets and writeFiles.
 */
export async function editFile(
  { path, what, mode }: EditedFile,
  change: (text: string) => string,
): Promise<boolean> {
  const target = { path, replace: true };
  checkOutputFiles([target]);
  const stats = lstat(path);
  const before = stats ? await readText(path, what, 64 * mebibyte) : '';
  const content = change(before);
  if (stats && content === before) return false;
  writeFiles([{ ...target, content, mode: stats ? stats.mode & 0o7777 : mode }]);
  return true;
}

/** Removes a file; none there is no failure. @throws LanyardError failure */
export function removeFile(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch (error) {
    throw new LanyardError('failure', `cannot remove ${path}: ${osErrorMessage(error)}`, { cause: error });
  }
}

/** Whether a path is a regular file or a link to one; false if it cannot be read. */
export function isFile(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** Is there anything at the path? */
export function exists(path: string): boolean {
  try {
    return lstat(path) !== undefined;
  } catch (error) {
    // Nothing is below a file.
    if (errorCode(error) === 'ENOTDIR') return false;
    throw error;
  }
}

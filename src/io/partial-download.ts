import { createHash, type Hash } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, open, readdir, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { errorCode, LanyardError, osErrorMessage, osFailure } from '../errors.ts';
import { syncDirectory } from './directory-sync.ts';
import { moveIntoPlace, removeStaleFiles } from './files.ts';
import { checkOutputFiles, lstat } from './output-files.ts';

/** A download in progress: the bytes so far are kept next to the target until the file is complete. */
export type PartialDownload = Awaited<ReturnType<typeof openPartialDownload>>;

interface PartialDownloadOptions {
  /** Whether an existing target may be replaced. */
  readonly replace: boolean;
  /** The hash of the checksum: `md5`, `sha1`, `sha256`, `sha384`, `sha512`. */
  readonly hash: string;
  /** Only for this user, and synced before it gets its name: a backup, which cannot be made again. */
  readonly isBackup?: boolean;
}

interface OpenPart {
  readonly file: FileHandle;
  readonly path: string;
  /** The entity tag of the complete file; undefined: it cannot be resumed. */
  readonly etag: string | undefined;
  /** Bytes that are written, or being written. */
  length: number;
  /** The hash of those bytes. */
  hash: Hash;
}

/** Bytes of an existing part that are read together. */
const batchBytes = 1024 * 1024;
/** File names have at most 255 bytes. */
const maxTagLength = 120;

/**
 * Opens the partial download for `target`. Its name contains the entity tag of the complete file, so that a later run
 * knows which file the part belongs to.
 *
 * @throws LanyardError usage: the target cannot be written; failure, here and later: the part cannot be written.
 */
export async function openPartialDownload(target: string, options: PartialDownloadOptions) {
  checkOutputFiles([{ path: target, replace: options.replace }]);
  const guarded = withWriteErrors(target);
  let part = await guarded(() => findExistingPart(target, options.hash));
  let writing: Promise<void> | undefined;

  /** Starts to write a chunk when the previous write has ended, and hashes it meanwhile. */
  async function push(chunk: Uint8Array): Promise<void> {
    await writing;
    if (!part) return;
    const offset = part.length;
    part.length += chunk.length;
    writing = writeAll(part, chunk, offset);
    // The next operation reports the error.
    writing.catch(() => undefined);
    part.hash.update(chunk);
  }

  const flush = async (): Promise<void> => writing;

  async function removePart(): Promise<void> {
    await part?.file.close();
    if (part) await rm(part.path, { force: true });
    part = undefined;
  }

  return {
    /** The existing bytes, and the entity tag of the complete file; undefined: it cannot be resumed. */
    resumePoint: () =>
      guarded(async () => {
        await flush();
        return part && isResumable(part) ? { length: part.length, etag: part.etag } : undefined;
      }),
    /** Continues at `from`, and drops the bytes after it; drops all bytes if the entity tag differs. */
    start: (source: { readonly from: number; readonly etag: string | undefined }): Promise<void> =>
      guarded(async () => {
        await flush();
        if (part && part.etag === source.etag && part.length === source.from) return;
        if (source.from > 0)
          throw new LanyardError('failure', `cannot resume ${target}: the response starts at another offset`);
        await removePart();
        part = await createPart(target, source.etag, options);
      }),
    /** Appends a chunk, which must not change before the next operation has resolved. */
    write: (chunk: Uint8Array): Promise<void> => guarded(() => push(chunk)),
    /** The file is complete: its length in bytes, and its checksum in hexadecimal. */
    digest: () =>
      guarded(async () => {
        await flush();
        return {
          length: part?.length ?? 0,
          checksum: (part?.hash ?? createHash(options.hash)).copy().digest('hex'),
        };
      }),
    /** Moves the complete file to its target. @throws LanyardError usage: the target exists by now. */
    moveIntoPlace: (): Promise<void> =>
      guarded(async () => {
        if (!part) return;
        // Others are not synced: after a power failure an image can be downloaded again, and a sync would take as long
        // as the download.
        if (options.isBackup) await part.file.sync();
        await part.file.close();
        moveIntoPlace({ path: target, replace: options.replace }, part.path);
        await rm(part.path, { force: true });
        if (options.isBackup) syncDirectory(dirname(target));
        part = undefined;
      }),
    /** Closes the file; one that cannot be resumed is removed. @returns its path, if it is kept. */
    close: async (): Promise<string | undefined> => {
      await flush().catch(() => undefined);
      if (!part || !isResumable(part)) return void (await removePart().catch(() => undefined));
      const { path, file } = part;
      await file.close().catch(() => undefined);
      part = undefined;
      return path;
    },
    /** Removes the bytes so far: the checksum is wrong. */
    discard: () => guarded(removePart),
  };
}

async function writeAll({ file }: OpenPart, chunk: Uint8Array, offset: number): Promise<void> {
  // A full disk accepts a part of the bytes and fails at the next write.
  for (let at = 0; at < chunk.length; )
    at += (await file.write(chunk, at, chunk.length - at, offset + at)).bytesWritten;
}

const isResumable = (part: OpenPart): part is OpenPart & { readonly etag: string } =>
  part.etag !== undefined && part.length > 0;

/** A part from an earlier run, and the hash of its bytes. */
async function findExistingPart(target: string, hashName: string): Promise<OpenPart | undefined> {
  const start = `${basename(target)}.`;
  const names = await readdir(dirname(target));
  for (const name of names.filter((one) => one.startsWith(start) && one.endsWith('.part'))) {
    if (await removeSecondName(target, join(dirname(target), name))) continue;
    const etag = Buffer.from(name.slice(start.length, -'.part'.length), 'base64url').toString();
    if (!/^"[\x21\x23-\x7e]*"$/.test(etag)) continue;
    const path = join(dirname(target), name);
    const file = await openExistingPart(path);
    const part = { file, path, etag, length: 0, hash: createHash(hashName) };
    const buffer = Buffer.allocUnsafe(batchBytes);
    for (;;) {
      const { bytesRead } = await file.read(buffer, 0, batchBytes, part.length);
      if (bytesRead === 0) return part;
      part.hash.update(buffer.subarray(0, bytesRead));
      part.length += bytesRead;
    }
  }
  return undefined;
}

/** Removes a second name of the target, left by a run that was killed while it moved the file. */
async function removeSecondName(target: string, path: string): Promise<boolean> {
  const [entry, placed] = [lstat(path), lstat(target)];
  if (!entry?.isFile() || placed?.ino !== entry.ino || placed.dev !== entry.dev) return false;
  await rm(path, { force: true });
  return true;
}

/** The part of the file name for a file without an entity tag. */
const untaggedForm = /^\.[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\.part$/;

/** Removes parts of files without an entity tag that killed runs left, because they cannot be resumed. */
async function removeUntagged(target: string, created: FileHandle): Promise<void> {
  const names = (await readdir(dirname(target))).filter(
    (name) => name.startsWith(basename(target)) && untaggedForm.test(name.slice(basename(target).length)),
  );
  removeStaleFiles(dirname(target), names, await created.stat());
}

/** Opens the part of an earlier run of this user. Links, pipes and files of other users are rejected. */
async function openExistingPart(path: string): Promise<FileHandle> {
  const { O_RDWR, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;
  const reject = (cause: string) =>
    new LanyardError('failure', `cannot resume from ${path}: ${cause}`, {
      hint: 'Remove it and run the command again.',
    });
  let file: FileHandle;
  try {
    file = await open(path, O_RDWR | O_NOFOLLOW | O_NONBLOCK);
  } catch (error) {
    if (errorCode(error) === 'ELOOP') throw reject('it is a symbolic link');
    throw reject(osErrorMessage(error));
  }
  const stats = await file.stat();
  const isOwnedByUser = process.platform === 'win32' || stats.uid === process.geteuid?.();
  if (stats.isFile() && isOwnedByUser && stats.nlink === 1) return file;
  await file.close();
  if (!stats.isFile()) throw reject('it is not a regular file');
  // Writing to a hard link would change the other file.
  throw reject(isOwnedByUser ? 'it has other hard links' : `it belongs to another user (uid ${stats.uid})`);
}

async function createPart(
  target: string,
  etag: string | undefined,
  { hash, isBackup }: PartialDownloadOptions,
): Promise<OpenPart> {
  const tag = Buffer.from(etag ?? '').toString('base64url');
  const isNamed = tag !== '' && tag.length <= maxTagLength;
  const path = join(dirname(target), `${basename(target)}.${isNamed ? tag : crypto.randomUUID()}.part`);
  const file = await open(path, 'wx+', isBackup ? 0o600 : undefined);
  await removeUntagged(target, file).catch(() => undefined);
  return { file, path, etag: isNamed ? etag : undefined, length: 0, hash: createHash(hash) };
}

const withWriteErrors =
  (target: string) =>
  async <Value>(act: () => Promise<Value>): Promise<Value> => {
    try {
      return await act();
    } catch (error) {
      const isFull = ['ENOSPC', 'EDQUOT'].includes(errorCode(error) ?? '');
      const hint = isFull ? 'Free disk space and run the command again.' : undefined;
      throw osFailure(`write ${target}`, error, hint);
    }
  };

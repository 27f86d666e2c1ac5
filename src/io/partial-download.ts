import { createHash, type Hash } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, link, open, readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { errorCode, LanyardError, osErrorMessage } from '../errors.ts';
import { checkOutputFiles, lstat } from './output-files.ts';

/** A file on its way here: what has come of it is kept next to its target until it is complete. */
export interface PartialDownload {
  /** What is present already, and the entity tag of the whole; undefined: nothing to go on with. */
  resumePoint(): Promise<{ readonly length: number; readonly etag: string } | undefined>;
  /** What comes begins at `from`; what is there after that is dropped, and all of it where it is of another whole. */
  start(source: { readonly from: number; readonly etag: string | undefined }): Promise<void>;
  write(chunk: Uint8Array): Promise<void>;
  /** Everything has come: its length in bytes, and its checksum in hexadecimal. */
  digest(): Promise<{ readonly length: number; readonly checksum: string }>;
  /** Moves the whole into its place. @throws LanyardError usage: something stands there by now. */
  moveIntoPlace(): Promise<void>;
  /** Ends it; a part that cannot be gone on with is removed. @returns where the part is kept, if it is. */
  close(): Promise<string | undefined>;
  /** Removes what is there: it is not what it should be. */
  discard(): Promise<void>;
}

interface PartialDownloadOptions {
  /** May a file that is there be replaced? */
  readonly replace: boolean;
  /** Of the checksum: `md5`, `sha1`, `sha256`, `sha384`, `sha512`. */
  readonly hash: string;
}

interface OpenPart {
  readonly file: FileHandle;
  readonly path: string;
  /** Of the whole; undefined: it cannot be gone on with. */
  readonly etag: string | undefined;
  /** Bytes that are written, or being written. */
  length: number;
  /** Of those bytes. */
  hash: Hash;
}

/** Chunks are written together, because each write costs a turn of another thread. */
const batchBytes = 1024 * 1024;
/** Names of files end at 255 bytes. */
const maxTagLength = 120;

/**
 * Opens the part of a file that is to stand at `target`. The entity tag of the whole is in its name, so that it is known
 * of a part that an earlier run left what it is a part of.
 *
 * @throws LanyardError usage: the target cannot be written; failure, here and later: the part cannot.
 */
export async function openPartialDownload(
  target: string,
  options: PartialDownloadOptions,
): Promise<PartialDownload> {
  checkOutputFiles([{ path: target, replace: options.replace }]);
  const guarded = withWriteErrors(target);
  let part = await guarded(() => findExistingPart(target, options.hash));
  let pendingChunks: Uint8Array[] = [];
  let pendingBytes = 0;
  let writing: Promise<void> | undefined;

  /** Begins to write what waits, when what was begun before is done: meanwhile the next chunks may come. */
  async function push(): Promise<void> {
    await writing;
    if (!part || pendingBytes === 0) return;
    const chunks = pendingChunks;
    const [offset, expected] = [part.length, pendingBytes];
    pendingChunks = [];
    pendingBytes = 0;
    part.length += expected;
    writing = writeAll(part, chunks, expected, offset);
    // Whatever comes next hears of it.
    writing.catch(() => undefined);
    for (const chunk of chunks) part.hash.update(chunk);
  }

  async function flush(): Promise<void> {
    await push();
    await writing;
  }

  async function removePart(): Promise<void> {
    await part?.file.close();
    if (part) await rm(part.path, { force: true });
    part = undefined;
  }

  return {
    resumePoint: () =>
      guarded(async () => {
        await flush();
        return part && isResumable(part) ? { length: part.length, etag: part.etag } : undefined;
      }),
    start: (source) =>
      guarded(async () => {
        await flush();
        if (part && part.etag === source.etag && part.length === source.from) return;
        if (source.from > 0)
          throw new LanyardError('failure', `cannot resume ${target}: the response starts at another offset`);
        await removePart();
        part = await createPart(target, source.etag, options.hash);
      }),
    write: (chunk) =>
      guarded(async () => {
        pendingChunks.push(chunk);
        pendingBytes += chunk.length;
        if (pendingBytes >= batchBytes) await push();
      }),
    digest: () =>
      guarded(async () => {
        await flush();
        return {
          length: part?.length ?? 0,
          checksum: (part?.hash ?? createHash(options.hash)).copy().digest('hex'),
        };
      }),
    moveIntoPlace: () =>
      guarded(async () => {
        if (!part) return;
        // Not synced: after a power cut an image can be had again, and to wait for the disk would take as long as all else.
        await part.file.close();
        await movePartIntoPlace(target, part.path, options.replace);
        part = undefined;
      }),
    close: async () => {
      await flush().catch(() => undefined);
      if (!part || !isResumable(part)) return void (await removePart().catch(() => undefined));
      const { path, file } = part;
      await file.close().catch(() => undefined);
      part = undefined;
      return path;
    },
    discard: () => guarded(removePart),
  };
}

async function writeAll(
  { file }: OpenPart,
  chunks: Uint8Array[],
  pendingBytes: number,
  offset: number,
): Promise<void> {
  const { bytesWritten } = await file.writev(chunks, offset);
  // A disk that is full takes a part, and says why at the next write.
  if (bytesWritten < pendingBytes)
    await file.write(Buffer.concat(chunks).subarray(bytesWritten), 0, null, offset + bytesWritten);
}

const isResumable = (part: OpenPart): part is OpenPart & { readonly etag: string } =>
  part.etag !== undefined && part.length > 0;

/** A part that an earlier run left, and the hash of what is in it. */
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

/** Removes a second name of the target itself, which a run left that was killed while it moved the part there. */
async function removeSecondName(target: string, path: string): Promise<boolean> {
  const [there, placed] = [lstat(path), lstat(target)];
  if (!there?.isFile() || placed?.ino !== there.ino || placed.dev !== there.dev) return false;
  await rm(path, { force: true });
  return true;
}

const staleMs = 10 * 60 * 1000;
/** What `fresh` names the part of a file without an entity tag. */
const untaggedForm = /^\.[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\.part$/;

/**
 * Removes the parts of files without an entity tag that killed runs left: nothing can resume them. Only the user's own,
 * and ten minutes older than the one that was just created (compared by the file system's own clock).
 */
async function removeStale(target: string, created: FileHandle): Promise<void> {
  const { mtimeMs, uid } = await created.stat();
  for (const name of await readdir(dirname(target))) {
    if (!name.startsWith(basename(target)) || !untaggedForm.test(name.slice(basename(target).length)))
      continue;
    const path = join(dirname(target), name);
    const there = lstat(path);
    if (there?.isFile() && there.uid === uid && mtimeMs - there.mtimeMs > staleMs)
      await rm(path, { force: true });
  }
}

/**
 * Opens what an earlier run of this user left. A link is not followed, a pipe is not waited for, and what another user
 * put there is not made a part of the file.
 */
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
  // What is written to a hard link is written to the other file.
  throw reject(isOwnedByUser ? 'it has other hard links' : `it belongs to another user (uid ${stats.uid})`);
}

async function createPart(target: string, etag: string | undefined, hashName: string): Promise<OpenPart> {
  const tag = Buffer.from(etag ?? '').toString('base64url');
  const isNamed = tag !== '' && tag.length <= maxTagLength;
  const path = join(dirname(target), `${basename(target)}.${isNamed ? tag : crypto.randomUUID()}.part`);
  const file = await open(path, 'wx+');
  await removeStale(target, file).catch(() => undefined);
  return { file, path, etag: isNamed ? etag : undefined, length: 0, hash: createHash(hashName) };
}

async function movePartIntoPlace(target: string, path: string, replace: boolean): Promise<void> {
  if (!replace) {
    try {
      // Unlike a rename, a link fails when something has come to stand there meanwhile.
      await link(path, target);
      await rm(path);
      return;
    } catch (error) {
      if (errorCode(error) === 'EEXIST') throw error;
      // Not every file system has hard links.
    }
  }
  checkOutputFiles([{ path: target, replace }]);
  await rename(path, target);
}

const withWriteErrors =
  (target: string) =>
  async <Value>(act: () => Promise<Value>): Promise<Value> => {
    try {
      return await act();
    } catch (error) {
      if (error instanceof LanyardError) throw error;
      const isFull = errorCode(error) === 'ENOSPC' || errorCode(error) === 'EDQUOT';
      throw new LanyardError('failure', `cannot write ${target}: ${osErrorMessage(error)}`, {
        cause: error,
        ...(isFull ? { hint: 'Free disk space and run the command again.' } : {}),
      });
    }
  };

import { createHash, type Hash } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, link, open, readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { errorCode, LanyardError, reason } from '../errors.ts';
import { checkTargets, lstat } from './targets.ts';

/** A file on its way here: what has come of it is kept next to its target until it is complete. */
export interface PartFile {
  /** What is present already, and the entity tag of the whole; undefined: nothing to go on with. */
  has(): Promise<{ readonly length: number; readonly etag: string } | undefined>;
  /** What comes begins at `from`; what is there after that is dropped, and all of it where it is of another whole. */
  begin(whole: { readonly from: number; readonly etag: string | undefined }): Promise<void>;
  write(chunk: Uint8Array): Promise<void>;
  /** Everything has come: its length in bytes, and its checksum in hexadecimal. */
  complete(): Promise<{ readonly length: number; readonly checksum: string }>;
  /** Moves the whole into its place. @throws LanyardError usage: something stands there by now. */
  finish(): Promise<void>;
  /** Ends it; a part that cannot be gone on with is removed. @returns where the part is kept, if it is. */
  close(): Promise<string | undefined>;
  /** Removes what is there: it is not what it should be. */
  discard(): Promise<void>;
}

interface PartOptions {
  /** May a file that is there be replaced? */
  readonly replace: boolean;
  /** Of the checksum: `md5`, `sha1`, `sha256`, `sha384`, `sha512`. */
  readonly hash: string;
}

interface Part {
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
const batch = 1024 * 1024;
/** Names of files end at 255 bytes. */
const longestTag = 120;

/**
 * Opens the part of a file that is to stand at `target`. The entity tag of the whole is in its name, so that it is known
 * of a part that an earlier run left what it is a part of.
 *
 * @throws LanyardError usage: the target cannot be written; failure, here and later: the part cannot.
 */
export async function openPart(target: string, options: PartOptions): Promise<PartFile> {
  checkTargets([{ path: target, replace: options.replace }]);
  const told = telling(target);
  let part = await told(() => found(target, options.hash));
  let waiting: Uint8Array[] = [];
  let bytes = 0;
  let writing: Promise<void> | undefined;

  /** Begins to write what waits, when what was begun before is done: meanwhile the next chunks may come. */
  async function push(): Promise<void> {
    await writing;
    if (!part || bytes === 0) return;
    const chunks = waiting;
    const [at, expected] = [part.length, bytes];
    waiting = [];
    bytes = 0;
    part.length += expected;
    writing = writeAll(part, chunks, expected, at);
    // Whatever comes next hears of it.
    writing.catch(() => undefined);
    for (const chunk of chunks) part.hash.update(chunk);
  }

  async function flush(): Promise<void> {
    await push();
    await writing;
  }

  async function drop(): Promise<void> {
    await part?.file.close();
    if (part) await rm(part.path, { force: true });
    part = undefined;
  }

  return {
    has: () =>
      told(async () => {
        await flush();
        return part && isKept(part) ? { length: part.length, etag: part.etag } : undefined;
      }),
    begin: (whole) =>
      told(async () => {
        await flush();
        if (part && part.etag === whole.etag && part.length === whole.from) return;
        if (whole.from > 0)
          throw new LanyardError('failure', `cannot resume ${target}: the response starts at another offset`);
        await drop();
        part = await fresh(target, whole.etag, options.hash);
      }),
    write: (chunk) =>
      told(async () => {
        waiting.push(chunk);
        bytes += chunk.length;
        if (bytes >= batch) await push();
      }),
    complete: () =>
      told(async () => {
        await flush();
        return {
          length: part?.length ?? 0,
          checksum: (part?.hash ?? createHash(options.hash)).copy().digest('hex'),
        };
      }),
    finish: () =>
      told(async () => {
        if (!part) return;
        // Not synced: after a power cut an image can be had again, and to wait for the disk would take as long as all else.
        await part.file.close();
        await moveInto(target, part.path, options.replace);
        part = undefined;
      }),
    close: async () => {
      await flush().catch(() => undefined);
      if (!part || !isKept(part)) return void (await drop().catch(() => undefined));
      const { path, file } = part;
      await file.close().catch(() => undefined);
      part = undefined;
      return path;
    },
    discard: () => told(drop),
  };
}

async function writeAll({ file }: Part, chunks: Uint8Array[], bytes: number, at: number): Promise<void> {
  const { bytesWritten } = await file.writev(chunks, at);
  // A disk that is full takes a part, and says why at the next write.
  if (bytesWritten < bytes)
    await file.write(Buffer.concat(chunks).subarray(bytesWritten), 0, null, at + bytesWritten);
}

const isKept = (part: Part): part is Part & { readonly etag: string } =>
  part.etag !== undefined && part.length > 0;

/** A part that an earlier run left, and the hash of what is in it. */
async function found(target: string, type: string): Promise<Part | undefined> {
  const start = `${basename(target)}.`;
  const names = await readdir(dirname(target));
  for (const name of names.filter((one) => one.startsWith(start) && one.endsWith('.part'))) {
    if (await removeSecondName(target, join(dirname(target), name))) continue;
    const etag = Buffer.from(name.slice(start.length, -'.part'.length), 'base64url').toString();
    if (!/^"[\x21\x23-\x7e]*"$/.test(etag)) continue;
    const path = join(dirname(target), name);
    const file = await openOwn(path);
    const part = { file, path, etag, length: 0, hash: createHash(type) };
    const buffer = Buffer.allocUnsafe(batch);
    for (;;) {
      const { bytesRead } = await file.read(buffer, 0, batch, part.length);
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
async function openOwn(path: string): Promise<FileHandle> {
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
    throw reject(reason(error));
  }
  const stats = await file.stat();
  const isOwn = process.platform === 'win32' || stats.uid === process.geteuid?.();
  if (stats.isFile() && isOwn && stats.nlink === 1) return file;
  await file.close();
  if (!stats.isFile()) throw reject('it is not a regular file');
  // What is written to a hard link is written to the other file.
  throw reject(isOwn ? 'it has other hard links' : `it belongs to another user (uid ${stats.uid})`);
}

async function fresh(target: string, etag: string | undefined, type: string): Promise<Part> {
  const tag = Buffer.from(etag ?? '').toString('base64url');
  const isNamed = tag !== '' && tag.length <= longestTag;
  const path = join(dirname(target), `${basename(target)}.${isNamed ? tag : crypto.randomUUID()}.part`);
  const file = await open(path, 'wx+');
  await removeStale(target, file).catch(() => undefined);
  return { file, path, etag: isNamed ? etag : undefined, length: 0, hash: createHash(type) };
}

async function moveInto(target: string, path: string, replace: boolean): Promise<void> {
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
  checkTargets([{ path: target, replace }]);
  await rename(path, target);
}

const telling =
  (target: string) =>
  async <Value>(act: () => Promise<Value>): Promise<Value> => {
    try {
      return await act();
    } catch (error) {
      if (error instanceof LanyardError) throw error;
      const isFull = errorCode(error) === 'ENOSPC' || errorCode(error) === 'EDQUOT';
      throw new LanyardError('failure', `cannot write ${target}: ${reason(error)}`, {
        cause: error,
        ...(isFull ? { hint: 'Free disk space and run the command again.' } : {}),
      });
    }
  };

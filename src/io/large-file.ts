import { createHash, type Hash } from 'node:crypto';
import type { BigIntStats } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import { LanyardError, osFailure, usage } from '../errors.ts';
import { unreadableError } from './files.ts';
import { readFlags } from './read-chunks.ts';

/** A file that is too large for memory. */
export type LargeFile = Awaited<ReturnType<typeof openLargeFile>>;

const chunkBytes = 1024 * 1024;

/**
 * Opens a file of the user, to be read in one or several passes.
 *
 * @param path as the user named it.
 * @param what the subject of messages: "the image".
 * @throws LanyardError usage: missing, unreadable, empty, or not a regular file (its length must be known).
 */
export async function openLargeFile(place: string, what: string, path: string) {
  const file = await open(place, readFlags).catch((error) => {
    throw unreadableError(what, path, error);
  });
  const before = await file.stat({ bigint: true });
  if (!before.isFile()) {
    await file.close();
    throw usage(`cannot read ${what} from ${path}: not a regular file`, {
      hint: 'Write it to a file first: its length must be known before it is sent.',
    });
  }
  const size = Number(before.size);
  if (size === 0) {
    await file.close();
    throw usage(`cannot read ${what} from ${path}: the file is empty`);
  }
  return {
    path,
    /** Bytes. */
    size,
    /**
     * One pass over the file, from the first byte to the last.
     *
     * @param type the hash of the checksum: `md5`, `sha1`, `sha256`, `sha384`, `sha512`.
     */
    pass: (type: string) => {
      const hash = createHash(type);
      const checkSame = async () => {
        const now = await Promise.all([
          file.stat({ bigint: true }),
          stat(place, { bigint: true }).catch(() => undefined),
        ]);
        if (!now.every((stats) => isSame(before, stats))) throw changedError(path);
      };
      let sum: string | undefined;
      return {
        /**
         * The bytes; a chunk is valid until the next one is requested.
         *
         * @throws LanyardError conflict: the file changed during the pass; the last chunk is withheld.
         */
        chunks: chunksOf(file, path, size, hash, checkSame),
        /** The checksum of the bytes read, in hexadecimal; complete at the end of the pass. */
        checksum: () => (sum ??= hash.digest('hex')),
      };
    },
    close: () => file.close(),
  };
}

/** The next chunk is read while the current one is in use: two buffers are enough. */
async function* chunksOf(
  file: FileHandle,
  path: string,
  size: number,
  hash: Hash,
  checkSame: () => Promise<void>,
): AsyncGenerator<Uint8Array> {
  const buffers = [Buffer.allocUnsafe(chunkBytes), Buffer.allocUnsafe(chunkBytes)] as const;
  const readInto = async (index: number, from: number): Promise<Uint8Array> => {
    const wantedBytes = Math.min(chunkBytes, size - from);
    const buffer = index % 2 === 0 ? buffers[0] : buffers[1];
    for (let length = 0; length < wantedBytes; ) {
      const { bytesRead } = await file.read(buffer, length, wantedBytes - length, from + length);
      if (bytesRead === 0) throw changedError(path);
      length += bytesRead;
    }
    return buffer.subarray(0, wantedBytes);
  };
  let next = readInto(0, 0);
  // An abandoned read must not raise an unhandled rejection.
  next.catch(() => undefined);
  for (let index = 0, from = 0; from < size; index++) {
    const chunk = await next.catch((error) => {
      throw osFailure(`read ${path}`, error);
    });
    from += chunk.length;
    if (from < size) {
      next = readInto(index + 1, from);
      next.catch(() => undefined);
    }
    hash.update(chunk);
    if (from === size) await checkSame();
    yield chunk;
  }
}

const isSame = (a: BigIntStats, b: BigIntStats | undefined): boolean =>
  b !== undefined && a.dev === b.dev && a.ino === b.ino && a.size === b.size && a.mtimeNs === b.mtimeNs;

const changedError = (path: string): LanyardError =>
  new LanyardError('conflict', `${path} changed while it was read`, {
    hint: 'The part that was sent is discarded; run the command again when the file is complete.',
  });

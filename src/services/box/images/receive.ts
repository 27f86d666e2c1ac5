import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { collectYoungGeneration } from './collect-young.ts';
import type { ChecksumType, StoredImage } from './images.ts';

const blockBytes = 1024 * 1024;
const collectAfterBytes = 2 * 1024 * 1024;

/** Writes and hashes a new file; durable when it resolves. One block is filled while another is written. */
export async function receiveImage(
  chunks: AsyncIterable<Uint8Array>,
  file: FileHandle,
  checksums: ReadonlySet<ChecksumType>,
): Promise<Pick<StoredImage, 'size' | 'checksums'>> {
  const sha256 = createHash('sha256');
  const otherHashes = [...checksums]
    .filter((type) => type !== 'sha256')
    .map((type) => [type, createHash(type)] as const);
  const blocks = new BlockWriter(file);
  let size = 0;
  let uncollectedBytes = 0;
  try {
    for await (const chunk of chunks) {
      sha256.update(chunk);
      for (const [, hash] of otherHashes) hash.update(chunk);
      size += chunk.length;
      await blocks.put(chunk);
      uncollectedBytes += chunk.length;
      if (uncollectedBytes < collectAfterBytes) continue;
      uncollectedBytes = 0;
      collectYoungGeneration();
    }
    await blocks.flush();
    await file.sync();
  } finally {
    await blocks.settle();
  }
  return {
    size,
    checksums: {
      ...Object.fromEntries(otherHashes.map(([type, hash]) => [type, hash.digest('hex')])),
      sha256: sha256.digest('hex'),
    },
  };
}

/** Writes to a file in blocks, one at a time. */
class BlockWriter {
  readonly #file: FileHandle;
  #block = Buffer.allocUnsafeSlow(blockBytes);
  #spare = Buffer.allocUnsafeSlow(blockBytes);
  #filled = 0;
  #writing: Promise<void> = Promise.resolve();

  constructor(file: FileHandle) {
    this.#file = file;
  }

  async put(chunk: Uint8Array): Promise<void> {
    for (let offset = 0; offset < chunk.length; ) {
      const part = chunk.subarray(offset, offset + blockBytes - this.#filled);
      this.#block.set(part, this.#filled);
      this.#filled += part.length;
      offset += part.length;
      if (this.#filled === blockBytes) await this.#next();
    }
  }

  async flush(): Promise<void> {
    await this.#next();
    await this.#writing;
  }

  /** Waits until no write is running, whether it succeeded or not. */
  async settle(): Promise<void> {
    await this.#writing.catch(() => {});
  }

  /** Waits for the previous block, then starts to write this one. */
  async #next(): Promise<void> {
    await this.#writing;
    const full = this.#block.subarray(0, this.#filled);
    [this.#block, this.#spare] = [this.#spare, this.#block];
    this.#filled = 0;
    this.#writing = writeAll(this.#file, full);
    // The next call reports the error; without a handler it would be an unhandled rejection.
    this.#writing.catch(() => {});
  }
}

async function writeAll(file: FileHandle, bytes: Uint8Array): Promise<void> {
  for (let offset = 0; offset < bytes.length; ) {
    offset += (await file.write(bytes, offset, bytes.length - offset)).bytesWritten;
  }
}

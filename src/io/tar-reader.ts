/** What a reader calls for the regular files of an archive, in their order. */
interface TarHandlers {
  readonly file: (entry: { readonly name: string; readonly size: number }) => void;
  /** Bytes of the last file. */
  readonly data: (chunk: Uint8Array) => void;
}

const blockBytes = 512;
const maxExtendedBytes = 1024 * 1024;

/**
 * Reads a tar archive (POSIX.1-2001: ustar and pax) from chunks of any size: names, sizes and bytes of regular files.
 * Only the size of extended headers is used: Go writes one for files of 8 GiB and more.
 */
export class TarReader {
  readonly #handlers: TarHandlers;
  /** Bytes of an incomplete header. */
  #header = Buffer.alloc(0);
  /** Bytes that remain of the current entry, and of its padding. */
  #remaining = 0;
  #padding = 0;
  #kind: 'file' | 'extended' | 'other' = 'other';
  #extended: Buffer[] = [];
  #nextSize: number | undefined;
  #hasEnded = false;

  constructor(handlers: TarHandlers) {
    this.#handlers = handlers;
  }

  /** @throws Error: not a tar archive */
  write(chunk: Uint8Array): void {
    let rest = chunk;
    while (rest.length > 0 && !this.#hasEnded) {
      if (this.#remaining > 0) rest = this.#readData(rest);
      else if (this.#padding > 0) {
        const skipped = Math.min(this.#padding, rest.length);
        this.#padding -= skipped;
        rest = rest.subarray(skipped);
      } else rest = this.#readHeader(rest);
    }
  }

  /** Whether the end of the archive was read. */
  isComplete(): boolean {
    return this.#hasEnded;
  }

  #readData(chunk: Uint8Array): Uint8Array {
    const data = chunk.subarray(0, this.#remaining);
    this.#remaining -= data.length;
    if (this.#kind === 'file') this.#handlers.data(data);
    if (this.#kind === 'extended') {
      this.#extended.push(Buffer.from(data));
      if (this.#remaining === 0) this.#nextSize = sizeIn(Buffer.concat(this.#extended).toString());
    }
    return chunk.subarray(data.length);
  }

  #readHeader(chunk: Uint8Array): Uint8Array {
    const missing = blockBytes - this.#header.length;
    this.#header = Buffer.concat([this.#header, chunk.subarray(0, missing)]);
    if (this.#header.length === blockBytes) {
      const header = this.#header;
      this.#header = Buffer.alloc(0);
      // Two empty blocks end an archive; one is enough to know it.
      if (header.every((byte) => byte === 0)) this.#hasEnded = true;
      else this.#begin(header);
    }
    return chunk.subarray(missing);
  }

  #begin(header: Buffer): void {
    if (!hasChecksum(header)) throw new Error('invalid header of a tar archive');
    const type = String.fromCharCode(header[156] ?? 0);
    const stated = numberAt(header, 124, 12);
    this.#kind = type === '0' || type === '\0' ? 'file' : type === 'x' ? 'extended' : 'other';
    const size = this.#kind === 'file' ? (this.#nextSize ?? stated) : stated;
    if (!Number.isSafeInteger(size) || size < 0) throw new Error('invalid size in a tar archive');
    if (this.#kind === 'extended' && size > maxExtendedBytes) throw new Error('extended header too large');
    this.#remaining = size;
    this.#padding = (blockBytes - (size % blockBytes)) % blockBytes;
    this.#extended = [];
    if (this.#kind !== 'file') return;
    this.#nextSize = undefined;
    this.#handlers.file({ name: textAt(header, 0, 100), size });
  }
}

const textAt = (header: Buffer, from: number, length: number): string =>
  (
    header
      .subarray(from, from + length)
      .toString()
      .split('\0')[0] ?? ''
  ).trim();

/** Octal digits, or binary with the highest bit set (GNU). */
function numberAt(header: Buffer, from: number, length: number): number {
  if (((header[from] ?? 0) & 0x80) !== 0)
    return header
      .subarray(from + 1, from + length)
      .reduce((sum, byte) => sum * 256 + byte, (header[from] ?? 0) & 0x7f);
  return Number.parseInt(textAt(header, from, length) || '0', 8);
}

/** The sum of all bytes, with the field of the sum as spaces. */
function hasChecksum(header: Buffer): boolean {
  const sum = header.reduce((total, byte, index) => total + (index >= 148 && index < 156 ? 32 : byte), 0);
  return sum === numberAt(header, 148, 8);
}

/** The size in the records of an extended header: `LENGTH size=N`. */
const sizeIn = (records: string): number | undefined => {
  const size = /^\d+ size=(\d+)$/m.exec(records)?.[1];
  return size === undefined ? undefined : Number(size);
};

// Writes of 1 MiB took four times as much system time on ext4.
const blockBytes = 256 * 1024;
const blockCount = 4;

/** A few blocks of memory in turn, filled by one side and consumed by the other. */
export class BlockRing {
  readonly #blocks: Uint8Array[] = [];
  /** The block that is filled, counted from the first one; the bytes in it, and those of them that were taken. */
  #block = 0;
  #filled = 0;
  #taken = 0;
  /** What was not taken of the full blocks, in order. */
  readonly #full: { readonly block: number; readonly bytes: Uint8Array }[] = [];
  /** The block of the last chunk that was taken, and of the one before it: blocks before that are free. */
  #last = 0;
  #secondLast = 0;

  /** The rest of the block that is filled, at least one byte. */
  space(): Uint8Array {
    const index = this.#block % blockCount;
    this.#blocks[index] ??= new Uint8Array(blockBytes);
    return this.#blocks[index].subarray(this.#filled);
  }

  /** Reports bytes that were written into `space`. */
  fill(bytes: number): void {
    this.#filled += bytes;
    if (this.#filled < blockBytes) return;
    const block = this.#blocks[this.#block % blockCount];
    if (block) this.#full.push({ block: this.#block, bytes: block.subarray(this.#taken) });
    this.#block++;
    this.#filled = 0;
    this.#taken = 0;
  }

  /** Copies bytes, at most one block. */
  put(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; ) {
      const space = this.space();
      const part = bytes.subarray(at, at + space.length);
      space.set(part);
      this.fill(part.length);
      at += part.length;
    }
  }

  /** Whether the next block is still used: nothing may be added until more is taken. */
  get isFull(): boolean {
    return this.#block + 1 - this.#secondLast >= blockCount;
  }

  /** The next bytes; undefined: none. They are valid until the second chunk after them is taken. */
  take(): Uint8Array | undefined {
    const { block, bytes } = this.#full.shift() ?? { block: this.#block, bytes: this.#takeRest() };
    if (bytes === undefined) return undefined;
    this.#secondLast = this.#last;
    this.#last = block;
    return bytes;
  }

  #takeRest(): Uint8Array | undefined {
    if (this.#taken === this.#filled) return undefined;
    const bytes = this.#blocks[this.#block % blockCount]?.subarray(this.#taken, this.#filled);
    this.#taken = this.#filled;
    return bytes;
  }
}

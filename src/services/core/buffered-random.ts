type Random = (length: number) => Uint8Array;

const bufferBytes = 4096;

/** The same random bytes, drawn in blocks, each used once: a system call costs more than the few bytes most need. */
export function bufferedRandom(random: Random): Random {
  let buffer: Uint8Array = new Uint8Array();
  let offset = 0;
  return (length) => {
    if (length > bufferBytes) return random(length);
    if (offset + length > buffer.length) {
      buffer = random(bufferBytes);
      offset = 0;
    }
    const unused = buffer.subarray(offset, offset + length);
    const copy = new Uint8Array(unused);
    unused.fill(0);
    offset += length;
    return copy;
  };
}

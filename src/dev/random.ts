type Random = (length: number) => Uint8Array;

const blockBytes = 4096;

/**
 * The same random bytes, drawn in blocks: a system call for a few bytes costs more than the bytes, and every
 * response and every value at rest needs some. No byte is used twice, and used bytes are removed from the
 * block.
 */
export function drawnInBlocks(random: Random): Random {
  let block: Uint8Array = new Uint8Array();
  let at = 0;
  return (length) => {
    if (length > blockBytes) return random(length);
    if (at + length > block.length) {
      block = random(blockBytes);
      at = 0;
    }
    const drawn = block.subarray(at, at + length);
    const given = new Uint8Array(drawn);
    drawn.fill(0);
    at += length;
    return given;
  };
}

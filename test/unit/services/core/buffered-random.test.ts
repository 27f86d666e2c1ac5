import { createHash, randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { bufferedRandom } from '../../../../src/services/core/buffered-random.ts';

/** Bytes without repetition, the same in every run. */
function seeded(): (length: number) => Buffer {
  let count = 0;
  return (length) => {
    const words = Array.from({ length: Math.ceil(length / 32) }, () =>
      createHash('sha256').update(String(count++)).digest(),
    );
    return Buffer.concat(words).subarray(0, length);
  };
}

describe('random bytes drawn in blocks', () => {
  it('returns the requested number of bytes of its source, in order', () => {
    const draw = bufferedRandom(seeded());
    const given = [8, 32, 0, 16, 1].map(draw);
    expect(given.map(({ length }) => length)).toEqual([8, 32, 0, 16, 1]);
    expect(Buffer.concat(given)).toEqual(seeded()(4096).subarray(0, 57));
  });

  it('returns no byte twice, over many blocks and for any lengths', () => {
    const draw = bufferedRandom(seeded());
    const lengths = [16, 12, 32, 5000, 24, 4096, 8];
    const given = Array.from({ length: 3000 }, (_, at) => draw(lengths[at % lengths.length] ?? 0));
    const seen = given.filter(({ length }) => length >= 8).map((bytes) => Buffer.from(bytes).toString('hex'));
    expect(new Set(seen).size).toBe(seen.length);
  });

  it('calls its source once for many small draws', () => {
    let asked = 0;
    const draw = bufferedRandom((length) => {
      asked++;
      return randomBytes(length);
    });
    for (let at = 0; at < 256; at++) draw(16);
    expect(asked).toBe(1);
    draw(16);
    expect(asked).toBe(2);
  });

  it('erases the bytes it returned, and returns copies that do not change', () => {
    const blocks: Buffer[] = [];
    const draw = bufferedRandom((length) => {
      const block = randomBytes(length);
      blocks.push(block);
      return block;
    });
    const given = draw(64);
    expect(blocks[0]?.subarray(0, 64)).toEqual(Buffer.alloc(64));
    expect(Buffer.from(given)).not.toEqual(Buffer.alloc(64));
  });
});

import { describe, expect, test } from 'vitest';
import { EmbeddedError } from '../../../../../src/services/core/errors.ts';
import { MemoryLimit } from '../../../../../src/services/core/store/memory-limit.ts';
import { memoryStore } from '../../../../../src/services/core/store/store.ts';

const mebibyte = 2 ** 20;

function limited() {
  const lines: string[] = [];
  const limit = new MemoryLimit((line) => lines.push(line));
  const use = (percent: number) => limit.update({ used: percent * 10 * mebibyte, limit: 1000 * mebibyte });
  return { lines, limit, use, store: memoryStore(limit) };
}

describe('the memory limit', () => {
  test('is announced once, until less is in use', () => {
    const { lines, use } = limited();
    for (const percent of [69, 70, 75, 65, 72]) use(percent);
    expect(lines).toEqual([
      '700 of 1000 MiB of heap memory are in use. Delete objects, or set NODE_OPTIONS=--max-old-space-size=MIB for a higher limit and restart.',
    ]);
    for (const percent of [59, 70]) use(percent);
    expect(lines).toHaveLength(2);
  });

  test('rejects writes that remove nothing, or less than they add, and keeps what is stored', async () => {
    const { use, store } = limited();
    await store.write([
      { key: 'a', value: 1 },
      { key: 'b', value: 1 },
    ]);
    use(80);
    const rejected = store.write([{ key: 'c', value: 1 }]);
    await expect(rejected).rejects.toThrow(EmbeddedError);
    await expect(rejected).rejects.toThrow(/^cannot store more: 800 of 1000 MiB of heap memory are in use/);
    await expect(store.write([{ key: 'a', value: 2 }])).rejects.toThrow('cannot store more');
    await expect(store.write([{ key: 'a' }, { key: 'c', value: 1 }, { key: 'd', value: 1 }])).rejects.toThrow(
      'cannot store more',
    );
    expect(store.keys('').map((key) => store.get(key))).toEqual([1, 1]);
    await store.write([{ key: 'a' }, { key: 'b', value: 2 }]);
    expect(store.keys('')).toEqual(['b']);
    use(79);
    await store.write([{ key: 'c', value: 1 }]);
    expect(store.keys('')).toEqual(['b', 'c']);
  });

  test('rejects data that do not fit when they are read', () => {
    const { limit, use } = limited();
    limit.checkOpening('/data');
    use(80);
    expect(() => limit.checkOpening('/data')).toThrow(
      'cannot open /data: not enough memory for its data: 800 of 1000 MiB of heap memory are in use. Set NODE_OPTIONS=--max-old-space-size=MIB for a higher limit.',
    );
  });
});

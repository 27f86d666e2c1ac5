import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sortedMapOf } from './sorted-map-of.ts';

test('pages of any length have the same keys in either direction', async () => {
  const key = fc.string({ unit: fc.constantFrom('a', 'b', '/', '\u{1f600}'), maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(key),
      key,
      key,
      fc.integer({ min: 1, max: 5 }),
      async (all, prefix, limit, most) => {
        const map = await sortedMapOf(all.map((each) => [each, true] as const));
        const pages = (next: (position: string | undefined) => string[]): string[] => {
          const found: string[] = [];
          for (let position: string | undefined; ; ) {
            const part = next(position);
            found.push(...part);
            if (part.length < most) return found;
            position = part.at(-1);
          }
        };
        const keys = all.filter((each) => each.startsWith(prefix)).sort();
        expect(map.keys(prefix)).toEqual(keys);
        expect(pages((after) => map.keys(prefix, after, most))).toEqual(keys);
        expect(pages((before) => map.keysBefore(prefix, before, most))).toEqual(keys.toReversed());
        expect(map.keysBefore(prefix, limit, most)).toEqual(
          keys
            .filter((each) => each < limit)
            .reverse()
            .slice(0, most),
        );
      },
    ),
  );
});

test('entries match the keys, at any start and limit', async () => {
  const key = fc.string({ unit: fc.constantFrom('a', 'b', '/', '\u{1f600}'), maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(fc.uniqueArray(key), key, key, fc.nat({ max: 5 }), async (all, prefix, after, limit) => {
      const map = await sortedMapOf(all.map((each) => [each, `value of ${each}`] as const));
      const sorted = all.filter((each) => each.startsWith(prefix) && each > after).sort();
      const expected = sorted.slice(0, limit);
      expect(map.keys(prefix, after, limit)).toEqual(expected);
      expect(map.entries(prefix, after, limit)).toEqual(expected.map((each) => [each, `value of ${each}`]));
    }),
  );
});

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { SortedMap } from '../../../../../src/services/core/store/sorted-map.ts';

test('keys in pages are the same keys, whatever they are and however long a page is', () => {
  const key = fc.string({ unit: fc.constantFrom('a', 'b', '/', '\u{1f600}'), maxLength: 4 });
  fc.assert(
    fc.property(fc.uniqueArray(key), key, fc.integer({ min: 1, max: 5 }), (all, prefix, most) => {
      const map = SortedMap.from(all.map((each) => [each, true] as const));
      const found: string[] = [];
      for (let after: string | undefined; ; ) {
        const part = map.keys(prefix, after, most);
        found.push(...part);
        if (part.length < most) break;
        after = part.at(-1);
      }
      expect(found).toEqual(map.keys(prefix));
    }),
  );
});

test('entries are those of the keys, at any start and limit', () => {
  const key = fc.string({ unit: fc.constantFrom('a', 'b', '/', '\u{1f600}'), maxLength: 4 });
  fc.assert(
    fc.property(fc.uniqueArray(key), key, key, fc.nat({ max: 5 }), (all, prefix, after, limit) => {
      const map = SortedMap.from(all.map((each) => [each, `value of ${each}`] as const));
      const sorted = all.filter((each) => each.startsWith(prefix) && each > after).sort();
      const expected = sorted.slice(0, limit);
      expect(map.keys(prefix, after, limit)).toEqual(expected);
      expect(map.entries(prefix, after, limit)).toEqual(expected.map((each) => [each, `value of ${each}`]));
    }),
  );
});

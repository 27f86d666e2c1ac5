import fc from 'fast-check';
import { expect, test } from 'vitest';
import { displayWidth, splitAtWidth, wrapAtSpaces } from '../../../src/wire/display-width.ts';

test.each([
  ['', 0],
  ['plain', 5],
  ['é', 1],
  ['e\u0301', 1],
  ['日本語', 6],
  ['한국어', 6],
  ['ｶﾀｶﾅ', 4],
  ['（全角）', 8],
  ['👍', 2],
  ['👩‍👩‍👧', 2],
  ['🇩🇪', 2],
  ['1️⃣', 2],
  ['a\u200bb', 2],
  ['…', 1],
  ['Ωя', 2],
])('%j takes %i cells', (text, cells) => {
  expect(displayWidth(text)).toBe(cells);
});

test('text is cut into pieces that fit and together are the text', () => {
  const texts = fc.array(fc.constantFrom('a', 'b c', '日', '👩‍👩‍👧', 'é'), { maxLength: 30 });
  fc.assert(
    fc.property(texts, fc.integer({ min: 2, max: 12 }), (parts, limit) => {
      const text = parts.join('');
      const found = splitAtWidth(text, limit);
      expect(found.join('')).toBe(text);
      for (const piece of found) expect(displayWidth(piece)).toBeLessThanOrEqual(limit);
    }),
  );
});

test.each([
  ['one two three', 7, ['one two', 'three']],
  ['  one two', 6, ['  one', 'two']],
  ['a-word-that-is-long and more', 8, ['a-word-that-is-long', 'and more']],
  ['Run `lanyard profile put NAME` for others.', 20, ['Run', '`lanyard profile put NAME`', 'for others.']],
  ['a ` alone', 4, ['a `', 'alone']],
  ['', 10, ['']],
  ['two  spaces', 80, ['two  spaces']],
  ['漢字 漢字', 5, ['漢字', '漢字']],
])('breaks %j at its spaces to %i cells', (line, limit, lines) => {
  expect(wrapAtSpaces(line, limit)).toEqual(lines);
});

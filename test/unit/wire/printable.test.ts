import { expect, test } from 'vitest';
import { toPrintable } from '../../../src/wire/printable.ts';

test('text with newlines, tabs and any script is unchanged', () => {
  const text = 'one\n\ttwo · ünï · 日本 · 👍🏽';
  expect(toPrintable(text)).toBe(text);
});

test.each([
  ['an escape sequence', '\x1b[31mred', '\\x1b[31mred'],
  ['a carriage return', 'safe\rfake', 'safe\\x0dfake'],
  ['NUL, backspace and DEL', '\0\b\x7f', '\\x00\\x08\\x7f'],
  ['C1 (an eight-bit CSI)', '\x9b2J', '\\x9b2J'],
  ['a change of direction', 'a\u202eb\u2066c\u200f', 'a\\u202eb\\u2066c\\u200f'],
])('%s is shown and not obeyed', (_, text, shown) => {
  expect(toPrintable(text)).toBe(shown);
});

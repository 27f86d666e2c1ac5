import fc from 'fast-check';
import { expect, test } from 'vitest';
import { printable } from '../../../src/wire/printable.ts';

test('letters, accents, emoji, newlines and tabs pass unchanged', () => {
  const text = 'plain é 日本 👩‍👩‍👧\n\tindented';
  expect(printable(text)).toBe(text);
});

test('control characters become visible escapes', () => {
  expect(printable('\x1b[31mred\x07\r\x00\x7f\x9b')).toBe('\\x1b[31mred\\x07\\x0d\\x00\\x7f\\x9b');
});

test('characters that override the direction of writing become visible escapes', () => {
  expect(printable('a\u202eb\u2066c\u2069')).toBe('a\\u202eb\\u2066c\\u2069');
});

test('whatever the text, no control character but newline and tab is left', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(printable(text)).not.toMatch(/(?![\n\t])\p{Cc}/u);
    }),
  );
});

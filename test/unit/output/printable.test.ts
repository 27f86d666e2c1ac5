import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { fields, text as words } from '../../../src/output/document.ts';
import { toPrintable } from '../../../src/wire/printable.ts';
import { shown as document, rendered } from './support.ts';

test('letters, accents, emoji, newlines and tabs pass unchanged', () => {
  const text = 'plain é 日本 👩‍👩‍👧\n\tindented';
  expect(toPrintable(text)).toBe(text);
});

test('control characters become visible escapes', () => {
  expect(toPrintable('\x1b[31mred\x07\r\x00\x7f\x9b')).toBe('\\x1b[31mred\\x07\\x0d\\x00\\x7f\\x9b');
});

test('characters that override the direction of writing become visible escapes', () => {
  expect(toPrintable('a\u202eb\u2066c\u2069')).toBe('a\\u202eb\\u2066c\\u2069');
});

test('whatever the text, no control character but newline and tab is left', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(toPrintable(text)).not.toMatch(/(?![\n\t])\p{Cc}/u);
    }),
  );
});

test.each([
  ...['\u2028', '\u2029', '\u200b', '\u200c', '\u200d', '\u200e', '\u200f', '\u061c', '\u2066', '\u2067'],
  ...['\u2068', '\u2069', '\u202a', '\u202e', '\ufeff', '\u2060', '\u00ad', '\u180e', '\u3164', '\ufff9'],
])('what no terminal shows becomes a visible escape (%j)', (character) => {
  const code = character.charCodeAt(0).toString(16);
  expect(toPrintable(`a${character}b`)).toBe(
    `a${code.length > 2 ? '\\u' : '\\x'}${code.padStart(code.length > 2 ? 4 : 2, '0')}b`,
  );
});

test('tags and joiners outside of an emoji become visible escapes', () => {
  expect(toPrintable('a\u{e0041}b')).toBe('a\\u{e0041}b');
  expect(toPrintable('👩\u200d')).toBe('👩\\u200d');
  expect(toPrintable('\u200d👩')).toBe('\\u200d👩');
  expect(toPrintable('👩🏽\u200d🚀 ❤️\u200d🔥')).toBe('👩🏽\u200d🚀 ❤️\u200d🔥');
});

const hidden = [
  '\u2028',
  '\u2029',
  '\u200b',
  '\u200f',
  '\u061c',
  '\u2066',
  '\ufeff',
  '\u{e0041}',
  '\x1b',
  '\x85',
];

test.each(hidden)(
  'no text format contains %j, YAML and JSON escape it, and JSON in a pipe contains it',
  async (character) => {
    const value = `a${character}b`;
    const data = { key: value, [`k${character}`]: 1 };
    expect(await document([words(value), fields([['name', value]])])).not.toContain(character);
    expect(await rendered({ data }, { format: 'table' })).not.toContain(character);
    const written = await rendered({ data }, { format: 'yaml' });
    expect(written).not.toContain(character);
    expect(parse(written)).toEqual(data);
    const shown = await rendered({ data }, { format: 'json', terminal: true });
    expect(shown).not.toContain(character);
    expect(JSON.parse(shown)).toEqual(data);
    expect(await rendered({ data }, { format: 'json' })).toBe(`${JSON.stringify(data, null, 2)}\n`);
  },
);

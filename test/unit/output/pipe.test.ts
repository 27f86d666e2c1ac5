import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fields, good, raw, table, text } from '../../../src/output/document.ts';
import { shown } from './support.ts';

describe('text in a pipe', () => {
  test('leaves paragraphs unbroken', async () => {
    const long = 'word '.repeat(60).trimEnd();
    expect(await shown([text(long)], { width: 40 })).toBe(`${long}\n`);
  });

  test('separates label and value by a tab', async () => {
    expect(
      await shown([
        fields([
          ['type', 'user'],
          ['valid until', good('soon')],
        ]),
      ]),
    ).toBe('type\tuser\nvalid until\tsoon\n');
  });

  test('shows the rows of a table without a header', async () => {
    expect(
      await shown([
        table(
          ['name', 'ttl'],
          [
            ['web', '1h'],
            ['db', ''],
          ],
        ),
      ]),
    ).toBe('web\t1h\ndb\t\n');
  });

  test('prints nothing for an empty table', async () => {
    expect(await shown([table(['name'], [], 'No roles yet.')])).toBe('');
  });

  test('writes raw text unchanged, to the byte', async () => {
    expect(await shown([raw('a\x1b\u202e\r\nb')])).toBe('a\x1b\u202e\r\nb');
  });

  test('starts the block after raw text on its own line', async () => {
    expect(await shown([raw('key'), text('done')])).toBe('key\ndone\n');
  });

  test('escapes control characters in everything that is not raw', async () => {
    expect(await shown([text('a\x1bb'), fields([['c', '\x9b']]), table(['x'], [['\x07']])])).toBe(
      'a\\x1bb\nc\t\\x9b\n\\x07\n',
    );
  });

  test('is coloured when colour is forced', async () => {
    expect(await shown([text(good('yes'))], { color: true })).toBe('\x1b[32myes\x1b[39m\n');
  });

  test('gives every row of a table one line with the same number of tabs', async () => {
    const cell = fc.string({
      unit: fc.constantFrom('a', '日', ' ', '\t', '\n', '\r', '\x0b', '\x85', '\u2028'),
    });
    const rows = fc.array(fc.array(cell, { maxLength: 5 }), { minLength: 1 });
    await fc.assert(
      fc.asyncProperty(rows, async (cells) => {
        const lines = (await shown([table(['a', 'b', 'c', 'd'], cells)])).split('\n');
        expect(lines.pop()).toBe('');
        expect(lines).toHaveLength(cells.length);
        for (const line of lines) expect(line.split('\t')).toHaveLength(4);
      }),
    );
  });
});

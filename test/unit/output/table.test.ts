import { describe, expect, test } from 'vitest';
import { displayWidth } from '../../../src/wire/display-width.ts';
import { parseJson } from '../../../src/wire/json.ts';
import { rendered } from './support.ts';

const format = 'table' as const;

describe('table', () => {
  test('has a column for every key, in the order in which they come, even in a pipe', async () => {
    const rows = [
      { name: 'web', ttl: 60 },
      { name: 'db', tags: ['a'], ttl: null },
    ];
    expect(await rendered({ data: rows, rows }, { format })).toBe(
      [
        '┌──────┬──────┬───────┐',
        '│ name │ ttl  │ tags  │',
        '├──────┼──────┼───────┤',
        '│ web  │ 60   │       │',
        '├──────┼──────┼───────┤',
        '│ db   │ null │ ["a"] │',
        '└──────┴──────┴───────┘',
        '',
      ].join('\n'),
    );
  });

  test('shows the fields of an object', async () => {
    expect(await rendered({ data: {}, payload: { name: 'web', id: 2n ** 60n } }, { format })).toBe(
      [
        '┌──────┬─────────────────────┐',
        '│ name │ web                 │',
        '├──────┼─────────────────────┤',
        '│ id   │ 1152921504606846976 │',
        '└──────┴─────────────────────┘',
        '',
      ].join('\n'),
    );
  });

  test('shows a list of plain values in one column', async () => {
    expect(await rendered({ data: ['a', 'b'] }, { format })).toContain('│ value │\n├───────┤\n│ a     │');
  });

  test('shows one plain value, and nothing for nothing', async () => {
    expect(await rendered({ data: 'alone' }, { format })).toContain('│ alone │');
    expect(await rendered({ data: [] }, { format })).toBe('');
    expect(await rendered({ data: undefined }, { format })).toBe('');
  });

  test('keeps a key called __proto__ and reads no prototype', async () => {
    const rows = parseJson('[{"__proto__":"own"},{"toString":"mine"},{}]');
    const written = await rendered({ data: rows }, { format });
    expect(written).toContain('│ __proto__ │ toString │');
    expect(written).toContain('│ own       │          │');
    expect(written).toContain('│           │ mine     │');
    expect(written).not.toContain('native code');
  });

  test('shows control characters as escapes, and a cell on one line', async () => {
    const written = await rendered({ data: { key: 'a\x1b\nb\tc\x9b' } }, { format });
    expect(written).toContain('│ key │ a\\x1b\\nb\\tc\\x9b │');
  });

  test.each([40, 80, 200])(
    'is fitted to a terminal of %i cells by breaking cells, and loses nothing',
    async (cells) => {
      const data = { name: 'web', description: 'x'.repeat(150), title: '日本語'.repeat(30) };
      const written = await rendered({ data }, { format, terminal: true, width: cells });
      const lines = written.trimEnd().split('\n');
      for (const line of lines) expect(displayWidth(line)).toBeLessThanOrEqual(cells);
      const words = lines.map((line) => line.split('│')[2]?.trim() ?? '').join('');
      expect(words).toContain('x'.repeat(150));
      expect(words).toContain('日本語'.repeat(30));
    },
  );

  test('aligns its borders around wide characters and emoji', async () => {
    const written = await rendered(
      {
        data: [
          { a: '日本', b: '👍' },
          { a: 'plain', b: 'x' },
        ],
      },
      { format },
    );
    expect(new Set(written.trimEnd().split('\n').map(displayWidth)).size).toBe(1);
  });

  test('is a block of lines a row where the terminal is too narrow for the columns', async () => {
    const data = [1, 2].map((row) => ({ Namespace: 'default', Path: `app/db${row}`, Index: row, Time: 17 }));
    const narrow = { format, terminal: true, width: 25 };
    expect(await rendered({ data }, narrow)).toBe(
      [
        ...['Namespace  default', 'Path       app/db1', 'Index      1', 'Time       17', ''],
        ...['Namespace  default', 'Path       app/db2', 'Index      2', 'Time       17', ''],
      ].join('\n'),
    );
    expect(await rendered({ data }, { ...narrow, width: 32 })).toContain('│');
    expect(await rendered({ data }, { ...narrow, terminal: false })).toContain('│ Namespace │');
  });

  test('shows times for people, of nanoseconds too, and other numbers and texts unchanged', async () => {
    const data = {
      ModifyTime: 1795431300000000000n,
      at: '2026-11-23T10:55:00.123Z',
      n: 1795431300000000000n,
    };
    const written = await rendered({ data: { ...data, note: 'on 2026-11-23T10:55:00Z' } }, { format });
    expect(written).toContain('│ ModifyTime │ 2026-11-23 10:55:00 UTC');
    expect(written).toContain('│ at         │ 2026-11-23 10:55:00 UTC');
    expect(written).toContain('│ n          │ 1795431300000000000');
    expect(written).toContain('│ note       │ on 2026-11-23T10:55:00Z');
  });

  test('is not fitted in a pipe', async () => {
    expect(await rendered({ data: { a: 'x'.repeat(150) } }, { format, width: 40 })).toContain(
      'x'.repeat(150),
    );
  });

  test('has a strong header where there is colour', async () => {
    expect(await rendered({ data: [{ a: 1 }] }, { format, color: true })).toContain('\x1b[1ma\x1b[22m');
  });
});

import { describe, expect, test } from 'vitest';
import { code, dim, fields, good, raw, strong, table, text } from '../../../src/output/document.ts';
import { displayWidth } from '../../../src/wire/display-width.ts';
import { shown } from './support.ts';

const terminal = { terminal: true };
const widths = [40, 80, 200];

describe('a paragraph on a terminal', () => {
  const long = 'The certificate was signed and is valid for the principals that the role allows. '.repeat(4);

  test.each(widths)('is wrapped at spaces to %i cells', async (cells) => {
    const lines = (await shown([text(long)], { terminal: true, width: cells })).trimEnd().split('\n');
    expect(lines.join(' ')).toBe(long.trimEnd());
    for (const line of lines) expect(displayWidth(line)).toBeLessThanOrEqual(cells);
  });

  test('keeps its own line breaks', async () => {
    expect(await shown([text('one\ntwo\n')], terminal)).toBe('one\ntwo\n');
  });

  test('keeps its indentation on every line', async () => {
    expect(await shown([text('  one two three')], { terminal: true, width: 10 })).toBe(
      '  one two\n  three\n',
    );
  });

  test('does not break a word that is too long', async () => {
    const url = 'https://example.test/a/very/long/address';
    expect(await shown([text(`see ${url} now`)], { terminal: true, width: 12 })).toBe(`see\n${url}\nnow\n`);
  });

  test('does not break code, so that it can be copied', async () => {
    const written = await shown([text('Now run ', code('lanyard ssh sign web'), '.')], {
      terminal: true,
      width: 20,
    });
    expect(written).toBe('Now run\nlanyard ssh sign web.\n');
  });

  test('measures wide characters', async () => {
    expect(await shown([text('日本 日本 日本')], { terminal: true, width: 10 })).toBe('日本 日本\n日本\n');
  });

  test('shows control characters instead of obeying them', async () => {
    expect(await shown([text('a\x1b[2Jb\u202e')], terminal)).toBe('a\\x1b[2Jb\\u202e\n');
  });
});

describe('fields on a terminal', () => {
  test('are aligned, wide labels too', async () => {
    const written = await shown(
      [
        fields([
          ['type', 'user'],
          ['名前', 'web'],
          ['valid', [good('in 29 minutes'), dim(' (soon)')]],
        ]),
      ],
      terminal,
    );
    expect(written).toBe('type   user\n名前   web\nvalid  in 29 minutes (soon)\n');
  });

  test('put the further lines of a value under its first', async () => {
    expect(await shown([fields([['key', 'a\nb']])], terminal)).toBe('key  a\n     b\n');
  });

  test('leave nothing behind an empty value', async () => {
    expect(await shown([fields([['key', '']])], terminal)).toBe('key\n');
  });
});

describe('a table on a terminal', () => {
  const roles = table(
    [{ title: 'name', shrinkPriority: 1 }, 'ttl', { title: 'description', shrinkPriority: 2 }],
    [
      ['web', '1h', 'signs the keys of everybody who works on the web front end'],
      ['数据库', '30m', 'short 👍'],
    ],
  );

  test('has a header and aligned columns, and no trailing spaces', async () => {
    expect(await shown([roles], terminal)).toBe(
      [
        'NAME    TTL  DESCRIPTION',
        'web     1h   signs the keys of everybody who works on the web front end',
        '数据库  30m  short 👍',
        '',
      ].join('\n'),
    );
  });

  test('fits the width by cutting the column that gives first', async () => {
    expect(await shown([roles], { terminal: true, width: 40 })).toBe(
      [
        'NAME    TTL  DESCRIPTION',
        'web     1h   signs the keys of everybod…',
        '数据库  30m  short 👍',
        '',
      ].join('\n'),
    );
  });

  test.each(widths)('never exceeds %i cells where its columns may give', async (cells) => {
    const columns = ['one', 'two', 'three', 'four'].map((title, index) => ({
      title,
      shrinkPriority: index + 1,
    }));
    const row = ['x'.repeat(100), '日本語'.repeat(20), '👩‍👩‍👧'.repeat(30), 'a b '.repeat(40)];
    const written = await shown([table(columns, [row, row])], { terminal: true, width: cells });
    for (const line of written.split('\n')) expect(displayWidth(line)).toBeLessThanOrEqual(cells);
  });

  test('does not cut columns without a shrink priority, however narrow the terminal', async () => {
    const id = 'a1b2c3d4-0000-1111-2222-333344445555';
    expect(await shown([table(['id'], [[id]])], { terminal: true, width: 10 })).toContain(id);
  });

  const accounts = table(
    ['ID', { title: 'NAME', shrinkPriority: 1 }, 'UPDATED'],
    [
      ['acctpw_1234567890', 'ada lovelace', '2026-11-21 21:29:33 UTC'],
      ['acctpw_2345678901', 'bob', ''],
    ],
  );

  test('leaves out what cannot be cut enough, and says so', async () => {
    expect(await shown([accounts], { terminal: true, width: 49 })).toBe(
      [
        'ID                 NAME   UPDATED',
        'acctpw_1234567890  ada …  2026-11-21 21:29:33 UTC',
        'acctpw_2345678901  bob',
        '',
      ].join('\n'),
    );
    expect(await shown([accounts], { terminal: true, width: 48 })).toBe(
      [
        'ID                 UPDATED',
        'acctpw_1234567890  2026-11-21 21:29:33 UTC',
        'acctpw_2345678901',
        'Not shown: NAME. Use a wider terminal or -o',
        'json.',
        '',
      ].join('\n'),
    );
  });

  test('keeps columns that are never cut, which the terminal wraps', async () => {
    expect(await shown([accounts], { terminal: true, width: 20 })).toContain(
      'ID                 UPDATED\nacctpw_1234567890  2026-11-21 21:29:33 UTC\n',
    );
  });

  test('leaves out optional columns before it cuts others far', async () => {
    const services = table(
      [
        { title: 'NAME', shrinkPriority: 1 },
        { title: 'FROM', optional: 2 },
        'STATE',
        { title: 'ID', optional: 1 },
      ],
      [
        ['secrets', 'LANYARD_SECRETS_ADDR', 'ok', '17'],
        ['box', 'profile dev', 'not set', '18'],
      ],
    );
    expect(await shown([services], { terminal: true, width: 42 })).toBe(
      'NAME     FROM                  STATE    ID\nsecrets  LANYARD_SECRETS_ADDR  ok       17\nbox      profile dev           not set  18\n',
    );
    expect(await shown([services], { terminal: true, width: 41 })).toBe(
      'NAME     STATE    ID\nsecrets  ok       17\nbox      not set  18\nNot shown: FROM. Use a wider terminal or\n-o json.\n',
    );
    expect(await shown([services], { terminal: true, width: 15 })).toMatch(
      /^NAME {4}STATE\nsecre… {2}ok\nbox {5}not set\nNot shown:\nFROM, ID\. Use a\n/,
    );
    expect(await shown([services])).toBe(
      'secrets\tLANYARD_SECRETS_ADDR\tok\t17\nbox\tprofile dev\tnot set\t18\n',
    );
  });

  test('does not cut the last column if it may overflow', async () => {
    const pairs = table(
      ['KEY', { title: 'VALUE', mayOverflow: true }],
      [
        ['user', 'app'],
        ['password', 'x'.repeat(50)],
      ],
    );
    expect(await shown([pairs], { terminal: true, width: 40 })).toBe(
      `KEY       VALUE\nuser      app\npassword  ${'x'.repeat(50)}\n`,
    );
  });

  test('aligns numbers to the right if configured', async () => {
    expect(
      await shown(
        [
          table(
            [{ title: 'size', align: 'right' }, 'name'],
            [
              ['5', 'a'],
              ['12345', 'b'],
            ],
          ),
        ],
        terminal,
      ),
    ).toBe(' SIZE  NAME\n    5  a\n12345  b\n');
  });

  test('keeps a row on one line', async () => {
    expect(await shown([table(['a'], [['x\ny\tz']])], terminal)).toBe('A\nx\\ny\\tz\n');
  });

  test('prints its text for an empty table', async () => {
    expect(await shown([table(['a'], [], 'No roles yet.')], terminal)).toBe('No roles yet.\n');
    expect(await shown([table(['a'], [])], terminal)).toBe('');
  });

  test('of ten thousand rows is laid out', async () => {
    const rows = Array.from({ length: 10_000 }, (_, index) => [`name-${index}`, '日本']);
    const written = await shown([table([{ title: 'name', shrinkPriority: 1 }, 'other'], rows)], terminal);
    expect(written.split('\n')).toHaveLength(10_002);
  });
});

describe('a document on a terminal', () => {
  test('separates different blocks, and not paragraphs', async () => {
    const written = await shown([text('one'), text('two'), fields([['a', 'b']]), raw('key')], terminal);
    expect(written).toBe('one\ntwo\n\na  b\n\nkey\n');
  });

  test('escapes raw text as well', async () => {
    expect(await shown([raw('a\x1b]0;title\x07b\n')], terminal)).toBe('a\\x1b]0;title\\x07b\n');
  });

  test('is empty when it has no blocks', async () => {
    expect(await shown([], terminal)).toBe('');
  });
});

describe('colour', () => {
  test('follows the tones', async () => {
    const written = await shown([text('a ', strong('b'), ' ', good('c'))], { terminal: true, color: true });
    expect(written).toBe('a \x1b[1mb\x1b[22m \x1b[32mc\x1b[39m\n');
  });

  test('does not change the layout', async () => {
    const document = [
      text(strong('A title'), ' and words '.repeat(12), code('some code')),
      fields([['label', good('value')]]),
      table(
        ['name', { title: 'rest', shrinkPriority: 1 }],
        [[strong('x'), [dim('y'.repeat(60)), 'z'.repeat(60)]]],
      ),
    ];
    const coloured = await shown(document, { terminal: true, color: true });
    const escapes = new RegExp(`${String.fromCharCode(27)}\\[\\d+m`, 'g');
    expect(coloured).toMatch(escapes);
    expect(coloured.replace(escapes, '')).toBe(await shown(document, terminal));
  });
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { formatJson, parseJson } from '../../../src/wire/json.ts';
import { rendered } from './support.ts';

const answer = parseJson(
  '{"request_id":"r","data":{"serial":9223372036854775807,"__proto__":{"a":1},"keys":["web"]}}',
);
const hostile = 'a\x1b\x7f\x9b\u202eb';

const strings = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({
    unit: fc.constantFrom('a', ' ', '\n', '\t', ':', '#', '-', "'", '"', '\\', '\x7f', '\x9b', '\u202e'),
  }),
);

const values = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.bigInt({ min: 2n ** 53n, max: 2n ** 64n }),
    fc.maxSafeInteger(),
    fc.boolean(),
    fc.constant(null),
    strings,
    fc.array(tie('value')),
    fc
      .array(fc.tuple(fc.oneof(fc.constant('__proto__'), strings), tie('value')))
      .map((members) => Object.fromEntries(members)),
  ),
})).value;

describe('json', () => {
  test('shows the complete response, indented, with exact integers and every key', async () => {
    expect(await rendered({ data: answer, payload: 'else' }, { format: 'json' })).toBe(
      [
        '{',
        '  "request_id": "r",',
        '  "data": {',
        '    "serial": 9223372036854775807,',
        '    "__proto__": {',
        '      "a": 1',
        '    },',
        '    "keys": [',
        '      "web"',
        '    ]',
        '  }',
        '}',
        '',
      ].join('\n'),
    );
  });

  test('is the same on a terminal', async () => {
    const terminal = await rendered({ data: answer }, { format: 'json', terminal: true, color: true });
    expect(terminal).toBe(await rendered({ data: answer }, { format: 'json' }));
  });

  test('holds nothing that a terminal obeys, and is the same value', async () => {
    const written = await rendered({ data: { [hostile]: hostile } }, { format: 'json', terminal: true });
    expect(written).not.toMatch(/(?!\n)\p{Cc}|\u202e/u);
    expect(JSON.parse(written)).toEqual({ [hostile]: hostile });
  });

  test('is byte-faithful in a pipe', async () => {
    expect(await rendered({ data: '\x9b\u202e' }, { format: 'json' })).toBe('"\x9b\u202e"\n');
  });

  test('is null where the service sent nothing', async () => {
    expect(await rendered({ data: undefined }, { format: 'json' })).toBe('null\n');
  });

  test('reads back as the same value, on a terminal and in a pipe', async () => {
    await fc.assert(
      fc.asyncProperty(values, fc.boolean(), async (data, terminal) => {
        const written = await rendered({ data }, { format: 'json', terminal });
        expect(formatJson(parseJson(written))).toBe(formatJson(data));
      }),
    );
  });
});

describe('jsonl', () => {
  test('shows one row a line', async () => {
    expect(await rendered({ data: answer, rows: [{ a: 2n ** 60n }, 'b'] }, { format: 'jsonl' })).toBe(
      '{"a":1152921504606846976}\n"b"\n',
    );
  });

  test('shows the main part as one line where there are no rows', async () => {
    expect(await rendered({ data: answer, payload: { a: 1 } }, { format: 'jsonl' })).toBe('{"a":1}\n');
    expect(await rendered({ data: { b: 2 } }, { format: 'jsonl' })).toBe('{"b":2}\n');
  });

  test('prints nothing for an empty list', async () => {
    expect(await rendered({ data: [], rows: [] }, { format: 'jsonl' })).toBe('');
  });
});

describe('yaml', () => {
  test('shows the complete response with exact integers and every key', async () => {
    expect(await rendered({ data: answer }, { format: 'yaml' })).toBe(
      [
        'request_id: r',
        'data:',
        '  serial: 9223372036854775807',
        '  __proto__:',
        '    a: 1',
        '  keys:',
        '    - web',
        '',
      ].join('\n'),
    );
  });

  test.each([
    'yes',
    'no',
    'on',
    'null',
    '~',
    '017',
    '0o17',
    '1:30',
    '2026-11-20',
    '1e3',
    '=',
    'a\tb',
    '<<',
    '',
    ' a',
    'a: b',
    '# a',
  ])('quotes %j, which a reader could take for something else', async (text) => {
    expect(await rendered({ data: { a: text } }, { format: 'yaml' })).toBe(`a: ${JSON.stringify(text)}\n`);
  });

  test('writes lines as lines', async () => {
    expect(await rendered({ data: { key: 'a\nb\n' } }, { format: 'yaml' })).toBe('key: |\n  a\n  b\n');
  });

  test('writes lines that are the complete response in quotes, as a block would not be indented', async () => {
    expect(await rendered({ data: 'a\nb\n' }, { format: 'yaml' })).toBe('"a\\nb\\n"\n');
    expect(await rendered({ data: 'a' }, { format: 'yaml' })).toBe('a\n');
  });

  test('keeps lines of spaces only', async () => {
    expect(await rendered({ data: { a: ' \n \n' } }, { format: 'yaml' })).toBe('a: "\\ \\n\\ \\n"\n');
  });

  test.each([' \na', '\n a', 'a\n \nb', ' a\nb\n'])(
    'keeps white space that a block would lose: %j',
    async (text) => {
      expect(parse(await rendered({ data: text }, { format: 'yaml' }))).toBe(text);
      expect(parse(await rendered({ data: [{ a: text }] }, { format: 'yaml' }))).toEqual([{ a: text }]);
    },
  );

  test('does not fold long text', async () => {
    const long = 'word '.repeat(100).trimEnd();
    expect(await rendered({ data: { long } }, { format: 'yaml' })).toBe(`long: ${long}\n`);
  });

  test('repeats repeated objects instead of using anchors', async () => {
    const shared = { a: 1 };
    expect(await rendered({ data: [shared, shared] }, { format: 'yaml' })).toBe('- a: 1\n- a: 1\n');
  });

  test('writes control characters as escapes, in keys too', async () => {
    const written = await rendered({ data: { [hostile]: `${hostile}\n\u2028\ufeff` } }, { format: 'yaml' });
    expect(written).toBe('"a\\e\\x7f\\x9b\\u202eb": "a\\e\\x7f\\x9b\\u202eb\\n\\u2028\\ufeff"\n');
  });

  test('reads back as the same value', async () => {
    await fc.assert(
      fc.asyncProperty(values, async (data) => {
        const written = await rendered({ data }, { format: 'yaml' });
        const read: unknown = parse(written, { intAsBigInt: true, maxAliasCount: 0 });
        expect(formatJson(read)).toBe(formatJson(data));
        expect(written).not.toMatch(/(?![\n\t])\p{Cc}|[\u202a-\u202e]/u);
      }),
    );
  });
});

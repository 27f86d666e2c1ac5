import { describe, expect, test } from 'vitest';
import { blockItems, HclError, type HclItem, parseHcl, unquote } from '../../../src/wire/hcl.ts';

const simplified = ({ keys, first, list, body }: HclItem): object => ({
  keys: keys.map(({ text }) => text),
  value: body ? body.items.map(simplified) : (list?.map(({ text }) => text) ?? first.text),
});

function failure(text: string, syntax = {}): [string, number, number] | undefined {
  try {
    parseHcl(text, syntax);
    return undefined;
  } catch (error) {
    if (error instanceof HclError) return [error.message, error.line, error.column];
    throw error;
  }
}

describe('parseHcl', () => {
  test('reads blocks, labels, lists and scalars as written', () => {
    const text = `
      a "b" c { d = 1, e = [true, "x\\n", -2.5e+3,] }
      "f" = { g.h = <<-END
        }
        END
      }
    `;
    expect(parseHcl(text).items.map(simplified)).toEqual([
      {
        keys: ['a', '"b"', 'c'],
        value: [
          { keys: ['d'], value: '1' },
          { keys: ['e'], value: ['true', '"x\\n"', '-2.5e+3'] },
        ],
      },
      { keys: ['"f"'], value: [{ keys: ['g.h'], value: '<<-END\n        }\n        END' }] },
    ]);
  });

  test('distinguishes an assigned body from a block', () => {
    const [block, assignment] = parseHcl('a { b = 1 }\na = {}').items as [HclItem, HclItem];
    expect(blockItems(block).map(simplified)).toEqual([{ keys: ['b'], value: '1' }]);
    expect(() => blockItems(assignment)).toThrow(
      new HclError({ line: 2, column: 5 }, 'expected "{", found {'),
    );
  });

  test('keeps comments with their item', () => {
    const text = '# 1\n\na /* 2 */ = /* 3 */ [ // 4\n"b" /* 5 */, # 6\n] # 7\r\n// 8  \r\n';
    const { items, comments } = parseHcl(text);
    const [item] = items;
    expect(item?.comments.map((comment) => comment.text)).toEqual([
      '# 1',
      '/* 2 */',
      '/* 3 */',
      '// 4',
      '/* 5 */',
      '# 6',
    ]);
    expect(item?.keys[0]).toMatchObject({ line: 3, column: 1, lineBreaks: 2 });
    expect(item?.trailingComment).toBe('# 7');
    expect(comments).toMatchObject([{ text: '// 8', line: 6, column: 1, lineBreaks: 1 }]);
  });

  test.each([
    ['a = 1 # end', '# end'],
    ['a = 1 /* last */\nb = 2', '/* last */'],
    ['a = 1 /* several\nlines */ b = 2', '/* several\nlines */'],
    ['a = 1 /* of the next */ b = 2', ''],
    ['a = 1\n# of the next\nb = 2', ''],
  ])('keeps a comment at the end of a line: %j', (text, comment) => {
    expect(parseHcl(text).items[0]?.trailingComment).toBe(comment);
  });

  test.each(['<<E\nb\nE', '<<E \t\nE', '<<-END\n b\n  END'])('reads a heredoc: %j', (heredoc) => {
    for (const end of ['', '\n', '\n}'])
      expect(parseHcl(`${end === '\n}' ? 'a {' : ''} b = ${heredoc}${end}`).items).toHaveLength(1);
    expect(parseHcl(`b = ${heredoc}`).items[0]?.first.text).toBe(heredoc);
  });

  test.each([
    ['', undefined],
    ['a', ['line 1: expected "=" or "{", found the end', 1, 2]],
    ['a = [\n  "b" "c"\n]', ['line 2: expected "]", found "c"', 2, 7]],
    ['/* two\nlines */ a = {\n\n', ['line 4: expected a name or "}", found the end', 4, 1]],
    ['a = <<E\nb\nE\n  }', ['line 4: expected a name, found }', 4, 3]],
    ['a { ]', ['line 1: expected a name or "}", found ]', 1, 5]],
    ['a = "b"\n\t$', ['line 2: unexpected character', 2, 2]],
    ['a { '.repeat(32), ['line 1: expected a name or "}", found the end', 1, 129]],
    ['a { '.repeat(33), ['line 1: too deeply nested', 1, 131]],
  ])('reports line and column: %j', (text, expected) => {
    expect(failure(text)).toEqual(expected);
  });

  test.each([
    ['a "b" "c" {}', { maxLabels: 1 }, 'line 1: expected "{", found "c"'],
    ['a "b" {}', { maxLabels: 0 }, 'line 1: expected "{", found "b"'],
    ['a { b { c = 1 } }', { maxDepth: 1 }, 'line 1: too deeply nested'],
    ['a {\n b {} }', { isFlat: true }, 'line 2: expected "=", found {'],
    ['a {\n b "c" }', { isFlat: true }, 'line 2: expected "=", found "c"'],
    ['a = [}', { expected: { element: 'a number' } }, 'line 1: expected a number, found }'],
  ])('respects the restrictions of a language: %j', (text, syntax, message) => {
    expect(failure(text)?.[0]).not.toBe(message);
    expect(failure(text, syntax)?.[0]).toBe(message);
  });

  test('reads long texts', () => {
    const long = `${'a=1 '.repeat(100_000)}${'\n'.repeat(100_000)}${'/**/'.repeat(100_000)}`;
    expect(parseHcl(long).items).toHaveLength(100_000);
  });
});

test('unquote resolves escapes and names invalid strings', () => {
  const unquoted = (text: string) => {
    const [item] = parseHcl(`a = ${text}`).items as [HclItem];
    return unquote(item.first);
  };
  expect(unquoted('"b\\u002fc\\n"')).toBe('b/c\n');
  expect(() => unquoted('"\\q"')).toThrow('line 1: invalid quoted string "\\q"');
  expect(() => unquoted('b')).toThrow('line 1: expected a quoted string, found b');
});

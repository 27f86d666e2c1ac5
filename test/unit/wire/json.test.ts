import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatJson, parseJson } from '../../../src/wire/json.ts';
import { sized } from '../../support/soak.ts';

describe('names with escapes', () => {
  const there = (text: string): string => JSON.stringify(parseJson(text));

  test('are read exactly, whatever was read in their place before', () => {
    // JSON.parse of V8 13.6 reads a backslash in the place of the last name.
    for (const text of [
      String.raw`{"\\\"":1,"\\":1}`,
      String.raw`{"\\\"":1,"\n":1}`,
      String.raw`{"\\\"":1,"\"":1}`,
    ])
      expect(there(text)).toBe(text);
    const inner = String.raw`{"a":[{"\\\"":1,"\\":{}},{"\\\"":"\\","\n":[{"\"":{"__proto__":{"\t":null}}}]}],"2":1}`;
    expect(there(inner)).toBe(inner.replace(',"2":1', '').replace('{"a"', '{"2":1,"a"'));
  });

  test('come back, in sequence', () => {
    const name = fc
      .array(fc.constantFrom('"', '\\', '\n', '\0', 'n', 'u', '0', '#', '=', '\u2028', '\ud800'), {
        maxLength: 3,
      })
      .map((parts) => parts.join(''));
    const text = fc.oneof(name, fc.constantFrom('__proto__', ': "', '":'));
    const objects = fc.array(fc.dictionary(text, fc.oneof(text, fc.dictionary(text, text))), {
      maxLength: 5,
    });
    fc.assert(
      fc.property(objects, (some) => {
        expect(there(JSON.stringify(some))).toBe(JSON.stringify(some));
        expect(there(JSON.stringify(some, undefined, 2))).toBe(JSON.stringify(some));
      }),
      { numRuns: sized(2_000, 400) },
    );
  });

  test('that are repeated have the last value, however they are written', () => {
    expect(parseJson(String.raw`{"a":1,"\u0061":2,"a":3,"\n":4,"\u000a":5}`)).toEqual({ a: 3, '\n': 5 });
  });

  test('keep exact integers next to them, and the position of invalid JSON', () => {
    expect(parseJson(String.raw`{"\n":12345678901234567890}`)).toEqual({ '\n': 12345678901234567890n });
    expect(() => parseJson(String.raw`{"\n":1,}`)).toThrow(/position 8|column 9/);
  });

  test('may be in values nested deeper than the stack', () => {
    const depth = 100_000;
    const text = `${'['.repeat(depth)}{"\\n":1}${']'.repeat(depth)}`;
    let value = parseJson(text);
    while (Array.isArray(value)) value = value[0] ?? null;
    expect(value).toEqual({ '\n': 1 });
  });
});

describe('JSON', () => {
  test('keeps every integer and every name in a round trip', () => {
    const value = fc.letrec((tie) => ({
      json: fc.oneof(
        { maxDepth: 4 },
        fc.oneof(
          fc.string(),
          fc.boolean(),
          fc.constant(null),
          fc.maxSafeInteger().filter((n) => n !== 0),
        ),
        fc.bigInt({ min: 2n ** 53n, max: 2n ** 80n }),
        fc.array(tie('json')),
        fc.dictionary(fc.oneof(fc.string(), fc.constantFrom('__proto__', 'toString')), tie('json')),
      ),
    })).json;
    fc.assert(
      fc.property(value, (json) => {
        const text = formatJson(json);
        expect(formatJson(parseJson(text))).toBe(text);
        expect(formatJson(parseJson(formatJson(json, 2)))).toBe(text);
      }),
      { numRuns: sized(1_000, 200) },
    );
  });

  test.each(['1e400', '-1E+999', '[0, {"a": 1.5e0309}]'])('does not make null of %s', (text) => {
    expect(() => parseJson(text)).toThrow(SyntaxError);
  });

  test.each(['1e308', '-1.5E+0300', '1e-400', '"1e400"', `1${'0'.repeat(400)}`])('reads %s', (text) => {
    expect(parseJson(text)).toEqual(text.startsWith('10') ? 10n ** 400n : JSON.parse(text));
  });

  test('writes integers beyond 2^53 exactly, next to other values', () => {
    const mixed = {
      n: 18446744073709551615n,
      list: [1n, 'a', undefined, { at: new Date(0) }],
      none: undefined,
    };
    expect(formatJson(mixed)).toBe(
      '{"n":18446744073709551615,"list":[1,"a",null,{"at":"1970-01-01T00:00:00.000Z"}]}',
    );
    expect(formatJson(5n)).toBe('5');
    expect(formatJson({ n: 5n }, 2)).toBe('{\n  "n": 5\n}');
    expect(formatJson(JSON.parse('{"__proto__":{"a":1}}'))).toBe('{"__proto__":{"a":1}}');
    expect(formatJson({ ...JSON.parse('{"a":{"__proto__":1}}'), n: 1n })).toBe('{"a":{"__proto__":1},"n":1}');
  });
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatJson, parseJson } from '../../../src/wire/json.ts';

describe('JSON', () => {
  test('keeps every integer and every name, there and back', () => {
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
      { numRuns: 1_000 },
    );
  });

  test.each(['1e400', '-1E+999', '[0, {"a": 1.5e0309}]'])('does not make null of %s', (text) => {
    expect(() => parseJson(text)).toThrow(SyntaxError);
  });

  test.each(['1e308', '-1.5E+0300', '1e-400', '"1e400"', `1${'0'.repeat(400)}`])('reads %s', (text) => {
    expect(parseJson(text)).toEqual(text.startsWith('10') ? 10n ** 400n : JSON.parse(text));
  });

  test('writes integers beyond 2^53 as they are, beside all else', () => {
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

import { describe, expect, test } from 'vitest';
import { jsonErrorPosition } from '../../../src/wire/json-error.ts';

const errorOf = (text: string): unknown => {
  try {
    JSON.parse(text);
  } catch (error) {
    return error;
  }
  throw new Error(`valid: ${text}`);
};

describe('the position of a syntax error in JSON', () => {
  test.each([
    ['', [1, 1]],
    ['{"a": 1', [1, 8]],
    ['{"a":\n', [2, 1]],
    ['{"a": 1,\n}', [2, 1]],
    ['{"a": 1,\n "b": hunter22}', [2, 7]],
    ['{"a" 1}', [1, 6]],
    ['{a: 1}', [1, 2]],
    ['[1, 2\n 3]', [2, 2]],
    ['[1,]', [1, 4]],
    ['[,1]', [1, 2]],
    ['[1}', [1, 3]],
    ['[]]', [1, 3]],
    ['{} {}', [1, 4]],
    ['{"a":,}', [1, 6]],
    ['{"a": "open', [1, 12]],
    ["{'a': 1}", [1, 2]],
  ])('of %j is %j', (text, [line, column]) => {
    const expected = { line, column };
    expect(jsonErrorPosition(errorOf(text), text)).toEqual(expected);
    expect(jsonErrorPosition(undefined, text)).toEqual(expected);
  });

  test.each(['[01]', '["a\tb"]', '["\\x"]'])('of %j is the token, or within it', (text) => {
    expect(jsonErrorPosition(undefined, text)).toEqual({ line: 1, column: 2 });
    expect(jsonErrorPosition(errorOf(text), text).column).toBeGreaterThan(2);
  });
});

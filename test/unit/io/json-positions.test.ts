import { describe, expect, test } from 'vitest';
import { findPositions } from '../../../src/io/json-positions.ts';

describe('the places in a text of JSON', () => {
  test.each([
    ['[]', []],
    ['[1, "a", null]', [1, 1, 1]],
    ['[\n  {"a": [1,\n 2]},\n\n  [\n 3], "x\\n\\"y"\n, true]', [2, 5, 6, 7]],
    ['\n\n[{"a": ","}\r\n,{"b": "]"}]', [3, 4]],
    ['["\\\\", "\\\\\\""]', [1, 1]],
    ['{"a": [1, 2]}', []],
  ])('of %j have elements on lines %j', (text, lines) => {
    expect(findPositions(text).elementLines).toEqual(lines);
  });

  test.each([
    ['{"a": 1, "b": {"a": 2}, "c": [{"a": 3}, {"a": 4}]}', undefined],
    ['{"a": "a", "b": "a"}', undefined],
    ['["a", "a"]', undefined],
    ['[{"KV": {}},\n {"KV": {}, "KV" : {}}]', 2],
    ['{"a": 1,\n "\\u0061": 2}', 2],
    ['{"b": {"a": 1,\n "x": [],\n "a": 1}}', 3],
    ['{"__proto__": 1, "__proto__": 2}', 1],
  ])('%j has a name twice on line %j', (text, line) => {
    expect(findPositions(text).duplicateNameLine).toBe(line);
  });
});

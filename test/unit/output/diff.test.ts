import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  diff,
  diffThreeWay,
  formatChange,
  formatThreeWayChange,
  isEqual,
  mergeThreeWay,
} from '../../../src/output/diff.ts';
import { parseJson } from '../../../src/wire/json.ts';

describe('changes between two objects', () => {
  test('are the smallest fields that differ', () => {
    const before = { a: 1, b: { c: [1, 2], d: 'x', e: true }, gone: null };
    const after = { a: 1, b: { e: true, d: 'y', c: [1, 2] }, new: { f: 1 } };
    expect(diff(before, after).map(formatChange)).toEqual([
      'b.d: "x" → "y"',
      'gone: null → (none)',
      'new: (none) → {"f":1}',
    ]);
  });

  test('of a list are the complete list, whatever the order of its fields', () => {
    expect(diff({ l: [{ a: 1, b: 2 }] }, { l: [{ b: 2, a: 1 }] })).toEqual([]);
    expect(diff({ l: [1, 2] }, { l: [2, 1] })).toEqual([{ path: ['l'], before: [1, 2], after: [2, 1] }]);
  });

  test('tell types and exact integers apart, and see a field named __proto__', () => {
    expect(isEqual({ a: 0 }, { a: false })).toBe(false);
    expect(isEqual({ a: null }, {})).toBe(false);
    expect(isEqual(parseJson('{"a":9007199254740993}'), parseJson('{"a":9007199254740992}'))).toBe(false);
    expect(isEqual(parseJson('{"__proto__":{"a":1}}'), {})).toBe(false);
    expect(isEqual([], {})).toBe(false);
  });
});

describe('the changes of two editors to one object', () => {
  const base = { near: 'a', tags: ['x'], failover: { n: 1, list: ['dc2'] }, same: 1 };

  test('names the editor of each changed field', () => {
    const mine = { ...base, near: 'mine', tags: ['y'], failover: { n: 2, list: ['dc2'] } };
    const theirs = { ...base, near: 'theirs', tags: ['y'], failover: { n: 1, list: ['dc3'] } };
    expect(diffThreeWay(base, mine, theirs).map(formatThreeWayChange)).toEqual([
      'near (both changed it): "a" → yours "mine", theirs "theirs"',
      'tags (both changed it, to the same): ["x"] → ["y"]',
      'failover.n (only you changed it): 1 → 2',
      'failover.list (only they changed it): ["dc2"] → ["dc3"]',
    ]);
  });

  test('an object that one of them removed is one field', () => {
    const { failover: _gone, ...mine } = base;
    const theirs = { ...base, failover: { n: 9, list: ['dc2'] } };
    expect(diffThreeWay(base, mine, theirs)).toEqual([
      { path: ['failover'], base: base.failover, mine: undefined, theirs: theirs.failover, by: 'conflict' },
    ]);
  });

  test('is empty if neither changed anything', () => {
    expect(diffThreeWay(base, { ...base }, { ...base })).toEqual([]);
  });
});

describe('the merged changes of two editors to one object', () => {
  test('has what each of them changed, and what neither did', () => {
    const base = { same: 1, mine: 1, theirs: 1, gone: 1, nested: { a: 1, b: 1 } };
    const mine = { same: 1, mine: 2, theirs: 1, nested: { a: 2, b: 1 }, added: 1 };
    const theirs = { same: 1, mine: 1, theirs: 2, gone: 1, nested: { a: 1, b: 2 }, other: 1 };
    expect(mergeThreeWay(base, mine, theirs)).toEqual({
      same: 1,
      mine: 2,
      theirs: 2,
      nested: { a: 2, b: 2 },
      other: 1,
      added: 1,
    });
  });

  test('is what the one has where the other changed nothing, whatever the names', () => {
    const items = fc.dictionary(fc.string(), fc.string(), { noNullPrototype: true });
    fc.assert(
      fc.property(items, items, (base, mine) => {
        expect(isEqual(mergeThreeWay(base, mine, base), mine)).toBe(true);
        expect(isEqual(mergeThreeWay(base, base, mine), mine)).toBe(true);
        expect(isEqual(mergeThreeWay(base, mine, mine), mine)).toBe(true);
      }),
    );
    const proto = parseJson('{"__proto__": "x"}');
    expect(isEqual(mergeThreeWay({}, proto, { a: 'y' }), parseJson('{"__proto__": "x", "a": "y"}'))).toBe(
      true,
    );
  });
});

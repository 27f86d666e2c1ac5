import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkSelectionFlags } from '../../../src/output/render.ts';
import { select } from '../../../src/output/select.ts';
import { parseJson } from '../../../src/wire/json.ts';
import { failure, rendered } from './support.ts';

const early = 1795190400000000001n;
const late = 1795190400000000002n;
const data = {
  vars: [
    { path: 'b', at: late },
    { path: 'a', at: early },
    { path: 'c', at: 5 },
  ],
};

describe('--select', () => {
  test('shows the selection as json, in text too', async () => {
    expect(await rendered({ data }, { select: 'vars[0]' })).toBe(`{\n  "path": "b",\n  "at": ${late}\n}\n`);
  });

  test('passes the selection to the other formats', async () => {
    const answer = { data, payload: { other: 1 }, rows: [] };
    const one = { select: 'vars[1]' };
    const all = { select: 'vars[].path' };
    expect(await rendered(answer, { ...one, format: 'env', envPrefix: 'APP_' })).toBe(
      `APP_path='a'\nAPP_at='${early}'\n`,
    );
    expect(await rendered(answer, { ...one, format: 'yaml' })).toBe(`path: a\nat: ${early}\n`);
    expect(await rendered(answer, { ...one, field: 'at' })).toBe(`${early}\n`);
    expect(await rendered(answer, { ...all, format: 'jsonl' })).toBe('"b"\n"a"\n"c"\n');
    expect(await rendered(answer, { ...all, format: 'table' })).toContain('│ value │');
  });

  test('selects null where there is nothing', async () => {
    expect(await rendered({ data }, { select: 'nothing.here' })).toBe('null\n');
    expect(await rendered({ data: undefined }, { select: '@' })).toBe('null\n');
  });

  test.each([
    ['vars[?at > `5`].path', ['b', 'a']],
    ['vars[?at > `1795190400000000001`].path', ['b']],
    ['vars[?at >= `1795190400000000001`].path', ['b', 'a']],
    ['vars[?at == `1795190400000000002`].path', ['b']],
    ['vars[?at == `1795190400000000000`].path', []],
    ['sort_by(vars, &at)[].path', ['c', 'a', 'b']],
    ['max_by(vars, &at).at', late],
    ['max(vars[].at)', late],
    ['vars[].to_string(at)', [String(late), String(early), '5']],
    ['to_string(vars[0])', `{"path":"b","at":${late}}`],
    ['type(vars[0].at)', 'number'],
    ['contains(vars[].at, `1795190400000000001`)', true],
    ['`{"a": [9007199254740993, "\\`"]}`', { a: [9007199254740993n, '`'] }],
  ])('%s is exact beyond 2^53', async (expression, found) => {
    expect(await select(data, expression)).toEqual(found);
  });

  test('returns, compares and sorts any integers exactly', async () => {
    const integers = fc.uniqueArray(fc.bigInt({ min: 2n ** 60n - 2000n, max: 2n ** 60n + 2000n }), {
      minLength: 2,
    });
    await fc.assert(
      fc.asyncProperty(integers, async (list) => {
        const inOrder = list.toSorted((a, b) => (a < b ? -1 : 1));
        expect(await select({ list }, 'list')).toEqual(list);
        expect(await select({ list: list.map((at) => ({ at })) }, 'sort_by(list, &at)[].at')).toEqual(
          inOrder,
        );
        const middle = inOrder[Math.trunc(list.length / 2)] ?? 0n;
        expect(await select({ list }, `list[?@ >= \`${middle}\`]`)).toEqual(
          list.filter((at) => at >= middle),
        );
      }),
    );
  });

  test('handles ten thousand integers that are close to each other', async () => {
    const list = Array.from({ length: 10_000 }, (_, index) => 2n ** 60n + BigInt(index));
    expect(await select({ list }, 'max(list)')).toBe(2n ** 60n + 9999n);
  });

  test('rejects an integer that is beyond every number', async () => {
    expect(await failure(select({ a: 10n ** 400n }, 'a'), 'usage')).toContain('too large');
  });

  test('does not show a computed integer that is not exact', async () => {
    expect(await failure(select(data, 'sum(vars[].at)'), 'usage')).toContain('would not be exact');
  });

  test('keeps large numbers that are not written as integers', async () => {
    expect(await select({ a: 1e300, b: [1.5] }, '[a, b[0]]')).toEqual([1e300, 1.5]);
  });

  test('keeps a key called __proto__ and finds no inherited field', async () => {
    const answer = parseJson('{"__proto__":{"a":1},"b":{}}');
    expect(await select(answer, '"__proto__".a')).toBe(1);
    expect(JSON.stringify(await select(answer, '@'))).toBe('{"__proto__":{"a":1},"b":{}}');
    expect(await select(answer, '[constructor, b.toString, b."__proto__", {x: b}.valueOf]')).toEqual([
      null,
      null,
      null,
      null,
    ]);
  });

  test.each([
    ['foo.#bar', 'at character 5'],
    ['a b', 'at character 3'],
    ['foo..bar', 'at character 5'],
    ['[a,]', 'at character 4'],
    ['x."y', 'at character 3'],
    ['`{`', 'at character 1'],
    ['a.b)', 'at character 4'],
    ['lenght(@)', 'at character 1'],
    ['a | lenght(@)', 'at character 5'],
    ['foo[', 'at its end: unexpected end'],
    ['', 'at its end: unexpected end'],
    ['{a: b', 'at its end: unexpected end'],
  ])('%j is rejected before anything is sent: %s', async (expression, place) => {
    expect(await failure(checkSelectionFlags({ select: expression }), 'usage')).toContain(place);
  });

  test('an expression that does not suit the value is a usage error', async () => {
    expect(await failure(select({ a: 1 }, 'length(a)'), 'usage')).toContain('length()');
  });
});

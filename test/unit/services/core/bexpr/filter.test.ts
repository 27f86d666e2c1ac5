import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compileFilter } from '../../../../../src/services/core/bexpr/filter.ts';
import { expectLinear } from '../../../../support/measure.ts';

/** With all additions to the language: Nomad. */
const compile = (text: string) => compileFilter(text, { collections: true, nil: true });

const data = {
  Name: 'web',
  Port: 8080,
  Big: 2n ** 60n,
  Enabled: true,
  Tags: ['v1', 'primary'],
  Ports: [80, 443],
  Meta: { env: 'prod', 'a key': 'x', empty: '', __proto__x: 'y' },
  None: null,
  Nothing: [],
  Service: { Meta: { env: 'dev' } },
};

const passes = async (text: string) => (await compile(text)).matches(data);

/** The error of an invalid expression. */
async function rejection(text: string): Promise<string> {
  return compile(text).then(
    () => 'accepted',
    (error: Error) => `${error.constructor.name}: ${error.message}`,
  );
}

describe('a filter expression', () => {
  test.each([
    ['Name == web', true],
    ['Name == "web"', true],
    ['Name == `web`', true],
    ['Name != "web"', false],
    ['Name == "Web"', false],
    ['Port == 8080', true],
    ['Port == "8080"', true],
    ['Port == 80', false],
    ['Port == ""', false],
    ['Big == 1152921504606846976', true],
    ['Big == 1152921504606846977', false],
    ['Enabled == true', true],
    ['Enabled != false', true],
    ['Meta.env == prod', true],
    ['Service.Meta.env == "dev"', true],
    ['Meta["a key"] == x', true],
    ['Meta[`env`] == prod', true],
  ])('compares: %s is %s', async (text, expected) => {
    expect(await passes(text)).toBe(expected);
  });

  test.each([
    ['"v1" in Tags', true],
    ['v1 in Tags', true],
    ['"v1.2" in Tags', false],
    ['v2 not in Tags', true],
    ['"v1" not in Tags', false],
    ['Tags contains v1', true],
    ['Tags contains "v"', false],
    ['Tags not contains v2', true],
    ['443 in Ports', true],
    ['444 in Ports', false],
    ['env in Meta', true],
    ['"other" in Meta', false],
    ['"toString" in Meta', false],
    ['Name contains "we"', true],
    ['Nothing is empty', true],
    ['Tags is empty', false],
    ['Tags is not empty', true],
    ['Meta.empty is empty', true],
    ['None is empty', true],
    ['Meta is not empty', true],
    ['Port is empty', false],
    ['Name matches "^w.b$"', true],
    ['Name matches `e`', true],
    ['Name not matches "^e"', true],
    ['Port matches "8"', false],
  ])('searches collections: %s is %s', async (text, expected) => {
    expect(await passes(text)).toBe(expected);
  });

  test.each([
    ['Meta.none == ""', false],
    ['Meta.none != "x"', true],
    ['Meta.none is empty', true],
    ['x in Meta.none', false],
    ['Meta.none matches ".*"', false],
    ['Name.length == 3', false],
    ['Tags.length == 2', false],
    ['constructor is empty', true],
    ['Meta["__proto__"] is empty', true],
    ['Meta.constructor.name is empty', true],
  ])('treats missing values as empty: %s is %s', async (text, expected) => {
    expect(await passes(text)).toBe(expected);
  });

  test.each([
    ['Name == web and Port == 8080', true],
    ['Name == web and Port == 1', false],
    ['Name == x or Port == 8080', true],
    ['not Name == web', false],
    ['not not Name == web', true],
    // `and` binds tighter than `or`, `not` tighter than both.
    ['Name == web or Name == x and Port == 1', true],
    ['(Name == web or Name == x) and Port == 1', false],
    ['not Name == x and Name == web', true],
    ['not (Name == web and Port == 1)', true],
    ['not (Name == web) or (Port == 8080)', true],
    ['\n Name\t== web\n and\n Port == 8080 ', true],
  ])('combines tests: %s is %s', async (text, expected) => {
    expect(await passes(text)).toBe(expected);
  });

  test.each([
    ['quotes', '`a "quoted" text` in Tags', ['a "quoted" text']],
    ['escapes', '"tab\\tand \\u00e9" in Tags', ['tab\tand é']],
    ['literal backslashes', '`\\d\\n` in Tags', ['\\d\\n']],
  ])('reads texts with %s', async (_what, text, Tags) => {
    expect((await compile(text)).matches({ Tags })).toBe(true);
  });

  test('lists its selectors', async () => {
    const { uses } = await compile('value.a == b and not (c in list.d or value["e f"] is empty)');
    expect(uses.map(({ selector }) => selector)).toEqual([
      ['value', 'a'],
      ['list', 'd'],
      ['value', 'e f'],
    ]);
  });

  test.each([
    ['Name matches "("', 'invalid pattern "(": '],
    ['Name matches "(a)\\\\1"', 'invalid pattern "(a)\\\\1": '],
    ['Name matches "a(?=b)"', 'invalid pattern "a(?=b)": '],
  ])('rejects %s', async (text, message) => {
    expect(await rejection(text)).toContain(`ExpressionError: ${message}`);
  });
});

describe('the work of a filter expression is bounded', () => {
  test('by its length', async () => {
    expect(await rejection(`Name == "${'x'.repeat(9000)}"`)).toMatch('longer than 8192 characters');
  });

  test.each([
    ['(', ')'],
    ['not ', ''],
    ['not (', ')'],
  ])('by the nesting depth of %s', async (open, close) => {
    const deep = (levels: number) => `${open.repeat(levels)}Name == web${close.repeat(levels)}`;
    expect(await rejection(deep(30))).toBe('accepted');
    expect(await rejection(deep(500))).toMatch('more than 64 levels deep');
  });

  test('by the work of a pattern', async () => {
    const { matches: passes } = await compile('Name matches "^(a+)+$"');
    await expectLinear((size) => expect(passes({ Name: `${'a'.repeat(size)}!` })).toBe(false), 5000);
  });

  test('by the data a pattern is applied to', async () => {
    const { matches: passes } = await compile('Name matches "(a{20}){20}b"');
    expect(passes({ Name: 'a'.repeat(500) })).toBe(false);
    expect(() => passes({ Name: 'a'.repeat(5000) })).toThrow('too expensive for this amount of data');
    expect(await rejection('Name matches "((a{10}){10}){10}b"')).toMatch(': too large');
  });

  test('by the data of all tests together', async () => {
    const { select } = await compile(Array.from({ length: 50 }, () => 'Name != x').join(' and '));
    const many = (count: number) => Array.from({ length: count }, (_none, Name) => ({ Name }));
    expect(select(many(1000))).toHaveLength(1000);
    expect(() => select(many(10_000))).toThrow('too expensive for this amount of data');
  });

  test('by the size of a pattern', async () => {
    expect(await rejection('Name matches "((a{500}){500}){500}"')).toMatch('invalid pattern');
  });

  test('for any input: it is parsed or rejected', async () => {
    const piece = fc.constantFrom(
      'a',
      '.',
      '"x"',
      '`y`',
      '(',
      ')',
      '[',
      ']',
      'not',
      'in',
      'is',
      'empty',
      '==',
      'and',
      'or',
      '1',
      'matches',
      '"',
    );
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 20 }), async (pieces) => {
        expect(await rejection(pieces.join(' '))).toMatch(/^(accepted$|ExpressionError: )/);
      }),
    );
  });
});

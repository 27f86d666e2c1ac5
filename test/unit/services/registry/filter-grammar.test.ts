import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { coerce } from '../../../../src/services/registry/filter/coerce.ts';
import { instanceFields } from '../../../../src/services/registry/filter/fields.ts';
import { compileFilter } from '../../../../src/services/registry/filter/filter.ts';
import { parseExpression } from '../../../../src/wire/filter/grammar.ts';
import { ExpressionError } from '../../../../src/wire/filter/ordered-choice-parser.ts';
import { expectLinear } from '../../../support/measure.ts';

test.each([
  ['8080', 8080n],
  ['+1', 1n],
  ['-7', -7n],
  ['0x1F', 31n],
  ['0b101', 5n],
  ['0o17', 15n],
  ['017', 15n],
  ['1_000', 1000n],
  ['0x_f', 15n],
  ['0', 0n],
  ['-9223372036854775808', -(2n ** 63n)],
])('the number %s is %s', (text, value) => {
  expect(coerce('number', text)).toEqual({ value });
});

test.each([
  ['9223372036854775808', 'value out of range'],
  ['', 'invalid syntax'],
  ['1_', 'invalid syntax'],
  ['_1', 'invalid syntax'],
  ['08', 'invalid syntax'],
  ['1.5', 'invalid syntax'],
  ['0x', 'invalid syntax'],
])('the number %j is rejected: %s', (text, reason) => {
  expect(coerce('number', text).problem).toBe(`strconv.ParseInt: parsing ${JSON.stringify(text)}: ${reason}`);
});

describe('a filter', () => {
  const item = {
    Node: { Node: 'n', Meta: { a: 'x' } },
    Service: { Tags: ['a'], Port: 1 },
    Checks: [{ Status: 'passing' }],
  };

  test('of any text selects or is rejected with a reason', async () => {
    const token = fc.constantFrom(
      ...['Node.Node', 'Service.Tags', 'Checks.Status', 'Checks', 'Service.Port', 'Node.Meta.a', 'x', '"a"'],
      ...['`n`', '1', '==', '!=', 'in', 'not', 'is', 'empty', 'contains', 'matches', 'and', 'or', '(', ')'],
      ...['[', ']', '.', ' ', '"', '\n', 'é', '-'],
    );
    await fc.assert(
      fc.asyncProperty(fc.array(token, { maxLength: 12 }), async (tokens) => {
        const filter = await compileFilter(tokens.join(' '), instanceFields).catch((error: unknown) => error);
        if (filter instanceof Error) expect(filter).toBeInstanceOf(ExpressionError);
        else
          expect(await (filter as Awaited<ReturnType<typeof compileFilter>>).select([item])).toBeInstanceOf(
            Array,
          );
      }),
      { numRuns: 300 },
    );
  });

  test('is missing values only, where an item has none', async () => {
    const selects = async (text: string) =>
      (await (await compileFilter(text, instanceFields)).select([{ Node: null, Checks: null }])).length > 0;
    expect(await selects('Node.Node == ""')).toBe(true);
    expect(await selects('Service.Port == 0 and Service.EnableTagOverride == false')).toBe(true);
    expect(await selects('Service.Tags is empty and Checks is empty')).toBe(true);
    expect(await selects('Checks.Status != passing')).toBe(false);
    expect(await selects('Node.Meta.toString == ""')).toBe(false);
    expect(await selects('toString in Node.Meta')).toBe(false);
  });

  test('with too much work for the data is rejected while it selects', async () => {
    const { select } = await compileFilter('Node.Node matches "(a{20}){20}b"', instanceFields);
    const long = { Node: { Node: 'a'.repeat(100_000) } };
    await expect(select([long])).rejects.toThrow('the expression is too expensive for this amount of data');
  });

  test.each([
    ['unclosed indexes', (length: number) => 'a["'.repeat(length / 3)],
    ['parts', (length: number) => Array.from({ length: length / 11 }, () => 'a == b').join(' and ')],
    ['groups', (length: number) => Array.from({ length: length / 66 }, () => `${'('.repeat(60)}a`).join(' ')],
  ])('is parsed in linear time: %s', async (_what, text) => {
    await expectLinear((size) => {
      try {
        parseExpression(text(size));
      } catch (error) {
        expect(error).toBeInstanceOf(ExpressionError);
      }
    }, 8000);
  });
});

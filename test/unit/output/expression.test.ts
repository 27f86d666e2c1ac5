import { describe, expect, test } from 'vitest';
import { expression } from '../../../src/output/expression.ts';

const fields = ['Items', 'ModifyIndex', 'Path'];
const value = {
  Items: { ready: 'yes', count: '3', empty: '' },
  ModifyIndex: 18446744073709551615n,
  Path: 'a',
};

const holds = async (text: string, given: unknown = value) =>
  (await expression(text, { flag: '--for', fields })).holds(given);

describe('an expression holds', () => {
  test.each([
    ["Items.ready == 'yes'", true],
    ["Items.ready == 'no'", false],
    ['Items.ready', true],
    ['Items.later', false],
    ["Items.later == 'yes'", false],
    ['Items.empty', false],
    ['!(Items.later)', true],
    ["Items.ready == 'yes' && Path == 'b'", false],
    ["Items.ready == 'yes' || Path == 'b'", true],
    ['ModifyIndex == `18446744073709551615`', true],
    ['to_number(Items.count) > `2`', true],
    ['@', true],
    ['`[]`', false],
    ["keys(Items)[?@ == 'ready']", true],
    ["$.Items.ready == 'yes'", true],
    ["@ | Items.ready == 'yes'", true],
  ])('%s: %s', async (text, isMet) => {
    expect(await holds(text)).toEqual({ isMet });
  });

  test('not with a field of another type, which may still change', async () => {
    expect(await holds("contains(Items.later, 'a')")).toMatchObject({
      isMet: false,
      problem: expect.any(String),
    });
    expect(await holds("contains(Items.ready, 'es')")).toEqual({ isMet: true });
  });

  test('for values without known fields', async () => {
    const each = await expression("[?status == 'passing']", { flag: '--for' });
    expect(await each.holds([])).toEqual({ isMet: false });
    expect(await each.holds([{ status: 'passing' }])).toEqual({ isMet: true });
  });
});

describe('an expression is rejected', () => {
  test.each([
    ["Itms.ready == 'yes'", 'unknown field "Itms"'],
    ['Items.ready == "yes"', 'unknown field "yes"'],
    ["length(Itms) == `1` || Path == 'a'", 'unknown field "Itms"'],
    ['!Itms.ready', 'unknown field "Itms"'],
    ["Itms[?@ == 'a']", 'unknown field "Itms"'],
    ['Itms[0]', 'unknown field "Itms"'],
    ['Itms.*', 'unknown field "Itms"'],
    ['Itms[]', 'unknown field "Itms"'],
    ['[Items, Itms]', 'unknown field "Itms"'],
    ['{a: Itms}', 'unknown field "Itms"'],
    ['$.Itms', 'unknown field "Itms"'],
    ['@ | Itms', 'unknown field "Itms"'],
    ['Items.ready ==', 'unexpected end'],
    ['size(Items)', 'unknown function size()'],
    ['length()', 'arity'],
  ])('%s', async (text, message) => {
    const error = await expression(text, { flag: '--fail-if', fields }).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ kind: 'usage' });
    expect((error as Error).message).toContain('invalid --fail-if');
    expect((error as Error).message.toLowerCase()).toContain(message.toLowerCase());
  });

  test('with the similar field', async () => {
    const error = await expression('Itms.a', { flag: '--for', fields }).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ details: ['did you mean Items?', 'fields: Items, ModifyIndex, Path'] });
  });
});

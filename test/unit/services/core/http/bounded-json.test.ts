import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { jsonLimits, parseBounded } from '../../../../../src/services/core/http/bounded-json.ts';
import { parseJson } from '../../../../../src/wire/json.ts';
import { sized } from '../../../../support/soak.ts';
import { wordsOf } from '../../../../support/words.ts';

/** The result of a parser; all errors are equal. */
const outcome = async (parse: () => unknown) => {
  try {
    return { value: await parse() };
  } catch {
    return 'rejected';
  }
};

/** Makes a text too long for the platform's own parser. */
const padding = ' '.repeat(20_000);

describe('the bounded JSON parser', () => {
  test('agrees with the platform on all valid JSON', async () => {
    const text = fc.oneof(
      fc.json({ maxDepth: 6 }),
      fc.json({ noUnicodeString: false }).map((json) => JSON.stringify(JSON.parse(json), null, 2)),
      fc.bigInt().map(String),
      fc.double().map((number) => JSON.stringify(number)),
    );
    await fc.assert(
      fc.asyncProperty(text, async (json) => {
        expect(await parseBounded(json)).toEqual(parseJson(json));
        expect(await parseBounded(padding + json)).toEqual(parseJson(json));
      }),
      { numRuns: sized(1_000, 200) },
    );
  });

  test('agrees with the platform on almost valid JSON', async () => {
    const piece = fc.constantFrom(
      ...wordsOf(String.raw`{ } [ ] , : " \ "a" "\u00e9" 1 - 0 .5 e9 01 true nul`),
      ...[' ', '\n', '\t', '\u00a0', '\u0000', '"__proto__"', '{}', '[]', '""', '12345678901234567890'],
    );
    const text = fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join(''));
    await fc.assert(
      fc.asyncProperty(
        text.filter((each) => /[^ \n\t]/.test(each)),
        async (json) => {
          const expected = await outcome(() => parseJson(json));
          expect(await outcome(() => parseBounded(json))).toEqual(expected);
          expect(await outcome(() => parseBounded(padding + json))).toEqual(expected);
        },
      ),
      { numRuns: sized(5_000, 1_000) },
    );
  });

  test('reports the same errors of short and of long texts', async () => {
    const errorOf = async (json: string) =>
      String(await parseBounded(json).catch((error: Error) => error.message));
    for (const json of ['{"a":1,}', '["a', '"\n"', '{"a" 1}', '[1] 2', 'nul', '01', '"\\x"']) {
      const long = await errorOf(padding + json);
      const unpadded = long.replace(/\d+$/, (at) => String(Number(at) - padding.length));
      expect(unpadded, json).toBe(await errorOf(json));
    }
  });

  test('counts brackets in strings as text', async () => {
    const texts = ['[', '{', ']}'].map((bracket) => bracket.repeat(2 * jsonLimits.depth));
    expect(await parseBounded(JSON.stringify(texts))).toEqual(texts);
  });

  test.each(['1e400', '[-1E309]'])('does not convert %s to null', async (json) => {
    await expect(parseBounded(json)).rejects.toMatchObject({ status: 400 });
  });

  test('keeps __proto__ as an ordinary name', async () => {
    const value = (await parseBounded('{"__proto__":{"a":1}}')) as object;
    expect(Object.keys(value)).toEqual(['__proto__']);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  });

  test('treats white space as a missing body', async () => {
    expect(await parseBounded('')).toBeUndefined();
    expect(await parseBounded(' \n')).toBeUndefined();
  });

  const many = (count: number, each: (at: number) => string) =>
    Array.from({ length: count }, (_, at) => each(at)).join(',');
  const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
  const { depth, stringBytes, entries, elements, numberLength } = jsonLimits;
  const cases: readonly [string, (size: number) => string, number][] = [
    ['nesting depth', nested, depth],
    ['nesting depth', (size) => `${'{"a":'.repeat(size)}1${'}'.repeat(size)}`, depth],
    ['string value length', (size) => `"${'x'.repeat(size)}"`, stringBytes],
    ['string value length', (size) => `"${'\\u00e9'.repeat(size / 2)}${'x'.repeat(size % 2)}"`, stringBytes],
    [
      'string value length',
      (size) => `"x${'\u{1f511}'.repeat((size - 4) / 4)}${'x'.repeat(3 + (size % 4))}"`,
      stringBytes,
    ],
    ['string value length', (size) => `{"${'x'.repeat(size)}":1}`, stringBytes],
    ['object entry count', (size) => `{${many(size, (at) => `"${at}":1`)}}`, entries],
    ['object entry count', (size) => `{${many(size, () => '"same":1')}}`, entries],
    ['array element count', (size) => `[${many(size, () => '0')}]`, elements],
    ['number length', (size) => '1'.repeat(size), numberLength],
  ];
  test.for(cases)('allows the maximum %s and not one more', async ([what, make, limit]) => {
    await expect(parseBounded(make(limit))).resolves.toBeDefined();
    await expect(parseBounded(make(limit + 1))).rejects.toThrow(`JSON input exceeds allowed ${what}`);
  });
});

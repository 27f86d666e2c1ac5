import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseItems } from '../../../src/io/variable-file.ts';
import { renderEnv } from '../../../src/output/env.ts';
import { renderJson } from '../../../src/output/json.ts';
import { renderYaml } from '../../../src/output/yaml.ts';

/** Text that items may be, rich in what formats give a meaning to. */
const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc
    .array(fc.constantFrom(...` \t\n\r'"\\$\`#=:-?[]{},&*!|>%@~\u0000\u0085\u2028\ufeff🔑eyn0.`), {
      maxLength: 20,
    })
    .map((all) => all.join('')),
  fc.constantFrom(
    'null',
    '~',
    'yes',
    '017',
    '1.10',
    '',
    '__proto__',
    '<<',
    'constructor',
    'Items',
    '\r\n',
    ' # no comment',
  ),
);
const items = fc
  .uniqueArray(fc.tuple(text, text), { selector: ([key]) => key, maxLength: 6 })
  .map((all) => Object.fromEntries(all));

const back = async (written: string, format: 'json' | 'yaml' | 'env') =>
  Object.entries(await parseItems(written, 'the file', format));

describe('items that Lanyard writes come back exactly', () => {
  test('from JSON', async () => {
    await fc.assert(
      fc.asyncProperty(items, async (some) => {
        expect(await back(renderJson(some, false, 2), 'json')).toEqual(Object.entries(some));
      }),
      { numRuns: 500 },
    );
  });

  test('from YAML', async () => {
    await fc.assert(
      fc.asyncProperty(items, async (some) => {
        expect(await back(await renderYaml(some), 'yaml')).toEqual(Object.entries(some));
      }),
      { numRuns: 1000 },
    );
  });

  test('from lines for a shell', async () => {
    const options = {
      format: 'env',
      terminal: false,
      random: (length: number) => new Uint8Array(length),
    } as const;
    const held = text.filter((value) => !value.includes('\0') && value.isWellFormed());
    await fc.assert(
      fc.asyncProperty(fc.array(held, { maxLength: 6 }), async (values) => {
        const some = Object.fromEntries(values.map((value, index) => [`K${index}`, value]));
        expect(await back(renderEnv(some, options), 'env')).toEqual(Object.entries(some));
      }),
      { numRuns: 1000 },
    );
  });
});

test('any text is read, or rejected as invalid input', async () => {
  await fc.assert(
    fc.asyncProperty(text, fc.constantFrom(undefined, 'json', 'yaml', 'env'), async (some, format) => {
      await parseItems(some, 'the file', format).catch((error: unknown) =>
        expect(error).toMatchObject({ name: 'LanyardError', kind: 'usage' }),
      );
    }),
    { numRuns: 1000 },
  );
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { field } from '../../src/objects/schema.ts';
import { compare, merge } from '../../src/state/compare.ts';
import type { JsonObject } from '../../src/state/kind.ts';
import { validate } from '../../src/state/validate.ts';
import { formatJson, type Json } from '../../src/wire/json.ts';
import { counted, sized } from '../support/soak.ts';
import { benchForAll, createNeeds, kindOf, readExisting, removeObject } from './bench.ts';
import { objectCases } from './objects.ts';
import { spellingsOf } from './spellings.ts';

const bench = await benchForAll();

const options = { isExact: false, stated: new Set<string>(), ignored: new Set<string>(), showsSecrets: true };

test.each(['seconds', 'text', 'nanoseconds'] as const)('any duration in %s', async (unit) => {
  const schema = field.object({ duration: field.duration(unit) });
  const pairs = fc
    .tuple(fc.bigInt({ min: 0n, max: 10n ** 9n }), fc.constantFrom('us', 'ms', 's'))
    .map(([count, of]) => ({ duration: `${count}${of}` }))
    .chain((stated) => fc.tuple(fc.constant(stated), spellingsOf(schema, stated)));
  await counted(`state: spellings of durations in ${unit}`, async (tried) =>
    fc.assert(
      fc.property(pairs, ([stated, spelling]) => {
        tried();
        const differences = compare(schema, stated, spelling as JsonObject, { ...options, isExact: true });
        expect(differences, formatJson(spelling)).toEqual([]);
      }),
      { numRuns: sized(5000, 200), seed: 15 },
    ),
  );
});

describe.each(objectCases)('$kind $identity.key', (object) => {
  const { identity, spec } = object;
  const kind = kindOf(object.kind);
  const canonical = (stated: JsonObject): JsonObject => kind.canonicalSpec?.(stated) ?? stated;

  test('every spelling of the same object is accepted, and has no differences', async () => {
    await createNeeds(object, bench);
    const resolvePath = (path: string): string => bench.at.file(path);
    await kind.create(bench.others, { identity, spec: canonical(spec), live: undefined, resolvePath });
    const live = await readExisting(bench.others, kind, identity);
    // Where the service adds nothing to what is stated, the same with everything else at its default.
    const differences = (desired: JsonObject, isExact: boolean) =>
      compare(kind.schema, canonical(desired), live.spec, { ...options, isExact });
    expect(differences(spec, false)).toEqual([]);
    const modes = [false, true].filter((isExact) => differences(spec, isExact).length === 0);
    const problemsOf = (desired: JsonObject): readonly string[] => {
      const problems: string[] = [];
      const report = (path: readonly (string | number)[], message: string) =>
        problems.push(`${path.join('.')}: ${message}`);
      validate(kind.schema, desired, [], { report, allowsLiterals: true, allowsUnknownFields: false });
      return problems;
    };
    await counted(`state: spellings of ${object.kind}`, async (tried) =>
      fc.assert(
        fc.property(spellingsOf(kind.schema, spec), (spelling: Json) => {
          tried();
          const desired = spelling as JsonObject;
          expect(problemsOf(desired), formatJson(spelling)).toEqual([]);
          for (const isExact of modes)
            expect(differences(desired, isExact), formatJson(spelling)).toEqual([]);
          // Nor has what an update would store.
          const stored = merge(kind.schema, live.spec, canonical(desired));
          expect(compare(kind.schema, live.spec, stored, options), formatJson(spelling)).toEqual([]);
        }),
        { numRuns: sized(200, 40), seed: 15 },
      ),
    );
    await removeObject(bench.others, object, live);
  });
});

import { array, assert, asyncProperty, boolean, constantFrom, integer, record } from 'fast-check';
import { expect, test } from 'vitest';
import { ShardedMap } from '../../../../../src/services/core/store/sharded-map.ts';
import { SortedMap } from '../../../../../src/services/core/store/sorted-map.ts';
import { expectCost } from '../../../../support/measure.ts';
import { sized } from '../../../../support/soak.ts';
import { sortedMapOf } from './sorted-map-of.ts';

const prefixes = ['', 'k', 'k0', 'k1', 'k12', 'k123', 'k1234', 'k9999', 'l', 'a', '\u{10000}', '\uFFFF'];

/** Compares a map with the model: a plain map, sorted at each read. */
function compare(map: SortedMap<number>, model: ReadonlyMap<string, number>): void {
  const sorted = [...model.keys()].sort();
  for (const prefix of prefixes) {
    expect(map.keys(prefix)).toEqual(sorted.filter((key) => key.startsWith(prefix)));
  }
  for (const key of [...sorted.slice(0, 3), 'k1234', 'none']) expect(map.get(key)).toBe(model.get(key));
}

/** Sequences of keys: ascending, descending, or scattered. */
const runs = array(
  record({
    remove: boolean(),
    first: integer({ min: 0, max: 9999 }),
    count: integer({ min: 1, max: 4000 }),
    step: constantFrom(1, -1, 7919),
  }),
  { minLength: 1, maxLength: 12 },
);

test('an ordered map equals a sorted map after any insertions and removals', async () => {
  await assert(
    asyncProperty(runs, boolean(), async (all, filled) => {
      const model = new Map<string, number>(
        filled
          ? [
              ['\uFFFF', 1],
              ['\u{10000}', 2],
              ['k5', 3],
            ]
          : [],
      );
      const map = await sortedMapOf(model);
      for (const { remove, first, count, step } of all) {
        for (let at = 0; at < count; at++) {
          const key = `k${String((first + at * step + 100_000) % 10_000).padStart(4, '0')}`;
          map.put(key, remove ? undefined : at);
          if (remove) model.delete(key);
          else model.set(key, at);
        }
        compare(map, model);
      }
    }),
    { numRuns: sized(30, 8) },
  );
});

test('an ordered map built in bulk equals one built key by key', async () => {
  const entries = Array.from({ length: 5000 }, (_, at) => [`k${(at * 7919) % 5000}`, at] as const);
  const whole = await sortedMapOf(entries);
  const single = new SortedMap<number>();
  for (const [key, value] of entries) single.put(key, value);
  compare(whole, new Map(entries));
  compare(single, new Map(entries));
});

test('an ordered map of many keys inserts and removes one without moving all', async () => {
  const name = (at: number) => `lease/${((at * 2_654_435_761) % 2 ** 32).toString(16).padStart(8, '0')}`;
  const filled = async (count: number) => {
    const map = await sortedMapOf(Array.from({ length: count }, (_, at) => [name(at), 0] as const));
    let first = 0;
    const turnOver = () => {
      for (let at = first; at < first + 10_000; at++) {
        map.put(name(at + count), 0);
        map.put(name(at), undefined);
      }
      first += 10_000;
      expect(map.keys('lease/00').length).toBeLessThan(count / 100);
    };
    return turnOver;
  };
  // Moving every later key would cost 16 times as much among 16 times as many keys.
  await expectCost(await filled(320_000), 6, await filled(20_000));
});

test('a sharded map has the entries of a map, before and after it is distributed', () => {
  const map = new ShardedMap<number>();
  const model = new Map<string, number>();
  for (let at = 0; at < 40_000; at++) {
    const key = `secrets/${at % 7}/${at}/password`;
    map.set(key, at);
    model.set(key, at);
    if (at % 3 > 0) continue;
    map.delete(`secrets/${at % 7}/${at}/password`);
    model.delete(key);
  }
  for (let at = 0; at < 40_000; at++) {
    const key = `secrets/${at % 7}/${at}/password`;
    if (map.get(key) !== model.get(key) || map.has(key) !== model.has(key))
      expect([key, map.get(key)]).toEqual([key, model.get(key)]);
  }
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Layer, LayeredMap } from '../../../../../src/services/core/store/layered-map.ts';
import { sized } from '../../../../support/soak.ts';

type Model = Map<string, number>;

const keyOf = fc.integer({ min: 0, max: 40 }).map((number) => `k/${number}`);
const change = fc.tuple(keyOf, fc.option(fc.integer(), { nil: undefined }));
const step = fc.oneof(
  fc.record({ kind: fc.constant('put' as const), change }),
  fc.record({ kind: fc.constant('publish' as const), changes: fc.array(change, { maxLength: 30 }) }),
  fc.record({ kind: fc.constant('merge' as const) }),
  fc.record({ kind: fc.constant('snapshot' as const) }),
);

function apply(model: Model, key: string, value: number | undefined): void {
  if (value === undefined) model.delete(key);
  else model.set(key, value);
}

const sortedKeys = (model: Model): string[] => [...model.keys()].sort();

function compare(map: LayeredMap<number>, model: Model): void {
  const keys = sortedKeys(model);
  expect(map.keys('k/')).toEqual(keys);
  expect(map.entries('k/', 'k/2', 3)).toEqual(
    keys
      .filter((key) => key > 'k/2')
      .slice(0, 3)
      .map((key) => [key, model.get(key)]),
  );
  expect(map.keysBefore('k/', 'k/3', 2)).toEqual(
    keys
      .filter((key) => key < 'k/3')
      .reverse()
      .slice(0, 2),
  );
  for (let at = 0; at <= 40; at++) expect(map.get(`k/${at}`)).toBe(model.get(`k/${at}`));
}

describe('a map with a layer on top', () => {
  test('reads as if the layer had been written at once, and its snapshots as if nothing had been', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        const map = new LayeredMap<number>();
        const model: Model = new Map();
        const snapshots: { readonly taken: ReturnType<typeof map.snapshot>; readonly model: Model }[] = [];
        for (const each of steps) {
          if (each.kind === 'put') {
            map.put(...each.change);
            apply(model, ...each.change);
          } else if (each.kind === 'publish') {
            await map.merge();
            const layer = new Layer<number>();
            for (const [key, value] of each.changes) {
              layer.put(key, value);
              apply(model, key, value);
            }
            map.publish(layer);
          } else if (each.kind === 'merge') await map.merge();
          else snapshots.push({ taken: map.snapshot(), model: new Map(model) });
          compare(map, model);
        }
        for (const { taken, model: expected } of snapshots) {
          expect(taken.keys('k/')).toEqual(sortedKeys(expected));
          expect([...taken.eachKey('k/')]).toEqual(sortedKeys(expected));
          for (let at = 0; at <= 40; at++) expect(taken.get(`k/${at}`)).toBe(expected.get(`k/${at}`));
          taken.release();
        }
      }),
      { numRuns: sized(2_000, 100) },
    );
  });

  test('is as it was before when the layer is dropped, also where later changes were undone', async () => {
    const map = new LayeredMap<number>();
    map.put('a', 1);
    map.put('b', 2);
    const layer = new Layer<number>();
    layer.put('a', undefined);
    layer.put('b', 3);
    layer.put('c', 4);
    map.publish(layer);
    const before = map.get('b');
    map.put('b', 5);
    map.put('b', before);
    map.drop();
    expect(map.entries('')).toEqual([
      ['a', 1],
      ['b', 2],
    ]);
    await map.merge();
    expect(map.keys('')).toEqual(['a', 'b']);
  });

  test('lists many keys between removed ones', () => {
    const map = new LayeredMap<number>();
    for (let at = 0; at < 5_000; at++) map.put(`k/${String(at).padStart(5, '0')}`, at);
    const layer = new Layer<number>();
    for (let at = 0; at < 5_000; at++)
      if (at % 1_500 !== 0) layer.put(`k/${String(at).padStart(5, '0')}`, undefined);
    layer.put('k/x', 1);
    map.publish(layer);
    expect(map.keys('k/')).toEqual(['k/00000', 'k/01500', 'k/03000', 'k/04500', 'k/x']);
    expect(map.keys('k/', 'k/00000', 2)).toEqual(['k/01500', 'k/03000']);
  });

  test('a snapshot lists many keys one by one, while the map changes', () => {
    const map = new LayeredMap<number>();
    const key = (at: number): string => `k/${String(at).padStart(5, '0')}`;
    for (let at = 0; at < 5_000; at++) map.put(key(at), at);
    const expected = map.keys('k/');
    const snapshot = map.snapshot();
    const listed: string[] = [];
    for (const each of snapshot.eachKey('k/')) {
      listed.push(each);
      if (listed.length % 100 !== 0) continue;
      map.put(key(5_000 - listed.length), undefined);
      map.put(`${key(listed.length + 1)}/new`, 1);
      map.put(key(listed.length + 2), undefined);
    }
    expect(listed).toEqual(expected);
    snapshot.release();
  });
});

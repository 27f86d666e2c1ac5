import { firstIndex, type SortedMap } from './sorted-map.ts';

type Keys = SortedMap<string>;

/** At most `limit` values of maps without common keys, in the order of all keys, from the `offset`-th on. */
export function mergedPage(maps: readonly Keys[], offset: number, limit: number): string[] {
  const heads = maps.map((map) => {
    // The keys of a map that come before the page: their order among all keys grows with the order in their map.
    const start = firstIndex(map.size, (at) => countBefore(maps, map.keysAt(at, 1)[0] ?? '') >= offset);
    return map.keysAt(start, limit).map((key): [string, Keys] => [key, map]);
  });
  return heads
    .flat()
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .slice(0, limit)
    .map(([key, map]) => map.get(key) ?? '');
}

const countBefore = (maps: readonly Keys[], key: string): number =>
  maps.reduce((sum, map) => sum + map.countBefore(key), 0);

const batchSize = 256;

/** All values in the order of all keys. The maps may change meanwhile. */
export function* mergedValues(maps: readonly Keys[]): Generator<string> {
  for (let after: string | undefined; ; ) {
    const heads = maps.flatMap((map) =>
      map.keys('', after, batchSize).map((key): [string, Keys] => [key, map]),
    );
    // Every one of the first keys is among the first of its map.
    const batch = heads.sort(([a], [b]) => (a < b ? -1 : 1)).slice(0, batchSize);
    for (const [key, map] of batch) yield map.get(key) ?? '';
    if (batch.length < batchSize) return;
    after = batch.at(-1)?.[0];
  }
}

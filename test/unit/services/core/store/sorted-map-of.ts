import { SortedMap } from '../../../../../src/services/core/store/sorted-map.ts';

/** A map of entries that come in batches, as from a file. */
export function sortedMapOf<Value>(entries: Iterable<readonly [string, Value]>): Promise<SortedMap<Value>> {
  const all = [...entries];
  const middle = all.length >> 1;
  return SortedMap.fromBatches(
    (async function* () {
      yield all.slice(0, middle);
      yield all.slice(middle);
    })(),
  );
}

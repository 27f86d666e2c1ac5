import type { Pair, YAMLMap } from 'yaml';
import type { YamlText } from '../io/list-file.ts';

/** Finds the pairs of maps by their names. A map is read once: it may have a problem in each of its pairs. */
export function pairIndex({ isScalar }: YamlText['library']): (map: YAMLMap) => ReadonlyMap<string, Pair> {
  const known = new WeakMap<YAMLMap, Map<string, Pair>>();
  return (map) => {
    let pairs = known.get(map);
    if (!pairs) {
      pairs = new Map(
        map.items
          .toReversed()
          .flatMap((pair) => (isScalar(pair.key) ? [[String(pair.key.value), pair]] : [])),
      );
      known.set(map, pairs);
    }
    return pairs;
  };
}

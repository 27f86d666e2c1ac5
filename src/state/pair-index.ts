import type { Pair, YAMLMap } from 'yaml';
import type { YamlText } from '../io/list-file.ts';
import { getOrCreate } from '../wire/maps.ts';

/** Finds the pairs of maps by their names. A map is read once: it may have a problem in each of its pairs. */
export function pairIndex({ isScalar }: YamlText['library']): (map: YAMLMap) => ReadonlyMap<string, Pair> {
  const known = new WeakMap<YAMLMap, Map<string, Pair>>();
  const read = ({ items }: YAMLMap): Map<string, Pair> =>
    new Map(
      items.toReversed().flatMap((pair) => (isScalar(pair.key) ? [[String(pair.key.value), pair]] : [])),
    );
  return (map) => getOrCreate(known, map, () => read(map));
}

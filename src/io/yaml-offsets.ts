import type { Node, Pair, YAMLMap } from 'yaml';
import { getOrCreate } from '../wire/maps.ts';
import type { JsonPath } from './input-file.ts';
import type { YamlText } from './list-file.ts';

/**
 * Finds where the value at a path begins in the text; if it is missing, where the nearest existing value above it
 * begins. A map is read once: it may have a problem in each of its pairs. Keeps the syntax tree of the file in memory.
 */
export function yamlOffsets(
  { isMap, isNode, isScalar, isSeq }: YamlText['library'],
  contents: Node | null | undefined,
): (path: JsonPath) => number {
  const known = new WeakMap<YAMLMap, ReadonlyMap<string, Pair>>();
  const pairsOf = (map: YAMLMap): ReadonlyMap<string, Pair> =>
    getOrCreate(known, map, () => {
      const named = map.items.flatMap((pair) =>
        isScalar(pair.key) ? [[String(pair.key.value), pair] as const] : [],
      );
      return new Map(named.reverse());
    });
  return (path) => {
    let node: unknown = contents;
    let offset = contents?.range?.[0] ?? 0;
    for (const step of path) {
      let next: unknown;
      if (isMap(node)) {
        const pair = pairsOf(node).get(String(step));
        next = pair?.value;
        if (isScalar(pair?.key)) offset = pair.key.range?.[0] ?? offset;
      } else if (isSeq(node) && typeof step === 'number') {
        next = node.items[step];
        if (isNode(next)) offset = next.range?.[0] ?? offset;
      }
      if (next === undefined || next === null) break;
      node = next;
    }
    return offset;
  };
}

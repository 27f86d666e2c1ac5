import type { Node, Pair } from 'yaml';
import type { JsonPath } from './input-file.ts';
import type { YamlText } from './list-file.ts';

/** Where a value begins, and the values in it by name or index. */
interface Place {
  readonly offset: number;
  readonly inner?: ReadonlyMap<string | number, Place>;
}

/**
 * Finds where the value at a path begins in the text; if it is missing, where the nearest existing value above it
 * begins. The syntax tree, which takes several times the memory of the text, is read once and not kept.
 */
export function yamlOffsets(
  { isMap, isNode, isScalar, isSeq }: YamlText['library'],
  contents: Node | null | undefined,
): (path: JsonPath) => number {
  const placeOf = (node: unknown, offset: number): Place => {
    if (isMap(node)) return { offset, inner: new Map(node.items.flatMap(namedPlace).reverse()) };
    if (!isSeq(node)) return { offset };
    const places = node.items.map((item) =>
      placeOf(item, (isNode(item) ? item.range?.[0] : undefined) ?? offset),
    );
    return { offset, inner: new Map(places.entries()) };
  };
  const namedPlace = ({ key, value }: Pair): [string, Place][] =>
    isScalar(key) ? [[String(key.value), placeOf(value, key.range?.[0] ?? 0)]] : [];
  return finder(placeOf(contents, contents?.range?.[0] ?? 0));
}

/** Not a closure of the function above: that would keep the syntax tree. */
const finder =
  (root: Place) =>
  (path: JsonPath): number => {
    let place = root;
    for (const step of path) {
      const next = place.inner?.get(step) ?? place.inner?.get(String(step));
      if (!next) break;
      place = next;
    }
    return place.offset;
  };

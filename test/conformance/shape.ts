import type { Json } from '../../src/wire/json.ts';

/**
 * The types of a JSON value without its values: names of types, an object of shapes, or an array with at most one
 * shape, which every element has. `a|b` means that some elements have one type and some the other; `?` at the end
 * of a member name, that some elements do not have it.
 */
export type Shape = string | { readonly [member: string]: Shape } | readonly Shape[];

/**
 * The shape of a value.
 *
 * @param value any JSON value; undefined (there is no JSON) is `none`
 */
export function shapeOf(value: Json | undefined): Shape {
  if (value === undefined) return 'none';
  if (value === null) return 'null';
  if (Array.isArray(value)) return value.length === 0 ? [] : [value.map(shapeOf).reduce(union)];
  if (typeof value === 'object')
    return Object.fromEntries(
      Object.entries(value)
        .sort(([one], [other]) => (one < other ? -1 : 1))
        .map(([name, member]) => [name, shapeOf(member as Json)]),
    );
  return typeof value === 'bigint' ? 'number' : typeof value;
}

const isObject = (shape: Shape): shape is { readonly [member: string]: Shape } =>
  typeof shape === 'object' && !Array.isArray(shape);

/** The shape that covers both. */
function union(one: Shape, other: Shape): Shape {
  if (JSON.stringify(one) === JSON.stringify(other)) return one;
  if (Array.isArray(one) && Array.isArray(other)) {
    const elements = [...one, ...other] as Shape[];
    return elements.length === 0 ? [] : [elements.reduce(union)];
  }
  if (isObject(one) && isObject(other)) return unionOfObjects(one, other);
  return [...new Set([...textOf(one).split('|'), ...textOf(other).split('|')])].sort().join('|');
}

function unionOfObjects(
  one: Readonly<Record<string, Shape>>,
  other: Readonly<Record<string, Shape>>,
): Record<string, Shape> {
  const optional = (name: string): string => (name.endsWith('?') ? name : `${name}?`);
  const find = (shape: Readonly<Record<string, Shape>>, name: string): Shape | undefined =>
    shape[name] ?? shape[`${name}?`];
  const names = new Set([...Object.keys(one), ...Object.keys(other)].map((name) => name.replace(/\?$/, '')));
  const members = [...names].sort().map((name): [string, Shape] => {
    const [a, b] = [find(one, name), find(other, name)];
    const always = Object.hasOwn(one, name) && Object.hasOwn(other, name);
    return [
      always ? name : optional(name),
      a === undefined ? (b as Shape) : b === undefined ? a : union(a, b),
    ];
  });
  return Object.fromEntries(members);
}

const textOf = (shape: Shape): string =>
  typeof shape === 'string' ? shape : Array.isArray(shape) ? 'array' : 'object';

/**
 * How two shapes differ, one line each: `data.ttl: number, not string`, `data.issuer: missing`, `data.x: unexpected`.
 *
 * @param found the shape that is examined
 * @param expected the shape that it should have
 */
export function differences(found: Shape, expected: Shape, at = ''): string[] {
  const here = at === '' ? 'body' : at;
  if (Array.isArray(found) && Array.isArray(expected)) {
    // An empty array has elements of no type that could differ.
    const [one, other] = [found[0], expected[0]];
    return one === undefined || other === undefined ? [] : differences(one, other, `${at}[]`);
  }
  if (isObject(found) && isObject(expected)) {
    const names = [...new Set([...Object.keys(found), ...Object.keys(expected)])].sort();
    const below = (name: string): string => (at === '' ? name : `${at}.${name}`);
    return names.flatMap((name) => {
      const [one, other] = [found[name], expected[name]];
      if (other === undefined) return [`${below(name)}: unexpected`];
      if (one === undefined) return [`${below(name)}: missing`];
      return differences(one, other, below(name));
    });
  }
  return JSON.stringify(found) === JSON.stringify(expected)
    ? []
    : [`${here}: ${textOf(found)}, not ${textOf(expected)}`];
}

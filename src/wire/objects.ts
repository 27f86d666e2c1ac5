import type { Json } from './json.ts';

type Compact<Fields> = {
  [Name in keyof Fields as undefined extends Fields[Name] ? never : Name]: Fields[Name];
} & {
  [Name in keyof Fields as undefined extends Fields[Name] ? Name : never]?: Exclude<Fields[Name], undefined>;
};

/** Whether a value is an object: neither null nor a list. */
export function isObject(value: Json | undefined): value is { [name: string]: Json };
export function isObject(value: unknown): value is Readonly<Record<string, unknown>>;
export function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * A member of an object whose names come from users: `constructor` and `__proto__` are names like any other.
 *
 * @returns undefined: it has none.
 */
export const memberOf = <Value>(map: Readonly<Record<string, Value>>, name: string): Value | undefined =>
  Object.hasOwn(map, name) ? map[name] : undefined;

/** The fields that are not undefined. */
export const compact = <Fields extends object>(fields: Fields): Compact<Fields> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Compact<Fields>;

/** The same fields, sorted by name (code units): services return maps in any order. */
export const sortedByName = <Value>(map: Readonly<Record<string, Value>>): Record<string, Value> =>
  Object.fromEntries(Object.entries(map).sort(([one], [other]) => (one < other ? -1 : 1)));

import { comparableGrant } from '../objects/grants/check.ts';
import type {
  DurationSchema,
  ListSchema,
  MapSchema,
  ObjectSchema,
  Schema,
  StringSchema,
} from '../objects/schema.ts';
import { parseDuration } from '../wire/duration.ts';
import { formatJson, type Json } from '../wire/json.ts';
import { isObject } from '../wire/objects.ts';
import type { JsonObject } from './kind.ts';

/**
 * The normal form of a value: equal for all spellings that the service does not distinguish. Used for what a file
 * states and for what a service returns.
 *
 * @returns undefined: the same as no value (null, the default, an empty list or map).
 */
export function normalize(schema: Schema, value: Json | undefined): Json | undefined {
  if (value === undefined || value === null) return undefined;
  const normal = normalForms[schema.type](schema as never, value);
  const absent =
    schema.default === undefined
      ? zeroValue(schema)
      : normalForms[schema.type](schema as never, schema.default);
  return normal === undefined || isSame(normal, absent) ? undefined : normal;
}

/** Whether two normal forms are the same, ignoring the order of names. */
export const isSame = (one: Json | undefined, other: Json | undefined): boolean =>
  one === other || (one !== undefined && other !== undefined && canonicalText(one) === canonicalText(other));

/** JSON with sorted names, for comparison. */
export function canonicalText(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(canonicalText).join()}]`;
  if (!isObject(value)) return formatJson(value);
  const members = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return `{${members.map(([name, member]) => `${formatJson(name)}:${canonicalText(member)}`).join()}}`;
}

/** The items of a set, sorted by their normal forms. */
export function uniqueSorted(items: readonly Json[], normalForm: (item: Json) => Json): Json[] {
  const unique = new Map(items.map((item) => [canonicalText(normalForm(item)), item]));
  return [...unique].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, item]) => item);
}

/** The property that a name means: itself, or with `foldsNames` the one that differs in case and underscores only. */
export function propertyOf(schema: ObjectSchema, name: string): string | undefined {
  if (Object.hasOwn(schema.properties, name)) return name;
  if (!schema.foldsNames) return undefined;
  const folded = foldName(name);
  return Object.keys(schema.properties).find((property) => foldName(property) === folded);
}

/**
 * A value as services take it, at every depth: a file may have other names where a schema has `foldsNames`, a number in
 * the place of a text (`port: 5432`), and a text in the place of an integer or a boolean (`"60"`, `"true"`).
 */
export function withWireNames(schema: ObjectSchema, value: JsonObject): JsonObject;
export function withWireNames(schema: Schema, value: Json): Json;
export function withWireNames(schema: Schema, value: Json): Json {
  if (schema.type === 'string' && (typeof value === 'number' || typeof value === 'bigint'))
    return String(value);
  if (typeof value === 'string' && (schema.type === 'integer' || schema.type === 'boolean'))
    return normalForms[schema.type](schema as never, value) ?? value;
  if (schema.type === 'list' && Array.isArray(value))
    return value.map((item) => withWireNames(schema.items, item));
  if (!isObject(value)) return value;
  const members = Object.entries(value);
  if (schema.type === 'map')
    return Object.fromEntries(members.map(([name, member]) => [name, withWireNames(schema.values, member)]));
  if (schema.type !== 'object') return value;
  return Object.fromEntries(
    members.map(([name, member]) => {
      const property = propertyOf(schema, name);
      const propertySchema = property === undefined ? undefined : schema.properties[property];
      return [property ?? name, propertySchema ? withWireNames(propertySchema, member) : member];
    }),
  );
}

/** A name without what `foldsNames` does not distinguish. */
export const foldName = (name: string): string => name.replaceAll('_', '').toLowerCase();

/** The value that a service has where a field is not given. */
export const emptyValue = (schema: Schema): Json =>
  schema.default ?? zeroValue(schema) ?? (schema.type === 'list' ? [] : {});

function zeroValue(schema: Schema): Json | undefined {
  const zeroValues: { readonly [Type in Schema['type']]: Json | undefined } = {
    string: '',
    duration: 0,
    integer: 0,
    number: 0,
    boolean: false,
    any: undefined,
    list: undefined,
    map: undefined,
    object: undefined,
  };
  return zeroValues[schema.type];
}

type NormalForm<Kind extends Schema> = (schema: Kind, value: Json) => Json | undefined;

const scalar = (_schema: Schema, value: Json): Json => value;

const normalForms: { readonly [Type in Schema['type']]: NormalForm<never> } = {
  string: ({ form }: StringSchema, value) => {
    if (typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean')
      return String(value);
    if (typeof value !== 'string' || form === undefined) return value;
    if (form === 'grant') return comparableGrant(value);
    if (form === 'name') return value.toLowerCase();
    if (form === 'trimmed') return value.trim();
    if (form === 'time') return timeOf(value);
    return value
      .replace(/\r\n/g, '\n')
      .replace(/[ \t]+$/gm, '')
      .replace(/\n+$/, '');
  },
  duration: ({ unit }: DurationSchema, value) => secondsOf(unit, value) ?? value,
  integer: (_schema: Schema, value) =>
    typeof value === 'string' && /^-?\d{1,20}$/.test(value) ? exactInteger(value) : value,
  number: scalar,
  boolean: (_schema: Schema, value) => (value === 'true' ? true : value === 'false' ? false : value),
  any: scalar,
  list: (schema: ListSchema, value) => {
    const given = schema.isCommaSeparated ? splitAtCommas(value) : value;
    if (!Array.isArray(given)) return given;
    const items = given.flatMap((item): Json[] => {
      if (schema.isCommaSeparated && item === '') return [];
      return [normalize(schema.items, item) ?? emptyItem(schema.items)];
    });
    if (items.length === 0) return undefined;
    return schema.isSet ? uniqueSorted(items, (item) => item) : items;
  },
  map: (schema: MapSchema, value) => {
    if (!isObject(value)) return value;
    const members = Object.entries(value).map(
      ([name, member]) => [name, normalize(schema.values, member) ?? emptyItem(schema.values)] as const,
    );
    return members.length === 0 ? undefined : Object.fromEntries(members);
  },
  object: (schema: ObjectSchema, value) => {
    if (!isObject(value)) return value;
    const members = Object.entries(value).flatMap(([name, member]) => {
      const property = propertyOf(schema, name);
      const propertySchema = property === undefined ? undefined : schema.properties[property];
      const normal = propertySchema ? normalize(propertySchema, member) : (member ?? undefined);
      return normal === undefined ? [] : [[property ?? name, normal] as const];
    });
    return members.length === 0 ? undefined : Object.fromEntries(members);
  },
};

const splitAtCommas = (value: Json): Json => {
  if (typeof value === 'number') return [value];
  return typeof value === 'string' ? value.split(',').map((part) => part.trim()) : value;
};

/** In a list or a map an empty element counts. */
const emptyItem = (schema: Schema): Json => {
  if (schema.type === 'object' || schema.type === 'map') return {};
  return schema.type === 'list' ? [] : (zeroValue(schema) ?? null);
};

const exactInteger = (digits: string): number | bigint =>
  Number.isSafeInteger(Number(digits)) ? Number(digits) : BigInt(digits);

/** A time in UTC with milliseconds; undefined: the zero time of Go. A text that is not a time is returned unchanged. */
function timeOf(text: string): string | undefined {
  const time = Date.parse(text);
  if (Number.isNaN(time)) return text;
  return text.startsWith('0001-01-01T00:00:00') ? undefined : new Date(time).toISOString();
}

/**
 * A duration in seconds, without the errors of fractions: the same for `700ms` and `0.7s`; undefined: not a duration.
 * No service accepts spaces in one.
 */
export function secondsOf(unit: DurationSchema['unit'], value: Json): number | undefined {
  if (typeof value === 'string' && /\s/.test(value)) return undefined;
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'bigint') return undefined;
  const isCount = typeof value !== 'string' && unit === 'nanoseconds';
  const seconds =
    typeof value === 'string' ? parseDuration(value) : isCount ? Number(value) / 1e9 : Number(value);
  return seconds === undefined ? undefined : Number(seconds.toPrecision(15));
}

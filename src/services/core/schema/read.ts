import { parseDuration } from '../../../wire/duration.ts';
import type { Json, JsonObject } from '../../../wire/json.ts';
import { isObject } from '../../../wire/objects.ts';
import { messageOf } from '../errors.ts';
import { FieldError } from '../http/decode-body.ts';
import { HttpError } from '../http/http-service.ts';
import {
  type Input,
  isEither,
  isEmpty,
  isList,
  isMap,
  isObjectType,
  type ObjectType,
  type Type,
} from './types.ts';

/** Names of fields and positions in lists, from the body to a value. */
export type Path = readonly (string | number)[];

type Scalars = 'string' | 'boolean' | 'integer' | 'int64' | 'number' | 'duration';

/** How a service reads requests: what its product accepts, and how it reports the rest. */
export interface ReadingRules {
  /** The form in which names of fields are compared; default: unchanged. */
  readonly canonical?: (name: string) => string;
  /** Whether a value counts as missing; default: null. */
  readonly isMissing?: (value: Json, type: Type) => boolean;
  /** Conversions by kind; undefined: a value of another type. @throws Error: a value beyond a limit */
  readonly convert: Readonly<Record<Scalars, (value: Json) => unknown>> & {
    readonly list: (value: Json) => readonly Json[] | undefined;
  };
  /** What is expected of a kind, where it is not the default (`a string`). */
  readonly expected?: Readonly<Partial<Record<string, string>>>;
  /** Whether values must be within the limits of their types: `enum`, `minimum` and `maximum`. */
  readonly checksLimits?: boolean;
  /** Reports a value of another type. @returns nothing: the value counts as missing */
  invalid(path: Path, expected: string, value: Json): void;
  unknown?(path: Path, names: readonly string[]): void;
  missing?(path: Path, type: Type): void;
  /** Reports a field that only the service sets. */
  readOnly?(path: Path, type: Type): void;
  /** Reports the message of a conversion that throws; default: as what was expected. */
  rejected?(path: Path, message: string): void;
}

/** Conversions of query parameters, which are texts or lists of texts; a boolean without a value is true. */
export const textConversions: ReadingRules['convert'] = {
  string: (value) => value,
  boolean: (value) =>
    value === '' || value === '1' || value === 'true'
      ? true
      : value === '0' || value === 'false'
        ? false
        : undefined,
  integer: (value) => integerOf(value),
  int64: (value) => integerOf(value),
  number: (value) => integerOf(value),
  duration: (value) => parseDuration(String(value)),
  list: (value) => (Array.isArray(value) ? value : undefined),
};

const integerOf = (value: Json): number | undefined => {
  const number = typeof value === 'string' && value !== '' ? Number(value) : Number.NaN;
  return Number.isSafeInteger(number) ? number : undefined;
};

/** Reads a value of a request. A field that is missing has its default. */
export function read<T extends Type>(type: T, value: Json | undefined, rules: ReadingRules): Input<T> {
  return readField(type, value, [], rules) as Input<T>;
}

function readField(type: Type, value: Json | undefined, path: Path, rules: ReadingRules): unknown {
  const isMissing = value === undefined || (rules.isMissing?.(value, type) ?? value === null);
  if (isMissing && type.isRequired) rules.missing?.(path, type);
  // Null differs from no value: it unsets a field.
  if (value === undefined && type.isOptional && type.isNullable) return undefined;
  const found = isMissing ? undefined : readPresent(type, value, path, rules);
  return (type.dropsEmpty && isEmpty(found) ? undefined : found) ?? defaultOf(type, path, rules);
}

const expectations: Readonly<Record<Type['kind'] | 'strings' | 'string map', string>> = {
  strings: 'an array of strings',
  'string map': 'a map of strings',
  string: 'a string',
  boolean: 'true or false',
  integer: 'an integer',
  int64: 'an unsigned integer of 64 bits',
  number: 'a number',
  duration: 'a duration',
  time: 'a string',
  list: 'an array',
  map: 'an object',
  object: 'an object',
  either: 'a value of another type',
  json: 'a value',
};

/** @returns undefined: it is of another type, which was reported */
function readPresent(type: Type, value: Json, path: Path, rules: ReadingRules): unknown {
  const invalid = (kind: string): void =>
    rules.invalid(path, rules.expected?.[kind] ?? expectations[kind as Type['kind']] ?? kind, value);
  const convert = (conversion: (value: Json) => unknown): unknown => {
    let found: unknown;
    try {
      found = conversion(value);
    } catch (error) {
      if (error instanceof FieldError || error instanceof HttpError) throw error;
      const message = messageOf(error);
      return rules.rejected ? rules.rejected(path, message) : invalid(message);
    }
    return found === undefined ? invalid((rules.checksLimits && limitsOf(type)) || type.kind) : found;
  };
  if (type.convert) return convert(type.convert);
  if (type.kind === 'json') return value;
  if (isEither(type)) {
    const { rejected: _rejected, ...quiet } = rules;
    for (const option of type.options) {
      let isOption = true;
      const reject = (): void => {
        isOption = false;
      };
      const found = readPresent(option, value, path, {
        ...quiet,
        invalid: reject,
        ...(rules.unknown && { unknown: reject }),
      });
      if (isOption) return found;
    }
    return invalid('either');
  }
  if (isList(type)) {
    const items = convert(rules.convert.list) as readonly Json[] | undefined;
    if (!items) return undefined;
    const itemRules = reportingWhole(type.items, invalid, 'strings', rules);
    return items.map((item, index) => readField(type.items, item, [...path, index], itemRules));
  }
  if (isMap(type)) {
    if (!isObject(value)) return invalid('map');
    const valueRules = reportingWhole(type.values, invalid, 'string map', rules);
    return Object.fromEntries(
      Object.entries(value).map(([name, item]) => [
        name,
        readField(type.values, item, [...path, name], valueRules),
      ]),
    );
  }
  if (isObjectType(type)) return isObject(value) ? readObject(type, value, path, rules) : invalid('object');
  const found = convert(rules.convert[type.kind === 'time' ? 'string' : (type.kind as Scalars)]);
  if (found === undefined) return undefined;
  const limit = rules.checksLimits ? exceededLimit(type, found) : undefined;
  return limit === undefined ? found : invalid(limit);
}

interface Limits {
  readonly enum?: readonly unknown[];
  readonly minimum?: unknown;
  readonly maximum?: unknown;
}

/** What was expected of a value that is not within the limits of its type; undefined: it is. */
function exceededLimit(type: Type, value: unknown): string | undefined {
  const { enum: values, minimum = value, maximum = value } = (type.keywords ?? {}) as Limits;
  const isWithin = values
    ? values.includes(value)
    : typeof value !== 'number' || (value >= Number(minimum) && value <= Number(maximum));
  return isWithin ? undefined : limitsOf(type);
}

/** The limits of a type as an expectation; an empty text is not named. */
function limitsOf({ keywords }: Type): string | undefined {
  const { enum: values, minimum, maximum } = (keywords ?? {}) as Limits;
  if (values) return `one of ${values.filter((value) => value !== '').join(', ')}`;
  return minimum === undefined || maximum === undefined
    ? undefined
    : `an integer from ${minimum} to ${maximum}`;
}

/** Rules for the texts of a list or map: a wrong one is reported for the list or map. */
const reportingWhole = (
  { kind, convert }: Type,
  invalid: (kind: string) => void,
  expected: string,
  rules: ReadingRules,
): ReadingRules => (kind === 'string' && !convert ? { ...rules, invalid: () => invalid(expected) } : rules);

function readObject(
  { fields, isOpen }: ObjectType,
  values: JsonObject,
  path: Path,
  rules: ReadingRules,
): unknown {
  const canonical = rules.canonical ?? ((name: string) => name);
  const given = new Map(Object.entries(values).map(([name, value]) => [canonical(name), value]));
  const known = new Set(Object.keys(fields).map(canonical));
  const unknown = Object.keys(values).filter((name) => !known.has(canonical(name)));
  if (unknown.length > 0 && !isOpen) rules.unknown?.(path, unknown);
  const entries = Object.entries(fields).flatMap(([name, type]): [string, unknown][] => {
    const sent = given.get(canonical(name));
    if (type.only === 'response') {
      if (sent !== undefined && sent !== null) rules.readOnly?.([...path, name], type);
      return [];
    }
    const value = readField(type, sent, [...path, name], rules);
    return value === undefined ? [] : [[name, value]];
  });
  return Object.fromEntries(isOpen ? [...unknown.map((name) => [name, values[name]]), ...entries] : entries);
}

function defaultOf(type: Type, path: Path, rules: ReadingRules): unknown {
  if (type.default !== undefined) return type.default;
  if (type.isNullable) return null;
  if (type.isOptional) return undefined;
  return isObjectType(type) ? readObject(type, {}, path, { ...rules, missing: () => {} }) : zeroOf(type);
}

/** The zero value of a kind, as in Go. */
export function zeroOf({ kind }: Type): unknown {
  if (kind === 'string' || kind === 'time') return '';
  if (kind === 'boolean') return false;
  if (kind === 'list') return [];
  if (kind === 'map' || kind === 'object') return {};
  return kind === 'json' || kind === 'either' ? undefined : 0;
}

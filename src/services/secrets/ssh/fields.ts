import type { Json } from '../../../wire/json.ts';
import { isObject } from '../../../wire/objects.ts';
import { messageOf } from '../../core/errors.ts';
import type { JsonObject } from '../../core/http/fields.ts';
import type { FieldDescription } from '../engine.ts';
import { describeType, fieldError } from '../fields.ts';
import * as help from '../help/field.ts';
import { secondsOf } from '../model/ttl.ts';

/** A parameter of an endpoint: its description, its default, and its conversion from JSON. */
interface Field<T> extends FieldDescription {
  readonly defaultValue: T;
  /** The value of null, if it differs from that of a missing field. */
  readonly nullValue?: T;
  /** @throws Error whose message says what was expected, without the value. */
  read(value: Json): T;
}

type Fields = Readonly<Record<string, Field<unknown>>>;
export type FieldValues<F extends Fields> = {
  -readonly [Name in keyof F]: F[Name] extends Field<infer T> ? T : never;
};

/**
 * Reads the parameters of an endpoint from a request. Conversions are as lenient as the product's: a boolean
 * or number may be a string. `null` counts as missing, except in a text, where it is empty.
 * @throws SecretsError 400 for a value of the wrong type.
 */
export function readFields<F extends Fields>(fields: F, data: JsonObject): FieldValues<F> {
  const read = Object.entries(fields).map(([name, field]) => {
    const value = Object.hasOwn(data, name) ? data[name] : undefined;
    if (value === undefined) return [name, field.defaultValue];
    try {
      return [name, value === null ? (field.nullValue ?? field.defaultValue) : field.read(value)];
    } catch (error) {
      throw fieldError(name, messageOf(error));
    }
  });
  return Object.fromEntries(read) as FieldValues<F>;
}

/** Splits a comma-separated list: trimmed, without empty items and duplicates, in order. */
export function splitList(list: string): string[] {
  const items = list.split(',').map((item) => item.trim());
  return [...new Set(items.filter((item) => item !== ''))];
}

export function text(description: string, defaultValue = ''): Field<string> {
  return { ...help.text(description), defaultValue, nullValue: '', read: toText };
}

/** A comma-separated list, stored as text; an array is joined. */
export function list(description: string): Field<string> {
  const read = (value: Json) => (Array.isArray(value) ? value.map(toText).join(',') : toText(value));
  return { ...help.text(description), defaultValue: '', read };
}

export function flag(description: string, defaultValue = false): Field<boolean> {
  return { ...help.flag(description), defaultValue, read: toBoolean };
}

export function integer(description: string): Field<number> {
  return { ...help.integer(description), defaultValue: 0, read: toInteger };
}

/** Seconds, integer, not negative; given as a number of seconds or with time suffixes. */
export function duration(description: string, defaultValue = 0): Field<number> {
  return { ...help.duration(description), defaultValue, read: toSeconds };
}

/** The same, undefined if missing. */
export function optionalDuration(description: string): Field<number | undefined> {
  return { ...help.duration(description), defaultValue: undefined, read: toSeconds };
}

/** An object whose values are read as strings. */
export function stringMap(description: string): Field<Record<string, string>> {
  const read = (value: Json) =>
    Object.fromEntries(Object.entries(toObject(value)).map(([name, item]) => [toText(name), toText(item)]));
  return { ...help.object(description), defaultValue: {}, read };
}

/** An object with unchanged values. */
export function object(description: string): Field<Record<string, Json>> {
  return { ...help.object(description), defaultValue: {}, read: toObject };
}

function toText(value: Json): string {
  if (value === null) return '';
  if (typeof value === 'object') throw new Error(`expected a string, got ${describeType(value)}`);
  if (typeof value === 'boolean') return value ? '1' : '0';
  const converted = String(value);
  // OpenSSH rejects certificates with such a name or value.
  if (converted.includes('\0')) throw new Error('it contains a NUL character');
  return converted;
}

function toBoolean(value: Json): boolean {
  if (typeof value === 'boolean') return value;
  if (typeof value === 'number' || typeof value === 'bigint') return Number(value) !== 0;
  if (typeof value === 'string') {
    if (/^(1|t|true|T|TRUE|True)$/.test(value)) return true;
    if (/^(|0|f|false|F|FALSE|False)$/.test(value)) return false;
  }
  throw new Error(`expected a boolean, got ${describeType(value)}`);
}

/** @throws Error if the value is not an integer that a number represents exactly. */
export function toInteger(value: Json): number {
  if (typeof value === 'boolean') return value ? 1 : 0;
  const number = typeof value === 'string' && /^[-+]?\d*$/.test(value.trim()) ? Number(value) : value;
  if (typeof number !== 'number' || !Number.isSafeInteger(number)) {
    throw new Error(`expected an integer, got ${describeType(value)}`);
  }
  return number;
}

// 292 years, the maximum of a 64-bit count of nanoseconds.
const maxDurationSeconds = 9_223_372_036;

function toSeconds(value: Json): number {
  // The largest unit of this engine is the hour.
  const isInDays = typeof value === 'string' && value.trim().endsWith('d');
  const seconds = isInDays ? undefined : secondsOf(value);
  if (seconds === undefined) {
    throw new Error(`expected a duration such as 90, "30s" or "1h30m", got ${describeType(value)}`);
  }
  if (seconds < 0) throw new Error('a duration cannot be negative');
  // Truncated to seconds it would be 0, which means no limit.
  if (seconds > 0 && seconds < 1) throw new Error('a duration cannot be shorter than a second');
  if (seconds > maxDurationSeconds) throw new Error(`a duration cannot exceed ${maxDurationSeconds} seconds`);
  return Math.trunc(seconds);
}

function toObject(value: Json): Record<string, Json> {
  if (!isObject(value)) throw new Error(`expected an object, got ${describeType(value)}`);
  return value;
}

import type { Json } from '../../wire/json.ts';
import { isObject } from '../../wire/objects.ts';
import { FieldReader, type JsonObject, lenientTypes } from '../core/http/fields.ts';
import { badRequest, type SecretsError } from './errors.ts';
import { secondsOf } from './model/ttl.ts';

/** Reads fields of a request's data with their declared types; a missing or null field is undefined. */
class DataFields extends FieldReader {
  constructor(data: JsonObject) {
    super(data, lenientTypes);
  }

  duration(name: string): number | undefined {
    return this.convert(name, 'a duration', (value) => {
      const seconds = secondsOf(value);
      return seconds !== undefined && seconds >= 0 ? Math.floor(seconds) : undefined;
    });
  }

  stringMap(name: string): Record<string, string> | undefined {
    return this.convert(name, 'a map of strings', (value) => {
      if (!isObject(value) || Object.values(value).some((each) => typeof each === 'object')) return undefined;
      return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, String(each)]));
    });
  }

  protected override invalid(name: string, expected: string, value: Json): never {
    throw fieldError(name, `expected ${expected}, got ${describeType(value)}`);
  }
}

export const textField = (data: JsonObject, name: string) => new DataFields(data).string(name);
export const booleanField = (data: JsonObject, name: string) => new DataFields(data).boolean(name);
export const integerField = (data: JsonObject, name: string) => new DataFields(data).integer(name);
/** Seconds, integer, not negative. */
export const durationField = (data: JsonObject, name: string) => new DataFields(data).duration(name);
/** An array of strings, or one comma-separated string. */
export const listField = (data: JsonObject, name: string) => new DataFields(data).strings(name);
/** An object with any fields. */
export const objectField = (data: JsonObject, name: string) => new DataFields(data).rawObject(name);
export const mapField = (data: JsonObject, name: string) => new DataFields(data).stringMap(name);

/** The error for a field that cannot be converted (docs/protocol/secrets.md#errors). */
export function fieldError(name: string, reason: string): SecretsError {
  return badRequest(`Field validation failed: error converting input for field "${name}": ${reason}`);
}

/** The type of a value, for an error that does not repeat the value. */
export function describeType(value: Json): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'object') return 'an object';
  return typeof value === 'string'
    ? 'an invalid string'
    : `a ${typeof value === 'bigint' ? 'number' : typeof value}`;
}

/** Warnings about body fields that had no effect; empty if there are none. */
export function ignoredWarnings(
  fields: object,
  pathParameters: readonly string[],
  data: JsonObject,
): string[] {
  const names = Object.keys(data).sort();
  const replaced = names.filter((name) => pathParameters.includes(name));
  const unknown = names.filter((name) => !pathParameters.includes(name) && !Object.hasOwn(fields, name));
  const replacedText =
    "Endpoint replaced the value of these parameters with the values captured from the endpoint's path";
  return [
    ...(unknown.length > 0 ? [`Endpoint ignored these unrecognized parameters: [${unknown.join(' ')}]`] : []),
    ...(replaced.length > 0 ? [`${replacedText}: [${replaced.join(' ')}]`] : []),
  ];
}

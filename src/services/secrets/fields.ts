import { parseDuration } from '../../wire/duration.ts';
import type { Json } from '../../wire/json.ts';
import { SecretsError } from './engine.ts';

/** Reads fields of a request's data with their declared types; a missing or null field is undefined. */

type Data = Readonly<Record<string, Json>>;

function conversionError(name: string, expected: string, value: Json): SecretsError {
  const actual = Array.isArray(value) ? 'array' : typeof value;
  return new SecretsError(
    400,
    `Field validation failed: error converting input for field "${name}": expected ${expected}, got ${actual}`,
  );
}

const fieldValue = (data: Data, name: string): Json | undefined =>
  Object.hasOwn(data, name) ? (data[name] ?? undefined) : undefined;

export function textField(data: Data, name: string): string | undefined {
  const value = fieldValue(data, name);
  if (value === undefined || typeof value === 'string') return value;
  if (typeof value === 'object') throw conversionError(name, 'string', value);
  return String(value);
}

export function booleanField(data: Data, name: string): boolean | undefined {
  const value = fieldValue(data, name);
  if (value === undefined || typeof value === 'boolean') return value;
  if (value === 'true' || value === '1' || value === 1) return true;
  if (value === 'false' || value === '0' || value === 0) return false;
  throw conversionError(name, 'bool', value);
}

export function integerField(data: Data, name: string): number | undefined {
  const value = fieldValue(data, name);
  if (value === undefined) return undefined;
  const parsed = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  if (typeof parsed === 'number' && Number.isSafeInteger(parsed)) return parsed;
  throw conversionError(name, 'int', value);
}

/** Seconds, integer, not negative. */
export function durationField(data: Data, name: string): number | undefined {
  const value = fieldValue(data, name);
  if (value === undefined) return undefined;
  const parsed = typeof value === 'string' || typeof value === 'number' ? parseDuration(value) : undefined;
  if (parsed !== undefined && parsed >= 0) return Math.floor(parsed);
  throw conversionError(name, 'duration', value);
}

/** An array of strings, or one comma-separated string. */
export function listField(data: Data, name: string): string[] | undefined {
  const value = fieldValue(data, name);
  if (value === undefined) return undefined;
  const parts = typeof value === 'string' ? value.split(',') : value;
  if (!Array.isArray(parts)) throw conversionError(name, 'list of strings', value);
  return parts
    .map((part) => {
      if (typeof part !== 'string') throw conversionError(name, 'list of strings', part);
      return part.trim();
    })
    .filter((part) => part !== '');
}

export function mapField(data: Data, name: string): Record<string, string> | undefined {
  const value = fieldValue(data, name);
  if (value === undefined) return undefined;
  if (value === null || typeof value !== 'object' || Array.isArray(value))
    throw conversionError(name, 'map', value);
  const pairs = Object.entries(value).map(([key, each]) => {
    if (typeof each === 'object') throw conversionError(name, 'map of strings', each);
    return [key, String(each)] as const;
  });
  return Object.fromEntries(pairs);
}

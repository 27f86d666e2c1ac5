import { parseDuration } from '../../wire/duration.ts';
import type { Json } from '../../wire/json.ts';
import { Refusal } from './engine.ts';

/** Reads fields of a request's data with their declared types; a missing or null field is undefined. */

type Data = Readonly<Record<string, Json>>;

function wrong(name: string, expected: string, value: Json): Refusal {
  const found = Array.isArray(value) ? 'array' : typeof value;
  return new Refusal(
    400,
    `Field validation failed: error converting input for field "${name}": expected ${expected}, got ${found}`,
  );
}

const member = (data: Data, name: string): Json | undefined =>
  Object.hasOwn(data, name) ? (data[name] ?? undefined) : undefined;

export function textField(data: Data, name: string): string | undefined {
  const value = member(data, name);
  if (value === undefined || typeof value === 'string') return value;
  if (typeof value === 'object') throw wrong(name, 'string', value);
  return String(value);
}

export function booleanField(data: Data, name: string): boolean | undefined {
  const value = member(data, name);
  if (value === undefined || typeof value === 'boolean') return value;
  if (value === 'true' || value === '1' || value === 1) return true;
  if (value === 'false' || value === '0' || value === 0) return false;
  throw wrong(name, 'bool', value);
}

export function integerField(data: Data, name: string): number | undefined {
  const value = member(data, name);
  if (value === undefined) return undefined;
  const read = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  if (typeof read === 'number' && Number.isSafeInteger(read)) return read;
  throw wrong(name, 'int', value);
}

/** Seconds, integer, not negative. */
export function durationField(data: Data, name: string): number | undefined {
  const value = member(data, name);
  if (value === undefined) return undefined;
  const read = typeof value === 'string' || typeof value === 'number' ? parseDuration(value) : undefined;
  if (read !== undefined && read >= 0) return Math.floor(read);
  throw wrong(name, 'duration', value);
}

/** An array of strings, or one comma-separated string. */
export function listField(data: Data, name: string): string[] | undefined {
  const value = member(data, name);
  if (value === undefined) return undefined;
  const parts = typeof value === 'string' ? value.split(',') : value;
  if (!Array.isArray(parts)) throw wrong(name, 'list of strings', value);
  return parts
    .map((part) => {
      if (typeof part !== 'string') throw wrong(name, 'list of strings', part);
      return part.trim();
    })
    .filter((part) => part !== '');
}

export function mapField(data: Data, name: string): Record<string, string> | undefined {
  const value = member(data, name);
  if (value === undefined) return undefined;
  if (value === null || typeof value !== 'object' || Array.isArray(value)) throw wrong(name, 'map', value);
  const pairs = Object.entries(value).map(([key, each]) => {
    if (typeof each === 'object') throw wrong(name, 'map of strings', each);
    return [key, String(each)] as const;
  });
  return Object.fromEntries(pairs);
}

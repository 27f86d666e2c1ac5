import type { Json } from '../../../wire/json.ts';
import { isObject } from '../../../wire/objects.ts';
import type { JsonObject } from '../../core/http/fields.ts';

/** An array of numbers, or one comma-separated text. @throws Error that says what was expected */
export function versionNumbers(value: Json): number[] {
  const parts = typeof value === 'string' ? value.split(',').filter((part) => part.trim() !== '') : [value];
  return parts.flat().map((part) => {
    const number = typeof part === 'string' && /^\s*\d+\s*$/.test(part) ? Number(part) : part;
    if (typeof number === 'bigint') return Number(number);
    if (typeof number === 'number' && Number.isInteger(number)) return number;
    throw new Error('expected a list of integers');
  });
}

/** Applies a JSON merge patch (RFC 7396): null removes a field, objects are merged, all else replaces. */
export function mergePatch(target: Json, patch: Json): Json {
  if (!isObject(patch)) return patch;
  const fields = new Map(isObject(target) ? Object.entries(target) : []);
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) fields.delete(name);
    else fields.set(name, mergePatch(fields.get(name) ?? null, value));
  }
  return Object.fromEntries(fields);
}

/** The keys of an object, down to `depth` levels of objects (0: all); other values are null. */
export function outlineKeys(object: JsonObject, depth: number): { [key: string]: Json } {
  const fields = Object.entries(object).map(([name, value]): [string, Json] => {
    const inner = depth !== 1 && isObject(value) && Object.keys(value).length > 0;
    return [name, inner ? outlineKeys(value, Math.max(0, depth - 1)) : null];
  });
  return Object.fromEntries(fields);
}

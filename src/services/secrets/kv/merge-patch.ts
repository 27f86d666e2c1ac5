import type { Json } from '../../../wire/json.ts';
import { isObject } from '../../../wire/objects.ts';

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

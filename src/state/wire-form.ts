import type { Json } from '../wire/json.ts';
import { isObject } from '../wire/objects.ts';
import type { JsonObject } from './kind.ts';
import type { Schema } from './schema.ts';

/**
 * A value as services take it: a number that a file has in the place of a text (`port: 5432`) becomes a text.
 *
 * @param schema undefined: of a field that the kind does not know.
 */
export function wireForm(schema: Schema | undefined, value: Json): Json {
  if (schema === undefined) return value;
  if (schema.type === 'string')
    return typeof value === 'number' || typeof value === 'bigint' ? String(value) : value;
  if (schema.type === 'list' && Array.isArray(value))
    return value.map((item) => wireForm(schema.items, item));
  if ((schema.type !== 'map' && schema.type !== 'object') || !isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value as JsonObject).map(([name, member]) => [
      name,
      wireForm(schema.type === 'map' ? schema.values : schema.properties[name], member),
    ]),
  );
}

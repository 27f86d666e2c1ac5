import type { Json } from '../../../wire/json.ts';
import { isObject } from '../../../wire/objects.ts';
import { FieldError, Fields } from '../../core/http/fields.ts';

/** The known fields of an object, by lower-case name, with those of its objects and lists of objects. */
export type Shape = { readonly [name: string]: Shape };

/** Fields without known fields of their own. */
export function names(...all: readonly string[]): Shape {
  return Object.fromEntries(all.map((name) => [name.toLowerCase(), {}]));
}

/** The fields of a value that must be an object or null. @throws FieldError also for an unknown field */
export function knownFields(value: Json, shape: Shape): Fields {
  rejectUnknown(value, shape);
  return new Fields(value ?? {});
}

/** @throws FieldError for the first unknown field, with the text of Consul */
function rejectUnknown(value: Json, shape: Shape): void {
  if (Object.keys(shape).length === 0) return;
  if (Array.isArray(value)) for (const item of value) rejectUnknown(item, shape);
  else if (isObject(value)) {
    for (const [name, field] of Object.entries(value)) {
      const key = name.toLowerCase();
      if (!Object.hasOwn(shape, key)) throw unknownField(name);
      rejectUnknown(field as Json, shape[key] ?? {});
    }
  }
}

function unknownField(name: string): FieldError {
  const reason = name === 'Namespace' ? ' - Namespaces are a Consul Enterprise feature' : '';
  return new FieldError(`json: unknown field ${JSON.stringify(name)}${reason}`);
}

import { isObject } from '../../wire/objects.ts';
import { FieldError } from '../core/http/fields.ts';

/** Names of fields, which ignore case. */
export const fieldNames = (...names: readonly string[]): ReadonlySet<string> =>
  new Set(names.flatMap((line) => line.toLowerCase().split(' ')));

/**
 * Rejects an object with other fields than these; their names ignore case.
 * @throws FieldError, in the words of the product
 */
export function rejectUnknownFields(value: unknown, names: ReadonlySet<string>): void {
  if (!isObject(value)) return;
  const unknown = Object.keys(value).find((name) => !names.has(name.toLowerCase()));
  if (unknown !== undefined) throw new FieldError(`json: unknown field "${unknown}"`);
}

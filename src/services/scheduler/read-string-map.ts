import { FieldError, type Fields } from '../core/http/fields.ts';

type StringMap = { readonly [name: string]: string };

/**
 * A map of strings in a body; null if missing. As in Nomad, null is an empty string, and an unpaired surrogate becomes
 * U+FFFD.
 *
 * @throws FieldError
 */
export function readStringMap(fields: Fields, name: string): StringMap | null {
  const values = fields.rawObject(name);
  if (!values) return null;
  return Object.fromEntries(
    Object.entries(values).map(([key, value]) => {
      if (value !== null && typeof value !== 'string')
        throw new FieldError(`${name} of the body must be a map of strings`);
      return [key.toWellFormed(), (value ?? '').toWellFormed()];
    }),
  );
}

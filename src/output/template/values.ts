import { type Json, setMember } from '../../wire/json.ts';
import { isObject } from '../../wire/objects.ts';

/**
 * A value as templates see it. A field that is null does not exist. `size`, `first` and `last` of an object are its own
 * fields only: the template language would count its fields.
 */
export function templateValue(value: Json): unknown {
  if (Array.isArray(value)) return value.map(templateValue);
  if (!isObject(value)) return value;
  const fields: { [name: string]: unknown } = Object.create(null);
  for (const name of ['size', 'first', 'last'])
    Object.defineProperty(fields, name, { value: undefined, writable: true, configurable: true });
  for (const [name, member] of Object.entries(value)) {
    if (member === null) continue;
    delete fields[name];
    setMember(fields, name, templateValue(member));
  }
  return fields;
}

/** @throws Error: a value that is not a text, a number or a boolean, and has no form as text. */
export function outputText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean')
    return String(value);
  if (value === undefined || value === null) throw new Error('no value');
  throw new Error(
    `expected text, not ${Array.isArray(value) ? 'a list' : 'an object'}: select a field, or use the filter "json"`,
  );
}

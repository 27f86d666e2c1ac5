import { renderJson } from './json.ts';

/** Is it a JSON object (not a list, not null)? */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The fields of an object that JSON would show, in order; only its own, `__proto__` like any other. */
export function definedEntries(value: Readonly<Record<string, unknown>>): [key: string, member: unknown][] {
  return Object.entries(value).filter(([, member]) => member !== undefined);
}

/** A value as one text: a string as it is, everything else as compact JSON. */
export function plainText(value: unknown): string {
  return typeof value === 'string' ? value : renderJson(value, false);
}

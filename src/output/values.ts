import { renderJson } from './json.ts';

/** The own fields of an object that JSON shows, in order, including `__proto__`. */
export function definedEntries(value: Readonly<Record<string, unknown>>): [key: string, member: unknown][] {
  return Object.entries(value).filter(([, member]) => member !== undefined);
}

/** A value as text: strings unchanged, everything else as compact JSON. */
export function plainText(value: unknown): string {
  return typeof value === 'string' ? value : renderJson(value, false);
}

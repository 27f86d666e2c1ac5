import { isObject } from '../../wire/objects.ts';
import * as s from '../core/schema/types.ts';

/** A map of strings. In a request, as in Nomad, null is an empty string, and an unpaired surrogate becomes U+FFFD. */
export const stringMap = (description?: string) =>
  s.converted(s.map(s.string(), description), (value) => {
    const entries = isObject(value) ? Object.entries(value) : undefined;
    if (!entries?.every(([, text]) => text === null || typeof text === 'string'))
      throw new Error('a map of strings');
    return Object.fromEntries(
      entries.map(([name, text]) => [name.toWellFormed(), String(text ?? '').toWellFormed()]),
    );
  });

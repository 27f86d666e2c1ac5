import type { Json } from '../../wire/json.ts';
import type { ReadingRules } from '../core/schema/read.ts';
import type { SecretsError } from './errors.ts';
import { badRequest } from './errors.ts';
import { secondsOf } from './model/ttl.ts';

/** As the products read fields: texts for booleans, numbers, durations and lists. Null is missing, or an empty text. */
export const readingRules: ReadingRules = {
  isMissing: (value, { kind, default: missing }) =>
    value === null && !(kind === 'string' && missing !== undefined),
  convert: {
    string(value) {
      if (value === null) return '';
      if (typeof value === 'boolean') return value ? '1' : '0';
      return typeof value === 'object' ? undefined : String(value);
    },
    boolean(value) {
      if (typeof value === 'boolean') return value;
      if (typeof value === 'number' || typeof value === 'bigint') return Number(value) !== 0;
      if (typeof value !== 'string') return undefined;
      return (
        /^(1|t|true|T|TRUE|True)$/.test(value) ||
        (/^(|0|f|false|F|FALSE|False)$/.test(value) ? false : undefined)
      );
    },
    integer: toInteger,
    int64: toInteger,
    number: (value) => (typeof value === 'number' ? value : undefined),
    duration(value) {
      const seconds = secondsOf(value);
      return seconds === undefined || seconds < 0 ? undefined : Math.floor(seconds);
    },
    list(value) {
      if (typeof value !== 'string' && !Array.isArray(value)) return undefined;
      const items = typeof value === 'string' ? value.split(',') : value;
      return items
        .map((item) => (typeof item === 'string' ? item.trim() : item))
        .filter((item) => item !== '');
    },
  },
  expected: Object.fromEntries(
    Object.entries({
      string: 'a string',
      boolean: 'a boolean',
      integer: 'an integer',
      duration: 'a duration',
      list: 'a list of strings',
      strings: 'a list of strings',
      map: 'an object',
      object: 'an object',
      'string map': 'a map of strings',
    }).map(([kind, expected]) => [kind, `expected ${expected}`]),
  ),
  invalid([name = ''], reason, value) {
    throw fieldError(
      String(name),
      reason.startsWith('expected') ? `${reason}, got ${describeType(value)}` : reason,
    );
  },
};

/** Undefined: not an integer that a number represents exactly. */
export function toInteger(value: Json): number | undefined {
  if (typeof value === 'boolean') return value ? 1 : 0;
  const number = typeof value === 'string' && /^[-+]?\d*$/.test(value.trim()) ? Number(value) : value;
  return typeof number === 'number' && Number.isSafeInteger(number) ? number : undefined;
}

/** The error for a field that cannot be converted (docs/protocol/secrets.md#errors). */
export function fieldError(name: string, reason: string): SecretsError {
  return badRequest(`Field validation failed: error converting input for field "${name}": ${reason}`);
}

/** The type of a value, for an error that does not repeat the value. */
function describeType(value: Json): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'object') return 'an object';
  return typeof value === 'string'
    ? 'an invalid string'
    : `a ${typeof value === 'bigint' ? 'number' : typeof value}`;
}

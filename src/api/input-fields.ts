import { usage } from '../errors.ts';

/** An operation, as messages name it. */
interface Named {
  readonly name: string;
}

/**
 * A field without which the request would be another one: deleting the keys with a prefix, without the prefix, deletes
 * all. A compiler checks it only for programs in TypeScript.
 *
 * @throws LanyardError usage: it is missing or not a string.
 */
export function required(operation: Named, name: string, value: unknown): string {
  if (typeof value === 'string') return value;
  throw value === undefined || value === null
    ? usage(`cannot ${operation.name}: missing ${name}`)
    : invalidField(operation, name, 'a string');
}

/** The text of a parameter. @throws LanyardError usage: an array or object, whose text would be another value. */
export function scalar(operation: Named, name: string, value: unknown): string {
  if (['string', 'number', 'bigint', 'boolean'].includes(typeof value)) return String(value);
  throw invalidField(operation, name, 'a string, number or boolean');
}

/** @throws LanyardError usage: the body is missing, or neither text nor bytes. */
export function contentOf(operation: Named, value: unknown): string | Uint8Array {
  if (typeof value === 'string' || value instanceof Uint8Array) return value;
  throw value === undefined || value === null
    ? usage(`cannot ${operation.name}: missing content`)
    : invalidField(operation, 'content', 'a string or Uint8Array');
}

/** The message has no value, which may be a secret. */
const invalidField = ({ name }: Named, field: string, expected: string) =>
  usage(`cannot ${name}: invalid ${field}: expected ${expected}`);

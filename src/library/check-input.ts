import { usage } from '../errors.ts';
import { isObject } from '../wire/objects.ts';

type Rule = readonly [isValid: (value: unknown) => boolean, expected: string];

const isString = (value: unknown): boolean => typeof value === 'string';

/** The rules for required fields, by the mark in `requiredFields`. */
const rules: Readonly<Record<string, Rule>> = {
  '': [isString, 'a string'],
  '?': [(value) => value === null || isString(value), 'a string or null'],
  '#': [(value) => typeof value === 'bigint' || Number.isFinite(value), 'a number'],
  '!': [(value) => typeof value === 'boolean', 'a boolean'],
  '[]': [Array.isArray, 'an array'],
  '{}': [
    (value) => typeof value === 'object' && !Array.isArray(value) && !(value instanceof Uint8Array),
    'an object',
  ],
  '*': [(value) => isString(value) || value instanceof Uint8Array, 'a string or Uint8Array'],
};

/**
 * Checks the input of a method before anything is sent. A compiler does it only for programs in TypeScript.
 *
 * @param method for messages: "registry.getKey".
 * @param required its required fields, as in `requiredFields`.
 * @throws LanyardError usage: the message has no value, which may be a secret.
 */
export function checkInput(method: string, required: readonly string[], input: unknown): void {
  const invalid = (cause: string) => usage(`invalid input of ${method}: ${cause}`);
  if (!isObject(input)) throw invalid('expected an object');
  for (const field of required) {
    const [, name = '', mark = ''] = /^(\w+)(.*)$/.exec(field) ?? [];
    const value = (input as Readonly<Record<string, unknown>>)[name];
    const [isValid, expected] = rules[mark] ?? [() => true];
    if (value === undefined || (value === null && mark !== '?')) throw invalid(`missing ${name}`);
    if (!isValid(value)) throw invalid(`${name} must be ${expected}`);
  }
}

import type { Json, JsonObject } from '../../../wire/json.ts';
import { badRequest, type SecretsError } from '../errors.ts';

export type CustomMetadata = Readonly<Record<string, string>>;

/** Limits of keys and values are in UTF-8 bytes. */
const limits = { keys: 64, keyBytes: 128, valueBytes: 512 };

const unprintable = /\p{C}|(?! )\p{Z}/u;

/**
 * Reads string to string; null: empty. Numbers and booleans are converted.
 * @throws SecretsError 400 that lists every fault by key; values are not shown
 */
export function readCustomMetadata(input: JsonObject): CustomMetadata | null {
  const entries = Object.entries(input);
  if (entries.length > limits.keys)
    throw validationError([`${entries.length} keys given, at most ${limits.keys} are allowed`]);
  const read = entries.map(([key, value]) => [key, toText(value)] as const);
  const problems = read.flatMap(([key, value]) => problemsOf(key, value));
  if (problems.length > 0) throw validationError(problems);
  return read.length === 0 ? null : Object.fromEntries(read.map(([key, value]) => [key, value ?? '']));
}

function toText(value: Json): string | undefined {
  if (typeof value === 'boolean') return value ? '1' : '0';
  if (value === null) return '';
  return typeof value === 'object' ? undefined : String(value);
}

function problemsOf(key: string, value: string | undefined): string[] {
  const name = JSON.stringify(key);
  if (value === undefined) return [`the value of key ${name} is not a string`];
  const [keyBytes, valueBytes] = [Buffer.byteLength(key), Buffer.byteLength(value)];
  return [
    ...lengthProblems(`key ${name}`, keyBytes, limits.keyBytes),
    ...lengthProblems(`the value of key ${name}`, valueBytes, limits.valueBytes),
    ...(unprintable.test(key) ? [`key ${name} contains unprintable characters`] : []),
    ...(unprintable.test(value) ? [`the value of key ${name} contains unprintable characters`] : []),
  ];
}

function lengthProblems(subject: string, bytes: number, maxBytes: number): string[] {
  return bytes > 0 && bytes <= maxBytes
    ? []
    : [`${subject} is ${bytes} bytes long, expected 1 to ${maxBytes}`];
}

function validationError(problems: readonly string[]): SecretsError {
  return badRequest(`custom_metadata validation failed: ${problems.join('; ')}`);
}

import type { Json } from '../../../wire/json.ts';
import { Refusal } from '../engine.ts';
import type { JsonObject } from './members.ts';

export type CustomMetadata = Readonly<Record<string, string>>;

/** Limits of keys and values are in UTF-8 bytes. */
const limits = { keys: 64, keyBytes: 128, valueBytes: 512 };

const unprintable = /\p{C}|(?! )\p{Z}/u;

/**
 * Reads custom metadata: string to string. Numbers and booleans are converted to strings.
 * @returns null if it is empty.
 * @throws Refusal 400 that lists every fault by key; values are not shown.
 */
export function readCustomMetadata(given: JsonObject): CustomMetadata | null {
  const entries = Object.entries(given);
  if (entries.length > limits.keys) {
    throw failed([`${entries.length} keys given, at most ${limits.keys} are allowed`]);
  }
  const read = entries.map(([key, value]) => [key, textOf(value)] as const);
  const faults = read.flatMap(([key, value]) => faultsOf(key, value));
  if (faults.length > 0) throw failed(faults);
  return read.length === 0 ? null : Object.fromEntries(read.map(([key, value]) => [key, value ?? '']));
}

function textOf(value: Json): string | undefined {
  if (typeof value === 'boolean') return value ? '1' : '0';
  if (value === null) return '';
  return typeof value === 'object' ? undefined : String(value);
}

function faultsOf(key: string, value: string | undefined): string[] {
  const name = JSON.stringify(key);
  if (value === undefined) return [`the value of key ${name} is not a string`];
  const [keyBytes, valueBytes] = [Buffer.byteLength(key), Buffer.byteLength(value)];
  return [
    ...outside(`key ${name}`, keyBytes, limits.keyBytes),
    ...outside(`the value of key ${name}`, valueBytes, limits.valueBytes),
    ...(unprintable.test(key) ? [`key ${name} contains unprintable characters`] : []),
    ...(unprintable.test(value) ? [`the value of key ${name} contains unprintable characters`] : []),
  ];
}

function outside(what: string, bytes: number, most: number): string[] {
  return bytes > 0 && bytes <= most ? [] : [`${what} is ${bytes} bytes long, expected 1 to ${most}`];
}

function failed(faults: readonly string[]): Refusal {
  return new Refusal(400, `custom_metadata validation failed: ${faults.join('; ')}`);
}

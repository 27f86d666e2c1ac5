import { formatJson, type Json, parseJson } from '../../../wire/json.ts';
import { decrypt, encrypt } from '../../core/store/cipher.ts';
import { SortedMap } from '../../core/store/sorted-map.ts';
import type { Change, Storage } from '../../core/store/storage.ts';
import { prefixedStorage } from '../../core/store/store.ts';
import { SecretsError } from '../engine.ts';

/**
 * Maximum size of a stored value, in characters of JSON plus a small cost per field. Writing and encrypting
 * more at once would block other requests; products have similar limits.
 */
const maxValueLength = 2 * 1024 * 1024;

type Random = (length: number) => Uint8Array;

/**
 * A storage whose values are stored encrypted in another one; keys are in clear. Reads come from decrypted
 * values in memory, which are dropped with the barrier (when sealing).
 */
export class Barrier implements Storage {
  readonly #base: Storage;
  readonly #key: Uint8Array;
  readonly #random: Random;
  readonly #decrypted: SortedMap<Json>;

  /** @throws Error: a value cannot be decrypted; the message contains its key. */
  constructor(base: Storage, key: Uint8Array, random: Random) {
    this.#base = base;
    this.#key = key;
    this.#random = random;
    this.#decrypted = SortedMap.from(base.keys('').map((name) => [name, this.#read(name) ?? null] as const));
  }

  get(key: string): Json | undefined {
    return this.#decrypted.get(key);
  }

  keys(prefix: string): string[] {
    return this.#decrypted.keys(prefix);
  }

  async write(changes: readonly Change[]): Promise<void> {
    if (changes.some(({ value }) => value !== undefined && remainingLength(value, maxValueLength) < 0))
      throw new SecretsError(413, `value is too large to be stored: more than ${maxValueLength} bytes`);
    const encrypted = changes.map(({ key, value }): Change => {
      if (value === undefined) return { key };
      const text = Buffer.from(formatJson(value));
      return { key, value: encrypt(this.#key, key, text, this.#random).toString('base64') };
    });
    const durable = this.#base.write(encrypted);
    for (const { key, value } of changes) this.#decrypted.put(key, value);
    try {
      await durable;
    } catch (error) {
      // The underlying storage was rolled back to what is durable.
      for (const { key } of changes) this.#decrypted.put(key, this.#read(key));
      throw error;
    }
  }

  withPrefix(prefix: string): Storage {
    return prefixedStorage(this, prefix);
  }

  #read(name: string): Json | undefined {
    const encrypted = this.#base.get(name);
    if (encrypted === undefined) return undefined;
    try {
      return parseJson(decrypt(this.#key, name, Buffer.from(String(encrypted), 'base64')).toString());
    } catch (error) {
      throw new Error(`the stored value ${name} is damaged`, { cause: error });
    }
  }
}

/** The remaining room after a value; stops below zero without reading the rest. */
function remainingLength(value: Json, length: number): number {
  if (typeof value === 'string') return length - value.length - 2;
  if (typeof value !== 'object' || value === null) return length - 2;
  let remaining = length - 2;
  const isList = Array.isArray(value);
  for (const [name, each] of Object.entries(value)) {
    remaining = remainingLength(each, remaining - (isList ? 1 : name.length + 4));
    if (remaining < 0) break;
  }
  return remaining;
}

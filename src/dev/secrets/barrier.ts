import { formatJson, type Json, parseJson } from '../../wire/json.ts';
import { decrypt, encrypt } from '../cipher.ts';
import { OrderedMap } from '../ordered.ts';
import type { Change, Storage } from '../storage.ts';
import { below } from '../store.ts';
import { Refusal } from './engine.ts';

/**
 * Maximum size of a stored value, in characters of JSON plus a small cost per field. Writing and encrypting
 * more at once would block other requests; products have similar limits.
 */
const largestValue = 2 * 1024 * 1024;

type Random = (length: number) => Uint8Array;

/**
 * A storage whose values are stored encrypted in another one; keys are in clear. Reads come from decrypted
 * values in memory, which are dropped with the barrier (when sealing).
 */
export class Barrier implements Storage {
  readonly #base: Storage;
  readonly #key: Uint8Array;
  readonly #random: Random;
  readonly #plain: OrderedMap<Json>;

  /** @throws Error: a value cannot be decrypted; the message contains its key. */
  constructor(base: Storage, key: Uint8Array, random: Random) {
    this.#base = base;
    this.#key = key;
    this.#random = random;
    this.#plain = OrderedMap.from(base.keys('').map((name) => [name, this.#read(name) ?? null] as const));
  }

  get(key: string): Json | undefined {
    return this.#plain.get(key);
  }

  keys(prefix: string): string[] {
    return this.#plain.keys(prefix);
  }

  async write(changes: readonly Change[]): Promise<void> {
    if (changes.some(({ value }) => value !== undefined && roomLeft(value, largestValue) < 0))
      throw new Refusal(413, `value is too large to be stored: more than ${largestValue} bytes`);
    const sealed = changes.map(({ key, value }): Change => {
      if (value === undefined) return { key };
      const text = Buffer.from(formatJson(value));
      return { key, value: encrypt(this.#key, key, text, this.#random).toString('base64') };
    });
    const durable = this.#base.write(sealed);
    for (const { key, value } of changes) this.#plain.put(key, value);
    try {
      await durable;
    } catch (error) {
      // The underlying storage was rolled back to what is durable.
      for (const { key } of changes) this.#plain.put(key, this.#read(key));
      throw error;
    }
  }

  below(prefix: string): Storage {
    return below(this, prefix);
  }

  #read(name: string): Json | undefined {
    const sealed = this.#base.get(name);
    if (sealed === undefined) return undefined;
    try {
      return parseJson(decrypt(this.#key, name, Buffer.from(String(sealed), 'base64')).toString());
    } catch (error) {
      throw new Error(`the stored value ${name} is damaged`, { cause: error });
    }
  }
}

/** The remaining room after a value; stops below zero without reading the rest. */
function roomLeft(value: Json, room: number): number {
  if (typeof value === 'string') return room - value.length - 2;
  if (typeof value !== 'object' || value === null) return room - 2;
  let left = room - 2;
  const isList = Array.isArray(value);
  for (const [name, each] of Object.entries(value)) {
    left = roomLeft(each, left - (isList ? 1 : name.length + 4));
    if (left < 0) break;
  }
  return left;
}

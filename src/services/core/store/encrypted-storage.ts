import { formatJson, type Json, parseJson } from '../../../wire/json.ts';
import { isObject } from '../../../wire/objects.ts';
import { yieldingIterator } from '../yielding-iterator.ts';
import type { ValueEncryption } from './encryption.ts';
import { Layer, LayeredMap } from './layered-map.ts';
import { type Change, eachKey, type Snapshot, type StagedWrite, type Storage } from './storage.ts';
import { prefixedStorage } from './store.ts';
import { damagedValueError } from './table.ts';

interface Parts {
  readonly encryption: ValueEncryption;
  /** Key prefixes of the values to encrypt. */
  readonly prefixes: readonly string[];
  /** The name of a key within the encryption; bound to each value, so that none can be decrypted elsewhere. */
  readonly nameOf: (key: string) => string;
  /** How values are stored: as a text; or as an object, next to unencrypted objects of earlier releases. */
  readonly format: 'text' | 'object';
  /** Called before a value is written; may throw. */
  readonly beforeWrite?: (value: Json) => void;
}

/** Values written per batch when values in clear are encrypted. */
const batchSize = 500;

/** A storage that encrypts some values in the underlying one, and reads them decrypted from memory; keys are in clear. */
export class EncryptedStorage implements Storage {
  readonly #base: Storage;
  readonly #parts: Parts;
  readonly #decrypted = new LayeredMap<Json>();

  private constructor(base: Storage, parts: Parts) {
    this.#base = base;
    this.#parts = parts;
  }

  /** Opens a storage without values in clear. @throws EmbeddedError data: a value cannot be decrypted */
  static openSync(base: Storage, parts: Parts): EncryptedStorage {
    const storage = new EncryptedStorage(base, parts);
    for (const _ of storage.#load());
    return storage;
  }

  /** Opens a storage and encrypts values in clear. @throws EmbeddedError data: a value cannot be decrypted */
  static async open(base: Storage, parts: Parts): Promise<EncryptedStorage> {
    const storage = new EncryptedStorage(base, parts);
    let inClear: string[] = [];
    const encryptAll = () => storage.write(inClear.map((key) => ({ key, value: base.get(key) })));
    for await (const key of yieldingIterator(storage.#load())) {
      if (!isInClear(base.get(key))) continue;
      inClear.push(key);
      if (inClear.length < batchSize) continue;
      await encryptAll();
      inClear = [];
    }
    await encryptAll();
    return storage;
  }

  get(key: string): Json | undefined {
    return (this.#isEncrypted(key) ? this.#decrypted : this.#base).get(key);
  }

  keys(prefix: string): string[] {
    return (this.#isEncrypted(prefix) ? this.#decrypted : this.#base).keys(prefix);
  }

  keysAfter(prefix: string, after: string, limit: number): string[] {
    return this.#base.keysAfter(prefix, after, limit);
  }

  keysBefore(prefix: string, before: string, limit: number): string[] {
    return this.#base.keysBefore(prefix, before, limit);
  }

  entriesAfter(prefix: string, after: string, limit: number): (readonly [key: string, value: Json])[] {
    const overlaps = this.#parts.prefixes.some((each) => each.startsWith(prefix) || prefix.startsWith(each));
    if (!overlaps) return this.#base.entriesAfter(prefix, after, limit);
    return this.keysAfter(prefix, after, limit).map((key) => [key, this.get(key) as Json]);
  }

  write(changes: readonly Change[]): Promise<void> {
    const encrypted = changes.filter(({ key }) => this.#isEncrypted(key));
    return encrypted.length === 0 ? this.#base.write(changes) : this.#writeEncrypted(changes, encrypted);
  }

  async #writeEncrypted(changes: readonly Change[], encrypted: readonly Change[]): Promise<void> {
    const durable = this.#base.write(changes.map((change) => this.#encrypt(change)));
    for (const { key, value } of encrypted) this.#decrypted.put(key, value);
    try {
      await durable;
    } catch (error) {
      // The underlying storage was rolled back to what is durable.
      for (const { key } of encrypted) this.#decrypted.put(key, this.#decrypt(key));
      throw error;
    }
  }

  async stage(): Promise<StagedWrite> {
    const staged = await this.#base.stage();
    await this.#decrypted.merge();
    const layer = new Layer<Json>();
    return {
      add: (changes) => {
        staged.add(changes.map((change) => this.#encrypt(change)));
        for (const { key, value } of changes) if (this.#isEncrypted(key)) layer.put(key, value);
      },
      commit: async () => {
        const durable = staged.commit();
        this.#decrypted.publish(layer);
        try {
          await durable;
          void this.#decrypted.merge();
        } catch (error) {
          this.#decrypted.drop();
          throw error;
        }
      },
      discard: () => staged.discard(),
    };
  }

  snapshot(): Snapshot {
    const base = this.#base.snapshot();
    const decrypted = this.#decrypted.snapshot();
    return {
      get: (key) => (this.#isEncrypted(key) ? decrypted : base).get(key),
      keys: (prefix) => (this.#isEncrypted(prefix) ? decrypted : base).keys(prefix),
      eachKey: (prefix) => eachKey(this.#isEncrypted(prefix) ? decrypted : base, prefix),
      release() {
        base.release();
        decrypted.release();
      },
    };
  }

  withPrefix(prefix: string): Storage {
    return prefixedStorage(this, prefix);
  }

  *#load(): Generator<string> {
    for (const key of this.#parts.prefixes.flatMap((prefix) => this.#base.keys(prefix))) {
      this.#decrypted.put(key, this.#decrypt(key));
      yield key;
    }
  }

  #isEncrypted(key: string): boolean {
    for (const prefix of this.#parts.prefixes) if (key.startsWith(prefix)) return true;
    return false;
  }

  #encrypt(change: Change): Change {
    const { key, value } = change;
    if (value === undefined || !this.#isEncrypted(key)) return change;
    this.#parts.beforeWrite?.(value);
    const ciphertext = this.#parts.encryption.encrypt(this.#parts.nameOf(key), formatJson(value));
    return { key, value: this.#parts.format === 'text' ? ciphertext : { sealed: ciphertext } };
  }

  #decrypt(key: string): Json | undefined {
    const stored = this.#base.get(key);
    if (stored === undefined || (this.#parts.format === 'object' && isInClear(stored))) return stored;
    const ciphertext = String(isObject(stored) ? stored.sealed : stored);
    try {
      return parseJson(this.#parts.encryption.decrypt(this.#parts.nameOf(key), ciphertext));
    } catch (error) {
      throw damagedValueError(this.#parts.nameOf(key), error);
    }
  }
}

const isInClear = (value: Json | undefined): boolean => isObject(value) && !('sealed' in value);

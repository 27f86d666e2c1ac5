import { formatJson, type Json, parseJson } from '../../../wire/json.ts';
import { EmbeddedError } from '../errors.ts';
import { yieldingIterator } from '../yielding-iterator.ts';
import type { ValueEncryption } from './encryption.ts';
import type { Change, PagedStorage } from './storage.ts';
import { prefixedPagedStorage } from './store.ts';

interface Parts {
  readonly encryption: ValueEncryption;
  /** Identifies the rows within the vault; bound to each row, so that none can be decrypted elsewhere. */
  readonly namePrefix: string;
  /** Key prefixes of the rows to encrypt. */
  readonly prefixes: readonly string[];
}

/** A stored row. */
interface EncryptedRow {
  readonly sealed: string;
}

/** Rows written per batch when existing rows are encrypted. */
const batchSize = 500;

/**
 * A storage that encrypts some of its rows in the underlying storage; keys are in clear. Rows are decrypted
 * once, at the start, and read from memory. Rows stored in clear by earlier versions are encrypted at the
 * same time.
 * @throws EmbeddedError data: a row cannot be decrypted
 */
export async function encryptedStorage(base: PagedStorage, parts: Parts): Promise<PagedStorage> {
  const rows = new EncryptedStorage(base, parts);
  await rows.load();
  return rows;
}

class EncryptedStorage implements PagedStorage {
  readonly #base: PagedStorage;
  readonly #parts: Parts;
  /** The content of each encrypted row, kept so that a failed write can be rolled back. */
  readonly #decrypted = new WeakMap<EncryptedRow, Json>();

  constructor(base: PagedStorage, parts: Parts) {
    this.#base = base;
    this.#parts = parts;
  }

  async load(): Promise<void> {
    let unencrypted: Change[] = [];
    const keys = this.#parts.prefixes.flatMap((prefix) => this.#base.keys(prefix));
    for await (const key of yieldingIterator(keys)) {
      const value = this.get(key);
      if (value !== undefined && !isEncryptedRow(this.#base.get(key))) unencrypted.push({ key, value });
      if (unencrypted.length < batchSize) continue;
      await this.write(unencrypted);
      unencrypted = [];
    }
    await this.write(unencrypted);
  }

  get(key: string): Json | undefined {
    const value = this.#base.get(key);
    if (!this.#isEncryptedKey(key) || !isEncryptedRow(value)) return value;
    return this.#decrypted.get(value) ?? this.#decrypt(key, value);
  }

  keys(prefix: string): string[] {
    return this.#base.keys(prefix);
  }

  keysAfter(prefix: string, after: string, limit: number): string[] {
    return this.#base.keysAfter(prefix, after, limit);
  }

  write(changes: readonly Change[]): Promise<void> {
    return this.#base.write(
      changes.map((change) =>
        change.value === undefined || !this.#isEncryptedKey(change.key)
          ? change
          : { key: change.key, value: this.#encrypt(change.key, change.value) },
      ),
    );
  }

  withPrefix(prefix: string): PagedStorage {
    return prefixedPagedStorage(this, prefix);
  }

  #isEncryptedKey(key: string): boolean {
    return this.#parts.prefixes.some((prefix) => key.startsWith(prefix));
  }

  #encrypt(key: string, value: Json): Json {
    const row = { sealed: this.#parts.encryption.encrypt(this.#nameOf(key), formatJson(value)) };
    this.#decrypted.set(row, value);
    return row;
  }

  #decrypt(key: string, row: EncryptedRow): Json {
    try {
      const value = parseJson(this.#parts.encryption.decrypt(this.#nameOf(key), row.sealed));
      this.#decrypted.set(row, value);
      return value;
    } catch (error) {
      throw new EmbeddedError('data', `the stored value ${key} is damaged; restore it from a backup`, error);
    }
  }

  #nameOf(key: string): string {
    return this.#parts.namePrefix + key;
  }
}

function isEncryptedRow(value: Json | undefined): value is Json & EncryptedRow {
  return typeof value === 'object' && value !== null && 'sealed' in value;
}

import { formatJson, type Json, parseJson } from '../wire/json.ts';
import { EmbeddedError } from './errors.ts';
import type { Change, PagedStorage } from './storage.ts';
import { pagedBelow } from './store.ts';
import { unhurried } from './unhurried.ts';
import type { Vault } from './vault.ts';

interface Parts {
  readonly vault: Vault;
  /** Identifies the rows within the vault; bound to each row, so that none can be decrypted elsewhere. */
  readonly place: string;
  /** Key prefixes of the rows to encrypt. */
  readonly prefixes: readonly string[];
}

/** A stored row. */
interface Sealed {
  readonly sealed: string;
}

/** Rows written per batch when existing rows are encrypted. */
const stretch = 500;

/**
 * A storage that encrypts some of its rows in the underlying storage; keys are in clear. Rows are decrypted
 * once, at the start, and read from memory. Rows stored in clear by earlier versions are encrypted at the
 * same time.
 * @throws EmbeddedError data: a row cannot be decrypted
 */
export async function sealedRows(base: PagedStorage, parts: Parts): Promise<PagedStorage> {
  const rows = new SealedRows(base, parts);
  await rows.begin();
  return rows;
}

class SealedRows implements PagedStorage {
  readonly #base: PagedStorage;
  readonly #parts: Parts;
  /** The content of each encrypted row, kept so that a failed write can be rolled back. */
  readonly #opened = new WeakMap<Sealed, Json>();

  constructor(base: PagedStorage, parts: Parts) {
    this.#base = base;
    this.#parts = parts;
  }

  async begin(): Promise<void> {
    let clear: Change[] = [];
    const keys = this.#parts.prefixes.flatMap((prefix) => this.#base.keys(prefix));
    for await (const key of unhurried(keys)) {
      const value = this.get(key);
      if (value !== undefined && !isSealed(this.#base.get(key))) clear.push({ key, value });
      if (clear.length < stretch) continue;
      await this.write(clear);
      clear = [];
    }
    await this.write(clear);
  }

  get(key: string): Json | undefined {
    const value = this.#base.get(key);
    if (!this.#seals(key) || !isSealed(value)) return value;
    return this.#opened.get(value) ?? this.#open(key, value);
  }

  keys(prefix: string): string[] {
    return this.#base.keys(prefix);
  }

  keysAfter(prefix: string, after: string, most: number): string[] {
    return this.#base.keysAfter(prefix, after, most);
  }

  write(changes: readonly Change[]): Promise<void> {
    return this.#base.write(
      changes.map((change) =>
        change.value === undefined || !this.#seals(change.key)
          ? change
          : { key: change.key, value: this.#seal(change.key, change.value) },
      ),
    );
  }

  below(prefix: string): PagedStorage {
    return pagedBelow(this, prefix);
  }

  #seals(key: string): boolean {
    return this.#parts.prefixes.some((prefix) => key.startsWith(prefix));
  }

  #seal(key: string, value: Json): Json {
    const row = { sealed: this.#parts.vault.seal(this.#nameOf(key), formatJson(value)) };
    this.#opened.set(row, value);
    return row;
  }

  #open(key: string, row: Sealed): Json {
    try {
      const value = parseJson(this.#parts.vault.open(this.#nameOf(key), row.sealed));
      this.#opened.set(row, value);
      return value;
    } catch (error) {
      throw new EmbeddedError('data', `the stored value ${key} is damaged; restore it from a backup`, error);
    }
  }

  #nameOf(key: string): string {
    return this.#parts.place + key;
  }
}

function isSealed(value: Json | undefined): value is Json & Sealed {
  return typeof value === 'object' && value !== null && 'sealed' in value;
}

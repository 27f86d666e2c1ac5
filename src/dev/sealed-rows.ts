import { formatJson, type Json, parseJson } from '../wire/json.ts';
import { EmbeddedError } from './errors.ts';
import type { Change, PagedStorage } from './storage.ts';
import { pagedBelow } from './store.ts';
import { unhurried } from './unhurried.ts';
import type { Vault } from './vault.ts';

interface Parts {
  readonly vault: Vault;
  /** Where the rows are in what the vault is for: bound to each, so that none opens in another place. */
  readonly place: string;
  /** What the keys of rows begin with that are to be sealed. */
  readonly prefixes: readonly string[];
}

/** A row as it is kept. */
interface Sealed {
  readonly sealed: string;
}

/** Rows that are written at a time where those of before are sealed. */
const stretch = 500;

/**
 * A storage some of whose rows rest sealed in another one; keys are in clear. They are opened once, at the start, and
 * read from memory; rows that were kept in clear before are sealed with that.
 *
 * @throws EmbeddedError data: a row does not open
 */
export async function sealedRows(base: PagedStorage, parts: Parts): Promise<PagedStorage> {
  const rows = new SealedRows(base, parts);
  await rows.begin();
  return rows;
}

class SealedRows implements PagedStorage {
  readonly #base: PagedStorage;
  readonly #parts: Parts;
  /** What is in each sealed row: the row that a failed write goes back to is still known here. */
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
      throw new EmbeddedError('data', `the stored value ${key} is damaged; restore it from a copy`, error);
    }
  }

  #nameOf(key: string): string {
    return this.#parts.place + key;
  }
}

function isSealed(value: Json | undefined): value is Json & Sealed {
  return typeof value === 'object' && value !== null && 'sealed' in value;
}

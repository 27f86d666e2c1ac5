import * as s from '../../core/schema/types.ts';
import { decrypt, encrypt } from '../../core/store/cipher.ts';
import type { Storage } from '../../core/store/storage.ts';
import { checkTables, type RowOf, table } from '../../core/store/table.ts';
import { uuid } from '../../core/uuid.ts';
import { badRequest } from '../errors.ts';
import { openBarrier } from './barrier.ts';
import { combine, split } from './shamir.ts';

const records = table('seal', {
  shares: s.number(),
  threshold: s.number(),
  /** The key of the values, encrypted with the root key, base64. */
  keyring: s.string(),
});
type SealRecord = RowOf<typeof records>;

const rootKeyBytes = 32;
const recordName = 'seal';

/** A root key, stored only outside, decrypts the key of the values at rest. While sealed, none is in memory. */
export class Seal {
  readonly #base: Storage;
  readonly #random: (length: number) => Uint8Array;
  #shares: Uint8Array[] = [];
  #nonce = '';
  #barrier: Storage | undefined;

  constructor(base: Storage, random: (length: number) => Uint8Array) {
    checkTables(base, [records]);
    this.#base = base;
    this.#random = random;
  }

  /** The decrypted storage; undefined while sealed. */
  get storage(): Storage | undefined {
    return this.#barrier;
  }

  get record(): SealRecord | undefined {
    return records.get(this.#base, '');
  }

  get progress(): number {
    return this.#shares.length;
  }

  /** Identifies the attempt to unseal that the shares given so far belong to; empty without one. */
  get nonce(): string {
    return this.#nonce;
  }

  /** A new root key, for `initialize`. */
  newRootKey(): Uint8Array {
    return this.#random(rootKeyBytes);
  }

  /** Initializes, and opens with a root key. @returns its shares; a single one is the root key */
  async initialize(rootKey: Uint8Array, shares: number, threshold: number): Promise<Uint8Array[]> {
    const keyring = encrypt(rootKey, recordName, this.#random(rootKeyBytes), this.#random).toString('base64');
    await this.#base.write([records.put('', { shares, threshold, keyring })]);
    this.open(rootKey);
    return split(rootKey, shares, threshold, this.#random);
  }

  /** Opens with the root key; false: wrong key. @throws Error: a value at rest is damaged. */
  open(rootKey: Uint8Array): boolean {
    const record = this.record;
    if (!record || rootKey.length !== rootKeyBytes) return false;
    let key: Buffer;
    try {
      key = decrypt(rootKey, recordName, Buffer.from(record.keyring, 'base64'));
    } catch {
      return false;
    }
    this.#barrier = openBarrier(this.#base.withPrefix('data/'), key, this.#random);
    return true;
  }

  /**
   * Takes a key share (hex or base64); opens when the threshold is reached.
   * @throws SecretsError 400: not a share, or the shares do not match; they are then discarded
   */
  submitShare(text: string): void {
    const record = this.record;
    if (!record || this.#barrier) return;
    const share = readShare(text, record.shares);
    const isDuplicate = this.#shares.some((each) => Buffer.compare(each, share) === 0);
    if (this.#shares.length === 0) this.#nonce = uuid(this.#random);
    if (!isDuplicate) this.#shares.push(share);
    if (this.#shares.length < record.threshold) return;
    const submitted = this.#shares;
    this.reset();
    const points = new Set(submitted.map((each) => each.at(-1)));
    const distinct = record.shares === 1 || points.size === submitted.length;
    if (!distinct || !this.open(combine(submitted))) throw badRequest('unseal failed: invalid key');
  }

  reset(): void {
    this.#shares = [];
    this.#nonce = '';
  }

  seal(): void {
    this.#barrier = undefined;
    this.reset();
  }
}

function readShare(text: string, shares: number): Uint8Array {
  const length = shares === 1 ? rootKeyBytes : rootKeyBytes + 1;
  const encoding = /^[0-9a-f]+$/i.test(text) && text.length === 2 * length ? 'hex' : 'base64';
  const share = Buffer.from(text, encoding);
  if (share.length !== length) throw badRequest(`key must be ${length} bytes, in hex or base64`);
  return share;
}

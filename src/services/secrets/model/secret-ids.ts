import { createHmac } from 'node:crypto';
import * as s from '../../core/store/schema.ts';
import type { Storage } from '../../core/store/storage.ts';
import { checkTables, type RowOf, table } from '../../core/store/table.ts';
import { uuid } from '../../core/uuid.ts';
import type { EngineParts } from '../engine.ts';
import { badRequest } from '../errors.ts';

/** A stored secret ID, without the secret ID itself. Times are unix seconds. */
const secretIds = table('id/', {
  role: s.string,
  digest: s.string,
  accessor: s.string,
  /** Uses left; 0: unlimited. */
  uses: s.number,
  ttl: s.number,
  created: s.number,
  expires: s.nullable(s.number),
  metadata: s.record(s.string),
  /** CIDR blocks that may log in with it; missing or empty: those of the role. */
  cidrs: s.optional(s.array(s.string)),
  /** Addresses and CIDR blocks that may use the tokens; missing or empty: those of the role. */
  tokenBoundCidrs: s.optional(s.array(s.string)),
});
export type SecretId = RowOf<typeof secretIds>;

const keyOf = ({ role, digest }: Pick<SecretId, 'role' | 'digest'>): string => `${role}/${digest}`;

/**
 * The secret IDs of roles. They are looked up by a digest with a key that never leaves this storage, like
 * tokens.
 */
export class SecretIds {
  readonly #storage: Storage;
  readonly #parts: EngineParts;

  constructor(parts: EngineParts) {
    checkTables(parts.storage, [secretIds]);
    this.#storage = parts.storage;
    this.#parts = parts;
  }

  /** @throws SecretsError 400: the role already has this secret ID */
  async create(
    role: string,
    secretId: string,
    attributes: Pick<SecretId, 'uses' | 'ttl' | 'metadata' | 'cidrs' | 'tokenBoundCidrs'>,
  ): Promise<SecretId> {
    await this.#ensureSalt();
    if (this.find(role, secretId)) throw badRequest('SecretID is already registered');
    const created = this.#now();
    const entry: SecretId = {
      ...attributes,
      role,
      digest: this.#digest(secretId),
      accessor: uuid(this.#parts.random),
      created,
      expires: attributes.ttl === 0 ? null : created + attributes.ttl,
    };
    // Creating a secret ID removes expired ones.
    await this.remove(this.#all(role).filter((each) => this.#isExpired(each)));
    await this.#put(entry);
    return entry;
  }

  find(role: string, secretId: string): SecretId | undefined {
    if (this.#storage.get('salt') === undefined) return undefined;
    const entry = secretIds.get(this.#storage, keyOf({ role, digest: this.#digest(secretId) }));
    return entry && !this.#isExpired(entry) ? entry : undefined;
  }

  byAccessor(role: string, accessor: string): SecretId | undefined {
    return this.forRole(role).find((each) => each.accessor === accessor);
  }

  forRole(role: string): SecretId[] {
    return this.#all(role).filter((each) => !this.#isExpired(each));
  }

  /** Counts one use of a secret ID; undefined: unknown or used up. */
  async use(role: string, secretId: string): Promise<SecretId | undefined> {
    const entry = this.find(role, secretId);
    if (!entry) return undefined;
    if (entry.uses === 1) await this.remove([entry]);
    else if (entry.uses > 1) await this.#put({ ...entry, uses: entry.uses - 1 });
    return entry;
  }

  async remove(entries: readonly SecretId[]): Promise<void> {
    if (entries.length === 0) return;
    await this.#storage.write(entries.map((entry) => secretIds.remove(keyOf(entry))));
  }

  async #ensureSalt(): Promise<void> {
    if (this.#storage.get('salt') !== undefined) return;
    const salt = Buffer.from(this.#parts.random(32)).toString('base64');
    await this.#storage.write([{ key: 'salt', value: salt }]);
  }

  #now(): number {
    return Math.floor(this.#parts.clock().getTime() / 1000);
  }

  #isExpired({ expires }: SecretId): boolean {
    return expires !== null && expires <= this.#now();
  }

  #digest(secretId: string): string {
    return createHmac('sha256', String(this.#storage.get('salt')))
      .update(secretId)
      .digest('hex');
  }

  #all(role: string): SecretId[] {
    return secretIds.values(this.#storage, keyOf({ role, digest: '' }));
  }

  async #put(entry: SecretId): Promise<void> {
    await this.#storage.write([secretIds.put(keyOf(entry), entry)]);
  }
}

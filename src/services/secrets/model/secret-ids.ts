import { createHmac } from 'node:crypto';
import { filterInSlices, mapInSlices } from '../../core/in-slices.ts';
import * as s from '../../core/schema/types.ts';
import { IndexedTable } from '../../core/store/indexed-table.ts';
import type { Change, Storage } from '../../core/store/storage.ts';
import { type RowOf, table } from '../../core/store/table.ts';
import { uuid } from '../../core/uuid.ts';
import type { EngineParts } from '../engine.ts';
import { badRequest } from '../errors.ts';

const saltKey = 'secret/salt';
const accessorEntry = (role: string, accessor: string): string => `${role}/${accessor}`;

/** A stored secret ID, without the secret ID itself. Times are unix seconds. */
const secretIds = table('secret/id/', {
  role: s.string(),
  digest: s.string(),
  accessor: s.string(),
  /** Uses left; 0: unlimited. */
  uses: s.number(),
  ttl: s.number(),
  created: s.number(),
  expires: s.nullable(s.number()),
  metadata: s.map(s.string()),
  /** CIDR blocks that may log in with it; missing or empty: the role's. */
  cidrs: s.optional(s.list(s.string())),
  /** Addresses and CIDR blocks that may use the tokens; missing or empty: the role's. */
  tokenBoundCidrs: s.optional(s.list(s.string())),
}).with({
  index: ({ role, accessor }) => [accessorEntry(role, accessor)],
  expires: ({ expires }) => expires,
});
export type SecretId = RowOf<typeof secretIds>;

const keyOf = ({ role, digest }: Pick<SecretId, 'role' | 'digest'>): string => `${role}/${digest}`;

/** The secret IDs of roles, looked up by a digest with a key that never leaves this storage, like tokens. */
export class SecretIds {
  readonly #storage: Storage;
  readonly #entries: IndexedTable<SecretId>;
  readonly #parts: EngineParts;

  constructor(parts: EngineParts) {
    this.#storage = parts.storage;
    this.#entries = new IndexedTable(parts.storage, secretIds);
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
    await this.#entries.forEachExpired(this.#now(), (expired) => this.remove(expired));
    await this.#put(entry);
    return entry;
  }

  find(role: string, secretId: string): SecretId | undefined {
    if (this.#storage.get(saltKey) === undefined) return undefined;
    const entry = this.#entries.get(keyOf({ role, digest: this.#digest(secretId) }));
    return entry && !this.#isExpired(entry) ? entry : undefined;
  }

  byAccessor(role: string, accessor: string): SecretId | undefined {
    const [entry] = this.#entries.withEntry(accessorEntry(role, accessor));
    return entry && !this.#isExpired(entry) ? entry : undefined;
  }

  async forRole(role: string): Promise<SecretId[]> {
    const all = await this.#entries.list(keyOf({ role, digest: '' }));
    return filterInSlices(all, (each) => !this.#isExpired(each));
  }

  /** Removes the secret IDs of a role, together with other changes. */
  async removeAll(role: string, others: readonly Change[]): Promise<void> {
    const keys = this.#entries.keys(keyOf({ role, digest: '' }));
    await this.#entries.write(await mapInSlices(keys, (key) => [key, undefined] as const), others);
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
    await this.#entries.write(entries.map((entry) => [keyOf(entry), undefined]));
  }

  async #ensureSalt(): Promise<void> {
    if (this.#storage.get(saltKey) !== undefined) return;
    const salt = Buffer.from(this.#parts.random(32)).toString('base64');
    await this.#storage.write([{ key: saltKey, value: salt }]);
  }

  #now(): number {
    return Math.floor(this.#parts.clock().getTime() / 1000);
  }

  #isExpired({ expires }: SecretId): boolean {
    return expires !== null && expires <= this.#now();
  }

  #digest(secretId: string): string {
    return createHmac('sha256', String(this.#storage.get(saltKey)))
      .update(secretId)
      .digest('hex');
  }

  async #put(entry: SecretId): Promise<void> {
    await this.#entries.write([[keyOf(entry), entry]]);
  }
}

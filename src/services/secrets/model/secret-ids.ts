import { createHmac } from 'node:crypto';
import { type Json, parseJson } from '../../../wire/json.ts';
import type { Storage } from '../../core/store/storage.ts';
import { SecretsError } from '../engine.ts';
import { mapField } from '../fields.ts';
import { uuidOf } from '../uuid-of.ts';
import type { AuthMethodParts } from './mounts.ts';

/** A stored secret ID, without the secret ID itself. Times are unix seconds. */
export interface SecretId {
  readonly role: string;
  readonly digest: string;
  readonly accessor: string;
  /** Uses left; 0: unlimited. */
  readonly uses: number;
  readonly ttl: number;
  readonly created: number;
  readonly expires: number | null;
  readonly metadata: Readonly<Record<string, string>>;
}

/**
 * The secret IDs of roles. They are looked up by a digest with a key that never leaves this storage, like
 * tokens.
 */
export class SecretIds {
  readonly #storage: Storage;
  readonly #parts: AuthMethodParts;

  constructor(parts: AuthMethodParts) {
    this.#storage = parts.storage;
    this.#parts = parts;
  }

  /** @throws SecretsError 400: the role already has this secret ID */
  async create(
    role: string,
    secretId: string,
    attributes: Pick<SecretId, 'uses' | 'ttl' | 'metadata'>,
  ): Promise<SecretId> {
    await this.#ensureSalt();
    if (this.find(role, secretId)) throw new SecretsError(400, 'SecretID is already registered');
    const created = this.#now();
    const entry: SecretId = {
      ...attributes,
      role,
      digest: this.#digest(secretId),
      accessor: uuidOf(this.#parts.random(16)),
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
    const entry = this.#get(`${role}/${this.#digest(secretId)}`);
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
    await this.#storage.write(entries.map(({ role, digest }) => ({ key: `id/${role}/${digest}` })));
  }

  show(entry: SecretId): Readonly<Record<string, Json>> {
    return {
      secret_id_accessor: entry.accessor,
      secret_id_num_uses: entry.uses,
      secret_id_ttl: entry.ttl,
      creation_time: new Date(entry.created * 1000).toISOString(),
      expiration_time:
        entry.expires === null ? '0001-01-01T00:00:00Z' : new Date(entry.expires * 1000).toISOString(),
      metadata: { ...entry.metadata },
    };
  }

  /** The metadata of a new secret ID: an object, or its JSON text. @throws SecretsError 400 */
  metadataOf(data: Readonly<Record<string, Json>>): Readonly<Record<string, string>> {
    if (typeof data.metadata !== 'string') return mapField(data, 'metadata') ?? {};
    try {
      return mapField({ metadata: parseJson(data.metadata) }, 'metadata') ?? {};
    } catch (error) {
      throw error instanceof SecretsError ? error : new SecretsError(400, 'metadata is not a JSON object');
    }
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
    const prefix = `id/${role}/`;
    return this.#storage.keys(prefix).flatMap((key) => this.#get(key.slice('id/'.length)) ?? []);
  }

  #get(key: string): SecretId | undefined {
    return this.#storage.get(`id/${key}`) as unknown as SecretId | undefined;
  }

  async #put(entry: SecretId): Promise<void> {
    const key = `id/${entry.role}/${entry.digest}`;
    await this.#storage.write([{ key, value: { ...entry } as unknown as Json }]);
  }
}

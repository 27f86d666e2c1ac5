import type { ModelParts } from '../../core/http/http-service.ts';
import * as s from '../../core/schema/types.ts';
import { checkTables, type RowOf, table } from '../../core/store/table.ts';
import { uuid } from '../../core/uuid.ts';
import { badRequest } from '../errors.ts';

const metadataSchema = s.map(s.string());
type Metadata = s.Stored<typeof metadataSchema>;

/** A login name of an entity at an auth method. Times are in RFC 3339 format. */
const aliasSchema = s.object({
  id: s.string(),
  /** The accessor of the auth method's mount, e.g. `auth_userpass_1a2b3c4d`. */
  mountAccessor: s.string(),
  name: s.string(),
  /** From the auth method, at the last login. */
  metadata: metadataSchema,
  /** Set through the API. */
  customMetadata: metadataSchema,
  created: s.string(),
  updated: s.string(),
});
export type Alias = s.Stored<typeof aliasSchema>;

const entities = table('entity/', {
  id: s.string(),
  name: s.string(),
  metadata: metadataSchema,
  /** Policies that are added to the policies of the entity's tokens. */
  policies: s.list(s.string()),
  disabled: s.boolean(),
  aliases: s.list(aliasSchema),
  created: s.string(),
  updated: s.string(),
}).with({
  lookups: ({ id, name, aliases }) =>
    [
      `name/${name.toLowerCase()}`,
      ...aliases.flatMap((alias) => [`alias/${alias.mountAccessor}/${alias.name}`, `alias-id/${alias.id}`]),
    ].map((key) => ({ key, value: id })),
});
export type EntityRecord = RowOf<typeof entities>;

/** The identity of a caller, independent of its token; identity templates expand to its fields. */
export interface Entity extends Pick<EntityRecord, 'id' | 'name' | 'metadata'> {
  /** One for each auth method that the entity has logged in with. */
  readonly aliases: readonly Pick<Alias, 'mountAccessor' | 'name' | 'metadata'>[];
}

type EntityFields = Partial<Pick<EntityRecord, 'name' | 'metadata' | 'policies' | 'disabled'>>;

/** The entities of a namespace: the identities of its callers, independent of the auth method. */
export class Identity {
  readonly #parts: ModelParts;

  constructor(parts: ModelParts) {
    checkTables(parts.storage, [entities]);
    this.#parts = parts;
  }

  entity(id: string): EntityRecord | undefined {
    return entities.get(this.#parts.storage, id);
  }

  byName(name: string): EntityRecord | undefined {
    return this.#findByKey(`name/${name.toLowerCase()}`);
  }

  byAlias(mountAccessor: string, name: string): EntityRecord | undefined {
    return this.#findByKey(`alias/${mountAccessor}/${name}`);
  }

  byAliasId(id: string): EntityRecord | undefined {
    return this.#findByKey(`alias-id/${id}`);
  }

  /** All entities, ordered by ID. */
  async all(): Promise<EntityRecord[]> {
    const snapshot = this.#parts.storage.snapshot();
    try {
      return await entities.list(snapshot);
    } finally {
      snapshot.release();
    }
  }

  /** @throws SecretsError 400: another entity has the name */
  async create(fields: EntityFields, aliases: readonly Alias[] = []): Promise<EntityRecord> {
    const now = this.#now();
    const entity: EntityRecord = {
      id: uuid(this.#parts.random),
      name: `entity_${Buffer.from(this.#parts.random(4)).toString('hex')}`,
      metadata: {},
      policies: [],
      disabled: false,
      ...fields,
      aliases,
      created: now,
      updated: now,
    };
    return this.#put(entity);
  }

  /** @throws SecretsError 400: another entity has the name */
  update(entity: EntityRecord, fields: EntityFields): Promise<EntityRecord> {
    return this.#put({ ...entity, ...fields }, entity);
  }

  async delete(entity: EntityRecord | undefined): Promise<void> {
    if (entity) await this.#parts.storage.write(entities.replace(entity.id, entity, undefined));
  }

  /** @throws SecretsError 400: it has an alias of the auth method already, or another entity has this one */
  addAlias(entity: EntityRecord, attributes: Pick<Alias, 'mountAccessor' | 'name' | 'customMetadata'>) {
    if (entity.aliases.some(({ mountAccessor }) => mountAccessor === attributes.mountAccessor))
      throw badRequest('Entity already has an alias for the given mount accessor');
    const alias = this.newAlias({ ...attributes, metadata: {} });
    return this.#put({ ...entity, aliases: [...entity.aliases, alias] }, entity);
  }

  /** Replaces or removes an alias. @throws SecretsError 400: another entity has it */
  updateAlias(entity: EntityRecord, id: string, updated: Alias | undefined): Promise<EntityRecord> {
    const now = this.#now();
    const aliases = entity.aliases.flatMap((alias) => {
      if (alias.id !== id) return [alias];
      return updated ? [{ ...updated, updated: now }] : [];
    });
    return this.#put({ ...entity, aliases }, entity);
  }

  newAlias(attributes: Pick<Alias, 'mountAccessor' | 'name' | 'metadata' | 'customMetadata'>): Alias {
    const now = this.#now();
    return { ...attributes, id: uuid(this.#parts.random), created: now, updated: now };
  }

  /** The entity of a login, created at the first one; its alias gets the metadata of this login. */
  async login(mountAccessor: string, name: string, metadata: Metadata): Promise<EntityRecord> {
    const entity = this.byAlias(mountAccessor, name);
    if (!entity) {
      return this.create({}, [this.newAlias({ mountAccessor, name, metadata, customMetadata: {} })]);
    }
    const alias = entity.aliases.find((each) => each.mountAccessor === mountAccessor);
    if (!alias || isSameMetadata(alias.metadata, metadata)) return entity;
    return this.updateAlias(entity, alias.id, { ...alias, metadata });
  }

  #now(): string {
    return this.#parts.clock().toISOString();
  }

  #findByKey(key: string): EntityRecord | undefined {
    const id = this.#parts.storage.get(key);
    return typeof id === 'string' ? this.entity(id) : undefined;
  }

  async #put(entity: EntityRecord, previous?: EntityRecord): Promise<EntityRecord> {
    const record: EntityRecord = { ...entity, updated: this.#now() };
    const isOther = (candidate: EntityRecord | undefined) =>
      candidate !== undefined && candidate.id !== entity.id;
    if (isOther(this.byName(entity.name))) throw badRequest('entity name is already in use');
    if (entity.aliases.some((alias) => isOther(this.byAlias(alias.mountAccessor, alias.name))))
      throw badRequest('alias is already tied to a different entity');
    await this.#parts.storage.write(entities.replace(record.id, previous, record));
    return record;
  }
}

function isSameMetadata(a: Metadata, b: Metadata): boolean {
  const names = Object.keys(a);
  return names.length === Object.keys(b).length && names.every((name) => a[name] === b[name]);
}

/** An entity as engines see it; metadata from the auth method overrides custom metadata. */
export function toEngineEntity({ id, name, metadata, aliases }: EntityRecord): Entity {
  return {
    id,
    name,
    metadata,
    aliases: aliases.map((alias) => ({
      mountAccessor: alias.mountAccessor,
      name: alias.name,
      metadata: { ...alias.customMetadata, ...alias.metadata },
    })),
  };
}

import type { Json } from '../../../wire/json.ts';
import type { Change, Storage } from '../../storage.ts';
import { type Entity, Refusal } from '../engine.ts';
import { uuidOf } from '../uuid.ts';

type Metadata = Readonly<Record<string, string>>;

/** A login name of an entity at an auth method. Times are in RFC 3339 format. */
export interface Alias {
  readonly id: string;
  /** The accessor of the auth method's mount. */
  readonly mountAccessor: string;
  readonly name: string;
  /** From the auth method, at the last login. */
  readonly metadata: Metadata;
  /** Set through the API. */
  readonly customMetadata: Metadata;
  readonly created: string;
  readonly updated: string;
}

/** A stored entity. */
export interface EntityRecord {
  readonly id: string;
  readonly name: string;
  readonly metadata: Metadata;
  /** Added to those of the entity's tokens. */
  readonly policies: readonly string[];
  readonly disabled: boolean;
  readonly aliases: readonly Alias[];
  readonly created: string;
  readonly updated: string;
}

type EntityFields = Partial<Pick<EntityRecord, 'name' | 'metadata' | 'policies' | 'disabled'>>;

interface IdentityParts {
  readonly storage: Storage;
  readonly random: (length: number) => Uint8Array;
  readonly clock: () => Date;
}

/** The entities of a namespace: the identities of its callers, independent of the auth method. */
export class Identity {
  readonly #storage: Storage;
  readonly #random: (length: number) => Uint8Array;
  readonly #clock: () => Date;

  constructor({ storage, random, clock }: IdentityParts) {
    this.#storage = storage;
    this.#random = random;
    this.#clock = clock;
  }

  entity(id: string): EntityRecord | undefined {
    return this.#storage.get(`entity/${id}`) as unknown as EntityRecord | undefined;
  }

  byName(name: string): EntityRecord | undefined {
    return this.#by(`name/${name.toLowerCase()}`);
  }

  byAlias(mountAccessor: string, name: string): EntityRecord | undefined {
    return this.#by(`alias/${mountAccessor}/${name}`);
  }

  byAliasId(id: string): EntityRecord | undefined {
    return this.#by(`alias-id/${id}`);
  }

  /** All entities, ordered by ID. */
  all(): EntityRecord[] {
    return this.#storage.keys('entity/').flatMap((key) => this.entity(key.slice('entity/'.length)) ?? []);
  }

  /** @throws Refusal 400: another entity has the name */
  async create(fields: EntityFields, aliases: readonly Alias[] = []): Promise<EntityRecord> {
    const now = this.#clock().toISOString();
    const entity: EntityRecord = {
      id: uuidOf(this.#random(16)),
      name: `entity_${Buffer.from(this.#random(4)).toString('hex')}`,
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

  /** @throws Refusal 400: another entity has the name */
  update(entity: EntityRecord, fields: EntityFields): Promise<EntityRecord> {
    return this.#put({ ...entity, ...fields }, entity);
  }

  async delete(entity: EntityRecord): Promise<void> {
    await this.#storage.write(keysOf(entity).map((key) => ({ key })));
  }

  /**
   * @throws Refusal 400: the entity already has an alias for the auth method, or another entity has this one
   */
  addAlias(
    entity: EntityRecord,
    facts: Pick<Alias, 'mountAccessor' | 'name' | 'customMetadata'>,
  ): Promise<EntityRecord> {
    if (entity.aliases.some(({ mountAccessor }) => mountAccessor === facts.mountAccessor)) {
      throw new Refusal(400, 'Entity already has an alias for the given mount accessor');
    }
    const alias = this.newAlias({ ...facts, metadata: {} });
    return this.#put({ ...entity, aliases: [...entity.aliases, alias] }, entity);
  }

  /** Replaces or removes an alias. @throws Refusal 400: another entity has it */
  changeAlias(entity: EntityRecord, id: string, changed: Alias | undefined): Promise<EntityRecord> {
    const now = this.#clock().toISOString();
    const aliases = entity.aliases.flatMap((alias) => {
      if (alias.id !== id) return [alias];
      return changed ? [{ ...changed, updated: now }] : [];
    });
    return this.#put({ ...entity, aliases }, entity);
  }

  newAlias(facts: Pick<Alias, 'mountAccessor' | 'name' | 'metadata' | 'customMetadata'>): Alias {
    const now = this.#clock().toISOString();
    return { ...facts, id: uuidOf(this.#random(16)), created: now, updated: now };
  }

  /** The entity of a login, created at the first one; its alias gets the metadata of this login. */
  async login(mountAccessor: string, name: string, metadata: Metadata): Promise<EntityRecord> {
    const entity = this.byAlias(mountAccessor, name);
    if (!entity) {
      return this.create({}, [this.newAlias({ mountAccessor, name, metadata, customMetadata: {} })]);
    }
    const alias = entity.aliases.find((each) => each.mountAccessor === mountAccessor);
    if (!alias || same(alias.metadata, metadata)) return entity;
    return this.changeAlias(entity, alias.id, { ...alias, metadata });
  }

  #by(key: string): EntityRecord | undefined {
    const id = this.#storage.get(key);
    return typeof id === 'string' ? this.entity(id) : undefined;
  }

  async #put(entity: EntityRecord, before?: EntityRecord): Promise<EntityRecord> {
    const kept: EntityRecord = { ...entity, updated: this.#clock().toISOString() };
    const others = (found: EntityRecord | undefined) => found !== undefined && found.id !== entity.id;
    if (others(this.byName(entity.name))) throw new Refusal(400, 'entity name is already in use');
    if (entity.aliases.some((alias) => others(this.byAlias(alias.mountAccessor, alias.name)))) {
      throw new Refusal(400, 'alias is already tied to a different entity');
    }
    const keys = new Set(keysOf(kept));
    const gone = before ? keysOf(before).filter((key) => !keys.has(key)) : [];
    const [own = '', ...index] = keys;
    await this.#storage.write([
      ...gone.map((key): Change => ({ key })),
      { key: own, value: { ...kept } as unknown as Json },
      ...index.map((key): Change => ({ key, value: kept.id })),
    ]);
    return kept;
  }
}

/** The storage key of an entity, followed by the keys of its lookup entries. */
function keysOf({ id, name, aliases }: EntityRecord): string[] {
  return [
    `entity/${id}`,
    `name/${name.toLowerCase()}`,
    ...aliases.flatMap((alias) => [`alias/${alias.mountAccessor}/${alias.name}`, `alias-id/${alias.id}`]),
  ];
}

function same(a: Metadata, b: Metadata): boolean {
  const names = Object.keys(a);
  return names.length === Object.keys(b).length && names.every((name) => a[name] === b[name]);
}

/** An entity as engines see it; metadata from the auth method overrides custom metadata. */
export function seenByEngines({ id, name, metadata, aliases }: EntityRecord): Entity {
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

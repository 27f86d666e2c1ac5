import { LanyardError } from '../errors.ts';
import { getOrCreate } from '../wire/maps.ts';
import { type Identity, identityText, type Kind, type Live, type Services } from './kind.ts';

/** Objects that files name by a key, and that their service reads by an ID that it assigns. */
interface IndexDefinition<Item> {
  /** All objects of a scope. */
  readonly list: (services: Services, scope: Identity['scope']) => Promise<readonly Item[]>;
  readonly keyOf: (item: Item) => string;
  readonly idOf: (item: Item) => string;
  /** @returns undefined: it does not exist. */
  readonly read: (services: Services, id: string) => Promise<Item | undefined>;
}

/** How a kind reads its objects. */
interface Reads<Item> {
  /** @param found the objects that have the key */
  readonly live: (
    services: Services,
    found: readonly Item[],
    identity: Identity,
  ) => Live | undefined | Promise<Live | undefined>;
  /** Where the index has an object; default: its identity. */
  readonly place?: (services: Services, identity: Identity) => Promise<Identity>;
  /** Lists have only a part of the fields. */
  readonly isListPartial?: boolean;
}

/** A list older than this is read again before an object is said not to exist. */
const maxAgeMs = 30_000;
const never = Number.NEGATIVE_INFINITY;

/** A list of a scope. */
interface Listed<Item> {
  readonly byKey: ReadonlyMap<string, readonly Item[]>;
  readonly byId: ReadonlyMap<string, Item>;
}

/** The objects of a scope, as far as they are known. */
interface Group<Item> {
  /** IDs of objects that this run wrote, by key. */
  readonly written: Map<string, string>;
  /** Objects that are not in the list, by ID. */
  readonly others: Map<string, Promise<Item | undefined>>;
  listed: Promise<Listed<Item>> | undefined;
  listedAt: number;
}

/**
 * Finds objects by their keys without a list for each: a scope is listed once for a run, and an object is read by its
 * ID (ADR 30). A run is one `Services`.
 */
export class IdIndex<Item> {
  readonly #definition: IndexDefinition<Item>;
  readonly #runs = new WeakMap<Services, Map<string, Group<Item>>>();

  constructor(definition: IndexDefinition<Item>) {
    this.#definition = definition;
  }

  /** For reads of many objects one after the other: the objects as they are in one list of each scope. */
  finder(services: Services): (identity: Identity) => Promise<readonly Item[]> {
    const lists = new Map<string, Promise<Listed<Item>>>();
    return async ({ scope, key }) => {
      const text = identityText({ scope, key: '' });
      const { byKey } = await getOrCreate(lists, text, () => this.#list(services, scope));
      return byKey.get(key) ?? [];
    };
  }

  /** The objects with a key as they are now; several, if the service permits that. */
  async find(services: Services, identity: Identity): Promise<readonly Item[]> {
    const { scope, key } = identity;
    const ids = await this.ids(services, identity);
    const [id] = ids;
    if (id === undefined) return [];
    if (ids.length > 1) return (await this.#list(services, scope)).byKey.get(key) ?? [];
    const item = await this.#definition.read(services, id);
    if (item !== undefined && this.#definition.keyOf(item) === key) return [item];
    this.#groupOf(services, scope).written.delete(key);
    return [];
  }

  /** The IDs of the objects with a key, which may have been deleted meanwhile. */
  async ids(services: Services, { scope, key }: Identity): Promise<readonly string[]> {
    const group = this.#groupOf(services, scope);
    const written = group.written.get(key);
    if (written !== undefined) return [written];
    const listed = group.listed ?? this.#listAgain(services, scope, group);
    if (!(await listed).byKey.has(key) && performance.now() - group.listedAt > maxAgeMs)
      this.#listAgain(services, scope, group);
    return ((await (group.listed ?? listed)).byKey.get(key) ?? []).map(this.#definition.idOf);
  }

  /** The listed object of a scope with an ID, for its names; undefined: the list does not have it. */
  async listed(services: Services, scope: Identity['scope'], id: string): Promise<Item | undefined> {
    const group = this.#groupOf(services, scope);
    return (await (group.listed ?? this.#listAgain(services, scope, group))).byId.get(id);
  }

  /** The IDs of the listed objects that fulfill a condition. */
  async listedIds(
    services: Services,
    scope: Identity['scope'],
    isChosen: (item: Item) => boolean,
  ): Promise<readonly string[]> {
    const group = this.#groupOf(services, scope);
    const { byId } = await (group.listed ?? this.#listAgain(services, scope, group));
    return [...byId].flatMap(([id, item]) => (isChosen(item) ? [id] : []));
  }

  /** The same; an object that the list does not have is read, once for a run. */
  async byId(services: Services, scope: Identity['scope'], id: string): Promise<Item | undefined> {
    const { others } = this.#groupOf(services, scope);
    const listed = await this.listed(services, scope, id);
    if (listed) return listed;
    const reading = getOrCreate(others, id, () => this.#definition.read(services, id));
    reading.catch(() => others.delete(id));
    return reading;
  }

  /** The reads of a kind. */
  reads({ live, place = async (_services, identity) => identity, isListPartial = false }: Reads<Item>) {
    const { idOf, read } = this.#definition;
    const reads: Required<Pick<Kind, 'read' | 'reader'>> = {
      read: async (services, identity) => {
        const found = await this.find(services, await place(services, identity));
        return live(services, found, identity);
      },
      reader: (services) => {
        const find = this.finder(services);
        return async (identity) => {
          const found = await find(await place(services, identity));
          const [first] = found;
          if (!isListPartial || !first) return live(services, found, identity);
          const complete = await read(services, idOf(first));
          return live(services, complete ? [complete] : [], identity);
        };
      },
    };
    return reads;
  }

  /**
   * Carries out a write. Where its effect is not known, nothing that was known of the scope is used afterwards.
   *
   * @param id of the object; of a new one from the response.
   */
  async write<Result>(
    services: Services,
    { scope, key }: Identity,
    id: string | ((result: Result) => string),
    send: () => Promise<Result>,
  ): Promise<Result> {
    const group = this.#groupOf(services, scope);
    try {
      const result = await send();
      group.written.set(key, typeof id === 'string' ? id : id(result));
      return result;
    } catch (error) {
      const status = error instanceof LanyardError ? (error.status ?? 0) : 0;
      if (status < 400 || status >= 500) {
        group.written.delete(key);
        group.listed = undefined;
        group.listedAt = never;
      }
      throw error;
    }
  }

  #groupOf(services: Services, scope: Identity['scope']): Group<Item> {
    const groups = getOrCreate(this.#runs, services, () => new Map<string, Group<Item>>());
    const none = (): Group<Item> => ({
      written: new Map(),
      others: new Map(),
      listed: undefined,
      listedAt: never,
    });
    return getOrCreate(groups, identityText({ scope, key: '' }), none);
  }

  #listAgain(services: Services, scope: Identity['scope'], group: Group<Item>) {
    const listing = this.#list(services, scope);
    group.listed = listing;
    group.listedAt = performance.now();
    listing.catch(() => {
      if (group.listed !== listing) return;
      group.listed = undefined;
      group.listedAt = never;
    });
    return listing;
  }

  async #list(services: Services, scope: Identity['scope']): Promise<Listed<Item>> {
    const { list, keyOf, idOf } = this.#definition;
    const items = await list(services, scope);
    return { byKey: Map.groupBy(items, keyOf), byId: new Map(items.map((item) => [idOf(item), item])) };
  }
}

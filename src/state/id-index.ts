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

/** A list older than this is read again before an object is said not to exist. */
const maxAgeMs = 30_000;
const never = Number.NEGATIVE_INFINITY;

/** The objects of a scope, as far as they are known. */
interface Group<Item> {
  /** IDs of objects that this run wrote, by key. */
  readonly written: Map<string, string>;
  listed: Promise<ReadonlyMap<string, readonly Item[]>> | undefined;
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
    const lists = new Map<string, Promise<ReadonlyMap<string, readonly Item[]>>>();
    return async ({ scope, key }) => {
      const text = identityText({ scope, key: '' });
      const listed = await getOrCreate(lists, text, () => this.#list(services, scope));
      return listed.get(key) ?? [];
    };
  }

  /** The objects with a key as they are now; several, if the service permits that. */
  async find(services: Services, identity: Identity): Promise<readonly Item[]> {
    const { scope, key } = identity;
    const ids = await this.ids(services, identity);
    const [id] = ids;
    if (id === undefined) return [];
    if (ids.length > 1) return (await this.#list(services, scope)).get(key) ?? [];
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
    if (!(await listed).has(key) && performance.now() - group.listedAt > maxAgeMs)
      this.#listAgain(services, scope, group);
    return ((await (group.listed ?? listed)).get(key) ?? []).map(this.#definition.idOf);
  }

  /** The reads of a kind. @param only the object that a key means, of those that have it */
  reads(
    only: (found: readonly Item[], identity: Identity) => Live | undefined,
  ): Required<Pick<Kind, 'read' | 'reader'>> {
    return {
      read: async (services, identity) => only(await this.find(services, identity), identity),
      reader: (services) => {
        const find = this.finder(services);
        return async (identity) => only(await find(identity), identity);
      },
    };
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
    const none = (): Group<Item> => ({ written: new Map(), listed: undefined, listedAt: never });
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

  async #list(services: Services, scope: Identity['scope']): Promise<ReadonlyMap<string, readonly Item[]>> {
    return Map.groupBy(await this.#definition.list(services, scope), this.#definition.keyOf);
  }
}

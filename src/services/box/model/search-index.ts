import { getOrCreate } from '../../../wire/maps.ts';
import { forEachInSlices } from '../../core/in-slices.ts';
import { mergedPage, mergedValues } from '../../core/store/merged-keys.ts';
import { observedStorage } from '../../core/store/observed-storage.ts';
import { SortedMap } from '../../core/store/sorted-map.ts';
import type { Change, Storage } from '../../core/store/storage.ts';
import { type Box, boxes, currentVersion, downloadsOf, downloadsPrefix } from './boxes.ts';

export const sortFields = ['downloads', 'created', 'updated'] as const;
export const sortOrders = ['desc', 'asc'] as const;
type Order = `${(typeof sortFields)[number]} ${(typeof sortOrders)[number]}`;

const allOrders = sortFields.flatMap((field) => sortOrders.map((order): Order => `${field} ${order}`));

/** Boxes by the keys of each order. */
type Group = Readonly<Record<Order, SortedMap<string>>>;

const newGroup = (): Group =>
  Object.fromEntries(allOrders.map((order) => [order, new SortedMap<string>()])) as Group;

interface Place {
  readonly group: Group;
  readonly keys: Readonly<Record<Order, string>>;
}

const digits = 16;

/** Keys that order boxes by a field, and equal boxes by their names in either direction. */
function orderKeys(storage: Storage, box: Box, boxKey: string): Place['keys'] {
  const values = {
    downloads: downloadsOf(storage, box),
    created: Date.parse(box.createdAt),
    updated: Date.parse(box.updatedAt),
  };
  const keys = sortFields.flatMap((field) => {
    const keyOf = (value: number) => `${String(value).padStart(digits, '0')} ${boxKey}`;
    return [
      [`${field} desc`, keyOf(10 ** (digits - 1) - values[field])],
      [`${field} asc`, keyOf(values[field])],
    ];
  });
  return Object.fromEntries(keys);
}

/**
 * An index in memory of the boxes of a storage that have a released version, in the orders of a search: a page is found
 * without visiting the boxes before it.
 */
export class SearchIndex {
  /** The index follows its changes. */
  readonly storage: Storage;
  readonly #public = newGroup();
  /** By owner. */
  readonly #private = new Map<string, Group>();
  readonly #places = new Map<string, Place>();

  /** @param base no other code may write to its boxes */
  constructor(base: Storage) {
    this.storage = observedStorage(base, (changes, durable) => this.#follow(changedBoxes(changes), durable));
    for (const key of boxes.keys(base)) this.#update(key);
  }

  get privateOwners(): Iterable<string> {
    return this.#private.keys();
  }

  /** A page of public boxes and the private ones of some owners. */
  page(owners: readonly string[], order: Order, offset: number, limit: number): Box[] {
    return mergedPage(this.#maps(owners, order), offset, limit).flatMap((key) => this.#boxOf(key));
  }

  /** The public boxes and the private ones of some owners, in order. */
  *all(owners: readonly string[], order: Order): Generator<Box> {
    for (const key of mergedValues(this.#maps(owners, order))) yield* this.#boxOf(key);
  }

  async #follow(keys: readonly string[], durable: Promise<void>): Promise<void> {
    const update = () => forEachInSlices(keys, (key) => this.#update(key));
    try {
      await Promise.all([update(), durable]);
    } catch (error) {
      // The storage was rolled back to what is durable.
      await update();
      throw error;
    }
  }

  #maps(owners: readonly string[], order: Order): SortedMap<string>[] {
    return [this.#public, ...owners.flatMap((owner) => this.#private.get(owner) ?? [])].map(
      (group) => group[order],
    );
  }

  #boxOf(key: string): Box[] {
    const box = boxes.get(this.storage, key);
    return box ? [box] : [];
  }

  #update(key: string): void {
    const place = this.#places.get(key);
    if (place) for (const order of allOrders) place.group[order].put(place.keys[order], undefined);
    this.#places.delete(key);
    const box = boxes.get(this.storage, key);
    if (!box || !currentVersion(box)) return;
    const group = box.private ? getOrCreate(this.#private, box.owner, newGroup) : this.#public;
    const keys = orderKeys(this.storage, box, key);
    for (const order of allOrders) group[order].put(keys[order], key);
    this.#places.set(key, { group, keys });
  }
}

function changedBoxes(changes: readonly Change[]): string[] {
  return changes.flatMap(({ key }) => {
    const prefix = [boxes.prefix, downloadsPrefix].find((each) => key.startsWith(each));
    return prefix === undefined ? [] : [key.slice(prefix.length)];
  });
}

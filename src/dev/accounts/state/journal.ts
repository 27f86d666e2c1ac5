import type { Json } from '../../../wire/json.ts';
import type { Change, PagedStorage } from '../../storage.ts';

/** What every resource has; times are ISO 8601. */
export interface Resource {
  readonly id: string;
  /** From 1 on, one more with every change: an optimistic lock (docs/protocol/accounts.md#endpoints). */
  readonly version: number;
  readonly createdAt: string;
  readonly updatedAt: string;
  /** When it was made and last changed, counted in changes of the service. */
  readonly created: number;
  readonly changed: number;
}

/** The last thing that happened to a resource. */
export interface Entry {
  readonly id: string;
  readonly removed: boolean;
  /** When, ISO 8601; absent in data of earlier releases. */
  readonly at?: string;
}

/** Milliseconds that a removal is remembered, and that a list can be taken up again. */
export const memory = 30 * 24 * 60 * 60_000;
/** Removals that are forgotten with a new one: more than come in. */
const forgottenAtOnce = 4;

/** Entries that a walk reads in one go. */
export const readAtOnce = 64;

const sequenceKey = 'sequence';
const createdKey = (collection: string) => `created/${collection}/`;
const changedKey = (collection: string) => `changed/${collection}/`;
const countKey = (collection: string) => `counts/${collection}`;
const removedPrefix = 'removed/';

const digits = 16;
/** Orders from the highest number down. */
export const newestFirst = (sequence: number): string =>
  String(10 ** (digits - 1) - sequence).padStart(digits, '0');
/** The number of the change at a place. */
const sequenceAt = (place: string): number => 10 ** (digits - 1) - Number(place);
const oldestFirst = (sequence: number): string => String(sequence).padStart(digits, '0');

/** The number of the last change. */
export function lastChange(storage: PagedStorage): number {
  return Number(storage.get(sequenceKey) ?? 0);
}

/** How many resources a collection has. */
export function countOf(storage: PagedStorage, collection: string): number {
  return Number(storage.get(countKey(collection)) ?? 0);
}

/** So many resources of a collection, the newest first, from the place after one on; places are texts in order. */
export function byCreation(
  storage: PagedStorage,
  collection: string,
  after: string,
  most: number,
): [string, Entry][] {
  return walk(storage, createdKey(collection), after, most);
}

/** So many resources of a collection, the last changed first, removed ones among them. */
export function byChange(
  storage: PagedStorage,
  collection: string,
  after: string,
  most: number,
): [string, Entry][] {
  return walk(storage, changedKey(collection), after, most);
}

function walk(storage: PagedStorage, prefix: string, after: string, most: number): [string, Entry][] {
  const keys = storage.keysAfter(prefix, after === '' ? '' : prefix + after, most);
  return keys.map((key) => [key.slice(prefix.length), storage.get(key) as unknown as Entry]);
}

/**
 * The changes of a collection up to the one with a number that happened after a moment, the newest first.
 *
 * @param moment ISO 8601.
 */
export function* changesAfter(
  storage: PagedStorage,
  collection: string,
  { upTo, moment }: { readonly upTo: number; readonly moment: string },
): Generator<Entry & { readonly sequence: number }> {
  for (let from = newestFirst(upTo + 1); ; ) {
    const entries = byChange(storage, collection, from, readAtOnce);
    for (const [place, entry] of entries) {
      if (entry.at === undefined || entry.at <= moment) return;
      from = place;
      yield { ...entry, sequence: sequenceAt(place) };
    }
    if (entries.length < readAtOnce) return;
  }
}

/** Adds a resource to a collection, or changes it there. @returns the number of the change, and what to write */
export function kept(
  storage: PagedStorage,
  collection: string,
  { id, updatedAt }: Pick<Resource, 'id' | 'updatedAt'>,
  before: Resource | undefined,
): { readonly sequence: number; readonly changes: Change[] } {
  const sequence = lastChange(storage) + 1;
  const entry: Json = { id, removed: false, at: updatedAt };
  const changes: Change[] = [
    { key: sequenceKey, value: sequence },
    { key: changedKey(collection) + newestFirst(sequence), value: entry },
  ];
  if (before) changes.push({ key: changedKey(collection) + newestFirst(before.changed) });
  else {
    changes.push({ key: createdKey(collection) + newestFirst(sequence), value: entry });
    changes.push({ key: countKey(collection), value: countOf(storage, collection) + 1 });
  }
  return { sequence, changes };
}

/** Adds a new resource to a collection. @returns the resource with what every one tells of itself, and what to write */
export function begun<Draft extends Pick<Resource, 'id'>>(
  storage: PagedStorage,
  collection: string,
  draft: Draft,
  now: string,
) {
  const { sequence, changes } = kept(storage, collection, { id: draft.id, updatedAt: now }, undefined);
  const times = { createdAt: now, updatedAt: now, created: sequence, changed: sequence };
  return { resource: { ...draft, version: 1, ...times }, changes };
}

/** Takes a resource out of a collection; that it was removed is remembered for a while. */
export function removed(storage: PagedStorage, collection: string, before: Resource, now: Date): Change[] {
  const sequence = lastChange(storage) + 1;
  const place = changedKey(collection) + newestFirst(sequence);
  return [
    { key: sequenceKey, value: sequence },
    { key: createdKey(collection) + newestFirst(before.created) },
    { key: changedKey(collection) + newestFirst(before.changed) },
    { key: place, value: { id: before.id, removed: true, at: now.toISOString() } },
    { key: countKey(collection), value: countOf(storage, collection) - 1 },
    { key: removedPrefix + oldestFirst(sequence), value: { place, at: now.getTime() } },
    ...forgotten(storage, now),
  ];
}

function forgotten(storage: PagedStorage, now: Date): Change[] {
  return storage.keysAfter(removedPrefix, '', forgottenAtOnce).flatMap((key) => {
    const { place, at } = storage.get(key) as { place: string; at: number };
    return at < now.getTime() - memory ? [{ key }, { key: place }] : [];
  });
}

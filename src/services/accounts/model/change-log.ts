import type { Json } from '../../../wire/json.ts';
import type { Change, Storage } from '../../core/store/storage.ts';

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
export const retentionMs = 30 * 24 * 60 * 60_000;
/** Removals that are forgotten with a new one: more than come in. */
const pruneBatchSize = 4;

/** Entries that a walk reads in one go. */
export const readBatchSize = 64;

const sequenceKey = 'sequence';
const createdKey = (collection: string) => `created/${collection}/`;
const changedKey = (collection: string) => `changed/${collection}/`;
const countKey = (collection: string) => `counts/${collection}`;
const removedPrefix = 'removed/';

const digits = 16;
/** Orders from the highest number down. */
export const descendingKey = (sequence: number): string =>
  String(10 ** (digits - 1) - sequence).padStart(digits, '0');
/** The number of the change at a place. */
const sequenceOf = (orderKey: string): number => 10 ** (digits - 1) - Number(orderKey);
const ascendingKey = (sequence: number): string => String(sequence).padStart(digits, '0');

/** The number of the last change. */
export function lastSequence(storage: Storage): number {
  return Number(storage.get(sequenceKey) ?? 0);
}

/** How many resources a collection has. */
export function resourceCount(storage: Storage, collection: string): number {
  return Number(storage.get(countKey(collection)) ?? 0);
}

/** So many resources of a collection, the newest first, from the place after one on; places are texts in order. */
export function entriesByCreation(
  storage: Storage,
  collection: string,
  after: string,
  limit: number,
): [string, Entry][] {
  return readEntries(storage, createdKey(collection), after, limit);
}

/** So many resources of a collection, the last changed first, removed ones among them. */
export function entriesByChange(
  storage: Storage,
  collection: string,
  after: string,
  limit: number,
): [string, Entry][] {
  return readEntries(storage, changedKey(collection), after, limit);
}

function readEntries(storage: Storage, prefix: string, after: string, limit: number): [string, Entry][] {
  const keys = storage.keysAfter(prefix, after === '' ? '' : prefix + after, limit);
  return keys.map((key) => [key.slice(prefix.length), storage.get(key) as unknown as Entry]);
}

/**
 * The changes of a collection up to the one with a number that happened after a moment, the newest first.
 *
 * @param moment ISO 8601.
 */
export function* changesAfter(
  storage: Storage,
  collection: string,
  { upTo, moment }: { readonly upTo: number; readonly moment: string },
): Generator<Entry & { readonly sequence: number }> {
  for (let from = descendingKey(upTo + 1); ; ) {
    const entries = entriesByChange(storage, collection, from, readBatchSize);
    for (const [orderKey, entry] of entries) {
      if (entry.at === undefined || entry.at <= moment) return;
      from = orderKey;
      yield { ...entry, sequence: sequenceOf(orderKey) };
    }
    if (entries.length < readBatchSize) return;
  }
}

/** Adds a resource to a collection, or changes it there. @returns the number of the change, and what to write */
export function recordChange(
  storage: Storage,
  collection: string,
  { id, updatedAt }: Pick<Resource, 'id' | 'updatedAt'>,
  existing: Resource | undefined,
): { readonly sequence: number; readonly changes: Change[] } {
  const sequence = lastSequence(storage) + 1;
  const entry: Json = { id, removed: false, at: updatedAt };
  const changes: Change[] = [
    { key: sequenceKey, value: sequence },
    { key: changedKey(collection) + descendingKey(sequence), value: entry },
  ];
  if (existing) changes.push({ key: changedKey(collection) + descendingKey(existing.changed) });
  else {
    changes.push({ key: createdKey(collection) + descendingKey(sequence), value: entry });
    changes.push({ key: countKey(collection), value: resourceCount(storage, collection) + 1 });
  }
  return { sequence, changes };
}

/** Adds a new resource to a collection. @returns the resource with what every one tells of itself, and what to write */
export function recordCreation<Draft extends Pick<Resource, 'id'>>(
  storage: Storage,
  collection: string,
  draft: Draft,
  now: string,
) {
  const { sequence, changes } = recordChange(
    storage,
    collection,
    { id: draft.id, updatedAt: now },
    undefined,
  );
  const times = { createdAt: now, updatedAt: now, created: sequence, changed: sequence };
  return { resource: { ...draft, version: 1, ...times }, changes };
}

/** Takes a resource out of a collection; that it was removed is remembered for a while. */
export function recordRemoval(
  storage: Storage,
  collection: string,
  existing: Resource,
  now: Date,
): Change[] {
  const sequence = lastSequence(storage) + 1;
  const orderKey = changedKey(collection) + descendingKey(sequence);
  return [
    { key: sequenceKey, value: sequence },
    { key: createdKey(collection) + descendingKey(existing.created) },
    { key: changedKey(collection) + descendingKey(existing.changed) },
    { key: orderKey, value: { id: existing.id, removed: true, at: now.toISOString() } },
    { key: countKey(collection), value: resourceCount(storage, collection) - 1 },
    { key: removedPrefix + ascendingKey(sequence), value: { place: orderKey, at: now.getTime() } },
    ...pruneRemovals(storage, now),
  ];
}

function pruneRemovals(storage: Storage, now: Date): Change[] {
  return storage.keysAfter(removedPrefix, '', pruneBatchSize).flatMap((key) => {
    const { place: orderKey, at } = storage.get(key) as { place: string; at: number };
    return at < now.getTime() - retentionMs ? [{ key }, { key: orderKey }] : [];
  });
}

import type { Json } from '../../../wire/json.ts';
import type { Change, PagedStorage } from '../../core/store/storage.ts';

/** The common fields of resources; times are ISO 8601. */
export interface Resource {
  readonly id: string;
  /** From 1, incremented with every change: an optimistic lock (docs/protocol/accounts.md#endpoints). */
  readonly version: number;
  readonly createdAt: string;
  readonly updatedAt: string;
  /** The sequence numbers of its creation and last change. */
  readonly created: number;
  readonly changed: number;
}

/** The last change of a resource. */
export interface Entry {
  readonly id: string;
  readonly removed: boolean;
  /** ISO 8601; absent in data of earlier releases. */
  readonly at?: string;
}

/** Milliseconds for which removals are kept, and list tokens are valid. */
export const retentionMs = 30 * 24 * 60 * 60_000;
/** Old removals that are deleted with each new one: more than are added. */
const pruneBatchSize = 4;

/** Entries per read. */
export const readBatchSize = 64;

const sequenceKey = 'sequence';
const createdKey = (collection: string) => `created/${collection}/`;
const changedKey = (collection: string) => `changed/${collection}/`;
const countKey = (collection: string) => `counts/${collection}`;
const removedPrefix = 'removed/';

const digits = 16;
/** Sorts by descending number. */
export const descendingKey = (sequence: number): string =>
  String(10 ** (digits - 1) - sequence).padStart(digits, '0');
/** The sequence number of a key. */
const sequenceOf = (orderKey: string): number => 10 ** (digits - 1) - Number(orderKey);
const ascendingKey = (sequence: number): string => String(sequence).padStart(digits, '0');

export function lastSequence(storage: PagedStorage): number {
  return Number(storage.get(sequenceKey) ?? 0);
}

/** The number of resources in a collection. */
export function resourceCount(storage: PagedStorage, collection: string): number {
  return Number(storage.get(countKey(collection)) ?? 0);
}

/** A number of resources of a collection after a key, the newest first; keys are sortable texts. */
export function entriesByCreation(
  storage: PagedStorage,
  collection: string,
  after: string,
  limit: number,
): [string, Entry][] {
  return readEntries(storage, createdKey(collection), after, limit);
}

/** A number of resources of a collection, the last changed first, including removed ones. */
export function entriesByChange(
  storage: PagedStorage,
  collection: string,
  after: string,
  limit: number,
): [string, Entry][] {
  return readEntries(storage, changedKey(collection), after, limit);
}

function readEntries(storage: PagedStorage, prefix: string, after: string, limit: number): [string, Entry][] {
  const keys = storage.keysAfter(prefix, after === '' ? '' : prefix + after, limit);
  return keys.map((key) => [key.slice(prefix.length), storage.get(key) as unknown as Entry]);
}

/** The changes of a collection after a time, up to a sequence number, the newest first. @param moment ISO 8601. */
export function* changesAfter(
  storage: PagedStorage,
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

/** Adds a resource to a collection, or changes it. @returns the sequence number, and the changes to write */
export function recordChange(
  storage: PagedStorage,
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

/** Adds a new resource to a collection. @returns the resource with its common fields, and the changes to write */
export function recordCreation<Draft extends Pick<Resource, 'id'>>(
  storage: PagedStorage,
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

/** Removes a resource from a collection; the removal is kept for a while. */
export function recordRemoval(
  storage: PagedStorage,
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

function pruneRemovals(storage: PagedStorage, now: Date): Change[] {
  return storage.keysAfter(removedPrefix, '', pruneBatchSize).flatMap((key) => {
    const { place: orderKey, at } = storage.get(key) as { place: string; at: number };
    return at < now.getTime() - retentionMs ? [{ key }, { key: orderKey }] : [];
  });
}

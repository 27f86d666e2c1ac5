import * as s from '../../core/store/schema.ts';
import type { Change, Storage } from '../../core/store/storage.ts';
import { Table, table } from '../../core/store/table.ts';

/** Fields of every resource; times are ISO 8601. */
export const resourceFields = {
  id: s.string,
  /** Starts at 1 and increases with every change: an optimistic lock (docs/protocol/accounts.md#endpoints). */
  version: s.number,
  createdAt: s.string,
  updatedAt: s.string,
  /** Sequence numbers of its creation and of its last change. */
  created: s.number,
  changed: s.number,
};
const resource = s.object(resourceFields);
type Resource = s.TypeOf<typeof resource>;

/** The last change of a resource. */
const entrySchema = s.object({
  id: s.string,
  removed: s.boolean,
  /** Its time, ISO 8601; missing in data of earlier releases. */
  at: s.optional(s.string),
});
export type Entry = s.TypeOf<typeof entrySchema>;

/** By collection, ordered by creation and by last change, both descending. */
const entriesCreated = new Table('created/', entrySchema);
const entriesChanged = new Table('changed/', entrySchema);
/** Removals in order: the key of the entry, and the time in milliseconds of the epoch. */
const removals = table('removed/', { place: s.string, at: s.number });
export const changeLogTables = [entriesCreated, entriesChanged, removals];

/** Milliseconds that a removal is kept, and that a list can be continued. */
export const retentionMs = 30 * 24 * 60 * 60_000;
/** Removals that are deleted with a new one: more than are added. */
const pruneBatchSize = 4;

/** Entries read per batch. */
export const readBatchSize = 64;

const sequenceKey = 'sequence';
const countKey = (collection: string) => `counts/${collection}`;
const entryKey = (collection: string, sequence: number) => `${collection}/${descendingKey(sequence)}`;

const digits = 16;
/** A key that orders descending by number. */
export const descendingKey = (sequence: number): string =>
  String(10 ** (digits - 1) - sequence).padStart(digits, '0');
/** The number of the change with a key. */
const sequenceOf = (orderKey: string): number => 10 ** (digits - 1) - Number(orderKey);
const ascendingKey = (sequence: number): string => String(sequence).padStart(digits, '0');

export function lastSequence(storage: Storage): number {
  return Number(storage.get(sequenceKey) ?? 0);
}

/** Number of resources of a collection. */
export function resourceCount(storage: Storage, collection: string): number {
  return Number(storage.get(countKey(collection)) ?? 0);
}

/** At most `limit` resources of a collection after a key, the newest first, with their keys. */
export const entriesByCreation = (storage: Storage, collection: string, after: string, limit: number) =>
  entriesCreated.entriesAfter(storage, `${collection}/`, after, limit);
/** The same, the last changed first, including removed ones. */
export const entriesByChange = (storage: Storage, collection: string, after: string, limit: number) =>
  entriesChanged.entriesAfter(storage, `${collection}/`, after, limit);

/**
 * The changes of a collection after a point in time, up to the one with a sequence number, the newest first.
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

/** Records that a resource is created or changed. @returns the sequence number, and the changes to write */
export function recordChange(
  storage: Storage,
  collection: string,
  { id, updatedAt }: Pick<Resource, 'id' | 'updatedAt'>,
  existing: Resource | undefined,
): { readonly sequence: number; readonly changes: Change[] } {
  const sequence = lastSequence(storage) + 1;
  const entry = { id, removed: false, at: updatedAt };
  const changes: Change[] = [
    { key: sequenceKey, value: sequence },
    entriesChanged.put(entryKey(collection, sequence), entry),
  ];
  if (existing) changes.push(entriesChanged.remove(entryKey(collection, existing.changed)));
  else {
    changes.push(entriesCreated.put(entryKey(collection, sequence), entry));
    changes.push({ key: countKey(collection), value: resourceCount(storage, collection) + 1 });
  }
  return { sequence, changes };
}

/** Records that a resource is created. @returns the resource with its common fields, and the changes to write */
export function recordCreation<Draft extends Pick<Resource, 'id'>>(
  storage: Storage,
  collection: string,
  draft: Draft,
  now: string,
) {
  const { sequence, changes } = recordChange(storage, collection, { ...draft, updatedAt: now }, undefined);
  const times = { createdAt: now, updatedAt: now, created: sequence, changed: sequence };
  return { resource: { ...draft, version: 1, ...times }, changes };
}

/** Records that a resource is removed; the record is kept for `retentionMs`. @returns the changes to write */
export function recordRemoval(storage: Storage, collection: string, existing: Resource, now: Date): Change[] {
  const sequence = lastSequence(storage) + 1;
  const entry = { id: existing.id, removed: true, at: now.toISOString() };
  const removal = entriesChanged.put(entryKey(collection, sequence), entry);
  return [
    { key: sequenceKey, value: sequence },
    entriesCreated.remove(entryKey(collection, existing.created)),
    entriesChanged.remove(entryKey(collection, existing.changed)),
    removal,
    { key: countKey(collection), value: resourceCount(storage, collection) - 1 },
    removals.put(ascendingKey(sequence), { place: removal.key, at: now.getTime() }),
    ...pruneRemovals(storage, now),
  ];
}

function pruneRemovals(storage: Storage, now: Date): Change[] {
  return removals
    .entriesAfter(storage, '', '', pruneBatchSize)
    .filter(([, { at }]) => at < now.getTime() - retentionMs)
    .flatMap(([key, { place }]) => [removals.remove(key), { key: place }]);
}

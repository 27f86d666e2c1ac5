import { type Check, checkOf } from '../../core/schema/matches.ts';
import * as s from '../../core/schema/types.ts';
import type { Change, Storage } from '../../core/store/storage.ts';
import { Table, table, tableOf } from '../../core/store/table.ts';

/** Fields of every resource; times are ISO 8601. */
const resourceFields = {
  id: s.string(),
  /** Starts at 1 and increases with every change: an optimistic lock (docs/protocol/accounts.md#endpoints). */
  version: s.number(),
  createdAt: s.string(),
  updatedAt: s.string(),
  /** Sequence numbers of its creation and of its last change. */
  created: s.number(),
  changed: s.number(),
};
const resource = s.object(resourceFields);
type Resource = s.Stored<typeof resource>;

const entrySchema = s.object({
  id: s.string(),
  removed: s.boolean(),
  /** Its time, ISO 8601; missing in data of earlier releases. */
  at: s.optional(s.string()),
});
export type Entry = s.Stored<typeof entrySchema>;

/** By collection, ordered by creation and by last change, both descending. */
const entriesCreated = tableOf('created/', entrySchema);
const entriesChanged = tableOf('changed/', entrySchema);
/** Removals in order: the key of the entry, and the time in milliseconds of the epoch. */
const removals = table('removed/', { place: s.string(), at: s.number() });
export const changeLogTables = [entriesCreated, entriesChanged, removals];

/** Milliseconds that a removal is kept, and that a list can be continued. */
export const retentionMs = 30 * 24 * 60 * 60_000;
/** Removals that are deleted with a new one: more than are added. */
const pruneBatchSize = 4;

export const readBatchSize = 64;

const sequenceKey = 'sequence';
const countKey = (collection: string) => `counts/${collection}`;
const entryKey = (collection: string, sequence: number) => `${collection}/${descendingKey(sequence)}`;

const digits = 16;
/** A key that orders descending by number. */
export const descendingKey = (sequence: number): string =>
  String(10 ** (digits - 1) - sequence).padStart(digits, '0');
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
  const entries = eachEntry(entriesByChange, storage, collection, descendingKey(upTo + 1));
  for (const [orderKey, entry] of entries) {
    if (entry.at === undefined || entry.at <= moment) return;
    yield { ...entry, sequence: sequenceOf(orderKey) };
  }
}

/** The entries of a collection after a key, read in batches as they are taken. */
export function* eachEntry(
  read: typeof entriesByChange,
  storage: Storage,
  collection: string,
  after: string,
): Generator<[string, Entry]> {
  for (let from = after; ; ) {
    const entries = read(storage, collection, from, readBatchSize);
    yield* entries;
    if (entries.length < readBatchSize) return;
    from = entries.at(-1)?.[0] ?? '';
  }
}

type Logged = Pick<Resource, 'id' | 'created' | 'changed'>;

/** Changes that are written together, before an await. Each recorded change has a sequence number of its own. */
export class ChangeBatch {
  readonly storage: Storage;
  readonly #changes: Change[] = [];
  readonly #counts = new Map<string, number>();
  #sequence: number;

  constructor(storage: Storage) {
    this.storage = storage;
    this.#sequence = lastSequence(storage);
  }

  add(...changes: readonly Change[]): void {
    this.#changes.push(...changes);
  }

  /** Records that a resource is created (no `existing`) or changed. @returns the sequence number */
  recordChange(
    collection: string,
    { id, updatedAt }: Pick<Resource, 'id' | 'updatedAt'>,
    existing: Logged | undefined,
  ): number {
    const sequence = ++this.#sequence;
    const entry = { id, removed: false, at: updatedAt };
    this.add(entriesChanged.put(entryKey(collection, sequence), entry));
    if (existing) this.add(entriesChanged.remove(entryKey(collection, existing.changed)));
    else {
      this.add(entriesCreated.put(entryKey(collection, sequence), entry));
      this.#count(collection, 1);
    }
    return sequence;
  }

  /** Records that a resource is removed; the record is kept for `retentionMs`. */
  recordRemoval(collection: string, existing: Logged, now: Date): void {
    const sequence = ++this.#sequence;
    const entry = { id: existing.id, removed: true, at: now.toISOString() };
    const removal = entriesChanged.put(entryKey(collection, sequence), entry);
    this.add(
      entriesCreated.remove(entryKey(collection, existing.created)),
      entriesChanged.remove(entryKey(collection, existing.changed)),
      removal,
      removals.put(ascendingKey(sequence), { place: removal.key, at: now.getTime() }),
      ...pruneRemovals(this.storage, now),
    );
    this.#count(collection, -1);
  }

  write(): Promise<void> {
    const counts = [...this.#counts].map(([collection, value]) => ({ key: countKey(collection), value }));
    return this.storage.write([{ key: sequenceKey, value: this.#sequence }, ...counts, ...this.#changes]);
  }

  #count(collection: string, difference: number): void {
    const count = this.#counts.get(collection) ?? resourceCount(this.storage, collection);
    this.#counts.set(collection, count + difference);
  }
}

/** Writes what is added to a batch by `work`, which must not await. */
export async function writeBatch<Result>(
  storage: Storage,
  work: (batch: ChangeBatch) => Result extends PromiseLike<unknown> ? never : Result,
) {
  const batch = new ChangeBatch(storage);
  const result = work(batch);
  await batch.write();
  return result;
}

type Draft<Row> = Omit<Row, 'created' | 'changed'>;

/** A table of resources: each change is in the change log of its collection. */
export class ResourceTable<Row extends Resource> extends Table<Row> {
  readonly #collectionOf: (row: Draft<Row>) => string;

  constructor(prefix: string, isRow: Check<Row>, collectionOf: (row: Draft<Row>) => string) {
    super(prefix, isRow);
    this.#collectionOf = collectionOf;
  }

  /** Creates (no `existing`) or changes a resource. */
  write(batch: ChangeBatch, draft: Draft<Row>, existing: Row | undefined): Row {
    const changed = batch.recordChange(this.#collectionOf(draft), draft as Row, existing);
    const row = { ...draft, created: existing?.created ?? changed, changed } as Row;
    batch.add(...this.replace(row.id, existing, row));
    return row;
  }

  create(batch: ChangeBatch, draft: Omit<Row, Exclude<keyof Resource, 'id'>>, now: string): Row {
    return this.write(batch, { ...draft, version: 1, createdAt: now, updatedAt: now } as Row, undefined);
  }

  delete(batch: ChangeBatch, row: Row, now: Date): void {
    batch.recordRemoval(this.#collectionOf(row), row, now);
    batch.add(...this.replace(row.id, row, undefined));
  }
}

/** @param collectionOf the collection of a resource, in which it is listed */
export function resourceTable<const F extends s.Fields>(
  prefix: string,
  fields: F,
  collectionOf: (row: Draft<s.StoredFields<F> & Resource>) => string,
): ResourceTable<s.StoredFields<F> & Resource> {
  const isRow = checkOf(s.object({ ...resourceFields, ...fields }));
  return new ResourceTable(prefix, isRow as Check<s.StoredFields<F> & Resource>, collectionOf);
}

export const nextVersion = ({ version }: Pick<Resource, 'version'>, now: string) => ({
  version: version + 1,
  updatedAt: now,
});

function pruneRemovals(storage: Storage, now: Date): Change[] {
  return removals
    .entriesAfter(storage, '', '', pruneBatchSize)
    .filter(([, { at }]) => at < now.getTime() - retentionMs)
    .flatMap(([key, { place }]) => [removals.remove(key), { key: place }]);
}

import type { Json } from '../../wire/json.ts';
import { OrderedMap } from '../ordered.ts';
import type { Change, Storage } from '../storage.ts';
import { below } from '../store.ts';
import { unhurried } from '../unhurried.ts';

/** Separates an index entry from the key of its row; never part of an entry. */
const end = '\0';

/** Rows per batch. */
const part = 200;

/**
 * A storage with a secondary index: index entries, computed from the content of rows, find them in order
 * without a scan.
 */
export class MarkedStorage implements Storage {
  readonly #base: Storage;
  readonly #marksOf: (key: string, value: Json) => readonly string[];
  /** By index entry and key. */
  readonly #keys: OrderedMap<string>;
  readonly #marks = new Map<string, readonly string[]>();

  /** @param marksOf the index entries of a row; no other code may write to the base */
  constructor(base: Storage, marksOf: (key: string, value: Json) => readonly string[]) {
    this.#base = base;
    this.#marksOf = marksOf;
    const all = base.keys('');
    for (const key of all) this.#marks.set(key, this.#marksNow(key));
    this.#keys = OrderedMap.from(
      all.flatMap((key) => this.#marksAt(key).map((mark) => [mark + end + key, key] as const)),
    );
  }

  get(key: string): Json | undefined {
    return this.#base.get(key);
  }

  keys(prefix: string): string[] {
    return this.#base.keys(prefix);
  }

  async write(changes: readonly Change[]): Promise<void> {
    const durable = this.#base.write(changes);
    for (const { key } of changes) this.#mark(key);
    try {
      await durable;
    } catch (error) {
      // The underlying storage was rolled back to what is durable.
      for (const { key } of changes) this.#mark(key);
      throw error;
    }
  }

  below(prefix: string): Storage {
    return below(this, prefix);
  }

  /** Keys of the rows with an index entry, in order. */
  marked(mark: string): string[] {
    return this.#keys.keys(mark + end).flatMap((each) => this.#keys.get(each) ?? []);
  }

  /** The first index entry that begins with `prefix`. */
  firstMark(prefix: string): string | undefined {
    return this.#keys.keys(prefix, undefined, 1).map(markIn)[0];
  }

  /** Keys of the rows whose entries begin with `prefix` and are not after `last`, in batches. */
  *markedUntil(prefix: string, last: string): Generator<string[]> {
    for (let after: string | undefined; ; ) {
      const some = this.#keys.keys(prefix, after, part);
      const within = some.filter((each) => markIn(each) <= last);
      if (within.length === 0) return;
      after = within.at(-1);
      yield within.flatMap((each) => this.#keys.get(each) ?? []);
    }
  }

  #mark(key: string): void {
    for (const mark of this.#marksAt(key)) this.#keys.put(mark + end + key, undefined);
    const marks = this.#marksNow(key);
    for (const mark of marks) this.#keys.put(mark + end + key, key);
    if (marks.length > 0) this.#marks.set(key, marks);
    else this.#marks.delete(key);
  }

  #marksAt(key: string): readonly string[] {
    return this.#marks.get(key) ?? [];
  }

  #marksNow(key: string): readonly string[] {
    const value = this.#base.get(key);
    return value === undefined ? [] : this.#marksOf(key, value);
  }
}

const markIn = (marked: string): string => marked.slice(0, marked.indexOf(end));

const ends = 'ends/';

/** The index entry for an expiry in unix seconds. These entries are ordered by time. */
export const endMark = (time: number): string => ends + String(Math.ceil(time)).padStart(16, '0');

/** The earliest expiry of a row, in unix seconds; infinity: no row expires. */
export function firstEnd(rows: MarkedStorage): number {
  const mark = rows.firstMark(ends);
  return mark === undefined ? Number.POSITIVE_INFINITY : Number(mark.slice(ends.length));
}

/**
 * Passes the keys of all expired rows to `end`, in batches, so that other work can run in between; a failure
 * does not stop later ones.
 * @throws the first error of `end`
 */
export async function eachEnded(
  rows: MarkedStorage,
  now: number,
  end: (keys: readonly string[]) => Promise<void>,
): Promise<void> {
  const failures: unknown[] = [];
  for await (const keys of unhurried(rows.markedUntil(ends, endMark(now)))) {
    await end(keys).catch((error: unknown) => failures.push(error));
  }
  if (failures.length > 0) throw failures[0];
}

import type { SignedCertificate } from './entry.ts';

/** An entry in its store. */
export interface StoredEntry {
  /** Day and name (`entryName`). */
  readonly name: string;
  /** Undefined: damaged, or not an entry. */
  readonly entry: SignedCertificate | undefined;
}

/** Some entries; `isPartial`: the token has no permission to read others. */
export interface EntryPage {
  readonly entries: readonly StoredEntry[];
  readonly isPartial: boolean;
}

/** The days that have entries, in order; `others`: the number of names that are not days. */
export interface DayPage {
  readonly days: readonly string[];
  readonly others: number;
  readonly isPartial: boolean;
}

/** Where the entries of a record are. Each is a key or secret of its own, so that writers never conflict. */
export interface RecordStore {
  /** Adds an entry; an existing one is never overwritten. @throws LanyardError also conflict: another one exists */
  add(name: string, entry: SignedCertificate): Promise<void>;
  listDays(): Promise<DayPage>;
  /** The entries of a day, in order. @param isWanted by the name within the day. */
  readDay(day: string, isWanted: (name: string) => boolean): Promise<EntryPage>;
  remove(name: string): Promise<void>;
}

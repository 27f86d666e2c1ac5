import type { Identity } from './kind.ts';
import type { StateSet } from './set.ts';
import type { Origin } from './targets.ts';

/** An object that belongs to a set. */
export interface Member {
  readonly kind: string;
  readonly scope: Identity['scope'];
  readonly key: string;
  /** Where it was written; undefined: the record is of an earlier version, and does not say it. */
  readonly origin?: Origin;
  /** Undefined: the kind has none, or the object was not read since it was created. */
  readonly uid?: string;
  /** Of kinds without marks, IDs and secrets: the object after the last apply. */
  readonly digest?: string;
  /** JSON pointers of the fields that the files stated. Never values. */
  readonly stated: readonly string[];
  /** What the files stated last, or the default of the kind. `protect`: no "apply --prune" deletes it. */
  readonly deletion: 'allow' | 'protect';
  readonly rotation?: number;
  /** Of objects with `values: unmanaged`: the version that the last apply saw. */
  readonly version?: string;
  /** The ID of the set that takes the object over: an apply of both sets is running, or was interrupted. */
  readonly movedTo?: string;
}

/** The process of an apply: whether it still runs can be seen on its machine. */
export interface Holder {
  /** Host and process, for messages. */
  readonly name: string;
  /** Identifies the machine and its processes since it was started; undefined: unknown. */
  readonly machine?: string;
  readonly pid?: number;
}

/** An apply that is running, or that was interrupted. */
export interface Started {
  readonly at: string;
  readonly holder: string;
  readonly machine?: string;
  readonly pid?: number;
  /** When another apply may take over. */
  readonly expires: string;
}

/** What a set owns: written before its first change, so that ownership survives an interruption. No values. */
export interface SetRecord {
  readonly id: string;
  readonly name: string;
  readonly generation: number;
  readonly targets: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly members: readonly Member[];
  readonly started?: Started;
  readonly finished?: string;
}

/** A record, and what a guarded write of it expects. */
export interface StoredRecord {
  readonly record: SetRecord;
  readonly version: string;
}

/** Where a record is stored. Writes are guarded: one that lost a race throws a conflict. */
export interface RecordStore {
  read(): Promise<StoredRecord | undefined>;
  /** @param version of the record that it replaces; undefined: it does not exist. @returns the new version */
  write(record: SetRecord, version: string | undefined): Promise<string>;
}

/** A set that is planned together with another one. */
export interface OtherSet {
  readonly set: StateSet;
  /** Undefined: it has none. */
  readonly record: SetRecord | undefined;
  /** The objects that its files state, by `objectId`. */
  readonly stated: ReadonlySet<string>;
}

/** An object of another set, whose files do not state it any more. */
export interface Move {
  readonly from: Pick<StateSet, 'id' | 'name'>;
  /** In the record of the other set; undefined: only its mark shows the owner. */
  readonly member: Member | undefined;
}

/** A member of a set that another one states. */
export interface Leaving {
  readonly member: Member;
  readonly to: Pick<StateSet, 'id' | 'name'>;
}

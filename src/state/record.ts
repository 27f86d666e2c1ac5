import { usage } from '../errors.ts';
import { type Json, parseJson } from '../wire/json.ts';
import { isObject } from '../wire/objects.ts';
import type { Identity } from './kind.ts';

/** An object that belongs to a set. */
export interface Member {
  readonly kind: string;
  readonly scope: Identity['scope'];
  readonly key: string;
  readonly uid?: string;
  /** JSON pointers of the fields that the files stated. Never values. */
  readonly stated: readonly string[];
  /** `allow`: "apply --prune" may delete it when no file states it any more. */
  readonly deletion: 'allow' | 'protect';
  readonly rotation?: number;
}

/** An apply that is running, or that was interrupted. */
export interface Started {
  readonly at: string;
  readonly holder: string;
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

/** Reads a record. @throws LanyardError usage: it is not one. */
export function parseRecord(text: string, place: string): SetRecord {
  let value: Json;
  try {
    value = parseJson(text);
  } catch {
    throw usage(`the record in ${place} is not valid JSON`);
  }
  if (!isObject(value) || typeof value.id !== 'string' || !Array.isArray(value.members))
    throw usage(`${place} has no record of a set`, {
      hint: 'Check spec.record of the document of kind Set.',
    });
  return value as unknown as SetRecord;
}

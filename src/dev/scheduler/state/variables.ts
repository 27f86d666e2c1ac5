import { formatDuration } from '../../../wire/duration.ts';
import { formatJson, parseJson } from '../../../wire/json.ts';
import type { Row } from '../../state/draft.ts';
import type { Indexes } from '../../state/indexed.ts';
import type { Vault } from '../../vault.ts';
import type { Draft, View } from './tables.ts';

/** Where a variable is. */
export interface Place {
  readonly Namespace: string;
  readonly Path: string;
}

/** Names and values. */
export type Items = { readonly [name: string]: string };

/** A variable as it is kept. */
export interface Variable extends Indexes {
  /** Nanoseconds of the epoch, in decimal: more than a number holds. */
  readonly CreateTime: string;
  readonly ModifyTime: string;
  /** Its items, which only the vault opens. */
  readonly Sealed: string;
}

/** What lets only its holder write a variable, until its time is over. */
export interface Lock {
  /** Who knows it is the holder. */
  readonly ID: string;
  /** Seconds. */
  readonly TTL: number;
  /** Seconds in which nobody can lock a variable whose lock ran out. */
  readonly LockDelay: number;
}

/** A variable as clients read it, less its items. */
export interface Metadata extends Place, Indexes {
  readonly CreateTime: bigint;
  readonly ModifyTime: bigint;
  readonly Lock?: { readonly TTL: string; readonly LockDelay: string };
}

/** Keys sort by namespace, then by path: a space comes before all that names are made of. */
export const keyAt = ({ Namespace, Path }: Place): string => `${Namespace} ${Path}`;

export function placeOf(key: string): Place {
  const at = key.indexOf(' ');
  return { Namespace: key.slice(0, at), Path: key.slice(at + 1) };
}

export function variableOf(view: View, place: Place): Variable | undefined {
  return view.get('variables', keyAt(place)) as (Row & Variable) | undefined;
}

export function lockOf(view: View, place: Place): Lock | undefined {
  return view.get('locks', keyAt(place)) as (Row & Lock) | undefined;
}

export function itemsOf(vault: Vault, place: Place, { Sealed }: Variable): Items {
  return parseJson(vault.open(keyAt(place), Sealed)) as Items;
}

/** A variable as lists show it; the ID of a lock is only its holder's to know. */
export function metadataOf(view: View, place: Place, variable: Variable): Metadata {
  const { CreateIndex, CreateTime, ModifyIndex, ModifyTime } = variable;
  const lock = lockOf(view, place);
  return {
    ...place,
    CreateIndex,
    CreateTime: BigInt(CreateTime),
    ModifyIndex,
    ModifyTime: BigInt(ModifyTime),
    ...(lock && { Lock: { TTL: formatDuration(lock.TTL), LockDelay: formatDuration(lock.LockDelay) } }),
  };
}

/** Puts a variable's items: a new one of its own even when they are what they were. */
export function putItems(draft: Draft, vault: Vault, place: Place, items: Items): Variable {
  return put(draft, place, vault.seal(keyAt(place), formatJson(items)));
}

/** Locks a variable or, without a lock, lets go of it; that changes it, its items stay. */
export function putLock(draft: Draft, place: Place, { Sealed }: Variable, lock: Lock | undefined): Variable {
  draft.put('locks', keyAt(place), lock && { ...lock });
  return put(draft, place, Sealed);
}

export function deleteVariable(draft: Draft, place: Place): void {
  draft.put('variables', keyAt(place), undefined);
  draft.put('locks', keyAt(place), undefined);
}

function put(draft: Draft, place: Place, Sealed: string): Variable {
  const before = variableOf(draft, place);
  const now = String(BigInt(draft.now) * 1_000_000n);
  const variable: Variable = {
    CreateIndex: before?.CreateIndex ?? draft.index,
    CreateTime: before?.CreateTime ?? now,
    ModifyIndex: draft.index,
    ModifyTime: now,
    Sealed,
  };
  draft.put('variables', keyAt(place), { ...variable });
  return variable;
}

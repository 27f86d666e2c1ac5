import { formatDuration } from '../../../wire/duration.ts';
import { formatJson, parseJson } from '../../../wire/json.ts';
import type { Indexes } from '../../core/state/put-with-indexes.ts';
import type { Row } from '../../core/state/transaction.ts';
import type { ValueEncryption } from '../../core/store/encryption.ts';
import type { Transaction, View } from './tables.ts';

/** Where a variable is. */
export interface VariablePath {
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
export interface Metadata extends VariablePath, Indexes {
  readonly CreateTime: bigint;
  readonly ModifyTime: bigint;
  readonly Lock?: { readonly TTL: string; readonly LockDelay: string };
}

/** Keys sort by namespace, then by path: a space comes before all that names are made of. */
export const variableKey = ({ Namespace, Path }: VariablePath): string => `${Namespace} ${Path}`;

export function parseVariableKey(key: string): VariablePath {
  const separatorIndex = key.indexOf(' ');
  return { Namespace: key.slice(0, separatorIndex), Path: key.slice(separatorIndex + 1) };
}

export function variableOf(view: View, variablePath: VariablePath): Variable | undefined {
  return view.get('variables', variableKey(variablePath)) as (Row & Variable) | undefined;
}

export function lockOf(view: View, variablePath: VariablePath): Lock | undefined {
  return view.get('locks', variableKey(variablePath)) as (Row & Lock) | undefined;
}

export function itemsOf(
  encryption: ValueEncryption,
  variablePath: VariablePath,
  { Sealed }: Variable,
): Items {
  return parseJson(encryption.decrypt(variableKey(variablePath), Sealed)) as Items;
}

/** A variable as lists show it; the ID of a lock is only its holder's to know. */
export function metadataOf(view: View, variablePath: VariablePath, variable: Variable): Metadata {
  const { CreateIndex, CreateTime, ModifyIndex, ModifyTime } = variable;
  const lock = lockOf(view, variablePath);
  return {
    ...variablePath,
    CreateIndex,
    CreateTime: BigInt(CreateTime),
    ModifyIndex,
    ModifyTime: BigInt(ModifyTime),
    ...(lock && { Lock: { TTL: formatDuration(lock.TTL), LockDelay: formatDuration(lock.LockDelay) } }),
  };
}

/** Puts a variable's items: a new one of its own even when they are what they were. */
export function putItems(
  transaction: Transaction,
  encryption: ValueEncryption,
  variablePath: VariablePath,
  items: Items,
): Variable {
  return putVariableRow(
    transaction,
    variablePath,
    encryption.encrypt(variableKey(variablePath), formatJson(items)),
  );
}

/** Locks a variable or, without a lock, lets go of it; that changes it, its items stay. */
export function putLock(
  transaction: Transaction,
  variablePath: VariablePath,
  { Sealed }: Variable,
  lock: Lock | undefined,
): Variable {
  transaction.put('locks', variableKey(variablePath), lock && { ...lock });
  return putVariableRow(transaction, variablePath, Sealed);
}

export function deleteVariable(transaction: Transaction, variablePath: VariablePath): void {
  transaction.put('variables', variableKey(variablePath), undefined);
  transaction.put('locks', variableKey(variablePath), undefined);
}

function putVariableRow(transaction: Transaction, variablePath: VariablePath, Sealed: string): Variable {
  const existing = variableOf(transaction, variablePath);
  const now = String(BigInt(transaction.now) * 1_000_000n);
  const variable: Variable = {
    CreateIndex: existing?.CreateIndex ?? transaction.index,
    CreateTime: existing?.CreateTime ?? now,
    ModifyIndex: transaction.index,
    ModifyTime: now,
    Sealed,
  };
  transaction.put('variables', variableKey(variablePath), { ...variable });
  return variable;
}

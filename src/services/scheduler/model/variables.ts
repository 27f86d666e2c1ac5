import { formatDuration } from '../../../wire/duration.ts';
import { formatJson, parseJson } from '../../../wire/json.ts';
import type { Indexes } from '../../core/state/put-with-indexes.ts';
import type { Row } from '../../core/state/transaction.ts';
import type { ValueEncryption } from '../../core/store/encryption.ts';
import type { Transaction, View } from './tables.ts';

/** Namespace and path of a variable. */
export interface VariablePath {
  readonly Namespace: string;
  readonly Path: string;
}

/** Names and values. */
export type Items = { readonly [name: string]: string };

/** A stored variable. */
export interface Variable extends Indexes {
  /** Nanoseconds since the epoch, in decimal: more than a number can hold. */
  readonly CreateTime: string;
  readonly ModifyTime: string;
  /** Its encrypted items. */
  readonly Sealed: string;
}

/** A lock, with which only its holder can write a variable until it expires. */
export interface Lock {
  /** A secret of the holder. */
  readonly ID: string;
  /** Seconds. */
  readonly TTL: number;
  /** Seconds for which an expired lock cannot be acquired. */
  readonly LockDelay: number;
}

/** A variable in lists, without its items. */
export interface Metadata extends VariablePath, Indexes {
  readonly CreateTime: bigint;
  readonly ModifyTime: bigint;
  readonly Lock?: { readonly TTL: string; readonly LockDelay: string };
}

/** Keys sort by namespace, then by path: a space precedes all characters of names. */
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

/** A variable in lists; the ID of its lock is not shown. */
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

/** Stores a variable's items, encrypted anew even if they are unchanged. */
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

/** Stores or removes the lock of a variable; its items do not change. */
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

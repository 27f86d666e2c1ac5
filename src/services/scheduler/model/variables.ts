import { formatDuration } from '../../../wire/duration.ts';
import { formatJson, parseJson } from '../../../wire/json.ts';
import { type Indexes, stateTable } from '../../core/state/state-table.ts';
import type { ValueEncryption } from '../../core/store/encryption.ts';
import * as s from '../../core/store/schema.ts';
import { type RowOf, table } from '../../core/store/table.ts';
import type { Transaction, View } from './tables.ts';

/** The namespace and path of a variable. */
export interface VariablePath {
  readonly Namespace: string;
  readonly Path: string;
}

/** Names and values. */
export type Items = { readonly [name: string]: string };

/** A stored variable. */
const variables = stateTable('variables/', {
  /** Nanoseconds of the epoch, in decimal: too large for a number. */
  CreateTime: s.string,
  ModifyTime: s.string,
  /** Its items, encrypted. */
  Sealed: s.string,
});
export type Variable = RowOf<typeof variables>;

/** A lock: until it expires, only its holder can write the variable. */
export const lockTable = table('locks/', {
  /** Known to the holder only. */
  ID: s.string,
  /** Seconds. */
  TTL: s.number,
  /** Seconds after expiry in which the variable cannot be locked. */
  LockDelay: s.number,
});
export type Lock = RowOf<typeof lockTable>;

export const variableTables = [variables, lockTable];

/** A variable as in responses, without its items. */
export interface Metadata extends VariablePath, Indexes {
  readonly CreateTime: bigint;
  readonly ModifyTime: bigint;
  readonly Lock?: { readonly TTL: string; readonly LockDelay: string };
}

/** Keys are ordered by namespace, then path: a space comes before all characters of names. */
export const variableKey = ({ Namespace, Path }: VariablePath): string => `${Namespace} ${Path}`;

export function parseVariableKey(key: string): VariablePath {
  const separatorIndex = key.indexOf(' ');
  return { Namespace: key.slice(0, separatorIndex), Path: key.slice(separatorIndex + 1) };
}

export const variableOf = (view: View, variablePath: VariablePath) =>
  variables.get(view, variableKey(variablePath));
export const lockOf = (view: View, variablePath: VariablePath) =>
  lockTable.get(view, variableKey(variablePath));

export function itemsOf(
  encryption: ValueEncryption,
  variablePath: VariablePath,
  { Sealed }: Variable,
): Items {
  return parseJson(encryption.decrypt(variableKey(variablePath), Sealed)) as Items;
}

/** A variable as in lists; the ID of its lock is not included. */
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

/** Writes a variable's items; identical items also change its indexes. */
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

/** Locks a variable or, without a lock, unlocks it; this changes its indexes, but not its items. */
export function putLock(
  transaction: Transaction,
  variablePath: VariablePath,
  { Sealed }: Variable,
  lock: Lock | undefined,
): Variable {
  const key = variableKey(variablePath);
  transaction.write(lock ? lockTable.put(key, lock) : lockTable.remove(key));
  return putVariableRow(transaction, variablePath, Sealed);
}

export function deleteVariable(transaction: Transaction, variablePath: VariablePath): void {
  const key = variableKey(variablePath);
  transaction.write(variables.remove(key), lockTable.remove(key));
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
  transaction.write(variables.put(variableKey(variablePath), variable));
  return variable;
}

import { formatDuration } from '../../../wire/duration.ts';
import { getOrCreate } from '../../../wire/maps.ts';
import * as s from '../../core/schema/types.ts';
import { stateTable } from '../../core/state/state-table.ts';
import type { ValueEncryption } from '../../core/store/encryption.ts';
import { type RowOf, table } from '../../core/store/table.ts';
import { stringMap } from '../string-map.ts';
import type { State, Transaction, View } from './tables.ts';

export interface VariablePath {
  readonly Namespace: string;
  readonly Path: string;
}

export type Items = { readonly [name: string]: string };

const variableTable = stateTable('variables/', {
  /** Nanoseconds of the epoch, in decimal: too large for a number. */
  CreateTime: s.string(),
  ModifyTime: s.string(),
  /** Its items, encrypted. */
  Sealed: s.string(),
});
export type Variable = RowOf<typeof variableTable>;

/** A lock: until it expires, only its holder can write the variable. */
export const lockTable = table('locks/', {
  /** Known to the holder only. */
  ID: s.string(),
  /** Seconds. */
  TTL: s.number(),
  /** Seconds after the time to live in which the variable stays locked, but the lock cannot be renewed. */
  LockDelay: s.number(),
});
export type Lock = RowOf<typeof lockTable>;

export const variableTables = [variableTable, lockTable];

const nanoseconds = s.int64('Nanoseconds of the Unix epoch.');

export const variableMetadata = s.named(
  'VariableMetadata',
  s.object(
    {
      Namespace: s.string(),
      Path: s.string(),
      CreateIndex: s.integer(),
      CreateTime: nanoseconds,
      ModifyIndex: s.integer(),
      ModifyTime: nanoseconds,
      Lock: s.optional(
        s.named(
          'VariableLock',
          s.object(
            {
              ID: s.string('ID of the lock, known to its holder.'),
              TTL: s.string('Time to live, a duration such as `15s`.'),
              LockDelay: s.string('Time in which the variable stays locked after the TTL.'),
            },
            'The lock of a variable. Visible to its holder and to management tokens.',
          ),
        ),
      ),
    },
    'A variable without its items.',
  ),
);
export type Metadata = s.Output<typeof variableMetadata>;

const items = s.optional(stringMap('Names and values; at most 16 KiB in total.'));

export const variableDetails = s.named('Variable', s.object({ ...variableMetadata.fields, Items: items }));

/** A variable in a request. */
export const variableInput = s.named(
  'Variable',
  s.object({
    Namespace: s.string('The namespace of the query has precedence.'),
    Path: s.string('Ignored: the path of the request counts.'),
    Items: items,
    Lock: s.optional(
      s.object({
        ID: s.string('ID of the lock; default: random. Required to release and renew.'),
        TTL: s.duration('Time to live, 10s to 24h: a duration, or nanoseconds; default: 15s.'),
        LockDelay: s.duration(
          'Time in which the variable stays locked after the TTL: a duration, or nanoseconds; default: 15s.',
        ),
      }),
    ),
    // Checked, although the service sets them.
    ...s.each(['CreateIndex', 'CreateTime', 'ModifyIndex', 'ModifyTime'], s.int64('Ignored.')),
  }),
);

/** Keys are ordered by namespace, then path: a space comes before all characters of names. */
export const variableKey = ({ Namespace, Path }: VariablePath): string => `${Namespace} ${Path}`;

export function parseVariableKey(key: string): VariablePath {
  const separatorIndex = key.indexOf(' ');
  return { Namespace: key.slice(0, separatorIndex), Path: key.slice(separatorIndex + 1) };
}

export const variableOf = (view: View, variablePath: VariablePath) =>
  variableTable.get(view, variableKey(variablePath));
/** At most `limit` variables below a key, by key, that come after another (empty: from the first). */
export const variablesAfter = (state: State, prefix: string, after: string, limit: number) =>
  state.rows('variables').entriesAfter(prefix, after, limit) as (readonly [string, Variable])[];
/** The same before another (empty: from the last), the last one first. */
export const variablesBefore = (state: State, prefix: string, before: string, limit: number) =>
  state
    .rows('variables')
    .keysBefore(prefix, before, limit)
    .map((key) => [key, variableTable.get(state.view, key) as Variable] as const);
export const lockOf = (view: View, variablePath: VariablePath) =>
  lockTable.get(view, variableKey(variablePath));

/** A variable as a filter sees it, with its lock if given. */
export function metadataOf(variablePath: VariablePath, variable: Variable, lock: Lock | undefined): Metadata {
  const { CreateIndex, CreateTime, ModifyIndex, ModifyTime } = variable;
  return {
    ...variablePath,
    CreateIndex,
    CreateTime: BigInt(CreateTime),
    ModifyIndex,
    ModifyTime: BigInt(ModifyTime),
    ...(lock && { Lock: lockView(lock) }),
  };
}

/**
 * A variable as in responses, in JSON; empty items are left out, as in Nomad. `JSON.stringify` would take four times as
 * long, because of the times, which are bigints.
 *
 * @param encodedItems in JSON; undefined: without them, as in lists
 */
export function encodeVariable(
  { Namespace, Path }: VariablePath,
  { CreateIndex, CreateTime, ModifyIndex, ModifyTime }: Variable,
  lock: Lock | undefined,
  encodedItems = emptyItems,
): string {
  const metadata = `"Namespace":${quoted(Namespace)},"Path":${quoted(Path)},"CreateIndex":${CreateIndex},"CreateTime":${CreateTime},"ModifyIndex":${ModifyIndex},"ModifyTime":${ModifyTime}`;
  const encodedLock = lock ? `,"Lock":${JSON.stringify(lockView(lock))}` : '';
  return `{${metadata}${encodedLock}${encodedItems === emptyItems ? '' : `,"Items":${encodedItems}`}}`;
}

/** Of the variables that were listed, their JSON without a lock. Every write of a variable makes another object. */
const listedVariables = new WeakMap<Variable, string>();

/** A variable as in lists, in JSON: encoded once, because most variables are unchanged between lists. */
export function encodeListed(variablePath: VariablePath, variable: Variable, lock: Lock | undefined): string {
  if (lock) return encodeVariable(variablePath, variable, lock);
  // One text instead of the parts that it was made of, which take twice the memory.
  const encode = () => Buffer.from(encodeVariable(variablePath, variable, undefined)).toString();
  return getOrCreate(listedVariables, variable, encode);
}

const emptyItems = '{}';
const needsNoEscape = /^[\w\-~/]*$/;
const quoted = (text: string): string => (needsNoEscape.test(text) ? `"${text}"` : JSON.stringify(text));

const lockView = ({ ID, TTL, LockDelay }: Lock) => ({
  ID,
  TTL: formatDuration(TTL),
  LockDelay: formatDuration(LockDelay),
});

/** Writes a variable's items, with a lock if given; identical items also change its indexes. */
export function putVariable(
  transaction: Transaction,
  encryption: ValueEncryption,
  variablePath: VariablePath,
  { encodedItems, lock }: { readonly encodedItems: string; readonly lock: Lock | undefined },
): Variable {
  const key = variableKey(variablePath);
  if (lock) transaction.write(lockTable.put(key, lock));
  const existing = variableOf(transaction, variablePath);
  const now = String(BigInt(transaction.now) * 1_000_000n);
  return putVariableRow(transaction, variablePath, {
    CreateIndex: existing?.CreateIndex ?? transaction.index,
    CreateTime: existing?.CreateTime ?? now,
    ModifyIndex: transaction.index,
    ModifyTime: now,
    Sealed: encryption.encrypt(key, encodedItems),
  });
}

/** Unlocks a variable; this changes its index, but neither its items nor its times. */
export function removeLock(transaction: Transaction, variablePath: VariablePath, variable: Variable) {
  transaction.write(lockTable.remove(variableKey(variablePath)));
  return putVariableRow(transaction, variablePath, { ...variable, ModifyIndex: transaction.index });
}

export function deleteVariable(transaction: Transaction, variablePath: VariablePath): void {
  const key = variableKey(variablePath);
  transaction.write(variableTable.remove(key), lockTable.remove(key));
}

function putVariableRow(transaction: Transaction, variablePath: VariablePath, variable: Variable): Variable {
  transaction.write(variableTable.put(variableKey(variablePath), variable));
  return variable;
}

import { isDeepStrictEqual } from 'node:util';
import { matchesIndex, withoutIndexes } from '../../core/state/state-table.ts';
import type { State, Transaction } from '../model/tables.ts';
import { entryKey, entryOf, entryTable } from './entries.ts';
import type { ConfigEntry, EntryKind } from './entry.ts';
import { rejectBrokenChains } from './graph.ts';

/**
 * Stores an entry; an unchanged one keeps its indexes.
 *
 * @param index check-and-set: the entry's index must be this one (0: it must not exist), unless nothing changes
 * @returns whether it is stored now
 * @throws ChainError a chain would no longer compile
 */
export function putEntry(state: State, entry: ConfigEntry, index: number | undefined): Promise<boolean> {
  const { Kind, Name } = entry;
  return applyChange(state, Kind, Name, (transaction) => {
    const existing = entryOf(transaction, Kind, Name);
    if (index !== undefined && !matchesIndex(existing, index))
      return existing !== undefined && isDeepStrictEqual(withoutIndexes(existing), entry);
    entryTable.write(transaction, entryKey(Kind, Name), entry);
    return true;
  });
}

/**
 * Deletes an entry, if it exists.
 *
 * @param index check-and-set: the index of the entry must be this one
 * @returns whether the entry does not exist now
 * @throws ChainError a chain would no longer compile
 */
export function deleteEntry(
  state: State,
  kind: EntryKind,
  name: string,
  index: number | undefined,
): Promise<boolean> {
  return applyChange(state, kind, name, (transaction) => {
    const existing = entryOf(transaction, kind, name);
    if (existing && index !== undefined && !matchesIndex(existing, index)) return false;
    if (existing) entryTable.delete(transaction, entryKey(kind, name));
    return true;
  });
}

/** Applies a change if its chains compile and no entry was written during that check. */
async function applyChange(
  state: State,
  kind: EntryKind,
  name: string,
  change: (transaction: Transaction) => boolean,
): Promise<boolean> {
  for (;;) {
    const index = state.indexOf('config');
    const trial = state.beginTransaction();
    if (!change(trial)) return false;
    if (trial.changed.size > 0) await rejectBrokenChains(trial, kind, name);
    if (state.indexOf('config') === index) return state.update(change);
  }
}

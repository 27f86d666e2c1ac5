import { matchesIndex } from '../../core/state/state-table.ts';
import type { State } from '../model/state.ts';
import type { Transaction } from '../model/tables.ts';
import { entryKey, entryOf, entryTable } from './entries.ts';
import type { ConfigEntry, EntryKind } from './entry.ts';
import { rejectBrokenChains } from './graph.ts';

/**
 * Puts an entry; one that is there already as it is keeps its indexes.
 *
 * @param index if given, only when the entry's index is this one (0: there is none yet)
 * @returns whether it was put
 * @throws ChainError a chain would not compile any more
 */
export function putEntry(state: State, entry: ConfigEntry, index: number | undefined): Promise<boolean> {
  const { Kind, Name } = entry;
  return applyChange(state, Kind, Name, (transaction) => {
    if (index !== undefined && !matchesIndex(entryOf(transaction, Kind, Name), index)) return false;
    entryTable.write(transaction, entryKey(Kind, Name), entry);
    return true;
  });
}

/**
 * Deletes an entry, if it is there.
 *
 * @param index if given, only when the entry's index is this one
 * @returns whether the entry is gone
 * @throws ChainError a chain would not compile any more
 */
export function deleteEntry(
  state: State,
  kind: EntryKind,
  name: string,
  index: number | undefined,
): Promise<boolean> {
  return applyChange(state, kind, name, (transaction) => {
    const existing = entryOf(transaction, kind, name);
    if (index !== undefined && (!existing || !matchesIndex(existing, index))) return false;
    if (existing) entryTable.delete(transaction, entryKey(kind, name));
    return true;
  });
}

/** Does the work once its chains were seen to compile, and no entry was written while they were looked at. */
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

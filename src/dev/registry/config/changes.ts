import { matchesIndex, putIndexed } from '../../state/indexed.ts';
import type { Draft } from '../state/draft.ts';
import type { State } from '../state/state.ts';
import { entryOf, keyOf } from './entries.ts';
import type { ConfigEntry, EntryKind } from './entry.ts';
import { refuseBrokenChains } from './graph.ts';

/**
 * Puts an entry; one that is there already as it is keeps its indexes.
 *
 * @param index if given, only when the entry's index is this one (0: there is none yet)
 * @returns whether it was put
 * @throws ChainRefusal a chain would not compile any more
 */
export function putEntry(state: State, entry: ConfigEntry, index: number | undefined): Promise<boolean> {
  const { Kind, Name } = entry;
  return changed(state, Kind, Name, (draft) => {
    if (index !== undefined && !matchesIndex(entryOf(draft, Kind, Name), index)) return false;
    putIndexed(draft, 'config', keyOf(Kind, Name), entry);
    return true;
  });
}

/**
 * Deletes an entry, if it is there.
 *
 * @param index if given, only when the entry's index is this one
 * @returns whether the entry is gone
 * @throws ChainRefusal a chain would not compile any more
 */
export function deleteEntry(
  state: State,
  kind: EntryKind,
  name: string,
  index: number | undefined,
): Promise<boolean> {
  return changed(state, kind, name, (draft) => {
    const before = entryOf(draft, kind, name);
    if (index !== undefined && (!before || !matchesIndex(before, index))) return false;
    if (before) draft.put('config', keyOf(kind, name), undefined);
    return true;
  });
}

/** Does the work once its chains were seen to compile, and no entry was written while they were looked at. */
async function changed(
  state: State,
  kind: EntryKind,
  name: string,
  work: (draft: Draft) => boolean,
): Promise<boolean> {
  for (;;) {
    const index = state.indexOf('config');
    const trial = state.draft();
    if (!work(trial)) return false;
    if (trial.changed.size > 0) await refuseBrokenChains(trial, kind, name);
    if (state.indexOf('config') === index) return state.change(work);
  }
}

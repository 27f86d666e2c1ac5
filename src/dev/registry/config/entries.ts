import type { Row } from '../../state/draft.ts';
import type { View } from '../state/draft.ts';
import type { EntriesByKind, EntryKind, EntrySource, StoredEntry } from './entry.ts';

/** Where an entry is kept in its table. */
export const keyOf = (kind: EntryKind, name: string): string => `${kind}/${name}`;

export function entryOf(view: View, kind: EntryKind, name: string): StoredEntry | undefined {
  return view.get('config', keyOf(kind, name)) as (Row & StoredEntry) | undefined;
}

/** The entries of a kind, by name. */
export function entriesOf(view: View, kind: EntryKind): StoredEntry[] {
  return view
    .keys('config', keyOf(kind, ''))
    .flatMap((key) => (view.get('config', key) as (Row & StoredEntry) | undefined) ?? []);
}

/** The entries of a view, as the compiler of chains looks them up. */
export function entrySource(view: View): EntrySource {
  return {
    entry: <Kind extends EntryKind>(kind: Kind, name: string) =>
      entryOf(view, kind, name) as unknown as EntriesByKind[Kind] | undefined,
  };
}

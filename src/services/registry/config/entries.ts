import type { Row } from '../../core/state/transaction.ts';
import type { View } from '../model/tables.ts';
import type { EntriesByKind, EntryKind, EntrySource, StoredEntry } from './entry.ts';

/** The key of an entry in its table. */
export const entryKey = (kind: EntryKind, name: string): string => `${kind}/${name}`;

export function entryOf(view: View, kind: EntryKind, name: string): StoredEntry | undefined {
  return view.get('config', entryKey(kind, name)) as (Row & StoredEntry) | undefined;
}

/** The entries of a kind, sorted by name. */
export function entriesOf(view: View, kind: EntryKind): StoredEntry[] {
  return view
    .keys('config', entryKey(kind, ''))
    .flatMap((key) => (view.get('config', key) as (Row & StoredEntry) | undefined) ?? []);
}

/** The lookup of entries for the chain compiler. */
export function entrySource(view: View): EntrySource {
  return {
    entry: <Kind extends EntryKind>(kind: Kind, name: string) =>
      entryOf(view, kind, name) as unknown as EntriesByKind[Kind] | undefined,
  };
}

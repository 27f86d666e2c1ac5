import { type Check, checkOf } from '../../core/schema/matches.ts';
import * as s from '../../core/schema/types.ts';
import { type Indexes, indexFields, StateTable } from '../../core/state/state-table.ts';
import { foldName } from '../fold-name.ts';
import type { View } from '../model/tables.ts';
import {
  type ConfigEntry,
  type EntriesByKind,
  type EntryKind,
  type EntrySource,
  entryKinds,
} from './entry.ts';

/** Fields that all entries have; the others were checked when the entry was decoded. */
const isEntry = checkOf(s.object({ Kind: s.oneOf(entryKinds), Name: s.string(), ...indexFields }));

export const entryTable = new StateTable('config/', isEntry as Check<ConfigEntry & Indexes>);

export const entryKey = (kind: EntryKind, name: string): string => `${kind}/${foldName(name)}`;

export const entryOf = (view: View, kind: EntryKind, name: string) =>
  entryTable.get(view, entryKey(kind, name));

export const entriesOf = (view: View, kind: EntryKind) => entryTable.list(view, entryKey(kind, ''));

/** The entries of a view, for the chain compiler. */
export function entrySource(view: View): EntrySource {
  return {
    entry: <Kind extends EntryKind>(kind: Kind, name: string) =>
      entryOf(view, kind, name) as EntriesByKind[Kind] | undefined,
  };
}

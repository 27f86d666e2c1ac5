import type { EntryKind, EntrySource } from '../config/entry.ts';
import { referencesOf } from '../config/references.ts';

const routingKinds = ['service-splitter', 'service-resolver'] as const;

/**
 * The entries that the chain of a service can use: its own and those of the services that these refer to in this
 * cluster. A service that is reached through a peer only has no entries here.
 */
export function loadedEntries(service: string, entries: EntrySource): EntrySource {
  const loaded = new Set([service]);
  const router = entries.entry('service-router', service);
  for (const reference of router ? referencesOf(router) : []) loaded.add(reference);
  // The iteration of a set includes elements that are added during it.
  for (const name of loaded) {
    for (const kind of routingKinds) {
      const entry = entries.entry(kind, name);
      for (const reference of entry ? referencesOf(entry) : []) loaded.add(reference);
    }
  }
  return {
    entry: <Kind extends EntryKind>(kind: Kind, name: string) =>
      kind === 'proxy-defaults' || loaded.has(name) ? entries.entry(kind, name) : undefined,
  };
}

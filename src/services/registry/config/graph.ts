import { yieldingIterator } from '../../core/yielding-iterator.ts';
import { compileChain } from '../chain/compile.ts';
import { foldName } from '../fold-name.ts';
import type { View } from '../model/tables.ts';
import { entryKey, entrySource, entryTable } from './entries.ts';
import { chainKinds, type EntryKind } from './entry.ts';
import { referencesOf } from './references.ts';

/**
 * Compiles every chain that an entry of this name is part of; proxy-defaults are part of all. This may take long for
 * thousands of chains, so the caller must check that no entry was written in the meantime.
 *
 * @throws ChainError one does not compile
 */
export async function rejectBrokenChains(view: View, kind: EntryKind, name: string): Promise<void> {
  const { chains, referrers } = await buildGraph(view);
  const affected = kind === 'proxy-defaults' ? chains.keys() : dependentsOf(foldName(name), referrers);
  const source = entrySource(view);
  for await (const service of yieldingIterator(affected)) {
    const name = chains.get(service);
    if (name !== undefined) {
      compileChain(
        { service: name, namespace: 'default', datacenter: checkedDatacenter, trustDomain: '' },
        source,
      );
    }
  }
}

/** Whether a chain compiles does not depend on the datacenter; error messages name this one. */
const checkedDatacenter = 'dc1';

interface Graph {
  /** Names of services whose chain has more than one resolver, by the folded name. */
  readonly chains: ReadonlyMap<string, string>;
  /** By service: the services whose entries refer to it, both folded. */
  readonly referrers: ReadonlyMap<string, readonly string[]>;
}

async function buildGraph(view: View): Promise<Graph> {
  const chains = new Map<string, string>();
  const referrers = new Map<string, string[]>();
  const keys = chainKinds.flatMap((kind) => entryTable.keys(view, entryKey(kind, '')));
  for await (const key of yieldingIterator(keys)) {
    const entry = entryTable.get(view, key);
    if (!entry) continue;
    const name = foldName(entry.Name);
    chains.set(name, entry.Name);
    for (const service of referencesOf(entry)) {
      const referred = foldName(service);
      const from = referrers.get(referred) ?? [];
      from.push(name);
      referrers.set(referred, from);
    }
  }
  return { chains, referrers };
}

/** The service, and all services whose chains reach it. */
function dependentsOf(service: string, referrers: Graph['referrers']): Set<string> {
  const dependents = new Set([service]);
  // The iteration of a set includes elements that are added during it.
  for (const reached of dependents) {
    for (const from of referrers.get(reached) ?? []) dependents.add(from);
  }
  return dependents;
}

import { yieldingIterator } from '../../core/yielding-iterator.ts';
import { compileChain } from '../chain/compile.ts';
import type { View } from '../model/tables.ts';
import { entryKey, entrySource, entryTable } from './entries.ts';
import { type ConfigEntry, chainKinds, type EntryKind } from './entry.ts';

/** The services that an entry leads to, its own not counted. */
export function referencesOf(entry: ConfigEntry): string[] {
  const references = referencedServices(entry).filter(
    (service) => service !== undefined && service !== entry.Name,
  );
  return [...new Set(references as string[])];
}

function referencedServices(entry: ConfigEntry): (string | undefined)[] {
  if (entry.Kind === 'service-router')
    return entry.Routes?.map(({ Destination }) => Destination?.Service) ?? [];
  if (entry.Kind === 'service-splitter') return entry.Splits?.map(({ Service }) => Service) ?? [];
  if (entry.Kind !== 'service-resolver') return [];
  const failovers = Object.values(entry.Failover ?? {}).flatMap(({ Service, Targets = [] }) => [
    Service,
    ...Targets.map((target) => target.Service),
  ]);
  return [entry.Redirect?.Service, ...failovers];
}

/**
 * Compiles every chain that an entry of this name has a part in; the proxies' defaults have one in all. There may be
 * thousands, and so it takes its time: who goes by what it finds sees to it that no entry was written meanwhile.
 *
 * @throws ChainError one does not compile
 */
export async function rejectBrokenChains(view: View, kind: EntryKind, name: string): Promise<void> {
  const { chains, referrers } = await buildGraph(view);
  const affected = kind === 'proxy-defaults' ? chains : dependentsOf(name, referrers);
  const source = entrySource(view);
  for await (const service of yieldingIterator(affected)) {
    if (chains.has(service)) {
      compileChain({ service, namespace: 'default', datacenter: anyDatacenter, trustDomain: '' }, source);
    }
  }
}

/** Whether a chain compiles does not depend on where it is compiled for. */
const anyDatacenter = 'any';

interface Graph {
  /** Services with entries that make their chain more than one resolver. */
  readonly chains: ReadonlySet<string>;
  /** By service, those whose entries name it. */
  readonly referrers: ReadonlyMap<string, readonly string[]>;
}

async function buildGraph(view: View): Promise<Graph> {
  const chains = new Set<string>();
  const referrers = new Map<string, string[]>();
  const keys = chainKinds.flatMap((kind) => entryTable.keys(view, entryKey(kind, '')));
  for await (const key of yieldingIterator(keys)) {
    const entry = entryTable.get(view, key);
    if (!entry) continue;
    chains.add(entry.Name);
    for (const service of referencesOf(entry)) {
      const from = referrers.get(service) ?? [];
      from.push(entry.Name);
      referrers.set(service, from);
    }
  }
  return { chains, referrers };
}

/** The service, and all from whose chains it can be reached. */
function dependentsOf(service: string, referrers: Graph['referrers']): Set<string> {
  const dependents = new Set([service]);
  // A set is walked in the order of its making, also over what is added on the way.
  for (const reached of dependents) {
    for (const from of referrers.get(reached) ?? []) dependents.add(from);
  }
  return dependents;
}

import type { Row } from '../../state/draft.ts';
import { unhurried } from '../../unhurried.ts';
import { compileChain } from '../chain/compile.ts';
import type { View } from '../state/draft.ts';
import { entrySource, keyOf } from './entries.ts';
import { type ConfigEntry, chainKinds, type EntryKind } from './entry.ts';

/** The services that an entry leads to, its own not counted. */
export function referencesOf(entry: ConfigEntry): string[] {
  const named = servicesIn(entry).filter((service) => service !== undefined && service !== entry.Name);
  return [...new Set(named as string[])];
}

function servicesIn(entry: ConfigEntry): (string | undefined)[] {
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
 * @throws ChainRefusal one does not compile
 */
export async function refuseBrokenChains(view: View, kind: EntryKind, name: string): Promise<void> {
  const { chains, leadingTo } = await graphOf(view);
  const concerned = kind === 'proxy-defaults' ? chains : backwards(name, leadingTo);
  const source = entrySource(view);
  for await (const service of unhurried(concerned)) {
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
  readonly leadingTo: ReadonlyMap<string, readonly string[]>;
}

async function graphOf(view: View): Promise<Graph> {
  const chains = new Set<string>();
  const leadingTo = new Map<string, string[]>();
  const keys = chainKinds.flatMap((kind) => view.keys('config', keyOf(kind, '')));
  for await (const key of unhurried(keys)) {
    const entry = view.get('config', key) as (Row & ConfigEntry) | undefined;
    if (!entry) continue;
    chains.add(entry.Name);
    for (const service of referencesOf(entry)) {
      const from = leadingTo.get(service) ?? [];
      from.push(entry.Name);
      leadingTo.set(service, from);
    }
  }
  return { chains, leadingTo };
}

/** The service, and all from whose chains it can be reached. */
function backwards(service: string, leadingTo: Graph['leadingTo']): Set<string> {
  const found = new Set([service]);
  // A set is walked in the order of its making, also over what is added on the way.
  for (const reached of found) {
    for (const from of leadingTo.get(reached) ?? []) found.add(from);
  }
  return found;
}

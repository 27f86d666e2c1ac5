import { forEachInSlices } from '../../core/in-slices.ts';
import { foldName } from '../fold-name.ts';
import {
  type Check,
  checksOfInstance,
  eachInstance,
  eachMeshInstance,
  type Instance,
  type Node,
  type Service,
} from '../model/catalog.ts';
import type { State, View } from '../model/tables.ts';

/** An instance of a service with the checks of its node and its own, which decide its health. */
export interface CheckedInstance {
  readonly Node: Node;
  readonly Service: Service;
  readonly Checks: readonly Check[];
  /** In lower case: queries ignore case. */
  readonly tags: ReadonlySet<string>;
}

/** The cached instances by service, all of one index of the catalog. */
interface InstanceCache {
  readonly index: number;
  readonly services: Map<string, Promise<readonly CheckedInstance[]>>;
}

const maxCachedServices = 128;

const caches = new WeakMap<State, InstanceCache>();

/**
 * The instances of a service, or the mesh-capable ones. They are cached until the catalog changes: collecting ten
 * thousand takes longer than any use of them.
 */
export function checkedInstances(
  state: State,
  service: string,
  mesh: boolean,
): Promise<readonly CheckedInstance[]> {
  const { services } = currentCache(state);
  const key = `${mesh ? 'mesh' : 'all'} ${foldName(service)}`;
  const cached =
    services.get(key) ??
    state.read((view) => collect(view, mesh ? eachMeshInstance(view, service) : eachInstance(view, service)));
  if (services.size >= maxCachedServices) services.clear();
  services.set(key, cached);
  return cached;
}

function currentCache(state: State): InstanceCache {
  const index = state.indexOf('nodes', 'services', 'checks');
  const cached = caches.get(state);
  if (cached?.index === index) return cached;
  const created = { index, services: new Map() };
  caches.set(state, created);
  return created;
}

/** What the rows of one moment have, in slices. */
async function collect(view: View, instances: Iterable<Instance | undefined>): Promise<CheckedInstance[]> {
  const collected: CheckedInstance[] = [];
  await forEachInSlices(instances, (each) => each && collected.push(toCheckedInstance(view, each)));
  return collected;
}

function toCheckedInstance(view: View, { node, service }: Instance): CheckedInstance {
  const { Node: _node, ...Service } = service;
  return {
    Node: node,
    Service,
    Checks: checksOfInstance(view, node.Node, service.ID),
    tags: new Set(service.Tags.map((tag) => tag.toLowerCase())),
  };
}

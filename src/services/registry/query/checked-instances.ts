import { yieldToEventLoop } from '../../core/yield-to-event-loop.ts';
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
import type { State } from '../model/state.ts';

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

/** Milliseconds of work after which it yields to other requests. */
const sliceMs = 4;

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
  const cached = services.get(key) ?? collectInstances(state, () => serviceInstances(state, service, mesh));
  if (services.size >= maxCachedServices) services.clear();
  services.set(key, cached);
  return cached;
}

function currentCache(state: State): InstanceCache {
  const index = catalogIndex(state);
  const cached = caches.get(state);
  if (cached?.index === index) return cached;
  const created = { index, services: new Map() };
  caches.set(state, created);
  return created;
}

function serviceInstances({ view }: State, service: string, mesh: boolean): Generator<Instance> {
  return mesh ? eachMeshInstance(view, service) : eachInstance(view, service);
}

/** Collects in slices; if the catalog changes in the meantime, it starts again without yielding. */
async function collectInstances(
  state: State,
  source: () => Generator<Instance>,
): Promise<readonly CheckedInstance[]> {
  const index = catalogIndex(state);
  const collected: CheckedInstance[] = [];
  let sliceEnd = performance.now() + sliceMs;
  for (const instance of source()) {
    collected.push(toCheckedInstance(state, instance));
    if (collected.length % 64 !== 0 || performance.now() < sliceEnd) continue;
    await yieldToEventLoop();
    if (catalogIndex(state) !== index) return Array.from(source(), (each) => toCheckedInstance(state, each));
    sliceEnd = performance.now() + sliceMs;
  }
  return collected;
}

function toCheckedInstance({ view }: State, { node, service }: Instance): CheckedInstance {
  const { Node: _node, ...Service } = service;
  return {
    Node: node,
    Service,
    Checks: checksOfInstance(view, node.Node, service.ID),
    tags: new Set(service.Tags.map((tag) => tag.toLowerCase())),
  };
}

const catalogIndex = (state: State): number => state.indexOf('nodes', 'services', 'checks');

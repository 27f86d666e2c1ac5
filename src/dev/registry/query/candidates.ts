import { yieldToEventLoop } from '../../yield-to-event-loop.ts';
import {
  type Check,
  checksOf,
  eachInstance,
  eachMeshInstance,
  type Instance,
  type Node,
  type Service,
} from '../state/catalog.ts';
import type { State } from '../state/state.ts';

/** An instance of a service with what its health is judged by: the checks of its node and its own. */
export interface Candidate {
  readonly Node: Node;
  readonly Service: Service;
  readonly Checks: readonly Check[];
  /** The tags of the service in lower case: queries mean them in any case. */
  readonly tags: ReadonlySet<string>;
}

/** The candidates by service, all of one index of the catalog. */
interface Gathered {
  readonly index: number;
  readonly services: Map<string, Promise<readonly Candidate[]>>;
}

/** Services whose candidates are kept at a time. */
const mostServices = 128;

/** Milliseconds of work at a stretch before other requests get their turn. */
const slice = 4;

const gathered = new WeakMap<State, Gathered>();

/**
 * The instances of a service, or those of it that speak to the mesh. They are kept until the catalog changes: to
 * gather ten thousand takes longer than anything that is done with them.
 */
export function candidatesOf(state: State, service: string, mesh: boolean): Promise<readonly Candidate[]> {
  const { services } = gatheredNow(state);
  const key = `${mesh ? 'mesh' : 'all'} ${service}`;
  const known = services.get(key) ?? gather(state, () => instances(state, service, mesh));
  if (services.size >= mostServices) services.clear();
  services.set(key, known);
  return known;
}

function gatheredNow(state: State): Gathered {
  const index = indexOf(state);
  const known = gathered.get(state);
  if (known?.index === index) return known;
  const fresh = { index, services: new Map() };
  gathered.set(state, fresh);
  return fresh;
}

function instances({ view }: State, service: string, mesh: boolean): Generator<Instance> {
  return mesh ? eachMeshInstance(view, service) : eachInstance(view, service);
}

/** Gathers in short stretches; a change of the catalog meanwhile makes it begin anew, and then at one stretch. */
async function gather(state: State, all: () => Generator<Instance>): Promise<readonly Candidate[]> {
  const index = indexOf(state);
  const found: Candidate[] = [];
  let until = performance.now() + slice;
  for (const instance of all()) {
    found.push(candidate(state, instance));
    if (found.length % 64 !== 0 || performance.now() < until) continue;
    await yieldToEventLoop();
    if (indexOf(state) !== index) return Array.from(all(), (each) => candidate(state, each));
    until = performance.now() + slice;
  }
  return found;
}

function candidate({ view }: State, { node, service }: Instance): Candidate {
  const Checks = checksOf(view, node.Node).filter(({ ServiceID }) => ['', service.ID].includes(ServiceID));
  return {
    Node: node,
    Service: service,
    Checks,
    tags: new Set(service.Tags.map((tag) => tag.toLowerCase())),
  };
}

function indexOf(state: State): number {
  return state.indexOf('nodes', 'services', 'checks');
}

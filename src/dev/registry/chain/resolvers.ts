import { formatNanoseconds, readNanoseconds } from '../config/duration.ts';
import {
  type EntrySource,
  type Failover,
  globalName,
  type MeshGateway,
  type ServiceResolver,
} from '../config/entry.ts';
import type { ChainTarget, ResolverNode } from './chain.ts';
import { ChainRefusal } from './chain.ts';
import type { ChainRequest } from './compile.ts';
import { type Place, placeId, rewritten } from './place.ts';
import type { Protocols } from './protocols.ts';

const defaultConnectTimeout = '5s';

/** Where following redirects and default subsets ended. */
interface Settled {
  readonly id: string;
  readonly place: Place;
  readonly entry: ServiceResolver | undefined;
}

/**
 * The resolvers of one chain and their targets (docs/protocol/queries-and-chain.md#chain-compilation, steps 5 and 6).
 * Nodes are shared by target.
 */
export class Resolvers {
  /** By node key. */
  readonly nodes = new Map<string, ResolverNode>();
  /** By ID. */
  readonly targets = new Map<string, ChainTarget>();
  /** The overrides that changed something. */
  readonly customized = { connectTimeout: false, meshGateway: false };
  readonly #request: ChainRequest;
  readonly #entries: EntrySource;
  readonly #protocols: Protocols;

  constructor(request: ChainRequest, entries: EntrySource, protocols: Protocols) {
    this.#request = request;
    this.#entries = entries;
    this.#protocols = protocols;
  }

  /** @throws ChainRefusal circular-redirect, no-such-subset, external, protocols-differ */
  node(place: Place): ResolverNode {
    const settled = this.#settle(place);
    const { id, entry } = settled;
    const key = `resolver:${id}`;
    const known = this.nodes.get(key);
    if (known) return known;
    const target = this.#target(settled);
    const requestTimeout = readNanoseconds(entry?.RequestTimeout ?? '') ?? 0;
    const failover = this.#failover(settled);
    const node: ResolverNode = {
      Type: 'resolver',
      Name: id,
      Resolver: {
        Default: isBlank(entry),
        ConnectTimeout: target.ConnectTimeout,
        ...(requestTimeout > 0 && { RequestTimeout: requestTimeout }),
        Target: id,
        ...(failover.length > 0 && { Failover: { Targets: failover } }),
      },
      ...(entry?.LoadBalancer && { LoadBalancer: entry.LoadBalancer }),
    };
    this.nodes.set(key, node);
    return node;
  }

  /** Follows redirects, then the default subset, until neither leads elsewhere. */
  #settle(from: Place): Settled {
    const passed: string[] = [];
    for (let place = from; ; ) {
      const id = placeId(place);
      passed.push(id);
      if (passed.indexOf(id) < passed.length - 1) {
        const circle = passed.join(' -> ');
        throw new ChainRefusal('circular-redirect', `detected circular resolver redirect: [${circle}]`);
      }
      // What a peer has configured is not known here.
      if (place.peer !== undefined) return { id, place, entry: undefined };
      const { service, subset } = place;
      const entry = this.#entries.entry('service-resolver', service);
      this.#protocols.touch(service);
      this.#refuseExternal(service, entry);
      const next = onward(place, entry);
      if (placeId(next) !== id) {
        place = next;
        continue;
      }
      if (subset !== '' && !has(entry?.Subsets, subset)) {
        throw new ChainRefusal(
          'no-such-subset',
          `service "${service}" does not have a subset named "${subset}"`,
        );
      }
      return { id, place, entry };
    }
  }

  #refuseExternal(service: string, entry: ServiceResolver | undefined): void {
    if (!entry || !this.#entries.entry('service-defaults', service)?.ExternalSNI) return;
    const defined = [
      entry.Redirect && 'redirects',
      Object.keys(entry.Subsets ?? {}).length > 0 && 'subsets',
      Object.keys(entry.Failover ?? {}).length > 0 && 'failover',
    ].find(Boolean);
    if (!defined) return;
    throw new ChainRefusal(
      'external',
      `service "${service}" has an external SNI set; cannot define ${defined} for external services`,
    );
  }

  #target({ id, place, entry }: Settled): ChainTarget {
    const known = this.targets.get(id);
    if (known) return known;
    const { service, subset, namespace, datacenter, peer } = place;
    const external = this.#entries.entry('service-defaults', service)?.ExternalSNI;
    // The trust domain of a peer is not known here.
    const name = peer === undefined ? `${id}.internal.${this.#request.trustDomain}` : id;
    const target: ChainTarget = {
      ID: id,
      Service: service,
      ...(subset !== '' && { ServiceSubset: subset }),
      Namespace: namespace,
      Datacenter: datacenter,
      ...(peer !== undefined && { Peer: peer }),
      MeshGateway: this.#meshGateway(service),
      Subset: (subset !== '' && entry?.Subsets?.[subset]) || {},
      ConnectTimeout: this.#connectTimeout(entry),
      ...(external && peer === undefined && { External: true }),
      SNI: (peer === undefined && external) || name,
      Name: name,
    };
    this.targets.set(id, target);
    return target;
  }

  #meshGateway(service: string): MeshGateway {
    const own = this.#entries.entry('service-defaults', service)?.MeshGateway?.Mode;
    const mode = own ?? this.#entries.entry('proxy-defaults', globalName)?.MeshGateway?.Mode;
    const wanted = this.#request.overrides?.meshGateway;
    if (wanted && wanted !== mode) this.customized.meshGateway = true;
    const Mode = wanted ?? mode;
    return Mode ? { Mode } : {};
  }

  #connectTimeout(entry: ServiceResolver | undefined): string {
    const timeout = entry?.ConnectTimeout ?? defaultConnectTimeout;
    const wanted = this.#request.overrides?.connectTimeout;
    if (!wanted || formatNanoseconds(wanted) === timeout) return timeout;
    this.customized.connectTimeout = true;
    return formatNanoseconds(wanted);
  }

  /** IDs of the targets that stand in; their own redirects and default subsets count, their failovers do not. */
  #failover({ id, place, entry }: Settled): string[] {
    const policies = entry?.Failover;
    const policy = policies?.[has(policies, place.subset) ? place.subset : '*'];
    if (!policy) return [];
    return alternatives(place, policy)
      .filter((other) => placeId(other) !== id)
      .map((other) => this.#target(this.#settle(other)).ID);
  }
}

function onward(place: Place, entry: ServiceResolver | undefined): Place {
  const redirected = entry?.Redirect ? rewritten(place, entry.Redirect) : place;
  if (placeId(redirected) !== placeId(place) || place.subset !== '') return redirected;
  return { ...place, subset: entry?.DefaultSubset ?? '' };
}

function alternatives(place: Place, { Datacenters, Targets, ...general }: Failover): Place[] {
  if (Datacenters) return Datacenters.map((Datacenter) => rewritten(place, { ...general, Datacenter }));
  if (Targets) return Targets.map((target) => rewritten(place, target));
  return [rewritten(place, general)];
}

function isBlank(entry: ServiceResolver | undefined): boolean {
  if (!entry) return true;
  const { ConnectTimeout, RequestTimeout, DefaultSubset, Subsets, Redirect, Failover, LoadBalancer } = entry;
  return ![ConnectTimeout, RequestTimeout, DefaultSubset, Subsets, Redirect, Failover, LoadBalancer].some(
    Boolean,
  );
}

const has = (map: object | undefined, key: string): boolean => map !== undefined && Object.hasOwn(map, key);

import { formatNanoseconds, readNanoseconds } from '../config/duration.ts';
import {
  type EntrySource,
  type Failover,
  globalName,
  type MeshGateway,
  type ServiceResolver,
} from '../config/entry.ts';
import type { ChainTarget, ResolverNode } from './chain.ts';
import { ChainError } from './chain.ts';
import type { ChainRequest } from './compile.ts';
import type { Protocols } from './protocols.ts';
import { applyRewrite, type Target, targetId } from './target.ts';

const defaultConnectTimeout = '5s';

/** The target after redirects and default subsets. */
interface ResolvedTarget {
  readonly id: string;
  readonly target: Target;
  readonly entry: ServiceResolver | undefined;
}

/**
 * The resolvers of one chain and their targets (docs/protocol/queries-and-chain.md#chain-compilation, steps 5 and 6).
 * Nodes with the same target are shared.
 */
export class Resolvers {
  /** By node key. */
  readonly nodes = new Map<string, ResolverNode>();
  /** By ID. */
  readonly targets = new Map<string, ChainTarget>();
  /** The overrides that had an effect. */
  readonly customized = { connectTimeout: false, meshGateway: false };
  readonly #request: ChainRequest;
  readonly #entries: EntrySource;
  readonly #protocols: Protocols;

  constructor(request: ChainRequest, entries: EntrySource, protocols: Protocols) {
    this.#request = request;
    this.#entries = entries;
    this.#protocols = protocols;
  }

  /** @throws ChainError circular-redirect, no-such-subset, external, protocols-differ */
  node(target: Target): ResolverNode {
    const resolved = this.#resolve(target);
    const { id, entry } = resolved;
    const key = `resolver:${id}`;
    const existing = this.nodes.get(key);
    if (existing) return existing;
    const chainTarget = this.#chainTarget(resolved);
    const requestTimeout = readNanoseconds(entry?.RequestTimeout ?? '') ?? 0;
    const failover = this.#failover(resolved);
    const node: ResolverNode = {
      Type: 'resolver',
      Name: id,
      Resolver: {
        Default: isBlank(entry),
        ConnectTimeout: chainTarget.ConnectTimeout,
        ...(requestTimeout > 0 && { RequestTimeout: requestTimeout }),
        Target: id,
        ...(failover.length > 0 && { Failover: { Targets: failover } }),
      },
      ...(entry?.LoadBalancer && { LoadBalancer: entry.LoadBalancer }),
    };
    this.nodes.set(key, node);
    return node;
  }

  /** Follows redirects, then the default subset, until the target is stable. */
  #resolve(from: Target): ResolvedTarget {
    const visited: string[] = [];
    for (let target = from; ; ) {
      const id = targetId(target);
      visited.push(id);
      if (visited.indexOf(id) < visited.length - 1) {
        const cycle = visited.join(' -> ');
        throw new ChainError('circular-redirect', `detected circular resolver redirect: [${cycle}]`);
      }
      // The entries of a peer are not known here.
      if (target.peer !== undefined) return { id, target, entry: undefined };
      const { service, subset } = target;
      const entry = this.#entries.entry('service-resolver', service);
      this.#protocols.addService(service);
      this.#rejectExternal(service, entry);
      const next = nextTarget(target, entry);
      if (targetId(next) !== id) {
        target = next;
        continue;
      }
      if (subset !== '' && !hasKey(entry?.Subsets, subset)) {
        throw new ChainError(
          'no-such-subset',
          `service "${service}" does not have a subset named "${subset}"`,
        );
      }
      return { id, target, entry };
    }
  }

  #rejectExternal(service: string, entry: ServiceResolver | undefined): void {
    if (!entry || !this.#entries.entry('service-defaults', service)?.ExternalSNI) return;
    const feature = [
      entry.Redirect && 'redirects',
      Object.keys(entry.Subsets ?? {}).length > 0 && 'subsets',
      Object.keys(entry.Failover ?? {}).length > 0 && 'failover',
    ].find(Boolean);
    if (!feature) return;
    throw new ChainError(
      'external',
      `service "${service}" has an external SNI set; cannot define ${feature} for external services`,
    );
  }

  #chainTarget({ id, target, entry }: ResolvedTarget): ChainTarget {
    const existing = this.targets.get(id);
    if (existing) return existing;
    const { service, subset, namespace, datacenter, peer } = target;
    const external = this.#entries.entry('service-defaults', service)?.ExternalSNI;
    // The trust domain of a peer is not known here.
    const name = peer === undefined ? `${id}.internal.${this.#request.trustDomain}` : id;
    const chainTarget: ChainTarget = {
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
    this.targets.set(id, chainTarget);
    return chainTarget;
  }

  #meshGateway(service: string): MeshGateway {
    const serviceMode = this.#entries.entry('service-defaults', service)?.MeshGateway?.Mode;
    const mode = serviceMode ?? this.#entries.entry('proxy-defaults', globalName)?.MeshGateway?.Mode;
    const override = this.#request.overrides?.meshGateway;
    if (override && override !== mode) this.customized.meshGateway = true;
    const Mode = override ?? mode;
    return Mode ? { Mode } : {};
  }

  #connectTimeout(entry: ServiceResolver | undefined): string {
    const timeout = entry?.ConnectTimeout ?? defaultConnectTimeout;
    const override = this.#request.overrides?.connectTimeout;
    if (!override || formatNanoseconds(override) === timeout) return timeout;
    this.customized.connectTimeout = true;
    return formatNanoseconds(override);
  }

  /**
   * The target IDs of the failovers, after their redirects and default subsets, but without failovers of their own.
   */
  #failover({ id, target, entry }: ResolvedTarget): string[] {
    const policies = entry?.Failover;
    const policy = policies?.[hasKey(policies, target.subset) ? target.subset : '*'];
    if (!policy) return [];
    return failoverTargets(target, policy)
      .filter((other) => targetId(other) !== id)
      .map((other) => this.#chainTarget(this.#resolve(other)).ID);
  }
}

function nextTarget(target: Target, entry: ServiceResolver | undefined): Target {
  const redirected = entry?.Redirect ? applyRewrite(target, entry.Redirect) : target;
  if (targetId(redirected) !== targetId(target) || target.subset !== '') return redirected;
  return { ...target, subset: entry?.DefaultSubset ?? '' };
}

function failoverTargets(target: Target, { Datacenters, Targets, ...general }: Failover): Target[] {
  if (Datacenters) return Datacenters.map((Datacenter) => applyRewrite(target, { ...general, Datacenter }));
  if (Targets) return Targets.map((rewrite) => applyRewrite(target, rewrite));
  return [applyRewrite(target, general)];
}

function isBlank(entry: ServiceResolver | undefined): boolean {
  if (!entry) return true;
  const { ConnectTimeout, RequestTimeout, DefaultSubset, Subsets, Redirect, Failover, LoadBalancer } = entry;
  return ![ConnectTimeout, RequestTimeout, DefaultSubset, Subsets, Redirect, Failover, LoadBalancer].some(
    Boolean,
  );
}

const hasKey = (map: object | undefined, key: string): boolean =>
  map !== undefined && Object.hasOwn(map, key);

import { readNanoseconds } from '../config/duration.ts';
import { type EntrySource, type Failover, globalName, type ServiceResolver } from '../config/entry.ts';
import { ChainError, type ChainTarget, type ResolverNode } from './chain.ts';
import type { ChainRequest } from './chain-request.ts';
import type { Protocols } from './protocols.ts';
import { applyRewrite, type Target, targetId } from './target.ts';
import { Targets } from './targets.ts';

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
  readonly targets: Targets;
  readonly #request: ChainRequest;
  readonly #entries: EntrySource;
  readonly #protocols: Protocols;

  constructor(request: ChainRequest, entries: EntrySource, protocols: Protocols) {
    this.#request = request;
    this.#entries = entries;
    this.#protocols = protocols;
    this.targets = new Targets(request, entries);
  }

  /** @throws ChainError circular-redirect, no-such-subset, external, protocols-differ */
  node(target: Target): ResolverNode {
    const resolved = this.#resolve(target);
    const { id, entry } = resolved;
    const key = `resolver:${id}`;
    const existing = this.nodes.get(key);
    if (existing) return existing;
    const { ConnectTimeout } = this.#chainTarget(resolved);
    const requestTimeout = readNanoseconds(entry?.RequestTimeout ?? '') ?? 0;
    const failover = this.#failover(resolved);
    const node: ResolverNode = {
      Type: 'resolver',
      Name: id,
      Resolver: {
        ...(isBlank(entry) && { Default: true }),
        ConnectTimeout,
        ...(requestTimeout > 0 && { RequestTimeout: requestTimeout }),
        Target: id,
        ...(failover && { Failover: failover }),
      },
      ...(entry?.LoadBalancer && { LoadBalancer: entry.LoadBalancer }),
    };
    this.nodes.set(key, node);
    return node;
  }

  /** Follows redirects, then the default subset, until the target is stable. */
  #resolve(from: Target): ResolvedTarget {
    const visited: string[] = [];
    for (let target = this.targets.load(from); ; ) {
      const id = targetId(target);
      const { service, subset, peer } = target;
      const entry = this.#entries.entry('service-resolver', service);
      if (this.nodes.has(`resolver:${id}`)) return { id, target, entry };
      // The protocol of a peered service is not known here.
      if (peer === undefined) this.#protocols.addService(service);
      visited.push(id);
      if (visited.indexOf(id) < visited.length - 1) {
        const cycle = visited.join(' -> ');
        throw new ChainError('circular-redirect', `detected circular resolver redirect: [${cycle}]`);
      }
      const next = this.#nextTarget(target, entry);
      if (next) {
        target = next;
        continue;
      }
      if (subset !== '' && !hasKey(entry?.Subsets, subset)) {
        throw new ChainError(
          'no-such-subset',
          `service "${service}" does not have a subset named "${subset}"`,
        );
      }
      this.#rejectExternal(service, entry);
      return { id, target, entry };
    }
  }

  /** The target of a redirect, else the target of a default subset. */
  #nextTarget(target: Target, entry: ServiceResolver | undefined): Target | undefined {
    if (entry?.Redirect) {
      const redirected = this.targets.load(this.#rewrite(target, entry.Redirect));
      if (targetId(redirected) !== targetId(target)) return redirected;
    }
    if (target.subset !== '' || !entry?.DefaultSubset) return undefined;
    return this.targets.load(this.#rewrite(target, { ServiceSubset: entry.DefaultSubset }));
  }

  #rewrite(target: Target, rewrite: Parameters<typeof applyRewrite>[1]): Target {
    return applyRewrite(target, rewrite, this.#request.datacenter);
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

  #chainTarget({ target, entry }: ResolvedTarget): ChainTarget {
    return this.targets.chainTarget(target, {
      subset: (target.subset !== '' && entry?.Subsets?.[target.subset]) || {},
      connectTimeout: entry?.ConnectTimeout ?? defaultConnectTimeout,
      priority: entry?.PrioritizeByLocality,
    });
  }

  /** The failovers, after their redirects and default subsets, but without failovers of their own. */
  #failover({ id, target, entry }: ResolvedTarget): ResolverNode['Resolver']['Failover'] {
    const failovers = entry?.Failover;
    const failover = failovers?.[hasKey(failovers, target.subset) ? target.subset : '*'];
    if (!failover) return undefined;
    const targets = rewritesOf(failover)
      .map((rewrite) => this.targets.load(this.#rewrite(target, rewrite)))
      .filter((other) => targetId(other) !== id)
      .map((other) => this.#chainTarget(this.#resolve(other)).ID);
    if (targets.length === 0) return undefined;
    const policy = failover.Policy ?? this.#entries.entry('proxy-defaults', globalName)?.FailoverPolicy;
    return { Targets: targets, ...(policy && { Policy: policy }) };
  }
}

function rewritesOf({ Service, ServiceSubset, Namespace, Datacenters, Targets }: Failover) {
  if (!Datacenters && Targets) return Targets;
  const general = {
    ...(Service && { Service }),
    ...(ServiceSubset && { ServiceSubset }),
    ...(Namespace && { Namespace }),
  };
  return Datacenters ? Datacenters.map((Datacenter) => ({ ...general, Datacenter })) : [general];
}

function isBlank(entry: ServiceResolver | undefined): boolean {
  if (!entry) return true;
  return ![
    entry.ConnectTimeout,
    entry.RequestTimeout,
    entry.DefaultSubset,
    entry.Subsets,
    entry.Redirect,
    entry.Failover,
    entry.LoadBalancer,
    entry.PrioritizeByLocality,
  ].some(Boolean);
}

const hasKey = (map: object | undefined, key: string): boolean =>
  map !== undefined && Object.hasOwn(map, key);

import { sortedByName } from '../../../wire/objects.ts';
import {
  type EntryKind,
  type EntrySource,
  type EnvoyExtension,
  globalName,
  type Route,
  type RouteDestination,
} from '../config/entry.ts';
import { completeExtensions } from '../config/envoy-extensions.ts';
import { referencesOf } from '../config/references.ts';
import {
  type Chain,
  ChainError,
  type ChainNode,
  type ChainSplit,
  type ResolverNode,
  type SplitterNode,
} from './chain.ts';
import type { ChainRequest } from './chain-request.ts';
import { customizationHash } from './customization-hash.ts';
import { Protocols, permitsRouting } from './protocols.ts';
import { Resolvers } from './resolvers.ts';
import { flatten, reachable, rejectCycles } from './splitters.ts';
import type { Target } from './target.ts';

/** Splitters can be nested, and each level uses the stack. */
const maxSplitters = 1_000;

/**
 * Compiles the config entries of a service into its discovery chain
 * (docs/protocol/queries-and-chain.md#chain-compilation, steps 1 to 11). A pure function.
 *
 * @throws ChainError
 */
export function compileChain(request: ChainRequest, entries: EntrySource): Chain {
  return new Compiler(request, loadedEntries(request.service, entries)).compile();
}

const routingKinds = ['service-splitter', 'service-resolver'] as const;

/**
 * The entries that the chain of a service can use: its own and those of the services that these refer to in this
 * cluster. A service that is reached through a peer only has no entries here.
 */
function loadedEntries(service: string, entries: EntrySource): EntrySource {
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

class Compiler {
  readonly #request: ChainRequest;
  readonly #entries: EntrySource;
  readonly #protocols: Protocols;
  readonly #resolvers: Resolvers;
  /** Splitters and the router; resolvers are separate. */
  readonly #nodes = new Map<string, ChainNode>();
  /** An override to a protocol without routes: routers and splitters are ignored. */
  readonly #skipsRouting: boolean;
  #hasSkippedEntries = false;

  constructor(request: ChainRequest, entries: EntrySource) {
    this.#request = request;
    this.#entries = entries;
    this.#protocols = new Protocols(request.service, entries);
    this.#resolvers = new Resolvers(request, entries, this.#protocols);
    const protocol = request.overrides?.protocol;
    this.#skipsRouting = Boolean(protocol) && !permitsRouting(protocol);
  }

  compile(): Chain {
    const { service, namespace, datacenter, virtualIps } = this.#request;
    const start = this.#startNode();
    const assembled = new Map([...this.#nodes, ...this.#resolvers.nodes]);
    rejectCycles(assembled, start);
    const nodes = reachable(flatten(assembled), start);
    this.#rejectRoutesWithoutProtocol();
    const hash = this.#customizationHash();
    const meta = this.#entries.entry('service-defaults', service)?.Meta;
    const extensions = this.#extensions();
    return {
      ServiceName: service,
      Namespace: namespace,
      Datacenter: datacenter,
      ...(hash !== undefined && { CustomizationHash: hash }),
      ...(this.#isDefault(nodes.get(start)) && { Default: true }),
      Protocol: this.#request.overrides?.protocol || this.#protocols.common,
      ...(meta && { ServiceMeta: meta }),
      ...(extensions.length > 0 && { EnvoyExtensions: extensions }),
      StartNode: start,
      Nodes: sortedByName(Object.fromEntries(nodes)),
      // Only the final targets of redirects.
      Targets: sortedByName(Object.fromEntries(this.#resolvers.targets.chainTargets)),
      AutoVirtualIPs: virtualIps?.auto ?? null,
      ManualVirtualIPs: virtualIps?.manual ?? null,
    };
  }

  /** A redirect to a service with a default resolver is no default chain. */
  #isDefault(start: ChainNode | undefined): boolean {
    if (start?.Type !== 'resolver' || !start.Resolver.Default) return false;
    const target = this.#resolvers.targets.chainTargets.get(start.Resolver.Target);
    return target?.Service === this.#request.service && target.Namespace === this.#request.namespace;
  }

  #extensions(): Required<EnvoyExtension>[] {
    const sources = [
      this.#entries.entry('proxy-defaults', globalName),
      this.#entries.entry('service-defaults', this.#request.service),
    ];
    return sources.flatMap((source) => completeExtensions(source?.EnvoyExtensions));
  }

  /** The key of the first node: the router, else its successor. */
  #startNode(): string {
    const { service } = this.#request;
    const router = this.#applicable(this.#entries.entry('service-router', service));
    if (!router) return this.#splitterOrResolver(service);
    this.#protocols.addService(service);
    const routes = (router.Routes ?? []).map((route) => ({
      Definition: route,
      NextNode: this.#destination(route.Destination),
    }));
    const name = this.#nodeName(service);
    const key = `router:${name}`;
    const catchAll = { Definition: this.#catchAll(), NextNode: this.#splitterOrResolver(service) };
    this.#nodes.set(key, { Type: 'router', Name: name, Routes: [...routes, catchAll] });
    return key;
  }

  #destination({ Service, ServiceSubset, Namespace }: RouteDestination = {}): string {
    const service = Service || this.#request.service;
    if (!ServiceSubset) return this.#splitterOrResolver(service, Namespace);
    return this.#resolver(this.#target(service, ServiceSubset, Namespace)).key;
  }

  #catchAll(): Route {
    const { service, namespace } = this.#request;
    return {
      Match: { HTTP: { PathPrefix: '/' } },
      Destination: { Service: service, Namespace: namespace },
    };
  }

  #splitterOrResolver(service: string, namespace?: string): string {
    return this.#splitter(service) ?? this.#resolver(this.#target(service, '', namespace)).key;
  }

  /** The key of the node. */
  #splitter(service: string): string | undefined {
    const splitter = this.#applicable(this.#entries.entry('service-splitter', service));
    if (!splitter) return undefined;
    const name = this.#nodeName(service);
    const key = `splitter:${name}`;
    if (this.#nodes.has(key)) return key;
    if (this.#nodes.size === maxSplitters) {
      const message = `discovery chain "${this.#request.service}" has more than ${maxSplitters} splitters`;
      throw new ChainError('too-many-splits', message);
    }
    // Added before its splits: a cycle ends the recursion here, and is rejected later.
    this.#nodes.set(key, { Type: 'splitter', Name: name, Splits: [] });
    let balancer: SplitterNode['LoadBalancer'];
    const splits = (splitter.Splits ?? []).map((split): ChainSplit => {
      const targetService = split.Service || service;
      const inner =
        targetService !== service && !split.ServiceSubset ? this.#splitter(targetService) : undefined;
      const compiled = { Definition: split, ...(split.Weight !== 0 && { Weight: split.Weight }) };
      if (inner !== undefined) return { ...compiled, NextNode: inner };
      const next = this.#resolver(this.#target(targetService, split.ServiceSubset, split.Namespace));
      if (isHashBased(next.node.LoadBalancer)) balancer ??= next.node.LoadBalancer;
      return { ...compiled, NextNode: next.key };
    });
    this.#nodes.set(key, {
      Type: 'splitter',
      Name: name,
      Splits: splits,
      ...(balancer && { LoadBalancer: balancer }),
    });
    return key;
  }

  #resolver(target: Target): { readonly key: string; readonly node: ResolverNode } {
    const node = this.#resolvers.node(target);
    return { key: `resolver:${node.Name}`, node };
  }

  /** The entry, unless an override disables entries of its kind. */
  #applicable<Entry>(entry: Entry | undefined): Entry | undefined {
    if (!entry || !this.#skipsRouting) return entry;
    this.#hasSkippedEntries = true;
    return undefined;
  }

  #target(service: string, subset = '', namespace?: string): Target {
    const { datacenter } = this.#request;
    return { service, subset, namespace: namespace || this.#request.namespace, datacenter };
  }

  #nodeName(service: string): string {
    return `${service}.${this.#request.namespace}`;
  }

  #rejectRoutesWithoutProtocol(): void {
    const { common } = this.#protocols;
    if (this.#nodes.size === 0 || permitsRouting(common)) return;
    throw new ChainError(
      'protocol-without-routing',
      `discovery chain "${this.#request.service}" uses a protocol "${common}" that does not permit advanced routing or splitting behavior`,
    );
  }

  /** A hash of the overrides that had an effect; undefined: none. */
  #customizationHash(): string | undefined {
    const { connectTimeout = 0, protocol = '', meshGateway = '' } = this.#request.overrides ?? {};
    const { customized } = this.#resolvers.targets;
    const isOtherProtocol = protocol !== '' && protocol !== this.#protocols.common;
    const hasProtocol = this.#hasSkippedEntries || isOtherProtocol;
    if (!customized.connectTimeout && !customized.meshGateway && !hasProtocol) return undefined;
    return customizationHash({
      meshGateway: customized.meshGateway ? meshGateway : '',
      protocol: hasProtocol ? protocol : '',
      connectTimeout: customized.connectTimeout ? connectTimeout : 0,
    });
  }
}

function isHashBased(balancer: SplitterNode['LoadBalancer']): boolean {
  return balancer?.Policy === 'maglev' || balancer?.Policy === 'ring_hash';
}

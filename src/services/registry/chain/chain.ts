import { HttpError } from '../../core/http/http-service.ts';
import type {
  EnvoyExtension,
  FailoverPolicy,
  LoadBalancer,
  LocalityPriority,
  MeshGateway,
  Route,
  Split,
  Subset,
} from '../config/entry.ts';

/** The compiled discovery chain, as returned (docs/protocol/queries-and-chain.md#discovery-chain). */
export interface Chain {
  readonly ServiceName: string;
  readonly Namespace: string;
  /** The datacenter for which it was compiled. */
  readonly Datacenter: string;
  /** 8 hexadecimal digits; present if an override changed something. */
  readonly CustomizationHash?: string;
  /** Without routes and splits, and only the default resolver of the service. */
  readonly Default?: true;
  readonly Protocol: string;
  /** `Meta` of the service's defaults. */
  readonly ServiceMeta?: Readonly<Record<string, string>>;
  /** Those of the proxy-defaults, then those of the service's defaults. */
  readonly EnvoyExtensions?: readonly Required<EnvoyExtension>[];
  readonly StartNode: string;
  /** By `<type>:<name>`. */
  readonly Nodes: Readonly<Record<string, ChainNode>>;
  readonly Targets: Readonly<Record<string, ChainTarget>>;
  /** Virtual IPs of the service; null: none. */
  readonly AutoVirtualIPs: readonly string[] | null;
  readonly ManualVirtualIPs: readonly string[] | null;
}

export type ChainNode = RouterNode | SplitterNode | ResolverNode;

export interface RouterNode {
  readonly Type: 'router';
  readonly Name: string;
  readonly Routes: readonly { readonly Definition: Route; readonly NextNode: string }[];
}

export interface ChainSplit {
  readonly Definition: Split;
  /** Percent, rounded to 0.01; absent: 0. */
  readonly Weight?: number;
  readonly NextNode: string;
}

export interface SplitterNode {
  readonly Type: 'splitter';
  readonly Name: string;
  readonly Splits: readonly ChainSplit[];
  readonly LoadBalancer?: LoadBalancer;
}

export interface ResolverNode {
  readonly Type: 'resolver';
  readonly Name: string;
  readonly Resolver: {
    /** Without a config entry, or from an empty one. */
    readonly Default?: true;
    /** A duration as formatted by Go. */
    readonly ConnectTimeout: string;
    /** Nanoseconds. */
    readonly RequestTimeout?: number;
    readonly Target: string;
    readonly Failover?: { readonly Targets: readonly string[]; readonly Policy?: FailoverPolicy } | undefined;
  };
  readonly LoadBalancer?: LoadBalancer;
}

export interface ChainTarget {
  /** `[subset.]service.namespace.datacenter`, or `service.namespace.external.peer` */
  readonly ID: string;
  readonly Service: string;
  readonly ServiceSubset?: string;
  readonly Namespace: string;
  /** Absent for a peer. */
  readonly Datacenter?: string;
  readonly Peer?: string;
  readonly MeshGateway: MeshGateway;
  readonly Subset: Subset;
  readonly TransparentProxy: { readonly DialedDirectly?: true };
  readonly ConnectTimeout: string;
  /** The service is outside of the mesh and has its own name. */
  readonly External?: boolean;
  /** SNI and name are absent for a peer, whose trust domain is not known. */
  readonly SNI?: string;
  readonly Name?: string;
  readonly PrioritizeByLocality?: LocalityPriority;
}

/** A chain that cannot be compiled (docs/protocol/queries-and-chain.md#chain-compilation). */
export class ChainError extends HttpError {
  readonly reason: ChainReason;

  constructor(reason: ChainReason, message: string) {
    super(500, message);
    this.reason = reason;
  }
}

export type ChainReason =
  | 'protocols-differ'
  | 'protocol-without-routing'
  | 'circular-redirect'
  | 'circular-reference'
  | 'no-such-subset'
  | 'too-many-splits'
  | 'external';

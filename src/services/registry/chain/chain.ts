import { HttpError } from '../../core/http/http-service.ts';
import * as s from '../../core/schema/types.ts';
import {
  failoverPolicy,
  loadBalancer,
  localityPriority,
  meshGateway,
  route,
  shownExtension,
  split,
  subset,
} from '../config/entry.ts';
import { duration, text } from '../config/rules.ts';

const isTrue = s.optional(s.boolean());
const optionalText = s.optional(s.string());
const addresses = s.nullable(s.list(s.string()));

const routerNode = s.named(
  'RouterNode',
  s.object({
    Type: s.oneOf(['router']),
    Name: s.string(),
    Routes: s.list(s.object({ Definition: route, NextNode: s.string() })),
  }),
);

const chainSplit = s.object({
  Definition: split,
  Weight: s.optional(s.number('Percent, rounded to 0.01; missing: 0.')),
  NextNode: s.string(),
});

const splitterNode = s.named(
  'SplitterNode',
  s.object({
    Type: s.oneOf(['splitter']),
    Name: s.string(),
    Splits: s.list(chainSplit),
    LoadBalancer: loadBalancer,
  }),
);

const resolverNode = s.named(
  'ResolverNode',
  s.object({
    Type: s.oneOf(['resolver']),
    Name: s.string(),
    Resolver: s.object({
      Default: s.described('Without a config entry, or from an empty one.', isTrue),
      ConnectTimeout: s.string('A duration.'),
      RequestTimeout: s.optional(s.integer('Nanoseconds.')),
      Target: s.string(),
      Failover: s.optional(s.object({ Targets: s.list(s.string()), Policy: failoverPolicy })),
    }),
    LoadBalancer: loadBalancer,
  }),
);

const chainTarget = s.named(
  'ChainTarget',
  s.object({
    ID: s.string('`[subset.]service.namespace.datacenter`, or `service.namespace.external.peer`.'),
    Service: s.string(),
    ServiceSubset: optionalText,
    Namespace: s.string(),
    Datacenter: s.optional(s.string('Missing for a peer.')),
    Peer: optionalText,
    MeshGateway: s.object(meshGateway.fields),
    Subset: subset,
    TransparentProxy: s.object({ DialedDirectly: isTrue }),
    ConnectTimeout: s.string('A duration.'),
    External: s.optional(s.boolean('The service is outside of the mesh and has its own name.')),
    ...s.each(['SNI', 'Name'], s.optional(s.string('Missing for a peer, whose trust domain is not known.'))),
    PrioritizeByLocality: localityPriority,
  }),
);

/** The compiled discovery chain, as returned (docs/protocol/queries-and-chain.md#discovery-chain). */
export const chain = s.named(
  'Chain',
  s.object({
    ServiceName: s.string(),
    Namespace: s.string(),
    Datacenter: s.string('The datacenter for which it was compiled.'),
    CustomizationHash: s.optional(
      s.string('8 hexadecimal digits; present if an override changed something.'),
    ),
    Default: s.described('Without routes, splits and resolvers of its own.', isTrue),
    Protocol: s.string(),
    ServiceMeta: s.optional(s.map(s.string(), '`Meta` of the defaults of the service.')),
    EnvoyExtensions: s.optional(s.list(shownExtension, 'From proxy-defaults, then from service-defaults.')),
    StartNode: s.string(),
    Nodes: s.map(s.either(routerNode, splitterNode, resolverNode), 'By `<type>:<name>`.'),
    Targets: s.map(chainTarget),
    ...s.each(['AutoVirtualIPs', 'ManualVirtualIPs'], addresses),
  }),
);

export type Chain = s.Output<typeof chain>;
export type RouterNode = s.Output<typeof routerNode>;
export type ChainSplit = s.Output<typeof chainSplit>;
export type SplitterNode = s.Output<typeof splitterNode>;
export type ResolverNode = s.Output<typeof resolverNode>;
export type ChainNode = RouterNode | SplitterNode | ResolverNode;
export type ChainTarget = s.Output<typeof chainTarget>;

/** The body of a chain request with overrides (docs/protocol/queries-and-chain.md#discovery-chain). */
export const chainOverrides = s.named(
  'ChainOverrides',
  s.object(
    { OverrideConnectTimeout: duration, OverrideProtocol: text, OverrideMeshGateway: meshGateway },
    'Overrides of a discovery chain.',
  ),
);

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

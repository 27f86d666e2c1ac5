import type { ObjectShape, Shape, Shaped } from './shape.ts';

/**
 * Config entries of discovery chains (docs/protocol/registry.md#config-entries): the fields of each kind in a request,
 * in the order of output, and the types of their stored form: empty fields are absent, durations are in Go style
 * (`1m30s`).
 */

const objectShape = <const Members extends ObjectShape>(members: Members) => ({ members });
const stringList = { list: 'text' } as const;
const stringMap = { map: 'text' } as const;

const commonFields = { Kind: 'text', Name: 'text', Namespace: 'text' } as const;
const meshGateway = objectShape({ Mode: 'text' });
const headerEdits = objectShape({ Add: stringMap, Set: stringMap, Remove: stringList });
const rewriteFields = {
  Service: 'text',
  ServiceSubset: 'text',
  Namespace: 'text',
  Partition: 'text',
} as const;
const matchFields = { Name: 'text', Present: 'flag', Exact: 'text' } as const;

/** A match of a header or a query parameter; exactly one field besides `Name`, except `Invert`. */
const valueMatch = objectShape({
  ...matchFields,
  Prefix: 'text',
  Suffix: 'text',
  Regex: 'text',
  Invert: 'flag',
});

const httpMatch = objectShape({
  PathExact: 'text',
  PathPrefix: 'text',
  PathRegex: 'text',
  CaseInsensitive: 'flag',
  Header: { list: valueMatch },
  QueryParam: { list: objectShape({ ...matchFields, Regex: 'text' }) },
  Methods: stringList,
});

const destination = objectShape({
  ...rewriteFields,
  PrefixRewrite: 'text',
  RequestTimeout: 'duration',
  IdleTimeout: 'duration',
  NumRetries: 'unsigned',
  RetryOnConnectFailure: 'flag',
  RetryOn: stringList,
  RetryOnStatusCodes: { list: 'unsigned' },
  RequestHeaders: headerEdits,
  ResponseHeaders: headerEdits,
});

const route = objectShape({ Match: objectShape({ HTTP: httpMatch }), Destination: destination });

const split = objectShape({
  /** Percent, in steps of 0.01. */
  Weight: 'weight',
  ...rewriteFields,
  RequestHeaders: headerEdits,
  ResponseHeaders: headerEdits,
});

/** The fields that a redirect or failover replaces in a target; absent ones are unchanged. */
const rewriteTarget = { ...rewriteFields, Datacenter: 'text', Peer: 'text' } as const;
const rewrite = objectShape(rewriteTarget);
const redirect = objectShape({ ...rewriteTarget, SamenessGroup: 'text' });
const failoverPolicy = objectShape({ Mode: 'text', Regions: stringList });
const failover = objectShape({
  Service: 'text',
  ServiceSubset: 'text',
  Namespace: 'text',
  Datacenters: stringList,
  Targets: { list: rewrite },
  Policy: failoverPolicy,
  SamenessGroup: 'text',
});
const subset = objectShape({ Filter: 'text', OnlyPassing: 'flag' });
const localityPriority = objectShape({ Mode: 'text' });

const hashPolicy = objectShape({
  Field: 'text',
  FieldValue: 'text',
  CookieConfig: objectShape({ Session: 'flag', TTL: 'nanoseconds', Path: 'text' }),
  SourceIP: 'flag',
  Terminal: 'flag',
});

const loadBalancer = objectShape({
  Policy: 'text',
  RingHashConfig: objectShape({ MinimumRingSize: 'integer', MaximumRingSize: 'integer' }),
  LeastRequestConfig: objectShape({ ChoiceCount: 'unsigned' }),
  HashPolicies: { list: hashPolicy },
});

const upstream = objectShape({
  Name: 'text',
  Peer: 'text',
  EnvoyListenerJSON: 'text',
  EnvoyClusterJSON: 'text',
  Protocol: 'text',
  ConnectTimeoutMs: 'integer',
  Limits: objectShape({
    MaxConnections: 'optional',
    MaxPendingRequests: 'optional',
    MaxConcurrentRequests: 'optional',
  }),
  PassiveHealthCheck: objectShape({
    Interval: 'nanoseconds',
    MaxFailures: 'unsigned',
    EnforcingConsecutive5xx: 'optional',
    MaxEjectionPercent: 'optional',
    BaseEjectionTime: 'nanoseconds',
  }),
  MeshGateway: meshGateway,
  BalanceOutboundConnections: 'text',
});

const extension = objectShape({
  Name: 'text',
  Required: 'flag',
  Arguments: 'any',
  ConsulVersion: 'text',
  EnvoyVersion: 'text',
});

const exposedPath = objectShape({
  ListenerPort: 'integer',
  Path: 'text',
  LocalPathPort: 'integer',
  Protocol: 'text',
  ParsedFromCheck: 'flag',
});

/** Fields that service-defaults and proxy-defaults have in common. */
const proxyFields = {
  Mode: 'text',
  TransparentProxy: objectShape({ OutboundListenerPort: 'integer', DialedDirectly: 'flag' }),
  MutualTLSMode: 'text',
  MeshGateway: meshGateway,
  Expose: objectShape({ Checks: 'flag', Paths: { list: exposedPath } }),
  EnvoyExtensions: { list: extension },
} as const;

export const entryShapes = {
  'service-defaults': objectShape({
    ...commonFields,
    Protocol: 'text',
    ...proxyFields,
    ExternalSNI: 'text',
    UpstreamConfig: objectShape({ Overrides: { list: upstream }, Defaults: upstream }),
    Destination: objectShape({ Addresses: stringList, Port: 'integer' }),
    MaxInboundConnections: 'integer',
    LocalConnectTimeoutMs: 'integer',
    LocalRequestTimeoutMs: 'integer',
    BalanceInboundConnections: 'text',
    RateLimits: 'any',
    Meta: stringMap,
  }),
  'proxy-defaults': objectShape({
    ...commonFields,
    /** Opaque configuration of proxies; `protocol` is the default protocol of services. */
    Config: 'any',
    ...proxyFields,
    AccessLogs: objectShape({
      Enabled: 'flag',
      DisableListenerLogs: 'flag',
      Type: 'text',
      Path: 'text',
      JSONFormat: 'text',
      TextFormat: 'text',
    }),
    FailoverPolicy: failoverPolicy,
    PrioritizeByLocality: localityPriority,
    Meta: stringMap,
  }),
  'service-router': objectShape({
    ...commonFields,
    Routes: { list: route },
    Meta: stringMap,
  }),
  'service-splitter': objectShape({
    ...commonFields,
    Splits: { list: split },
    Meta: stringMap,
  }),
  'service-resolver': objectShape({
    ...commonFields,
    DefaultSubset: 'text',
    Subsets: { map: subset },
    Redirect: redirect,
    /** By subset; `*` applies to all others. */
    Failover: { map: failover },
    PrioritizeByLocality: localityPriority,
    ConnectTimeout: 'duration',
    RequestTimeout: 'duration',
    LoadBalancer: loadBalancer,
    Meta: stringMap,
  }),
} as const satisfies Readonly<Record<string, Shape>>;

export type EntryKind = keyof typeof entryShapes;
export const entryKinds = Object.keys(entryShapes) as readonly EntryKind[];
export const isEntryKind = (text: unknown): text is EntryKind =>
  (entryKinds as readonly unknown[]).includes(text);

/** Kinds of the product that this service does not have. */
const unsupportedKinds: readonly string[] = [
  'api-gateway',
  'bound-api-gateway',
  'control-plane-request-limit',
  'exported-services',
  'file-system-certificate',
  'http-route',
  'ingress-gateway',
  'inline-certificate',
  'jwt-provider',
  'mesh',
  'sameness-group',
  'service-intentions',
  'tcp-route',
  'terminating-gateway',
];

/** Why a kind is not one of `entryKinds`. */
export const kindError = (kind: string): string =>
  unsupportedKinds.includes(kind)
    ? `unsupported config entry kind: ${kind}`
    : `invalid config entry kind: ${kind}`;

/** Kinds of entries that belong to the chain of the service with their name. */
export const chainKinds = ['service-router', 'service-splitter', 'service-resolver'] as const;

export const meshGatewayModes: readonly string[] = ['none', 'local', 'remote'];

/** The name of the only proxy-defaults entry. */
export const globalName = 'global';

type Entry<Kind extends EntryKind> = Omit<Shaped<(typeof entryShapes)[Kind]>, 'Kind' | 'Name'> & {
  readonly Kind: Kind;
  readonly Name: string;
};
export type EntriesByKind = { readonly [Kind in EntryKind]: Entry<Kind> };
export type ConfigEntry = EntriesByKind[EntryKind];
export type ServiceDefaults = Entry<'service-defaults'>;
export type ProxyDefaults = Entry<'proxy-defaults'>;
export type ServiceRouter = Entry<'service-router'>;
export type ServiceSplitter = Entry<'service-splitter'>;
export type ServiceResolver = Entry<'service-resolver'>;

export type MeshGateway = Shaped<typeof meshGateway>;
export type HeaderEdits = Shaped<typeof headerEdits>;
export type ValueMatch = Shaped<typeof valueMatch>;
export type HttpMatch = Shaped<typeof httpMatch>;
export type RouteDestination = Shaped<typeof destination>;
export type Route = Shaped<typeof route>;
export type Split = Shaped<typeof split>;
export type Rewrite = Shaped<typeof rewrite>;
export type Failover = Shaped<typeof failover>;
export type FailoverPolicy = Shaped<typeof failoverPolicy>;
export type LocalityPriority = Shaped<typeof localityPriority>;
export type EnvoyExtension = Shaped<typeof extension>;
export type Upstream = Shaped<typeof upstream>;
export type Subset = Shaped<typeof subset>;
export type LoadBalancer = Shaped<typeof loadBalancer>;

export interface EntrySource {
  entry<Kind extends EntryKind>(kind: Kind, name: string): EntriesByKind[Kind] | undefined;
}

/** The body of a chain request with overrides (docs/protocol/queries-and-chain.md#discovery-chain). */
export const overridesShape = objectShape({
  OverrideConnectTimeout: 'duration',
  OverrideProtocol: 'text',
  OverrideMeshGateway: meshGateway,
});

import type { EntryKind } from './entry.ts';
import type { Members, Shape } from './shape.ts';

const texts: Shape = { list: 'text' };
const textMap: Shape = { map: 'text' };
const object = (members: Members): Shape => ({ members });

const named: Members = { Kind: 'text', Name: 'text', Namespace: 'text' };
const meshGateway = object({ Mode: 'text' });
const headerEdits = object({ Add: textMap, Set: textMap, Remove: texts });
const rewrite: Members = { Service: 'text', ServiceSubset: 'text', Namespace: 'text' };
const present: Members = { Name: 'text', Present: 'flag', Exact: 'text' };

const httpMatch = object({
  PathExact: 'text',
  PathPrefix: 'text',
  PathRegex: 'text',
  CaseInsensitive: 'flag',
  Header: { list: object({ ...present, Prefix: 'text', Suffix: 'text', Regex: 'text', Invert: 'flag' }) },
  QueryParam: { list: object({ ...present, Regex: 'text' }) },
  Methods: texts,
});

const destination = object({
  ...rewrite,
  PrefixRewrite: 'text',
  RequestTimeout: 'duration',
  IdleTimeout: 'duration',
  NumRetries: 'integer',
  RetryOnConnectFailure: 'flag',
  RetryOn: texts,
  RetryOnStatusCodes: { list: 'integer' },
  RequestHeaders: headerEdits,
  ResponseHeaders: headerEdits,
});

const elsewhere: Members = { ...rewrite, Datacenter: 'text', Peer: 'text' };

/** The members of each kind of entry. What only proxies read is kept as it is given. */
export const entryShapes: Readonly<Record<EntryKind, Shape>> = {
  'service-defaults': object({
    ...named,
    Protocol: 'text',
    Mode: 'text',
    TransparentProxy: 'any',
    MeshGateway: meshGateway,
    Expose: 'any',
    ExternalSNI: 'text',
    UpstreamConfig: 'any',
    Destination: 'any',
    MaxInboundConnections: 'integer',
    LocalConnectTimeoutMs: 'integer',
    LocalRequestTimeoutMs: 'integer',
    BalanceInboundConnections: 'text',
    EnvoyExtensions: 'any',
    Meta: textMap,
  }),
  'proxy-defaults': object({
    ...named,
    Config: 'any',
    Mode: 'text',
    TransparentProxy: 'any',
    MeshGateway: meshGateway,
    Expose: 'any',
    AccessLogs: 'any',
    EnvoyExtensions: 'any',
    Meta: textMap,
  }),
  'service-router': object({
    ...named,
    Routes: { list: object({ Match: object({ HTTP: httpMatch }), Destination: destination }) },
    Meta: textMap,
  }),
  'service-splitter': object({
    ...named,
    Splits: {
      list: object({
        Weight: 'weight',
        ...rewrite,
        RequestHeaders: headerEdits,
        ResponseHeaders: headerEdits,
      }),
    },
    Meta: textMap,
  }),
  'service-resolver': object({
    ...named,
    DefaultSubset: 'text',
    Subsets: { map: object({ Filter: 'text', OnlyPassing: 'flag' }) },
    Redirect: object(elsewhere),
    Failover: { map: object({ ...rewrite, Datacenters: texts, Targets: { list: object(elsewhere) } }) },
    ConnectTimeout: 'duration',
    RequestTimeout: 'duration',
    LoadBalancer: object({
      Policy: 'text',
      RingHashConfig: 'any',
      LeastRequestConfig: 'any',
      HashPolicies: 'any',
    }),
    Meta: textMap,
  }),
};

/** The body of a chain that is compiled with overrides (docs/protocol/queries-and-chain.md#discovery-chain). */
export const overridesShape: Shape = object({
  OverrideConnectTimeout: 'duration',
  OverrideProtocol: 'text',
  OverrideMeshGateway: meshGateway,
});

import type { EntryKind } from './entry.ts';
import type { ObjectShape, Shape } from './shape.ts';

const stringList: Shape = { list: 'text' };
const stringMap: Shape = { map: 'text' };
const objectShape = (members: ObjectShape): Shape => ({ members });

const commonFields: ObjectShape = { Kind: 'text', Name: 'text', Namespace: 'text' };
const meshGateway = objectShape({ Mode: 'text' });
const headerEdits = objectShape({ Add: stringMap, Set: stringMap, Remove: stringList });
const rewriteFields: ObjectShape = { Service: 'text', ServiceSubset: 'text', Namespace: 'text' };
const matchFields: ObjectShape = { Name: 'text', Present: 'flag', Exact: 'text' };

const httpMatch = objectShape({
  PathExact: 'text',
  PathPrefix: 'text',
  PathRegex: 'text',
  CaseInsensitive: 'flag',
  Header: {
    list: objectShape({ ...matchFields, Prefix: 'text', Suffix: 'text', Regex: 'text', Invert: 'flag' }),
  },
  QueryParam: { list: objectShape({ ...matchFields, Regex: 'text' }) },
  Methods: stringList,
});

const destination = objectShape({
  ...rewriteFields,
  PrefixRewrite: 'text',
  RequestTimeout: 'duration',
  IdleTimeout: 'duration',
  NumRetries: 'integer',
  RetryOnConnectFailure: 'flag',
  RetryOn: stringList,
  RetryOnStatusCodes: { list: 'integer' },
  RequestHeaders: headerEdits,
  ResponseHeaders: headerEdits,
});

const redirectFields: ObjectShape = { ...rewriteFields, Datacenter: 'text', Peer: 'text' };

/** The fields of each kind of entry. Configuration of proxies is opaque. */
export const entryShapes: Readonly<Record<EntryKind, Shape>> = {
  'service-defaults': objectShape({
    ...commonFields,
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
    Meta: stringMap,
  }),
  'proxy-defaults': objectShape({
    ...commonFields,
    Config: 'any',
    Mode: 'text',
    TransparentProxy: 'any',
    MeshGateway: meshGateway,
    Expose: 'any',
    AccessLogs: 'any',
    EnvoyExtensions: 'any',
    Meta: stringMap,
  }),
  'service-router': objectShape({
    ...commonFields,
    Routes: { list: objectShape({ Match: objectShape({ HTTP: httpMatch }), Destination: destination }) },
    Meta: stringMap,
  }),
  'service-splitter': objectShape({
    ...commonFields,
    Splits: {
      list: objectShape({
        Weight: 'weight',
        ...rewriteFields,
        RequestHeaders: headerEdits,
        ResponseHeaders: headerEdits,
      }),
    },
    Meta: stringMap,
  }),
  'service-resolver': objectShape({
    ...commonFields,
    DefaultSubset: 'text',
    Subsets: { map: objectShape({ Filter: 'text', OnlyPassing: 'flag' }) },
    Redirect: objectShape(redirectFields),
    Failover: {
      map: objectShape({
        ...rewriteFields,
        Datacenters: stringList,
        Targets: { list: objectShape(redirectFields) },
      }),
    },
    ConnectTimeout: 'duration',
    RequestTimeout: 'duration',
    LoadBalancer: objectShape({
      Policy: 'text',
      RingHashConfig: 'any',
      LeastRequestConfig: 'any',
      HashPolicies: 'any',
    }),
    Meta: stringMap,
  }),
};

/** The body of a chain request with overrides (docs/protocol/queries-and-chain.md#discovery-chain). */
export const overridesShape: Shape = objectShape({
  OverrideConnectTimeout: 'duration',
  OverrideProtocol: 'text',
  OverrideMeshGateway: meshGateway,
});

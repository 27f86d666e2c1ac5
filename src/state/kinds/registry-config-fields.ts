import { field, type Schema } from '../../objects/schema.ts';
import {
  httpRule,
  linkedService,
  listener,
  reference,
  sds,
  tlsVersions,
} from './registry-config-gateways.ts';
import {
  duration,
  edits,
  httpMatch,
  jwtRequirement,
  limits,
  name,
  object,
  optional,
  passiveHealthCheck,
  valueMatch,
} from './registry-config-parts.ts';

/**
 * The fields of config entries of all kinds (docs/protocol/registry.md#config-entries): those of the same name in
 * several kinds have the members of all. Other fields are sent unchanged; the registry rejects those it does not know.
 */

const { string, integer, boolean, any, list, map, set } = field;

const named = object({ Name: string() });
const meshGateway = object({ Mode: string() });
const prioritizeByLocality = object({ Mode: string() });
const place = {
  Service: string(),
  ServiceSubset: string(),
  Namespace: string(),
  Partition: string(),
} as const;
const target = object({ ...place, Datacenter: string(), Peer: string(), SamenessGroup: string() });
const failoverPolicy = object({ Mode: string(), Regions: list(string()) });
const upstream = object({
  Name: string(),
  Peer: string(),
  EnvoyListenerJSON: string(),
  EnvoyClusterJSON: string(),
  Protocol: name,
  ConnectTimeoutMs: integer(),
  Limits: object({
    MaxConnections: optional,
    MaxPendingRequests: optional,
    MaxConcurrentRequests: optional,
  }),
  PassiveHealthCheck: passiveHealthCheck,
  MeshGateway: meshGateway,
  BalanceOutboundConnections: string(),
});

const route = object({
  Match: object({
    HTTP: object({
      ...httpMatch,
      CaseInsensitive: boolean(),
      QueryParam: list(object(valueMatch)),
    }),
  }),
  Destination: object({
    ...place,
    PrefixRewrite: string(),
    RequestTimeout: duration,
    IdleTimeout: duration,
    NumRetries: integer(),
    RetryOnConnectFailure: boolean(),
    RetryOn: list(string()),
    RetryOnStatusCodes: list(integer()),
    ...edits,
  }),
});

const failover = object({
  Service: string(),
  ServiceSubset: string(),
  Namespace: string(),
  Datacenters: list(string()),
  Targets: list(target),
  Policy: failoverPolicy,
  SamenessGroup: string(),
});

const loadBalancer = object({
  Policy: string(),
  RingHashConfig: object({ MinimumRingSize: integer(), MaximumRingSize: integer() }),
  LeastRequestConfig: object({ ChoiceCount: integer() }),
  HashPolicies: list(
    object({
      Field: string(),
      FieldValue: string(),
      CookieConfig: object({ Session: boolean(), TTL: duration, Path: string() }),
      SourceIP: boolean(),
      Terminal: boolean(),
    }),
  ),
});

/** The registry sorts them by precedence, which it computes. */
const intentionSource = object({
  Name: string(),
  Action: string(),
  Permissions: list(object({ Action: string(), HTTP: object(httpMatch), JWT: jwtRequirement })),
  Type: string({ default: 'consul' }),
  Description: string(),
  Peer: string(),
  SamenessGroup: string(),
});

const remoteKeys = object({
  URI: string(),
  RequestTimeoutMs: integer(),
  CacheDuration: duration,
  FetchAsynchronously: boolean(),
  UseSNI: boolean(),
  RetryPolicy: object({
    NumRetries: integer(),
    RetryPolicyBackOff: object({ BaseInterval: duration, MaxInterval: duration }),
  }),
  JWKSCluster: object({ DiscoveryType: string(), TLSCertificates: any(), ConnectTimeout: duration }),
});

const meshTls = object(tlsVersions);

const serviceFields = {
  Protocol: name,
  Mode: string(),
  TransparentProxy: object({
    OutboundListenerPort: integer(),
    DialedDirectly: boolean(),
    MeshDestinationsOnly: boolean(),
  }),
  MutualTLSMode: string(),
  MeshGateway: meshGateway,
  Expose: object({
    Checks: boolean(),
    Paths: list(
      object({ ListenerPort: integer(), Path: string(), LocalPathPort: integer(), Protocol: string() }),
    ),
  }),
  ExternalSNI: string(),
  UpstreamConfig: object({ Overrides: list(upstream), Defaults: upstream }),
  Destination: object({ Addresses: list(string()), Port: integer() }),
  MaxInboundConnections: integer(),
  LocalConnectTimeoutMs: integer(),
  LocalRequestTimeoutMs: integer(),
  BalanceInboundConnections: string(),
  EnvoyExtensions: list(
    object({
      Name: string(),
      Required: boolean(),
      Arguments: any(),
      ConsulVersion: string(),
      EnvoyVersion: string(),
    }),
  ),
} as const;

const chainFields = {
  Routes: list(route),
  Splits: list(object({ Weight: field.number(), ...place, ...edits })),
  DefaultSubset: string(),
  Subsets: map(object({ Filter: string(), OnlyPassing: boolean() })),
  Redirect: target,
  Failover: map(failover),
  ConnectTimeout: duration,
  RequestTimeout: duration,
  LoadBalancer: loadBalancer,
} as const;

/** The fields of a config entry, except its kind and name. */
export const configFields: Readonly<Record<string, Schema>> = {
  ...serviceFields,
  Config: any({ description: 'proxy-defaults: settings of proxies, such as `protocol`.' }),
  AccessLogs: object({
    Enabled: boolean(),
    DisableListenerLogs: boolean(),
    Type: string(),
    Path: string(),
    JSONFormat: string(),
    TextFormat: string(),
  }),
  FailoverPolicy: failoverPolicy,
  PrioritizeByLocality: prioritizeByLocality,
  ...chainFields,
  Sources: set(intentionSource, { description: 'service-intentions: who may connect.' }),
  JWT: jwtRequirement,
  TLS: object({ Enabled: boolean(), SDS: sds, ...tlsVersions, Incoming: meshTls, Outgoing: meshTls }),
  HTTP: object({ SanitizeXForwardedClientCert: boolean(), Incoming: any() }),
  Peering: object({ PeerThroughMeshGateways: boolean() }),
  AllowEnablingPermissiveMutualTLS: boolean(),
  ValidateClusters: boolean(),
  Listeners: list(listener),
  Defaults: object({ ...limits, PassiveHealthCheck: passiveHealthCheck }),
  Services: list(linkedService),
  Parents: list(reference('api-gateway')),
  Rules: list(httpRule),
  Hostnames: list(string()),
  JSONWebKeySet: object({
    Local: object({ JWKS: string(), Filename: string() }),
    Remote: remoteKeys,
  }),
  Issuer: string(),
  Audiences: list(string()),
  Locations: list(object({ Header: any(), QueryParam: named, Cookie: named })),
  Forwarding: object({ HeaderName: string(), PadForwardPayloadHeader: boolean() }),
  ClockSkewSeconds: integer({ default: 30 }),
  CacheConfig: object({ Size: integer() }),
  Certificate: string({ description: 'A certificate in PEM format, or the path of one.' }),
  PrivateKey: field.secret({ description: 'A private key in PEM format, or the path of one.' }),
  Meta: map(string(), { description: 'Names and values for people and tools.' }),
};

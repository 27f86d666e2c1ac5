import * as s from '../../core/schema/types.ts';
import { shownIndexes } from '../../core/state/state-table.ts';
import {
  duration,
  flag,
  integer,
  list,
  map,
  nanoseconds,
  stringMap,
  strings,
  text,
  unsigned,
  unsignedList,
} from './rules.ts';

/**
 * Config entries of discovery chains (docs/protocol/registry.md#config-entries): the fields of each kind in a request,
 * in the order of output, and the types of their stored form: empty fields are absent, durations are in Go style
 * (`1m30s`).
 */

const part = <const F extends s.Fields>(fields: F) => s.optional(s.object(fields));
const texts = <const Name extends string>(...names: readonly Name[]) => s.each(names, text);
/** An integer whose 0 differs from a missing one. */
const withZero = s.optional(s.integer());
/** Opaque. */
const any = s.optional(s.json());

const commonFields = { Name: s.required(s.string()), Namespace: text };
export const meshGateway = part({ Mode: text });
const headerEdits = part({ Add: stringMap, Set: stringMap, Remove: strings });
const rewriteFields = texts('Service', 'ServiceSubset', 'Namespace', 'Partition');
const matchFields = { Name: text, Present: flag, Exact: text };

/** A match of a header or a query parameter; exactly one field besides `Name`, except `Invert`. */
const valueMatch = s.object({
  ...matchFields,
  Prefix: text,
  Suffix: text,
  Regex: text,
  Invert: flag,
});

const httpMatch = part({
  PathExact: text,
  PathPrefix: text,
  PathRegex: text,
  CaseInsensitive: flag,
  Header: list(valueMatch),
  QueryParam: list(s.object({ ...matchFields, Regex: text })),
  Methods: strings,
});

const destination = part({
  ...rewriteFields,
  PrefixRewrite: text,
  RequestTimeout: duration,
  IdleTimeout: duration,
  NumRetries: unsigned,
  RetryOnConnectFailure: flag,
  RetryOn: strings,
  RetryOnStatusCodes: unsignedList,
  RequestHeaders: headerEdits,
  ResponseHeaders: headerEdits,
});

export const route = s.object({ Match: part({ HTTP: httpMatch }), Destination: destination });

export const split = s.object({
  Weight: s.number('Percent, in steps of 0.01.'),
  ...rewriteFields,
  RequestHeaders: headerEdits,
  ResponseHeaders: headerEdits,
});

/** The fields that a redirect or failover replaces in a target; absent ones are unchanged. */
const rewriteTarget = { ...rewriteFields, Datacenter: text, Peer: text };
const rewrite = s.object(rewriteTarget);
const redirect = part({ ...rewriteTarget, SamenessGroup: text });
export const failoverPolicy = part({ Mode: text, Regions: strings });
const failover = s.object({
  Service: text,
  ServiceSubset: text,
  Namespace: text,
  Datacenters: strings,
  Targets: list(rewrite),
  Policy: failoverPolicy,
  SamenessGroup: text,
});
export const subset = s.object({ Filter: text, OnlyPassing: flag });
export const localityPriority = part({ Mode: text });

const hashPolicy = s.object({
  Field: text,
  FieldValue: text,
  CookieConfig: part({ Session: flag, TTL: nanoseconds, Path: text }),
  SourceIP: flag,
  Terminal: flag,
});

export const loadBalancer = part({
  Policy: text,
  RingHashConfig: part({ MinimumRingSize: integer, MaximumRingSize: integer }),
  LeastRequestConfig: part({ ChoiceCount: unsigned }),
  HashPolicies: list(hashPolicy),
});

const upstream = s.object({
  Name: text,
  Peer: text,
  EnvoyListenerJSON: text,
  EnvoyClusterJSON: text,
  Protocol: text,
  ConnectTimeoutMs: integer,
  Limits: part({
    MaxConnections: withZero,
    MaxPendingRequests: withZero,
    MaxConcurrentRequests: withZero,
  }),
  PassiveHealthCheck: part({
    Interval: nanoseconds,
    MaxFailures: unsigned,
    EnforcingConsecutive5xx: withZero,
    MaxEjectionPercent: withZero,
    BaseEjectionTime: nanoseconds,
  }),
  MeshGateway: meshGateway,
  BalanceOutboundConnections: text,
});

export const extension = s.object({
  Name: text,
  Required: flag,
  Arguments: any,
  ConsulVersion: text,
  EnvoyVersion: text,
});

/** An extension as shown: with all fields, also empty ones. */
export const shownExtension = s.named(
  'EnvoyExtension',
  s.object({
    Name: s.string(),
    Required: s.boolean(),
    Arguments: s.json(),
    ...s.each(['ConsulVersion', 'EnvoyVersion'], s.string()),
  }),
);

const exposedPath = s.object({
  ListenerPort: integer,
  Path: text,
  LocalPathPort: integer,
  Protocol: text,
  ParsedFromCheck: flag,
});

export const expose = part({ Checks: flag, Paths: list(exposedPath) });
export const transparentProxy = part({ OutboundListenerPort: integer, DialedDirectly: flag });
export const accessLogs = part({
  Enabled: flag,
  DisableListenerLogs: flag,
  ...texts('Type', 'Path', 'JSONFormat', 'TextFormat'),
});

/** Fields that service-defaults and proxy-defaults have in common. */
const proxyFields = {
  Mode: text,
  TransparentProxy: transparentProxy,
  MutualTLSMode: text,
  MeshGateway: meshGateway,
  Expose: expose,
  EnvoyExtensions: list(extension),
};

/** The hash and the indexes, which a request may have too. */
const shownFields = { Hash: s.responseOnly(s.int64('Of the content.')), ...shownIndexes };

const entry = <const Kind extends string, const F extends s.Fields>(kind: Kind, fields: F) => {
  const name = kind.replace(/(?:^|-)(\w)/g, (_all, letter: string) => letter.toUpperCase());
  const Kind = s.required(s.oneOf([kind]));
  return s.named(name, s.object({ Kind, ...commonFields, ...fields, ...shownFields }));
};

/** The kinds of entries. */
export const entryTypes = {
  'service-defaults': entry('service-defaults', {
    Protocol: text,
    ...proxyFields,
    ExternalSNI: text,
    UpstreamConfig: part({ Overrides: list(upstream), Defaults: s.optional(upstream) }),
    Destination: part({ Addresses: strings, Port: integer }),
    MaxInboundConnections: integer,
    LocalConnectTimeoutMs: integer,
    LocalRequestTimeoutMs: integer,
    BalanceInboundConnections: text,
    RateLimits: any,
    Meta: stringMap,
  }),
  'proxy-defaults': entry('proxy-defaults', {
    Name: s.string('`global`, also if it is missing.'),
    Config: s.optional(
      s.json('Opaque configuration of proxies; `protocol` is the default protocol of services.'),
    ),
    ...proxyFields,
    AccessLogs: accessLogs,
    FailoverPolicy: failoverPolicy,
    PrioritizeByLocality: localityPriority,
    Meta: stringMap,
  }),
  'service-router': entry('service-router', {
    Routes: list(route),
    Meta: stringMap,
  }),
  'service-splitter': entry('service-splitter', {
    Splits: list(split),
    Meta: stringMap,
  }),
  'service-resolver': entry('service-resolver', {
    DefaultSubset: text,
    Subsets: map(subset),
    Redirect: redirect,
    /** By subset; `*` applies to all others. */
    Failover: map(failover),
    PrioritizeByLocality: localityPriority,
    ConnectTimeout: duration,
    RequestTimeout: duration,
    LoadBalancer: loadBalancer,
    Meta: stringMap,
  }),
};

export type EntryKind = keyof typeof entryTypes;
export const entryKinds = Object.keys(entryTypes) as readonly EntryKind[];
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

type Entry<Kind extends EntryKind> = s.Stored<(typeof entryTypes)[Kind]>;
export type EntriesByKind = { readonly [Kind in EntryKind]: Entry<Kind> };
export type ConfigEntry = EntriesByKind[EntryKind];
export type ServiceDefaults = Entry<'service-defaults'>;
export type ProxyDefaults = Entry<'proxy-defaults'>;
export type ServiceRouter = Entry<'service-router'>;
export type ServiceSplitter = Entry<'service-splitter'>;
export type ServiceResolver = Entry<'service-resolver'>;

export type MeshGateway = s.Stored<typeof meshGateway>;
export type HeaderEdits = s.Stored<typeof headerEdits>;
export type ValueMatch = s.Stored<typeof valueMatch>;
export type HttpMatch = s.Stored<typeof httpMatch>;
export type RouteDestination = s.Stored<typeof destination>;
export type Route = s.Stored<typeof route>;
export type Split = s.Stored<typeof split>;
export type Rewrite = s.Stored<typeof rewrite>;
export type Failover = s.Stored<typeof failover>;
export type LocalityPriority = s.Stored<typeof localityPriority>;
export type EnvoyExtension = s.Stored<typeof extension>;
export type Upstream = s.Stored<typeof upstream>;
export type Subset = s.Stored<typeof subset>;
export type LoadBalancer = s.Stored<typeof loadBalancer>;

export interface EntrySource {
  entry<Kind extends EntryKind>(kind: Kind, name: string): EntriesByKind[Kind] | undefined;
}

import type { Json } from '../../../wire/json.ts';

/**
 * Config entries of discovery chains (docs/protocol/registry.md#config-entries), in their stored form: empty fields
 * are absent, durations are in Go style (`1m30s`).
 */

export const entryKinds = [
  'service-defaults',
  'proxy-defaults',
  'service-router',
  'service-splitter',
  'service-resolver',
] as const;
export type EntryKind = (typeof entryKinds)[number];

/** Kinds of entries that belong to the chain of the service with their name. */
export const chainKinds = ['service-router', 'service-splitter', 'service-resolver'] as const;

export const isEntryKind = (text: unknown): text is EntryKind =>
  (entryKinds as readonly unknown[]).includes(text);

const meshGatewayModes = ['none', 'local', 'remote'] as const;
export type MeshGatewayMode = (typeof meshGatewayModes)[number];

export const isMeshGatewayMode = (text: string): text is MeshGatewayMode =>
  (meshGatewayModes as readonly string[]).includes(text);

export interface MeshGateway {
  readonly Mode?: MeshGatewayMode;
}

interface EntryBase<Kind extends EntryKind> {
  readonly Kind: Kind;
  readonly Name: string;
  readonly Namespace?: string;
  readonly Meta?: Readonly<Record<string, string>>;
}

export interface ServiceDefaults extends EntryBase<'service-defaults'> {
  readonly Protocol?: string;
  readonly ExternalSNI?: string;
  readonly MeshGateway?: MeshGateway;
}

export interface ProxyDefaults extends EntryBase<'proxy-defaults'> {
  /** Opaque configuration of proxies; `protocol` is the default protocol of services. */
  readonly Config?: Readonly<Record<string, Json>>;
  readonly MeshGateway?: MeshGateway;
}

export interface HeaderEdits {
  readonly Add?: Readonly<Record<string, string>>;
  readonly Set?: Readonly<Record<string, string>>;
  readonly Remove?: readonly string[];
}

/** A match of a header or a query parameter; at most one field besides `Name`. */
export interface ValueMatch {
  readonly Name?: string;
  readonly Present?: boolean;
  readonly Exact?: string;
  readonly Prefix?: string;
  readonly Suffix?: string;
  readonly Regex?: string;
  readonly Invert?: boolean;
}

export interface HttpMatch {
  readonly PathExact?: string;
  readonly PathPrefix?: string;
  readonly PathRegex?: string;
  readonly CaseInsensitive?: boolean;
  readonly Header?: readonly ValueMatch[];
  readonly QueryParam?: readonly ValueMatch[];
  readonly Methods?: readonly string[];
}

export interface RouteDestination {
  readonly Service?: string;
  readonly ServiceSubset?: string;
  readonly Namespace?: string;
  readonly PrefixRewrite?: string;
  readonly RequestTimeout?: string;
  readonly IdleTimeout?: string;
  readonly NumRetries?: number;
  readonly RetryOnConnectFailure?: boolean;
  readonly RetryOn?: readonly string[];
  readonly RetryOnStatusCodes?: readonly number[];
  readonly RequestHeaders?: HeaderEdits;
  readonly ResponseHeaders?: HeaderEdits;
}

export interface Route {
  readonly Match?: { readonly HTTP?: HttpMatch };
  readonly Destination?: RouteDestination;
}

export interface ServiceRouter extends EntryBase<'service-router'> {
  readonly Routes?: readonly Route[];
}

export interface Split {
  /** Percent, in steps of 0.01. */
  readonly Weight: number;
  readonly Service?: string;
  readonly ServiceSubset?: string;
  readonly Namespace?: string;
  readonly RequestHeaders?: HeaderEdits;
  readonly ResponseHeaders?: HeaderEdits;
}

export interface ServiceSplitter extends EntryBase<'service-splitter'> {
  readonly Splits?: readonly Split[];
}

/** The fields that a redirect or failover replaces in a target; absent ones are unchanged. */
export interface Rewrite {
  readonly Service?: string;
  readonly ServiceSubset?: string;
  readonly Namespace?: string;
  readonly Datacenter?: string;
  readonly Peer?: string;
}

export interface Failover extends Pick<Rewrite, 'Service' | 'ServiceSubset' | 'Namespace'> {
  readonly Datacenters?: readonly string[];
  readonly Targets?: readonly Rewrite[];
}

export interface Subset {
  readonly Filter?: string;
  readonly OnlyPassing?: boolean;
}

export interface LoadBalancer {
  readonly Policy?: string;
  readonly RingHashConfig?: Json;
  readonly LeastRequestConfig?: Json;
  readonly HashPolicies?: Json;
}

export interface ServiceResolver extends EntryBase<'service-resolver'> {
  readonly ConnectTimeout?: string;
  readonly RequestTimeout?: string;
  readonly DefaultSubset?: string;
  readonly Subsets?: Readonly<Record<string, Subset>>;
  readonly Redirect?: Rewrite;
  /** By subset; `*` applies to all others. */
  readonly Failover?: Readonly<Record<string, Failover>>;
  readonly LoadBalancer?: LoadBalancer;
}

export interface EntriesByKind {
  'service-defaults': ServiceDefaults;
  'proxy-defaults': ProxyDefaults;
  'service-router': ServiceRouter;
  'service-splitter': ServiceSplitter;
  'service-resolver': ServiceResolver;
}
export type ConfigEntry = EntriesByKind[EntryKind];

/** A stored entry. */
export type StoredEntry = ConfigEntry & { readonly CreateIndex: number; readonly ModifyIndex: number };

/** The lookup of entries. */
export interface EntrySource {
  entry<Kind extends EntryKind>(kind: Kind, name: string): EntriesByKind[Kind] | undefined;
}

/** The name of the only proxy-defaults entry. */
export const globalName = 'global';

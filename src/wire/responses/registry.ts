/** Fields of responses of the service registry that are shown (docs/protocol/registry.md). */

/** Numbers of the state of the service, which grow with each change. */
export interface Indexes {
  /** The index of the creation. */
  CreateIndex?: number | bigint;
  /** The index of the last change. */
  ModifyIndex?: number | bigint;
}

/** Of an object of access control. */
export interface Hashed extends Indexes {
  /** Hash of the content. */
  Hash?: string;
}

/** How a response was read. */
export interface QueryMeta {
  Index?: number | bigint;
  /** Nanoseconds since the server last heard of the leader. */
  LastContact?: number | bigint;
  KnownLeader?: boolean;
  /** `leader`, `stale` or empty. */
  ConsistencyLevel?: string;
  NotModified?: boolean;
  Backend?: number;
  /** Items were omitted, because the token may not read them. */
  ResultsFilteredByACLs?: boolean;
}

export interface CatalogNode extends Indexes {
  /** UUID; empty: the node has none. */
  ID?: string;
  Datacenter?: string;
  /** Addresses by name, such as lan and wan. */
  TaggedAddresses?: Record<string, string> | null;
  Partition?: string;
  PeerName?: string;
}

/** An instance of a service. */
export interface CatalogService extends Indexes {
  /** `connect-proxy` and others; absent or empty: an ordinary service. */
  Kind?: string;
  /** Address; empty: the node's. */
  Address?: string;
  Port?: number;
  SocketPath?: string;
  TaggedAddresses?: Record<string, { Address?: string; Port?: number }> | null;
  /** For the order of DNS responses. */
  Weights?: { Passing?: number; Warning?: number };
  EnableTagOverride?: boolean;
  /** Settings of a proxy. */
  Proxy?: object;
  /** Settings of the service mesh. */
  Connect?: object;
  PeerName?: string;
  Namespace?: string;
  Partition?: string;
}

export interface HealthCheck extends Indexes {
  Node?: string;
  /** Notes of users. */
  Notes?: string;
  /** Output of the last run. */
  Output?: string;
  /** ID of the instance; empty: a check of the node. */
  ServiceID?: string;
  ServiceName?: string;
  ServiceTags?: string[] | null;
  /** `http`, `tcp`, `ttl` and others; empty: registered without one. */
  Type?: string;
  /** A duration. */
  Interval?: string;
  /** A duration. */
  Timeout?: string;
  ExposedPort?: number;
  /** How the check runs. */
  Definition?: object;
  PeerName?: string;
}

/** A node in the gossip pool of an agent. */
export interface Member {
  ProtocolMin?: number;
  ProtocolMax?: number;
  ProtocolCur?: number;
  DelegateMin?: number;
  DelegateMax?: number;
  DelegateCur?: number;
}

/** The result of one operation of a transaction: one of its kind. */
export interface TransactionResult {
  KV?: TransactionEntry;
  Node?: CatalogNode & { Node?: string; Address?: string; Meta?: Record<string, string> | null };
  Service?: CatalogService & {
    ID?: string;
    Service?: string;
    Tags?: string[] | null;
    Meta?: Record<string, string> | null;
  };
  Check?: HealthCheck & { CheckID?: string; Name?: string; Status?: string };
}

export interface TransactionEntry extends Indexes {
  Key?: string;
  /** In base64; null: not read. */
  Value?: string | null;
  /** From 0 to 2^64-1. */
  Flags?: number | bigint;
  LockIndex?: number | bigint;
  Session?: string;
}

/** Where a service of a discovery chain is. */
export interface ChainTarget {
  ID?: string;
  Name?: string;
  /** The name of the service. */
  Service?: string;
  ServiceSubset?: string;
  Namespace?: string;
  Partition?: string;
  Datacenter?: string;
  Peer?: string;
  /** A duration. */
  ConnectTimeout?: string;
  /** Name of the server for TLS. */
  SNI?: string;
  External?: boolean;
  TransparentProxy?: object;
}

export interface Chain {
  Namespace?: string;
  Partition?: string;
  /** No config entry changes the chain. */
  Default?: boolean;
  /** Hash of the overrides of the request. */
  CustomizationHash?: string;
  AutoVirtualIPs?: string[] | null;
  ManualVirtualIPs?: string[] | null;
  ServiceMeta?: Record<string, string> | null;
}

/** A part of the requests of a splitter. */
export interface ChainSplit {
  /** The split of the config entry. */
  Definition?: { Weight?: number; Service?: string; ServiceSubset?: string };
}

export interface ChainDestination {
  Service?: string;
  ServiceSubset?: string;
  Namespace?: string;
  Partition?: string;
}

/** For DNS: a duration. */
export interface QueryDns {
  DNS?: { TTL?: string } | null;
}

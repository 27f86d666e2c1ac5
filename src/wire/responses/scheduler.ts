/** Fields of responses of the scheduler that are shown (docs/protocol/scheduler.md). */

/** Of a namespace: its objects, and what only the service sets. */
export interface Namespace {
  Capabilities?: { EnabledTaskDrivers?: string[] | null; DisabledTaskDrivers?: string[] | null } | null;
  NodePoolConfiguration?: {
    Default?: string;
    Allowed?: string[] | null;
    Denied?: string[] | null;
  } | null;
  VaultConfiguration?: object | null;
  ConsulConfiguration?: object | null;
  /** Hash of the content, in base64. */
  Hash?: string;
  /** The index of the creation. */
  CreateIndex?: number | bigint;
  /** The index of the last change. */
  ModifyIndex?: number | bigint;
}

/** Of a policy, token or role: what only the service sets. */
export interface Hashed {
  /** Hash of the content, in base64. */
  Hash?: string | null;
  /** The index of the creation. */
  CreateIndex?: number | bigint;
  /** The index of the last change. */
  ModifyIndex?: number | bigint;
}

/** Of a policy: its rules as Nomad parsed them, too. */
export interface Policy extends Hashed {
  RulesJSON?: object | null;
}

/** After a deletion. */
export interface Deleted {
  /** The index of the change. */
  Index?: number | bigint;
}

/** Metadata of a variable. */
export interface VariableMetadata {
  Namespace?: string;
  /** The index of the creation. */
  CreateIndex?: number | bigint;
  /** The index of the last change, for check-and-set. */
  ModifyIndex?: number | bigint;
  /** Nanoseconds since 1970. */
  CreateTime?: number | bigint;
  /** Nanoseconds since 1970. */
  ModifyTime?: number | bigint;
  /** Of a variable that is locked; the ID only for its holder. */
  Lock?: {
    ID?: string;
    /** A duration. */
    TTL?: string;
    /** A duration. */
    LockDelay?: string;
  };
}

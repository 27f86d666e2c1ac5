/** Fields of responses of the secrets service that are shown (docs/protocol/secrets.md). */

/** Around the data of every response. */
export interface Envelope {
  request_id?: string;
  /** ID of the lease; empty: there is no lease. */
  lease_id?: string;
  renewable?: boolean;
  /** Lifetime of the lease in seconds; 0: there is no lease. */
  lease_duration?: number;
  /** Of a login or a new token. */
  auth?: Auth | null;
  /** Where a wrapped response is, instead of the response. */
  wrap_info?: Wrap | null;
  /** The type of the engine. Not on OpenBao. */
  mount_type?: string;
}

/** The response of any path: an object, mostly with an envelope, text, or none. */
export type AnyResponse = (Envelope & SomeData) | string | undefined;

interface SomeData {
  /** What the path returns. */
  data?: unknown;
  /** What the service warns about. */
  warnings?: string[] | null;
}

/** Of a list. */
export interface ListedKeys {
  /** About each key, by its name. */
  key_info?: Record<string, unknown> | null;
}

/** A document of OpenAPI 3. */
export interface OpenApi {
  /** The version of OpenAPI. */
  openapi?: string;
  info?: object;
  /** Operations by path. */
  paths?: object;
  components?: object;
}

/** A token that was issued or renewed. */
export interface Auth {
  client_token?: string;
  /** Identifies the token without being a secret; batch tokens have none. */
  accessor?: string;
  policies?: string[] | null;
  /** Policies of the token, without policies of its identity. */
  token_policies?: string[] | null;
  metadata?: Record<string, string> | null;
  /** Lifetime in seconds; 0: unlimited. */
  lease_duration?: number;
  renewable?: boolean;
  entity_id?: string;
  /** `service` or `batch`. */
  token_type?: string;
  /** It has no parent token. */
  orphan?: boolean;
  mfa_requirement?: unknown;
  /** The number of uses; 0: unlimited. */
  num_uses?: number;
}

export interface Wrap {
  /** The wrapping token, for `secrets unwrap`. */
  token?: string;
  accessor?: string;
  /** Lifetime in seconds. */
  ttl?: number;
  /** RFC 3339. */
  creation_time?: string;
  creation_path?: string;
  /** Accessor of the token in the wrapped response. */
  wrapped_accessor?: string;
}

/** What the service shows of a token. */
export interface Token {
  /** The token; empty if it was looked up by its accessor. */
  id?: string;
  /** Identifies the token without being a secret. */
  accessor?: string;
  display_name?: string;
  policies?: string[] | null;
  /** The path that created the token. */
  path?: string;
  /** Metadata. */
  meta?: Record<string, string> | null;
  /** Remaining lifetime in seconds; 0: unlimited. */
  ttl?: number;
  /** Seconds since 1970. */
  creation_time?: number;
  /** Initial lifetime in seconds. */
  creation_ttl?: number;
  /** RFC 3339. */
  issue_time?: string;
  entity_id?: string;
  /** `service` or `batch`. */
  type?: string;
  renewable?: boolean;
  /** It has no parent token. */
  orphan?: boolean;
  /** Remaining uses; 0: unlimited. */
  num_uses?: number;
}

export interface Mount {
  description?: string;
  accessor?: string;
  uuid?: string;
  options?: Record<string, string> | null;
  /** The mount is not replicated. */
  local?: boolean;
  /** Its data is encrypted once more by the seal. */
  seal_wrap?: boolean;
  external_entropy_access?: boolean;
  plugin_version?: string;
  running_plugin_version?: string;
  running_sha256?: string;
  /** `supported`, `deprecated`, `pending-removal` or `removed`. */
  deprecation_status?: string;
}

export interface MountConfig {
  /** Seconds; 0: the system's. */
  default_lease_ttl?: number;
  /** Seconds; 0: the system's. */
  max_lease_ttl?: number;
  force_no_cache?: boolean;
  /** Of the tokens of an auth method: `default-service`, `default-batch`, `service` or `batch`. */
  token_type?: string;
}

export interface Namespace {
  uuid?: string;
  /** It is being deleted. */
  tainted?: boolean;
  locked?: boolean;
}

export interface Cluster {
  cluster_id?: string;
  cluster_name?: string;
}

export interface Health extends Cluster {
  /** It does not serve requests itself. */
  standby?: boolean;
  performance_standby?: boolean;
  replication_performance_mode?: string;
  replication_dr_mode?: string;
  /** Seconds since 1970. */
  server_time_utc?: number;
}

export interface SealStatus extends Cluster {
  /** `shamir`, or the type of an external seal. */
  type?: string;
  version?: string;
  build_date?: string;
  commit_date?: string;
  migration?: boolean;
  recovery_seal?: boolean;
  storage_type?: string;
}

/** One version of a secret. */
export interface SecretVersion {
  /** RFC 3339; empty: the version is not deleted. */
  deletion_time?: string;
  /** The data is removed permanently. */
  destroyed?: boolean;
  custom_metadata?: Record<string, string> | null;
}

export interface SecretSettings {
  /** Versions that are kept; 0: the setting of the mount, or 10. */
  max_versions?: number;
  /** Writes require check-and-set. */
  cas_required?: boolean;
  /** A duration; `0s`: never. */
  delete_version_after?: string;
  /** OpenBao: writes of the metadata require check-and-set. */
  metadata_cas_required?: boolean;
}

/** Metadata of a secret. */
export interface SecretMetadata extends SecretSettings {
  /** RFC 3339. */
  created_time?: string;
  /** RFC 3339. */
  updated_time?: string;
  oldest_version?: number;
  /** OpenBao: the version of the metadata. */
  current_metadata_version?: number;
}

/** An issuer of an SSH engine. */
export interface SshIssuer {
  /** OpenBao. */
  issuer_id?: string;
  /** OpenBao; empty: the issuer has no name. */
  issuer_name?: string;
}

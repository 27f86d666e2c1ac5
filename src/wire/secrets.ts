/** Interfaces of the secrets service's wire (docs/protocol/secrets.md). */

/** Body of "sign SSH key". */
export interface SshSignBody {
  public_key: string;
  ttl?: string;
  valid_principals?: string;
  cert_type?: string;
  key_id?: string;
  critical_options?: Record<string, string>;
  extensions?: Record<string, string>;
}

/** Body of "submit CA information". */
export interface SshCaBody {
  private_key?: string;
  public_key?: string;
  generate_signing_key?: boolean;
  key_type?: string;
  key_bits?: number;
  managed_key_name?: string;
  managed_key_id?: string;
}

/** Options of a write to the key-value engine, version 2: the expected current version. */
export interface KvOptions {
  cas?: number;
}

/** Settings of a version 2 mount (`config`) or of one key (`metadata/:key`). */
export interface KvSettings {
  max_versions?: number;
  cas_required?: boolean;
  /** A duration; `0s`: never. */
  delete_version_after?: string;
}

/** Body of "write metadata": absent fields are unchanged, `custom_metadata` is replaced completely. */
export interface KvMetadataBody extends KvSettings {
  custom_metadata?: Record<string, string>;
  /** OpenBao: the expected version of the metadata; 0: none yet. Other products ignore it. */
  metadata_cas?: number;
  metadata_cas_required?: boolean;
}

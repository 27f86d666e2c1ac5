/** Interfaces of the secrets service's wire (docs/protocol/secrets.md). */

/** Fields of an SSH role on create and update. */
export interface SshRoleFields {
  key_type: string;
  default_user?: string;
  default_user_template?: boolean;
  cidr_list?: string;
  exclude_cidr_list?: string;
  port?: number;
  allowed_users?: string;
  allowed_users_template?: boolean;
  allowed_domains?: string;
  allowed_domains_template?: boolean;
  ttl?: string;
  max_ttl?: string;
  allowed_critical_options?: string;
  allowed_extensions?: string;
  default_critical_options?: Record<string, string>;
  default_extensions?: Record<string, string>;
  default_extensions_template?: boolean;
  allow_user_certificates?: boolean;
  allow_host_certificates?: boolean;
  allow_bare_domains?: boolean;
  allow_subdomains?: boolean;
  allow_user_key_ids?: boolean;
  key_id_format?: string;
  allowed_user_key_lengths?: Record<string, number | readonly number[] | string>;
  allow_empty_principals?: boolean;
  algorithm_signer?: string;
  not_before_duration?: string;
  /** OpenBao: the issuer that signs, by name or ID; absent: the default one. */
  issuer_ref?: string;
  /** OpenBao: template values may contain commas, and so name several principals. */
  allow_commas_in_identity_templates?: boolean;
}

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

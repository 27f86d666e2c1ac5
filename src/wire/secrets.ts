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

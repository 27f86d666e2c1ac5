/** Local SSH work, as commands see it: keys, certificates, the agent. */

/** The fields of a public key or certificate file. */
export interface PublicKeyInfo {
  /** The key type as OpenSSH writes it, e.g. `ssh-ed25519`, `sk-ssh-ed25519@openssh.com`. */
  readonly type: string;
  /** Bits of the key (rsa: modulus; ec: curve; ed25519: 256). */
  readonly bits: number;
  /** `SHA256:` and unpadded base64, as `ssh-keygen -l` prints it. */
  readonly fingerprint: string;
  readonly comment: string;
}

/** A certificate, with every field that `ssh-keygen -L` shows. */
export interface CertificateInfo {
  /** E.g. `ssh-ed25519-cert-v01@openssh.com`. */
  readonly type: string;
  readonly kind: 'user' | 'host';
  /** The certified key. */
  readonly key: PublicKeyInfo;
  readonly signingCa: PublicKeyInfo;
  /** E.g. `rsa-sha2-256`. */
  readonly signatureAlgorithm: string;
  /** Whether the signature matches the CA key in the certificate. */
  readonly signatureValid: boolean;
  readonly keyId: string;
  /** Decimal text of an unsigned 64-bit number. */
  readonly serial: string;
  /** Empty: valid for any principal. */
  readonly principals: readonly string[];
  /** Unix seconds; `undefined` is "always" (0) or "forever" (2^64-1). */
  readonly validAfter: number | undefined;
  readonly validBefore: number | undefined;
  /** In the order of the certificate. The value of a name without data is ''. */
  readonly criticalOptions: readonly (readonly [name: string, value: string])[];
  readonly extensions: readonly (readonly [name: string, value: string])[];
}

export type Inspected =
  | { readonly what: 'public key'; readonly key: PublicKeyInfo }
  | { readonly what: 'private key'; readonly key: PublicKeyInfo | undefined; readonly encrypted: boolean }
  | { readonly what: 'certificate'; readonly certificate: CertificateInfo };

/** A problem of a key or certificate (`error`), or a recommendation (`warning`). */
export interface Finding {
  readonly severity: 'error' | 'warning';
  /** A short, stable name. */
  readonly rule: string;
  readonly message: string;
}

/** A private key in the format of OpenSSH, and its public key as a line. */
export interface GeneratedKey {
  readonly privateKey: string;
  readonly publicKey: string;
}

/** A key pair that exists only in this process. */
export interface MemoryKey {
  /** `type base64`, without newline. */
  readonly line: string;
  readonly fingerprint: string;
  /** A signature in SSH format: algorithm and signature. */
  sign(data: Uint8Array): Buffer;
}

/** A key that is offered together with a certificate. */
export interface Identity {
  readonly key: MemoryKey;
  /** The certificate's line: the current one, or a new one when it expires soon. */
  certificate(): Promise<string>;
}

/** A server that runs until it is closed. */
export interface Listener {
  close(): Promise<void>;
}

/** A prompt of ssh's askpass interface. */
export interface Prompt {
  readonly text: string;
  /** `text` expects a line, `confirm` yes or no, `none` is only shown. */
  readonly kind: 'text' | 'confirm' | 'none';
  /** The process that prompts: ssh for the host itself, or for a jump host. */
  readonly pid: number;
}

/** The response to a prompt; `ask`: prompt the user; undefined: none. */
export type PromptResponse = { readonly text: string } | 'ask' | undefined;

/** The effective settings of ssh_config and arguments for a host. */
export interface ClientSettings {
  readonly user: string;
  /** Name or address of the connection. */
  readonly host: string;
  readonly port: number;
  /** A setting by its name in lower case; the first one of several. */
  value(name: string): string | undefined;
  /** All values of a setting. */
  values(name: string): readonly string[];
}

import type { CertificateRequirements } from './certificate-freshness.ts';
import type { ClientConfig } from './client-config.ts';

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

/** Methods that read private keys may load a library, and are asynchronous. */
export interface Keys {
  /**
   * Reads an SSH public key, certificate or private key.
   * @param name the file's name, for messages; `-` is standard input, here and below.
   * @throws LanyardError usage: empty, damaged, not a key.
   */
  inspect(text: string, name: string): Promise<Inspected>;
  /**
   * The checked public key line of a file: one line, `type base64 comment`.
   *
   * @throws LanyardError usage: a private key (named as such), a certificate, empty, damaged, not a key.
   */
  readPublicKey(text: string, name: string): { readonly line: string; readonly info: PublicKeyInfo };
  /**
   * Whether a certificate is for this key, meets the requirements and has more than a third of its validity period
   * left (`now`: unix seconds). Other texts are not fresh.
   */
  isFresh(
    certificate: string,
    publicKey: string,
    now: number,
    requirements: CertificateRequirements,
  ): boolean;
  /** The problems of a key or certificate, errors first. `now`: unix seconds. */
  lint(inspected: Inspected, now: number): Promise<readonly Finding[]>;
  /** A new ed25519 key pair. @throws LanyardError usage: the comment contains control characters. */
  generate(comment: string): GeneratedKey;
  /** Checks that a text is an unencrypted private key, and returns its type. */
  readPrivateKey(text: string, name: string): Promise<PublicKeyInfo>;
  /** The public key of an unencrypted private key: its line and type. */
  derivePublicKey(
    text: string,
    name: string,
  ): Promise<{ readonly line: string; readonly info: PublicKeyInfo }>;
}

/** Texts that configure ssh and sshd. */
export interface SshConfiguration {
  /** An include file for ssh. @throws LanyardError usage: a value that ssh_config cannot represent. */
  clientConfig(config: ClientConfig): string;
  /** Whether a text with this beginning is an include file of Lanyard. */
  readonly isClientConfig: (head: string) => boolean;
  /** A user's ssh configuration with an Include line at its top; unchanged if it has the line already. */
  withInclude(configuration: string, include: string): string;
  /** The known_hosts line that trusts a CA for hosts. @throws LanyardError usage: no pattern, or not a public key. */
  knownHostsCaLine(patterns: readonly string[], caPublicKey: string): string;
  /** Adds such a line to a known_hosts file; unchanged if it has the line already. */
  withCaLine(knownHosts: string, line: string): string;
  /** Adds a CA's public key to a file of TrustedUserCAKeys; unchanged if it has the key already. */
  withTrustedKey(trusted: string, caPublicKey: string): string;
}

/** The running ssh-agent. */
export interface Agent {
  /**
   * Adds a key with its certificate, with a lifetime in seconds.
   *
   * @throws LanyardError unreachable (no agent), failure (rejected), usage (encrypted, or an unsupported type).
   */
  addCertificate(privateKeyPath: string, certificate: string, lifetime: number): Promise<void>;
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
}

/** The ssh client of this machine, and servers for keys and prompts. */
export interface SshClient {
  /** The default user name of ssh. */
  readonly localUser: string;
  /**
   * Asks ssh for the effective settings of its configuration and these arguments.
   *
   * @throws LanyardError usage: ssh is missing, or it rejects the arguments.
   */
  resolveSettings(argv: readonly string[]): Promise<ClientSettings>;
  /** Whether ssh would use an open connection (ControlMaster). */
  hasSharedConnection(argv: readonly string[], settings: ClientSettings): Promise<boolean>;
  /** The first address of the host. @throws LanyardError unreachable: it has none. */
  resolveAddress(settings: ClientSettings): Promise<string>;
  createMemoryKey(): MemoryKey;
  /** The public key lines of an agent, without certificates. @throws LanyardError unreachable */
  agentKeys(socketPath: string | undefined): Promise<readonly string[]>;
  /**
   * Listens as an ssh-agent with one identity, followed by those of another agent.
   *
   * @param upstream socket of the other agent, if any.
   */
  serveAgent(path: string, identity: Identity, upstream?: string): Promise<Listener>;
  /**
   * Listens for the prompts of ssh; without a response a prompt fails.
   *
   * @param folder a private directory, for the socket and the program; neither contains a secret.
   * @param self the command that starts Lanyard.
   * @returns the program for `SSH_ASKPASS`.
   */
  serveAskpass(
    folder: string,
    self: readonly string[],
    answer: (prompt: Prompt) => PromptResponse,
  ): Promise<Listener & { readonly program: string }>;
  /**
   * The known_hosts line, including the newline, that trusts a CA for the host.
   *
   * @throws LanyardError usage: not a public key.
   */
  knownHostsCaLine(settings: ClientSettings, caPublicKey: string): string;
}

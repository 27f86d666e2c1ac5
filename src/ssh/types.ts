import type { CertificateRequirements } from './certificate-freshness.ts';
import type { ClientConfig } from './client-config.ts';

/** Local SSH work, as commands see it: keys, certificates, the agent. */

/** What a public key or certificate file holds, in the field's terms. */
export interface PublicKeyInfo {
  /** The key type as OpenSSH writes it, e.g. `ssh-ed25519`, `sk-ssh-ed25519@openssh.com`. */
  readonly type: string;
  /** Bits of the key (rsa: modulus; ec: curve; ed25519: 256). */
  readonly bits: number;
  /** `SHA256:` and unpadded base64, as `ssh-keygen -l` prints it. */
  readonly fingerprint: string;
  readonly comment: string;
}

/** A certificate, every field that `ssh-keygen -L` shows. */
export interface CertificateInfo {
  /** E.g. `ssh-ed25519-cert-v01@openssh.com`. */
  readonly type: string;
  readonly kind: 'user' | 'host';
  /** The certified key. */
  readonly key: PublicKeyInfo;
  readonly signingCa: PublicKeyInfo;
  /** E.g. `rsa-sha2-256`. */
  readonly signatureAlgorithm: string;
  /** Does the signature hold for the CA key inside? */
  readonly signatureValid: boolean;
  readonly keyId: string;
  /** Decimal text: it is an unsigned 64-bit number. */
  readonly serial: string;
  /** Empty: valid for any principal. */
  readonly principals: readonly string[];
  /** Unix seconds; `undefined` is "always" (0) or "forever" (2^64-1). */
  readonly validAfter: number | undefined;
  readonly validBefore: number | undefined;
  /** In the order of the certificate. A name without data has the value ''. */
  readonly criticalOptions: readonly (readonly [name: string, value: string])[];
  readonly extensions: readonly (readonly [name: string, value: string])[];
}

export type Inspected =
  | { readonly what: 'public key'; readonly key: PublicKeyInfo }
  | { readonly what: 'private key'; readonly key: PublicKeyInfo | undefined; readonly encrypted: boolean }
  | { readonly what: 'certificate'; readonly certificate: CertificateInfo };

/** Something that is wrong with a key or certificate (`error`), or not as it is wished (`warning`). */
export interface Finding {
  readonly severity: 'error' | 'warning';
  /** Its short name, which stays the same. */
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
   * The public key line of a file's text, checked: one line, `type base64 comment`.
   * @throws LanyardError usage: a private key (named as such), a certificate, empty, damaged, not a key.
   */
  readPublicKey(text: string, name: string): { readonly line: string; readonly info: PublicKeyInfo };
  /**
   * Is a certificate for this key, as wanted, and has it more than a third of its life left (`now`: unix seconds)?
   * Texts that are no certificate and no key are not fresh.
   */
  isFresh(
    certificate: string,
    publicKey: string,
    now: number,
    requirements: CertificateRequirements,
  ): boolean;
  /** What is wrong with a key or certificate, errors first. `now`: unix seconds. */
  lint(inspected: Inspected, now: number): Promise<readonly Finding[]>;
  /** A new ed25519 key pair. @throws LanyardError usage: the comment contains control characters. */
  generate(comment: string): GeneratedKey;
  /** Checks that text is an unencrypted private key and says of what kind. */
  readPrivateKey(text: string, name: string): Promise<PublicKeyInfo>;
  /** The public key of an unencrypted private key: its line, and of what kind it is. */
  derivePublicKey(
    text: string,
    name: string,
  ): Promise<{ readonly line: string; readonly info: PublicKeyInfo }>;
}

/** Texts that configure ssh and sshd. */
export interface SshConfiguration {
  /** An include file for ssh. @throws LanyardError usage: what cannot be written into one. */
  clientConfig(config: ClientConfig): string;
  /** Is a text that begins so an include file that was made here? */
  readonly isClientConfig: (head: string) => boolean;
  /** A user's ssh configuration with an Include line at its top; the same text where it is present already. */
  withInclude(configuration: string, include: string): string;
  /** The known_hosts line that trusts a CA for hosts. @throws LanyardError usage: no pattern, or no public key. */
  knownHostsCaLine(patterns: readonly string[], caPublicKey: string): string;
  /** A known_hosts file with such a line; the same text where it is present already. */
  withCaLine(knownHosts: string, line: string): string;
  /** A file of TrustedUserCAKeys with a CA's public key; the same text where it is present already. */
  withTrustedKey(trusted: string, caPublicKey: string): string;
}

/** The running ssh-agent. */
export interface Agent {
  /**
   * Adds a key with its certificate, with a lifetime in seconds.
   * @throws LanyardError unreachable (no agent), failure (rejected), usage (key encrypted, or of no usable kind).
   */
  addCertificate(privateKeyPath: string, certificate: string, lifetime: number): Promise<void>;
}

/** A key pair that is nowhere but in this process. */
export interface MemoryKey {
  /** `type base64`, without newline. */
  readonly line: string;
  readonly fingerprint: string;
  /** A signature as SSH writes it: algorithm and signature. */
  sign(data: Uint8Array): Buffer;
}

/** A key that is offered together with a certificate for it. */
export interface Identity {
  readonly key: MemoryKey;
  /** The certificate's line: the one there is, or a new one near its end. */
  certificate(): Promise<string>;
}

/** Something that listens until it is closed. */
export interface Listener {
  close(): Promise<void>;
}

/** What the ssh client asks a person through its askpass interface. */
export interface Prompt {
  readonly text: string;
  /** `text` wants a line, `confirm` yes or no, `none` is only to be shown. */
  readonly kind: 'text' | 'confirm' | 'none';
  /** The process that asks: an ssh for the host itself, or one for a jump host. */
  readonly pid: number;
}

/** An answer to a prompt; `ask`: the person has it; undefined: none. */
export type PromptResponse = { readonly text: string } | 'ask' | undefined;

/** What ssh_config and arguments come to for a host. */
export interface ClientSettings {
  readonly user: string;
  /** Name or address that is connected to. */
  readonly host: string;
  readonly port: number;
  /** A setting by its name in lower case; the first one where there are several. */
  value(name: string): string | undefined;
}

/** The ssh client of this machine, and what it can be given from memory. */
export interface SshClient {
  /** Who ssh logs in as where no one says. */
  readonly localUser: string;
  /**
   * Asks ssh itself what its configuration and these arguments come to.
   * @throws LanyardError usage: ssh is missing, or it rejects the arguments.
   */
  resolveSettings(argv: readonly string[]): Promise<ClientSettings>;
  /** Would ssh use a connection that is open already (ControlMaster)? */
  hasSharedConnection(argv: readonly string[], settings: ClientSettings): Promise<boolean>;
  /** The first address of the host. @throws LanyardError unreachable: it has none. */
  resolveAddress(settings: ClientSettings): Promise<string>;
  /** A new ed25519 key. */
  createMemoryKey(): MemoryKey;
  /** The public key lines that an agent offers, certificates left out. @throws LanyardError unreachable */
  agentKeys(socketPath: string | undefined): Promise<readonly string[]>;
  /**
   * Listens as an ssh-agent that has one identity, and those of another agent after it.
   * @param upstream socket of the other agent, if there is one.
   */
  serveAgent(path: string, identity: Identity, upstream?: string): Promise<Listener>;
  /**
   * Listens for what ssh asks; a prompt that gets no answer is rejected.
   * @param folder a private one, for the socket and the program; neither holds a secret.
   * @param self the command that starts Lanyard.
   * @returns the program for `SSH_ASKPASS`.
   */
  serveAskpass(
    folder: string,
    self: readonly string[],
    answer: (prompt: Prompt) => PromptResponse,
  ): Promise<Listener & { readonly program: string }>;
  /** The known_hosts line, newline included, that trusts a CA for the host. @throws LanyardError usage: not a public key. */
  knownHostsCaLine(settings: ClientSettings, caPublicKey: string): string;
}

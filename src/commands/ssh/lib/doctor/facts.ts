import type { ClientLog } from '../../../../ssh/diagnosis/client-log.ts';
import type { Account, ServerFile } from '../../../../ssh/diagnosis/server-files.ts';
import type { ServerLog } from '../../../../ssh/diagnosis/server-log.ts';
import type { CertificateInfo } from '../../../../ssh/types.ts';
import type { Judgement } from '../role-question.ts';
import type { ListedRevocation } from './read-revocation.ts';

/** What is known about a login. A field that is undefined was not looked at; `skipped` has the reason. */
export interface Facts {
  readonly target: Target;
  /** `ssh`: as ssh logs in; `ca`, `otp`: as `ssh connect` does, with a role. */
  readonly method: 'ssh' | 'ca' | 'otp';
  /** Unix seconds. */
  readonly now: number;
  readonly service: ServiceFacts;
  readonly keys: KeyFacts;
  /** What ssh wrote: of a login that was tried, or a log. */
  readonly client: ClientLog | undefined;
  /** What sshd logged. */
  readonly server: ServerLog | undefined;
  readonly host: HostFacts | undefined;
  /** The entry for the key or certificate in the revocation list of the settings. */
  readonly listedRevocation?: ListedRevocation | undefined;
  /** Whether `client` is from a login that was just tried. */
  readonly isTried: boolean;
  /** The address that the host sees; undefined: not known. */
  readonly clientAddress: string | undefined;
  /** Whether the client address is outside of source-address of the certificate; undefined: not known. */
  readonly isOutsideSourceAddress: boolean | undefined;
  /** Whether ssh would request a terminal. */
  readonly wantsTerminal: boolean;
  /** Why no login was tried. */
  readonly notTried: string | undefined;
}

export interface Target {
  readonly user: string;
  /** As typed: `USER@HOST` or HOST. */
  readonly destination: string;
  /** The name or address that ssh connects to. */
  readonly host: string;
  readonly port: number;
  /** The name in known_hosts: `[host]:port` for other ports than 22. */
  readonly knownAs: string;
  readonly jumpHosts: readonly string[];
  readonly isBatch: boolean;
}

export interface ServiceFacts {
  readonly mount: string;
  readonly role: string | undefined;
  /** The state of the secrets service, if the login needs it or it could be asked. */
  readonly state: 'ok' | 'unreachable' | 'no token' | 'token rejected' | undefined;
  /** Details of the state, or why the service was not asked. */
  readonly message: string | undefined;
  /** `unreadable`: no permission to read it. */
  readonly roleState: 'signs' | 'rejects' | 'depends' | 'missing' | 'unreadable' | undefined;
  readonly judgements: readonly Judgement[];
  /** Fingerprints of the keys of the CA; undefined: not read. */
  readonly caFingerprints: readonly string[] | undefined;
  readonly isWithoutCa: boolean;
  /** The message of the service, if it rejected the request for a certificate or a password. */
  readonly rejection: string | undefined;
  /** Seconds that the clock of the service is ahead of the local one; undefined: not known. */
  readonly clockAhead: number | undefined;
  /** The OTP roles that cover the address of the host; undefined: not an OTP login, or not read. */
  readonly otp: OtpFacts | undefined;
}

export interface OtpFacts {
  readonly address: string;
  readonly matchingRoles: readonly string[];
  /** The users of the role; undefined: not known. */
  readonly allowedUsers: readonly string[] | undefined;
}

export interface KeyFacts {
  /** The key that ssh uses, or would use; undefined: none. */
  readonly chosen: LocalKey | undefined;
  readonly agent: AgentFacts;
}

export interface LocalKey {
  /** The path of the private key; for a key that only the agent has, its comment. */
  readonly path: string;
  readonly privateKey: 'plain' | 'encrypted' | 'missing' | 'unreadable' | 'in the agent' | 'in memory';
  /** Of the private key, or its public key file. */
  readonly fingerprint: string | undefined;
  readonly certificate: CertificateInfo | undefined;
  /** The line of the certificate, else of the public key; undefined: not read. */
  readonly line: string | undefined;
  /** Where ssh looks for the certificate, or found it. */
  readonly certificatePath: string;
}

export interface AgentFacts {
  /** `off`: disabled by IdentityAgent; `unset`: SSH_AUTH_SOCK is missing. */
  readonly state: 'ok' | 'off' | 'unset' | 'unreachable';
  readonly message: string | undefined;
  /** Fingerprints of its keys, and of the keys of its certificates. */
  readonly keys: readonly string[];
  readonly certificates: readonly CertificateInfo[];
}

/** What sshd on this host is configured for. */
export interface HostFacts {
  readonly source: 'sshd -T' | 'file';
  /** Null: the account does not exist; undefined: not known. */
  readonly account: Account | null | undefined;
  readonly values: (name: string) => readonly string[];
  /** Whether a block of `Match` may set it. */
  readonly isConditional: (name: string) => boolean;
  readonly trustedKeys: ServerFile | undefined;
  readonly trustedFingerprints: readonly string[];
  readonly revokedKeys: ServerFile | undefined;
  /** Undefined: there is no certificate, or no list. */
  readonly isRevoked: boolean | undefined;
  readonly principalsFile: ServerFile | undefined;
  /** The principals in that file. */
  readonly principals: readonly string[];
  /** With StrictModes: a path that others can change. */
  readonly insecurePath: string | undefined;
  /** Whether AllowUsers, DenyUsers and so on permit the user; the line that does not; undefined: permitted or not known. */
  readonly deniedBy: string | undefined;
  /** Whether the algorithms are accepted; undefined: not known. */
  readonly acceptsCaSignature: boolean | undefined;
  readonly acceptsKey: boolean | undefined;
}

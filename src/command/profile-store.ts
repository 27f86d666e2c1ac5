import type { Settings } from '../api/settings.ts';
import type { Credentials } from '../config/credentials.ts';
import type { Instances } from '../config/instances.ts';
import type { Configuration, ServiceSettings } from '../config/profile.ts';
import type { Profiles } from '../config/profiles.ts';
import type { StoredLogin } from '../config/stored-login.ts';
import type { ServiceName } from '../wire/services.ts';

/** A setting that can be stored in a profile. */
export interface ImportableSetting {
  readonly member: keyof ServiceSettings;
  readonly value: string | boolean | readonly string[];
  readonly from: string;
}

/** Where a token is stored: a profile, and the address that the token is for. */
export interface TokenLocation {
  readonly service: ServiceName;
  readonly profile: string;
  readonly address: string;
  /** The current token source of the profile. */
  readonly source: string | undefined;
  /** The settings of the service in a profile that is created with the token. */
  readonly created?: ServiceSettings;
  /** The caller reports what happens to the token that is replaced. */
  readonly reportsReplaced?: boolean;
}

/** A token to store for a profile; undefined: remove the stored token. */
export interface TokenChange {
  readonly service: ServiceName;
  readonly token: string | undefined;
  readonly login?: StoredLogin | undefined;
}

/** A token that is no longer stored, and was not revoked. */
export interface ReplacedToken {
  readonly service: ServiceName;
  readonly isRemoved: boolean;
  readonly validUntil: string | undefined;
}

/** A login, for the command line that repeats it. */
export interface LoginLine {
  /** The words of the command. */
  readonly command: string;
  readonly flags: Readonly<Record<string, string | number | boolean | undefined>>;
  /** The flags whose values are sources of secrets: only references (`env://NAME`, `@FILE`) are stored. */
  readonly sources: readonly string[];
  readonly validUntil?: string | null | undefined;
}

/** A change of the profiles. */
export type Change = (current: Configuration) => Configuration;

/** The tokens stored for profiles. */
export interface StoredTokenStore {
  /**
   * The profile to store a token for. The address of the service must be an address of the profile.
   *
   * @param alternative for callers that will store a token, which is checked to be possible: another way, for the
   * hint ("--no-store prints the token instead"). If no profile is active and the address is from the product's own
   * variable, the profile "default" is created with the token.
   * @throws LanyardError usage: no profile, or an address from elsewhere; failure: a token cannot be stored.
   */
  locate(service: ServiceName, alternative?: string): Promise<TokenLocation>;
  /** The stored token; undefined: none, or the profile has another token source. */
  read(home: TokenLocation): Promise<string | undefined>;
  /** Stores the token, and makes it the token source of the profile. */
  store(home: TokenLocation, token: string, login?: LoginLine): Promise<'keyring' | 'file'>;
  /**
   * Checks a new token as the profile would send it; warns if the service does not accept it.
   *
   * @returns false: the login is incomplete.
   */
  confirm(home: Pick<TokenLocation, 'service' | 'profile'>, token: string): Promise<boolean>;
  /** Removes the stored token, if any, and the token source of the profile. */
  remove(home: TokenLocation): Promise<void>;
  /** Whether `lanyard dev` stored the token. */
  isOfDev(profile: string, service: ServiceName): Promise<boolean>;
  /**
   * Stores or removes tokens, and then changes the profiles. If either fails, the tokens are restored.
   *
   * @returns where the tokens are, the profiles after the change (undefined: unchanged), and the valid tokens that are
   * no longer stored.
   */
  saveAll(
    profile: string,
    changes: readonly TokenChange[],
    change: Change | undefined,
  ): Promise<{
    readonly where: 'keyring' | 'file';
    readonly after: Configuration | undefined;
    readonly replaced: readonly ReplacedToken[];
  }>;
  /** Says which tokens are no longer stored, for commands that do not ask before. */
  noteReplaced(profile: string, tokens: readonly ReplacedToken[]): Promise<void>;
}

/** What the settings say for SSH commands where a flag or argument is missing. */
export interface SshDefaults {
  /** Mount path of the SSH engine, without slashes at its ends. */
  readonly mount: string;
  readonly role: string | undefined;
  /** Of user certificates of that role and mount. */
  readonly principals: readonly string[] | undefined;
  /** Location of the revocation list. */
  readonly revoked: string | undefined;
  /** Location of the record of signed certificates. */
  readonly record: string | undefined;
  /** Why the SSH settings of the profile do not apply, as a sentence. */
  readonly withheld: string | undefined;
  /** The profile in effect, if any. */
  readonly profile: string | undefined;
}

/** The profiles and the tokens stored for them. */
export interface ProfileStore extends Pick<Profiles, 'read' | 'change'> {
  /** Name of the profile that `--profile` or `LANYARD_PROFILE` selects. */
  readonly name: string | undefined;
  readonly credentials: Credentials;
  /**
   * The defaults of the SSH commands: `LANYARD_SSH_ROLE` and the like, then the profile in effect, if the address and
   * namespace in effect are its own (docs/adr/0093-ssh-defaults-of-a-profile.md).
   *
   * @param given the mount and role of the command line: the role of a profile is for its mount, its principals for
   * its role.
   */
  sshDefaults(given?: { readonly mount?: string; readonly role?: string }): Promise<SshDefaults>;
  /** The settings of a service that can be stored in a profile; none of them is a secret. */
  importable(settings: Settings): Promise<readonly ImportableSetting[]>;
  readonly tokens: StoredTokenStore;
  /** The running instances of `lanyard dev`. */
  instances(): Promise<Instances>;
}

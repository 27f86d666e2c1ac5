import type { ConnectionSettings } from '../wire/connection-settings.ts';
import type { ServiceName } from '../wire/services.ts';

/**
 * The source of a profile's token: `stored` (the credential store, by profile and service), or one that is read at
 * each call: `env://NAME`, `file://path`.
 */
export type TokenSource = 'stored' | `env://${string}` | `file://${string}`;

/** One service of a profile. Paths are absolute. */
export interface ServiceSettings extends ConnectionSettings {
  readonly address?: string;
  /** More servers of one cluster, in the order in which they are tried, after `address`. */
  readonly addresses?: readonly string[];
  /** The only prefix of the service's headers (`X-Vault`); absent: those of the product and of the specification. */
  readonly headerPrefix?: string;
  readonly token?: TokenSource;
  /** The source of `user:password` for HTTP basic authentication. */
  readonly httpAuth?: Exclude<TokenSource, 'stored'>;
  /** A duration: the default of `--timeout`. */
  readonly timeout?: string;
  /** Maximum number of retries of a request. */
  readonly maxRetries?: string;
  /** The default of `--auth-method`. */
  readonly authMethod?: string;
}

export type Profile = { readonly [S in ServiceName]?: ServiceSettings };

/** The content of the configuration file. */
export interface Configuration {
  /** Name of the active profile, if any. */
  readonly active?: string;
  readonly profiles: { readonly [name: string]: Profile };
}

/** Reads and changes the configuration file. Errors are LanyardError. */
export interface Profiles {
  /** The path of the file, which need not exist. */
  readonly path: string;
  /**
   * The current configuration; empty when the file does not exist; a damaged file is an error that names its path.
   */
  read(): Promise<Configuration>;
  /** Reads again under the lock, applies `change`, writes atomically. */
  change(change: (current: Configuration) => Configuration): Promise<Configuration>;
}

/** Stored tokens, by profile and service. */
export interface Credentials {
  /** The token, or undefined when none is stored. */
  get(profile: string, service: ServiceName): Promise<string | undefined>;
  /** Stores a token in the keyring, or in a file (then `notice` is for the user, once). */
  set(
    profile: string,
    service: ServiceName,
    token: string,
  ): Promise<{ where: 'keyring' | 'file'; notice?: string }>;
  delete(profile: string, service: ServiceName): Promise<void>;
  /** Checks, without a change, whether a token can be stored. @throws LanyardError failure: it cannot. */
  check(profile: string, service: ServiceName): Promise<void>;
}

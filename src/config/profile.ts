import type { ConnectionSettings } from '../wire/connection-settings.ts';
import type { ServiceName } from '../wire/services.ts';

/**
 * Where a profile's token is: `stored` (the credential store, under profile and service), or a source that is
 * read at each call: `env://NAME`, `file://path`.
 */
export type TokenSource = 'stored' | `env://${string}` | `file://${string}`;

/** One service of a profile. Paths are absolute. */
export interface ServiceSettings extends ConnectionSettings {
  readonly address?: string;
  /** Of several servers of one cluster, in the order in which they are tried; `address` comes before them. */
  readonly addresses?: readonly string[];
  /** The only prefix of the service's headers (`X-Vault`); absent: the product's and the specification's. */
  readonly headerPrefix?: string;
  readonly token?: TokenSource;
  /** Where `user:password` of HTTP basic authentication is. */
  readonly httpAuth?: Exclude<TokenSource, 'stored'>;
  /** A duration: the default of `--timeout`. */
  readonly timeout?: string;
  /** How often a request is sent again at most. */
  readonly maxRetries?: string;
  /** The default of `--auth-method`. */
  readonly authMethod?: string;
}

export type Profile = { readonly [S in ServiceName]?: ServiceSettings };

/** The configuration file, whole. */
export interface Configuration {
  /** Name of the active profile, if there is one. */
  readonly active?: string;
  readonly profiles: { readonly [name: string]: Profile };
}

/** Reads and changes the configuration file (docs of each field: errors are LanyardError). */
export interface Profiles {
  /** The path of the file, whether or not it exists. */
  readonly path: string;
  /** The configuration as it is; empty when the file does not exist; a damaged file is an error that names its path. */
  read(): Promise<Configuration>;
  /** Reads again under the lock, applies `change`, writes atomically. */
  change(change: (current: Configuration) => Configuration): Promise<Configuration>;
}

/** Tokens at rest, keyed by profile and service. */
export interface Credentials {
  /** The token, or undefined when none is stored. */
  get(profile: string, service: ServiceName): Promise<string | undefined>;
  /** Stores and says where: the keyring, or a file (then `notice` is what the user should read, once). */
  set(
    profile: string,
    service: ServiceName,
    token: string,
  ): Promise<{ where: 'keyring' | 'file'; notice?: string }>;
  delete(profile: string, service: ServiceName): Promise<void>;
  /** Finds out, without a change, whether a token can be stored. @throws LanyardError failure: it cannot. */
  check(profile: string, service: ServiceName): Promise<void>;
}

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
  /** The only prefix of the service's headers (`X-Vault`); absent: the prefixes of the product and of the specification. */
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

/** The mark of a profile that `lanyard dev` created. */
export interface DevMark {
  /** ID of the instance (instances.ts) that owns the profile; absent: the user changed it, and owns it. */
  readonly instance?: string;
  /** The data directory whose tokens are stored for the profile; absent: the profile ends with the instance. */
  readonly dataDirectory?: string;
  /** The instance made the profile active, and ends that too. */
  readonly isActivated?: boolean;
}

/** The defaults of the SSH commands: one login, on the cluster of the profile. */
export interface SshSettings {
  readonly role?: string;
  /** Mount path of the SSH engine, without slashes at its ends. */
  readonly mount?: string;
  /** Principals of user certificates. */
  readonly principals?: readonly string[];
  /** Location of the revocation list. */
  readonly revoked?: string;
  /** Location of the record of signed certificates. */
  readonly record?: string;
}

export type Profile = { readonly [S in ServiceName]?: ServiceSettings } & {
  readonly dev?: DevMark;
  readonly ssh?: SshSettings;
};

/** The content of the configuration file. */
export interface Configuration {
  /** Name of the active profile, if any. */
  readonly active?: string;
  readonly profiles: { readonly [name: string]: Profile };
  /** Expansions of aliases by name; one that begins with `!` is run by `sh`. */
  readonly aliases?: { readonly [name: string]: string };
}

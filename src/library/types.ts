import type {
  AccountsClient,
  BoxClient,
  RegistryClient,
  SchedulerClient,
  SecretsClient,
} from './operations.ts';

/** The runtime's `AbortSignal`, where its type is declared (`@types/node`, or the DOM library). */
export type AbortSignalLike = typeof globalThis extends { AbortSignal: { prototype: infer Signal } }
  ? Signal
  : object;

/** The services, by the names of the functions that create their clients. */
export type ServiceName = 'secrets' | 'registry' | 'box' | 'scheduler' | 'accounts';

/** A message about a call. It contains no secret of the call. */
export interface LogMessage {
  /**
   * - `note`: a retry, or another server of the cluster.
   * - `warning`: a setting without effect, TLS verification that is off, a warning of the service.
   * - `detail`: one line per request and one per response.
   */
  readonly level: 'note' | 'warning' | 'detail';
  /** One line. */
  readonly text: string;
}

/**
 * The settings of a client. A setting that is not given is resolved as on the command line: `LANYARD_<SERVICE>_*`,
 * the profile named here or by `LANYARD_PROFILE`, the variables of the product (`VAULT_ADDR`, `CONSUL_HTTP_ADDR` and so
 * on), the active profile. They are resolved with the first call. An unknown option, or a setting that the service does not
 * have, is a usage error.
 */
export interface ClientOptions {
  /**
   * Address of the service: `https://HOST:PORT`, with a path if it is served under one, or `unix:///PATH`. Several
   * servers of one cluster are separated by commas.
   */
  readonly address?: string | undefined;
  /**
   * The token, or a function that returns it. The function is called for every call that needs a token; return
   * `undefined` for a call without one. If it fails, so does the call, with its error as the `cause`.
   */
  readonly token?: string | (() => string | undefined | Promise<string | undefined>) | undefined;
  /** The namespace (secrets, registry, scheduler). */
  readonly namespace?: string | undefined;
  /** The datacenter (registry). */
  readonly datacenter?: string | undefined;
  /** The region (scheduler). */
  readonly region?: string | undefined;
  /**
   * The profile to use instead of the active one. `false`: neither profiles nor stored tokens are read, and
   * `LANYARD_PROFILE` has no effect.
   */
  readonly profile?: string | false | undefined;
  /** The environment that settings are read from (default `process.env`). `{}`: none. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  /** A file of CA certificates (PEM). Paths may begin with `~/`. */
  readonly caCert?: string | undefined;
  /** CA certificates as PEM text. */
  readonly caPem?: string | undefined;
  /** A directory of CA certificates (PEM). */
  readonly caPath?: string | undefined;
  /** A file with the client certificate (PEM). */
  readonly clientCert?: string | undefined;
  /** A file with the key of the client certificate (PEM). */
  readonly clientKey?: string | undefined;
  /** The name that the certificate of the service must have, if it is not the host of the address. */
  readonly serverName?: string | undefined;
  /** Turns TLS verification off. Every call logs a warning. */
  readonly skipVerify?: boolean | undefined;
  /** URL of an HTTP proxy, or `none`. Default: the proxy variables of the environment. */
  readonly proxy?: string | undefined;
  /** Timeout of one attempt, in milliseconds (default 30,000, at most 2,147,483,647). A blocking query has its `wait` in addition. */
  readonly timeoutMs?: number | undefined;
  /**
   * Maximum number of retries (default 2), after network errors and responses that ask for it (429, 503). The comment of
   * an operation has its class: `read` and `repeat` are sent again, `write` only if the first request was certainly not
   * applied, `once` never after the service may have received it.
   */
  readonly maxRetries?: number | undefined;
  /** Ends all running and later calls of the client with an error of kind `interrupted`. */
  readonly signal?: AbortSignalLike | undefined;
  /** The header `User-Agent` (default `lanyard/VERSION`). */
  readonly userAgent?: string | undefined;
  /** Receives messages about calls; what it throws is ignored. Without it they are discarded: the library prints nothing. */
  readonly log?: ((message: LogMessage) => void) | undefined;
}

/** The response to a call. Responses with an error status are thrown as a `LanyardError`. */
export interface ServiceResponse<Body> {
  /** Address of the server that responded. */
  readonly address?: string;
  /** HTTP status. */
  readonly status: number;
  /** Headers, with names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /**
   * The body as the service sent it: also fields that are not in its type. An integer that a number cannot hold exactly
   * is a bigint; `formatJson` writes it as a number.
   */
  readonly body: Body;
  /** The bytes of the body, for operations that return exact bytes. */
  readonly bytes?: Uint8Array;
}

/** Options of the embedded secrets service. */
export interface SecretsServiceOptions {
  /** The root token (default: random). */
  readonly token?: string | undefined;
  /** Starts the service uninitialized, without a token; `initialize` and `unseal` follow. Only for new data. */
  readonly uninitialized?: boolean | undefined;
  /** Maximum number of requests per second of a client, with the responses of OpenBao (default: unlimited). */
  readonly rateLimit?: number | undefined;
  /** Start a standby, at an address of its own, whose reads are this many milliseconds behind. */
  readonly standbyLagMs?: number | undefined;
}

/** Options of the embedded service registry. */
export interface RegistryServiceOptions {
  /** The datacenters, the primary first (default `dc1`). */
  readonly datacenters?: readonly [string, ...string[]] | undefined;
  /** Maximum number of reads, and of writes, per second after a burst, as in Consul (default: unlimited). */
  readonly rateLimit?: number | undefined;
}

/** Options of the embedded scheduler. */
export interface SchedulerServiceOptions {
  /** Maximum number of requests per second of a client, with the response of Nomad (default: unlimited). */
  readonly rateLimit?: number | undefined;
}

/** A user of the embedded box registry. */
export interface BoxUser {
  readonly name: string;
  /** Absent: the user has only tokens. */
  readonly password?: string;
}

/** Options of the embedded box registry. */
export interface BoxServiceOptions {
  /** The token of the first user (default: random). */
  readonly token?: string | undefined;
  /** The users (default: `dev`, without a password). */
  readonly users?: readonly [BoxUser, ...BoxUser[]] | undefined;
  /** Maximum number of requests per minute (default: unlimited). */
  readonly rateLimit?: number | undefined;
}

/** Options of the embedded account service. */
export interface AccountsServiceOptions {
  /** The token of the administrator (default: random). */
  readonly token?: string | undefined;
  /** The password of the account `admin` (default: random). */
  readonly password?: string | undefined;
  /**
   * Maximum number of requests of a token in 30 seconds for each resource and action, or `boundary`: the default limits
   * of Boundary (default: unlimited).
   */
  readonly rateLimit?: number | 'boundary' | undefined;
}

/** The services to start, and how. Without any of the five, all of them start. */
export interface StartOptions {
  /** The secrets service (the API of OpenBao and Vault). */
  readonly secrets?: true | SecretsServiceOptions;
  /** The service registry (the API of Consul). Access control is off until it is bootstrapped. */
  readonly registry?: true | RegistryServiceOptions;
  /** The box registry (the API of Vagrant Cloud). */
  readonly box?: true | BoxServiceOptions;
  /** The scheduler (the variables and namespaces of Nomad). Access control is off until it is bootstrapped. */
  readonly scheduler?: true | SchedulerServiceOptions;
  /** The account service (the API of Boundary). */
  readonly accounts?: true | AccountsServiceOptions;
  /** A directory for the state, private to its owner. Without it, the state is in memory and lost with `stop`. */
  readonly data?: string | undefined;
  /** Ports on 127.0.0.1 (default 0: free ports). */
  readonly ports?: Readonly<Partial<Record<ServiceName, number>>> | undefined;
  /** The current time, for tests of expiry (default: the clock of the machine). */
  readonly clock?: (() => Date) | undefined;
  /** Receives faults and notices of the services, one line each; they contain no secrets. */
  readonly log?: ((line: string) => void) | undefined;
}

/** An embedded service that is running. */
export interface RunningService<Client, Token extends string | undefined> {
  /** `http://127.0.0.1:PORT` */
  readonly address: string;
  /** The initial token; `undefined`: none is required, or the service is not set up. */
  readonly token: Token;
  /**
   * Creates a client for the service, with its address and token. It reads neither the environment nor profiles, except
   * what the options name.
   */
  client(options?: ClientOptions): Client;
}

/** The running secrets service. The token is undefined while it is uninitialized or sealed. */
export interface RunningSecrets extends RunningService<SecretsClient, string | undefined> {
  /** The unseal key in hexadecimal; `undefined` if there is no token. */
  readonly unsealKey: string | undefined;
  /** The address of the standby; `undefined` without `standbyLagMs`. */
  readonly standbyAddress: string | undefined;
}

/** The running account service. */
export interface RunningAccounts extends RunningService<AccountsClient, string> {
  /** The password of the account `admin`; `undefined`: the password of an earlier start with the same data. */
  readonly password: string | undefined;
}

/** The five services while they run. */
export interface Running {
  readonly secrets: RunningSecrets;
  readonly registry: RunningService<RegistryClient, undefined>;
  readonly box: RunningService<BoxClient, string>;
  readonly scheduler: RunningService<SchedulerClient, undefined>;
  readonly accounts: RunningAccounts;
}

/** The services that options start: those that they name, or all. */
export type Started<Options extends StartOptions> = [keyof Options & ServiceName] extends [never]
  ? Running
  : {
      readonly [Name in keyof Options & ServiceName]: undefined extends Options[Name]
        ? Running[Name] | undefined
        : Running[Name];
    };

/** What `startServices` returns in addition to the services. */
export interface StartedServices {
  /**
   * Environment variables for programs that use the services: `LANYARD_<SERVICE>_ADDR` and `_TOKEN`, and the variables of the
   * products (`VAULT_ADDR`, `BAO_ADDR`, `CONSUL_HTTP_ADDR`, `NOMAD_ADDR` and so on).
   */
  readonly env: Readonly<Record<string, string>>;
  /** Stops the services and releases everything that they hold. It may be called several times. */
  stop(): Promise<void>;
  /** The same, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>;
}

/** Services that `startServices` started, by their names: for a variable that is set in the setup of a test. */
export type EmbeddedServices<Names extends ServiceName = ServiceName> = Pick<Running, Names> &
  StartedServices;

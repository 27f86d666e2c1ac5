import type { ConnectionSettings } from '../wire/connection-settings.ts';
import type { Json } from '../wire/json.ts';
import type { ServiceName } from '../wire/services.ts';
import type { EnvironmentProxies } from './proxies.ts';
import type { Secret } from './redaction.ts';

/** Where a secret comes from: an environment variable, or a description such as "the token in the file t". */
export type SecretSource = { readonly variable: string } | { readonly words: string };

/** Whose token is sent, and what to do if the service does not accept it any more. */
export interface TokenOwner {
  /** "the token of profile work". */
  readonly text: string;
  /** Undefined: nothing is known. */
  readonly hint: string | undefined;
  /** The end that the service gave with the login has passed. */
  readonly hasExpired?: boolean;
}

/** What resolved settings and an endpoint both have. */
export interface EndpointSettings extends ConnectionSettings {
  readonly service: ServiceName;
  /** Scheme, host, port, and a path if the service lives under one, or `unix:///path`; no trailing slash. */
  readonly address: string;
  /** The profile that the address comes from. */
  readonly profile?: string;
  /** The profile has a token that belongs to another address. */
  readonly isTokenWithheld?: true;
  /** What to do where a token is required and missing; undefined: the hint of the service. */
  readonly tokenHint?: string;
  /** Prefixes of the service's own headers; each header is sent once for every prefix. */
  readonly headerPrefixes: readonly string[];
  /** CA certificates as PEM text. */
  readonly caPem?: string;
  /** Maximum number of retries (default 2). */
  readonly maxRetries?: number;
}

/** Where and how a service is reached: settings resolved, files not yet read. */
export interface Endpoint extends EndpointSettings {
  /** All servers of the cluster, including `address`; undefined: it is the only one. */
  readonly addresses?: readonly string[];
  /** Where the address comes from: "--address", a variable, "profile dev". */
  readonly addressFrom?: string;
  /** Reads the token when it is first needed; undefined: none. */
  readonly token: () => Promise<string | undefined>;
  readonly tokenSource?: SecretSource;
  readonly tokenOwner?: () => Promise<TokenOwner | undefined>;
  /** The start of command lines in hints: "lanyard -p work". */
  readonly program?: string;
  /** Reads `user:password` of HTTP basic authentication. */
  readonly httpAuth?: () => Promise<string | undefined>;
  readonly authSource?: SecretSource;
  /** The environment's proxies, where `proxy` is not set. */
  readonly proxies?: EnvironmentProxies;
  /** Messages name the request: nothing else says what failed. */
  readonly namesRequests?: true;
}

/** Where requests and responses are written without their secrets, one JSON object for each. */
export interface Trace {
  write(event: { readonly event: string; readonly [field: string]: Json }): void;
  /** The number of the next request. */
  nextId(): number;
  /** Secrets that were sent or received: later lines hide them wherever they occur. */
  received(secrets: readonly Secret[]): void;
}

export interface TransportOptions {
  /** Milliseconds for one attempt, connection to last byte. */
  readonly timeout: number;
  readonly signal: AbortSignal;
  readonly userAgent: string;
  /** Full jitter: a number in [0, 1). */
  readonly random: () => number;
  /** Written to stderr: retries. */
  readonly note: (message: string) => void;
  /** Written to stderr: TLS verification is off. */
  readonly warn: (message: string) => void;
  /** Written with `--verbose`: one line per request and response, redacted. */
  readonly detail: (message: string) => void;
  /** Many operations follow each other. */
  readonly isForMany?: true;
  /** Reads go to the active server from the start: what is written depends on them. */
  readonly readsActive?: true;
  /** Called before each wait for a rate limit. Without it, rate limits are waited for only as long as other retries. */
  readonly noteRateLimit?: (service: ServiceName, status: number, afterMs: number) => void;
  /** Undefined: no trace. */
  readonly trace?: Trace;
  /** Called with the secrets of a request before it is sent: a response may repeat them. */
  readonly sent?: (secrets: readonly Secret[]) => void;
}

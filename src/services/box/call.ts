import type { HttpRequest, HttpResponse } from '../core/http/http-service.ts';
import type { Storage } from '../core/store/storage.ts';
import type { Images } from './images/images.ts';
import type { TwoFactorCodes } from './model/codes.ts';

/** The parts of the box registry. */
export interface BoxRegistry {
  readonly storage: Storage;
  readonly clock: () => Date;
  /** Cryptographically strong bytes. */
  readonly random: (length: number) => Uint8Array;
  readonly codes: TwoFactorCodes;
  readonly images: Images;
  /** Prints a line for the user who started the registry. */
  readonly print: (line: string) => void;
}

/**
 * `v1` identifies a provider of a version by its name, `v2` by name and architecture
 * (docs/protocol/box.md#architectures).
 */
export type ApiVersion = 'v1' | 'v2';

/** A request that matches a route. */
export interface Call {
  readonly registry: BoxRegistry;
  readonly request: HttpRequest;
  readonly params: Readonly<Record<string, string>>;
  /** The name of the user of the token; undefined: no token. */
  readonly caller: string | undefined;
  /** The prefix of links in responses: the address that the request was sent to. */
  readonly origin: string;
  readonly apiVersion: ApiVersion;
}

export type Handler = (call: Call) => HttpResponse | Promise<HttpResponse>;

/** The time of a request: ISO 8601, UTC, milliseconds. */
export const timeOf = ({ registry }: Call): string => registry.clock().toISOString();

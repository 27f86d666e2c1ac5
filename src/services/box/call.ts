import type { HttpRequest, HttpResponse } from '../core/http/http-service.ts';
import type { Storage } from '../core/store/storage.ts';
import type { Images } from './images/images.ts';
import type { TwoFactorCodes } from './model/codes.ts';

/** What the box registry is made of. */
export interface BoxRegistry {
  readonly storage: Storage;
  readonly clock: () => Date;
  /** Cryptographically strong bytes. */
  readonly random: (length: number) => Uint8Array;
  readonly codes: TwoFactorCodes;
  readonly images: Images;
  /** Shows a line to whoever started the registry. */
  readonly print: (line: string) => void;
}

/**
 * `v1`: a provider of a version is known by its name; `v2`: by its name and architecture
 * (docs/protocol/box.md#architectures).
 */
export type ApiVersion = 'v1' | 'v2';

/** A request on its way through a route. */
export interface Call {
  readonly registry: BoxRegistry;
  readonly request: HttpRequest;
  readonly params: Readonly<Record<string, string>>;
  /** The name of the user whose token came along; undefined: none did. */
  readonly caller: string | undefined;
  /** What links in answers begin with: the address that the request was sent to. */
  readonly origin: string;
  readonly apiVersion: ApiVersion;
}

export type Handler = (call: Call) => HttpResponse | Promise<HttpResponse>;

/** The time of a request as it is kept and answered: ISO 8601, UTC, milliseconds. */
export const timeOf = ({ registry }: Call): string => registry.clock().toISOString();

import type { ServiceParts } from '../core/http/http-service.ts';
import { type CallOf, type HandlerOf, operationsOf } from '../core/operation.ts';
import type { ImageStore } from './images/image-store.ts';
import type { RenderMarkdown } from './markdown.ts';
import type { TwoFactorCodes } from './model/codes.ts';
import type { SearchIndex } from './model/search-index.ts';

export interface BoxRegistry extends Pick<ServiceParts, 'storage' | 'clock' | 'random' | 'scryptCost'> {
  readonly codes: TwoFactorCodes;
  readonly images: ImageStore;
  /** Of the boxes of the storage. */
  readonly searchIndex: SearchIndex;
  /** Prints a line to the terminal of the user who started the registry. */
  readonly print: (line: string) => void;
}

/** `v1`: a provider has a name; `v2`: a name and an architecture (docs/protocol/box.md#architectures). */
export type ApiVersion = 'v1' | 'v2';

export interface Context {
  readonly registry: BoxRegistry;
  /** The name of the token's user; undefined: no token. */
  readonly caller: string | undefined;
  /** Start of links in responses: the address that the request was sent to. */
  readonly origin: string;
  readonly apiVersion: ApiVersion;
  readonly renderMarkdown: RenderMarkdown;
}

export type Call = CallOf<Context>;
export type Handler = HandlerOf<Context>;

export const operations = operationsOf<Context>();

/** What operations have in common. 402: a private box of an owner with unpaid bills. */
export const read = { errors: [402, 404] };
export const write = { requiresToken: true, errors: [402, 403, 404, 422] };

/** The time of a request, as stored and returned: ISO 8601, UTC, milliseconds. */
export const timeOf = ({ registry }: Call): string => registry.clock().toISOString();

import type { FileHandle } from 'node:fs/promises';
import type { Json } from '../../../wire/json.ts';
import type { ServiceName } from '../../../wire/services.ts';
import type { Storage } from '../store/storage.ts';
import { JsonBody } from './json-body.ts';

/** A path as a service sees it: split but never normalized. */
export interface Path {
  /** Percent-decoded one by one; none is empty, `.` or `..`, or contains a slash or a control character. */
  readonly segments: readonly string[];
  /** Whether the path ended in a slash. */
  readonly hasTrailingSlash: boolean;
}

export interface HttpRequest {
  /** As sent by the client, including `LIST` and `RECOVER`. */
  readonly method: string;
  readonly path: Path;
  readonly query: URLSearchParams;
  /** The IP address of the client; empty if the connection is closed. */
  readonly remoteAddress: string;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** A header of the service by its name without prefix (`token`), under either prefix. */
  serviceHeader(name: string): string | undefined;
  /** All headers of the service, lower case, without prefix. */
  serviceHeaders(): Readonly<Record<string, string>>;
  /** The body as text; at most 32 MiB. @throws HttpError 413, 400 (not UTF-8) */
  text(): Promise<string>;
  /** The body as bytes, instead of `text` or `json`; at most 32 MiB. @throws HttpError 413 */
  bytes(): Promise<Uint8Array>;
  /** The body as JSON; undefined: no body. @throws HttpError 413, 400 (not JSON, or over the limits) */
  json(): Promise<Json | undefined>;
  /**
   * The body as a stream, instead of the others, no faster than its chunks are consumed.
   * @throws HttpError 413, 408 (stalled), 400 (cut off)
   */
  stream(limits: StreamLimits): AsyncIterable<Buffer>;
  readonly remotePort?: number | undefined;
  /** Aborted when the exchange ends: the client no longer waits for a response. */
  readonly signal: AbortSignal;
}

export interface StreamLimits {
  /** Bytes; a body with a longer Content-Length is rejected before it is sent. */
  readonly limit: number;
  /** Milliseconds to wait for the next byte. */
  readonly stallTimeoutMs: number;
}

/** Bytes of an open file, owned by the response: it is closed afterwards, whether or not it was sent. */
export interface FileBody {
  readonly file: FileHandle;
  readonly start: number;
  readonly length: number;
}

/** A response whose body can be sent. */
export type EncodedResponse = Omit<HttpResponse, 'body'> & {
  readonly body?: Exclude<HttpResponse['body'], JsonBody>;
};

export interface HttpResponse {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Headers of the service, without prefix; sent under both prefixes. */
  readonly serviceHeaders?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array | FileBody | JsonBody;
}

/** One of the five services on HTTP, or the upload origin for images; the host decides where it listens. */
export interface HttpService {
  readonly name: ServiceName | 'uploads';
  /** Prefixes of its own headers: the specification's, then the product's. */
  readonly headerPrefixes: readonly [string, string];
  /** Paths below which the rest is one key with any characters: one segment, decoded once. */
  readonly rawKeyPrefixes?: readonly string[];
  /** Where a request with this target (path and query) is redirected (307); undefined: nowhere. */
  redirectTarget?(target: string): string | undefined;
  handle(request: HttpRequest): Promise<HttpResponse>;
  errorResponse(error: HttpError): HttpResponse;
}

export interface ServiceParts {
  readonly storage: Storage;
  readonly clock: () => Date;
  /** Cryptographically secure bytes. */
  readonly random: (length: number) => Uint8Array;
  /** The scrypt cost of new password hashes; default: as in `hashPassword`. */
  readonly scryptCost?: number | undefined;
  readonly version: string;
  /** Receives internal faults, one line each; never contains request content. */
  readonly log: (line: string) => void;
}

/** What stored objects of a service need. */
export type ModelParts = Pick<ServiceParts, 'storage' | 'random' | 'clock'>;

/** Encodes a long body, in slices. */
export async function encodeBody(response: HttpResponse): Promise<EncodedResponse> {
  const { body, ...rest } = response;
  return { ...rest, ...(body && { body: body instanceof JsonBody ? await body.encode() : body }) };
}

/** An error that is reported to the client; the service formats the response. */
export class HttpError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

export function jsonResponse(
  status: number,
  value: unknown,
  rest: Omit<HttpResponse, 'status' | 'body'> = {},
): HttpResponse {
  return {
    ...rest,
    status,
    headers: { 'Content-Type': 'application/json', ...rest.headers },
    body: new JsonBody(value),
  };
}

export function textResponse(status: number, body: string, rest: Omit<HttpResponse, 'status' | 'body'> = {}) {
  return { ...rest, status, headers: { 'Content-Type': 'text/plain; charset=utf-8', ...rest.headers }, body };
}

import type { FileHandle } from 'node:fs/promises';
import type { Json } from '../../wire/json.ts';
import { formatJson } from '../../wire/json.ts';
import type { ServiceName } from '../../wire/services.ts';
import type { Path } from './path.ts';

/** A request as a service sees it. */
export interface HttpRequest {
  /** As the client sent it, `LIST` and `RECOVER` included. */
  readonly method: string;
  readonly path: Path;
  readonly query: URLSearchParams;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** A header of the service's own, by its name without prefix (`token`), under either prefix. */
  prefixed(name: string): string | undefined;
  /** All headers of the service's own, lower case, without prefix. */
  prefixedAll(): Readonly<Record<string, string>>;
  /** The body as text; at most 32 MiB. @throws HttpRefusal 413, 400 (not UTF-8) */
  text(): Promise<string>;
  /** The body as bytes, in place of `text` or `json`; at most 32 MiB. @throws HttpRefusal 413 */
  bytes(): Promise<Uint8Array>;
  /** The body as JSON; undefined: there is none. @throws HttpRefusal 413, 400 (not JSON, or over the limits) */
  json(): Promise<Json | undefined>;
  /**
   * The body as it arrives, in place of the others, and no faster than its chunks are taken.
   * @throws HttpRefusal 413, 408 (stalled), 400 (cut off)
   */
  stream(limits: StreamLimits): AsyncIterable<Buffer>;
  /** Aborted when the exchange is over: nobody waits for an answer any more. */
  readonly over: AbortSignal;
}

export interface StreamLimits {
  /** Bytes; a body that is announced to be longer is refused before it is sent. */
  readonly limit: number;
  /** Milliseconds without a byte while the reader waits for one. */
  readonly stall: number;
}

/** Bytes of an open file, which is given away with the answer: it is closed after it, sent or not. */
export interface FilePart {
  readonly file: FileHandle;
  readonly start: number;
  readonly length: number;
}

export interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Headers of the service's own, without prefix: they are sent under both. */
  readonly prefixed?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array | FilePart;
}

/**
 * One of the five services on HTTP, or the origin that images are uploaded to: it answers, and others decide where
 * it listens.
 */
export interface HttpService {
  readonly name: ServiceName | 'uploads';
  /** Prefixes of its own headers: the specification's, then the product's. */
  readonly prefixes: readonly [string, string];
  /** Below these segments the path is one key that may hold anything: one segment, decoded as a whole. */
  readonly keysBelow?: readonly string[];
  /** @throws HttpRefusal */
  handle(request: HttpRequest): Promise<Answer>;
  /** A refusal in the service's own form. */
  refuse(status: number, message: string): Answer;
}

/** What every service is built with. */
export interface ServiceParts {
  readonly clock: () => Date;
  /** This program's version, for answers that name it. */
  readonly version: string;
}

/** A request that is refused before or outside a service's own rules; the service gives the answer its form. */
export class HttpRefusal extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

export function jsonAnswer(
  status: number,
  value: unknown,
  rest: Omit<Answer, 'status' | 'body'> = {},
): Answer {
  return {
    ...rest,
    status,
    headers: { 'Content-Type': 'application/json', ...rest.headers },
    body: formatJson(value),
  };
}

export function textAnswer(status: number, body: string, rest: Omit<Answer, 'status' | 'body'> = {}): Answer {
  return { ...rest, status, headers: { 'Content-Type': 'text/plain; charset=utf-8', ...rest.headers }, body };
}

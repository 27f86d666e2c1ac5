import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Json } from '../../../wire/json.ts';
import { type Body, readBytes, readChunks, readText } from './body.ts';
import { parseBounded } from './bounded-json.ts';
import type { HttpRequest, HttpService, Path, StreamLimits } from './http-service.ts';
import { readPath } from './path.ts';

interface RequestOptions {
  /** Prefixes of the service's own header names. */
  readonly headerPrefixes: readonly string[];
  readonly rawKeyPrefixes: HttpService['rawKeyPrefixes'];
}

/** A request to the server, with its response. */
export interface Exchange {
  readonly message: IncomingMessage;
  readonly response: ServerResponse;
  /** As sent by the client. */
  readonly method: string;
  /** Whether the client waits for `100 Continue` before it sends the body. */
  readonly expectsContinue: boolean;
}

/**
 * The request as a service sees it; its body is read only when asked for. A class, because closures for each request
 * would take longer than many requests do.
 */
export class IncomingRequest implements HttpRequest, Body {
  readonly method: string;
  readonly path: Path;
  readonly query: URLSearchParams;
  readonly headers: HttpRequest['headers'];
  /** Read at once: a connection that is closed meanwhile has none, and the audit log needs it. */
  readonly remoteAddress: string;
  readonly remotePort: number | undefined;
  readonly #exchange: Exchange;
  readonly #headerPrefixes: readonly string[];
  #text: Promise<string> | undefined;
  #signal: AbortSignal | undefined;

  /** @throws HttpError 400 the path */
  constructor(exchange: Exchange, options: RequestOptions) {
    const { message, method } = exchange;
    const { path, query } = readPath(message.url ?? '', options.rawKeyPrefixes);
    this.method = method;
    this.path = path;
    this.query = query;
    this.headers = message.headers as HttpRequest['headers'];
    this.remoteAddress = message.socket.remoteAddress ?? '';
    this.remotePort = message.socket.remotePort;
    this.#exchange = exchange;
    this.#headerPrefixes = options.headerPrefixes;
  }

  /** Created when it is first asked for: most requests do not wait. */
  get signal(): AbortSignal {
    this.#signal ??= closeSignal(this.#exchange.response);
    return this.#signal;
  }

  get contentLength(): string | undefined {
    return this.headers['content-length'];
  }

  open(): IncomingMessage {
    const { message, response, expectsContinue } = this.#exchange;
    if (expectsContinue) response.writeContinue();
    return message;
  }

  serviceHeader(name: string): string | undefined {
    for (const prefix of this.#headerPrefixes) {
      const value = this.headers[prefix + name];
      if (value !== undefined) return value;
    }
    return undefined;
  }

  serviceHeaders(): Readonly<Record<string, string>> {
    const serviceHeaders: [string, string][] = [];
    for (const [name, value] of Object.entries(this.headers)) {
      const start = this.#headerPrefixes.find((each) => name.startsWith(each));
      if (start !== undefined && value !== undefined) serviceHeaders.push([name.slice(start.length), value]);
    }
    return Object.fromEntries(serviceHeaders);
  }

  text(): Promise<string> {
    this.#text ??= readText(this);
    return this.#text;
  }

  bytes(): Promise<Uint8Array> {
    return readBytes(this);
  }

  async json(): Promise<Json | undefined> {
    return parseBounded(await this.text());
  }

  stream(limits: StreamLimits): AsyncIterable<Buffer> {
    return readChunks(this, limits);
  }
}

/** Aborted when a response was sent, or its connection is closed. */
function closeSignal(response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  if (response.closed) controller.abort();
  else response.once('close', () => controller.abort());
  return controller.signal;
}

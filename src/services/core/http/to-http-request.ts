import type { IncomingMessage } from 'node:http';
import type { Json } from '../../../wire/json.ts';
import { type Body, readBytes, readChunks, readText } from './body.ts';
import { parseBounded } from './bounded-json.ts';
import type { Exchange } from './exchange.ts';
import type { HttpRequest, HttpService, Path, StreamLimits } from './http-service.ts';
import { readPath } from './path.ts';

interface RequestOptions {
  /** Prefixes of the service's own header names. */
  readonly headerPrefixes: readonly string[];
  readonly rawKeyPrefixes: HttpService['rawKeyPrefixes'];
}

/** The request as a service sees it; its body is read only when asked for. @throws HttpError 400 the path */
export function toHttpRequest(
  message: IncomingMessage,
  method: string,
  exchange: Exchange,
  options: RequestOptions,
): HttpRequest {
  return new IncomingRequest(message, method, exchange, options);
}

/** A class, because closures for each request would take longer than many requests do. */
class IncomingRequest implements HttpRequest, Body {
  readonly method: string;
  readonly path: Path;
  readonly query: URLSearchParams;
  readonly headers: HttpRequest['headers'];
  /** Read at once: a connection that is closed meanwhile has none, and the audit log needs it. */
  readonly remoteAddress: string;
  readonly remotePort: number | undefined;
  readonly #message: IncomingMessage;
  readonly #exchange: Exchange;
  readonly #headerPrefixes: readonly string[];
  #text: Promise<string> | undefined;

  constructor(message: IncomingMessage, method: string, exchange: Exchange, options: RequestOptions) {
    const { path, query } = readPath(message.url ?? '', options.rawKeyPrefixes);
    this.method = method;
    this.path = path;
    this.query = query;
    this.headers = message.headers as HttpRequest['headers'];
    this.remoteAddress = message.socket.remoteAddress ?? '';
    this.remotePort = message.socket.remotePort;
    this.#message = message;
    this.#exchange = exchange;
    this.#headerPrefixes = options.headerPrefixes;
  }

  get signal(): AbortSignal {
    return this.#exchange.signal;
  }

  get contentLength(): string | undefined {
    return this.headers['content-length'];
  }

  open(): IncomingMessage {
    this.#exchange.sendContinue?.();
    return this.#message;
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

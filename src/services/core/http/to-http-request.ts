import type { IncomingMessage } from 'node:http';
import { type Body, readBytes, readChunks, readText } from './body.ts';
import { parseBounded } from './bounded-json.ts';
import type { HttpRequest, HttpService } from './http-service.ts';
import { readPath } from './path.ts';

export interface Exchange {
  /** Aborted when the exchange ends. */
  readonly signal: AbortSignal;
  /** Sends `100 Continue`. */
  readonly sendContinue?: () => void;
}

interface RequestOptions {
  /** Prefixes of the service's own header names. */
  readonly headerPrefixes: readonly string[];
  readonly rawKeyPrefixes: HttpService['rawKeyPrefixes'];
}

/** The request as a service sees it; its body is read only when asked for. @throws HttpError 400 the path */
export function toHttpRequest(
  message: IncomingMessage,
  method: string,
  { signal: closed, sendContinue }: Exchange,
  { headerPrefixes, rawKeyPrefixes }: RequestOptions,
): HttpRequest {
  const headers = message.headers as Readonly<Record<string, string | undefined>>;
  const body: Body = {
    contentLength: headers['content-length'],
    open() {
      sendContinue?.();
      return message;
    },
  };
  let text: Promise<string> | undefined;
  const request: HttpRequest = {
    ...readPath(message.url ?? '', rawKeyPrefixes),
    method,
    remoteAddress: message.socket.remoteAddress ?? '',
    signal: closed,
    remotePort: message.socket.remotePort,
    headers,
    serviceHeader: (name) =>
      headerPrefixes.map((start) => headers[start + name]).find((value) => value !== undefined),
    serviceHeaders: () => {
      const serviceHeaders: [string, string][] = [];
      for (const [name, value] of Object.entries(headers)) {
        const start = headerPrefixes.find((each) => name.startsWith(each));
        if (start !== undefined && value !== undefined)
          serviceHeaders.push([name.slice(start.length), value]);
      }
      return Object.fromEntries(serviceHeaders);
    },
    text: () => {
      text ??= readText(body);
      return text;
    },
    bytes: () => readBytes(body),
    json: async () => parseBounded(await request.text()),
    stream: (limits) => readChunks(body, limits),
  };
  return request;
}

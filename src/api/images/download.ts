import type { IncomingMessage } from 'node:http';
import { LanyardError } from '../../errors.ts';
import { failure } from '../failures.ts';
import { homeOf } from '../http/connection.ts';
import { exchange } from '../http/exchange.ts';
import { maxRedirects, redirectStatuses } from '../http/redirect.ts';
import { type Call, rawResponse, unexpectedResponse } from '../http/response.ts';
import { tokenSecret } from '../redaction.ts';
import { tokenFor, tokenHeaders } from '../request.ts';
import { type StreamedRequest, startOfResponse } from './stream.ts';
import type { ImageRequests } from './upload.ts';

/** An image, or the rest of one, while it is received. */
export interface Image {
  /** The byte that it begins with. */
  readonly from: number;
  /** Bytes of the complete image; undefined: unknown. */
  readonly size: number | undefined;
  /** The strong entity tag of the complete image: with it the rest can be requested. */
  readonly etag: string | undefined;
  /** A chunk is valid until the second one after it is requested. */
  readonly chunks: AsyncIterable<Uint8Array>;
  /** Ends the connection. */
  close(): void;
}

/** The bytes that are requested; with an entity tag only if they are of that image, else all. */
export interface ByteRange {
  readonly first: number;
  readonly last?: number;
  readonly etag?: string;
}

const operation = {
  name: 'download image',
  service: 'box',
  retry: 'read',
  token: 'optional',
  accepts: [200, 206],
} as const;

/**
 * Requests an image. A registry may know itself by another name than its address: what is not found at another origin is
 * requested at the same path of the endpoint's own, where the token may go.
 *
 * @throws LanyardError by the status as every operation; `unreachable`, also later from `chunks`; `failure`: a web page, a
 * redirect that is not followed.
 */
export async function openDownload(
  requests: ImageRequests,
  address: string,
  range?: ByteRange,
): Promise<Image> {
  const { origin } = homeOf(requests.endpoint);
  const url = URL.parse(address, origin);
  if (!url)
    throw new LanyardError('failure', `cannot ${operation.name}: the box registry returned an invalid URL`, {
      service: requests.endpoint.service,
    });
  try {
    return await follow(requests, url, range);
  } catch (error) {
    const isElsewhere = error instanceof LanyardError && error.kind === 'not_found' && url.origin !== origin;
    if (!isElsewhere) throw error;
    return follow(requests, new URL(origin + url.pathname + url.search), range);
  }
}

/** Follows redirects, five at most, and never from https to http; the token goes to the endpoint's own origin only. */
async function follow(requests: ImageRequests, from: URL, range?: ByteRange): Promise<Image> {
  const { endpoint, options, open } = requests;
  const token = await tokenFor(endpoint, operation);
  const tokenAt = (url: URL) => (url.origin === homeOf(endpoint).origin ? token : undefined);
  return exchange(
    { url: from, hops: 0 },
    async ({ url }) => {
      const own = tokenAt(url);
      const headers = {
        Accept: '*/*',
        ...(range && { Range: `bytes=${range.first}-${range.last ?? ''}` }),
        ...(range?.etag === undefined ? {} : { 'If-Range': range.etag }),
        ...(own === undefined ? {} : tokenHeaders(endpoint, own)),
      };
      const streamed = await open('GET', url, headers, hasImage);
      streamed.request.end();
      options.detail(`> GET ${url.origin}${url.origin === homeOf(endpoint).origin ? url.pathname : '/…'}`);
      const head = await streamed.head.catch((error) => {
        throw streamed.failure(operation.name, error);
      });
      options.detail(`< ${head.statusCode}`);
      return { streamed, head };
    },
    async ({ url, hops }, { streamed, head }) => {
      const next = redirectOf(url, head, hops);
      if (next !== undefined) {
        streamed.request.destroy();
        return { send: { url: next, hops: hops + 1 }, afterMs: 0 };
      }
      const secrets = token === undefined ? [] : [tokenSecret(token)];
      const call: Call = { operation, tokenSent: tokenAt(url) !== undefined, secrets };
      return { result: await imageOf(requests, call, streamed, head, range) };
    },
    {
      signal: options.signal,
      interrupted: () => new LanyardError('interrupted', `${operation.name}: interrupted`),
    },
  );
}

function redirectOf(
  url: URL,
  { statusCode: status = 0, headers }: IncomingMessage,
  hops: number,
): URL | undefined {
  if (!redirectStatuses.includes(status) || headers.location === undefined) return undefined;
  const next = URL.parse(headers.location, url.href);
  const rejected = (cause: string) =>
    new LanyardError('failure', `cannot ${operation.name}: ${url.origin} redirects ${cause}`, { status });
  if (!next) throw rejected('to an invalid URL');
  if (hops >= maxRedirects) throw rejected(`more than ${maxRedirects} times`);
  if (url.protocol === 'https:' && next.protocol === 'http:') throw rejected(`to plain http at ${next.host}`);
  return next;
}

/** An image or a part of one; not an error, and not a web page. */
const hasImage = ({ statusCode, headers }: IncomingMessage): boolean =>
  (statusCode === 200 || statusCode === 206) && !/^text\/html\b/i.test(headers['content-type'] ?? '');

async function imageOf(
  requests: ImageRequests,
  call: Call,
  streamed: StreamedRequest,
  head: IncomingMessage,
  range?: ByteRange,
): Promise<Image> {
  const { statusCode: status = 0, headers } = head;
  const close = () => void streamed.request.destroy();
  const received = /^bytes (?:(\d+)-\d+|\*)\/(\d+)$/.exec(headers['content-range'] ?? '');
  const fullSize = received?.[2] ?? (status === 200 ? headers['content-length'] : undefined);
  const size = fullSize === undefined ? undefined : Number(fullSize);
  // Nothing follows what exists: it was complete.
  if (status === 416 && range && received && size === range.first)
    return { from: size, size, etag: range.etag, chunks: noChunks(), close };
  if (status === 416 && range?.etag) {
    close();
    return openDownload(requests, streamed.url.href);
  }
  if (!hasImage(head)) {
    const response = await startOfResponse(head).catch(() => rawResponse(head));
    close();
    if (status === 200 || status === 206)
      throw unexpectedResponse(call, response, 'an HTML page instead of an image');
    const error = failure(call, response);
    throw status >= 500 ? new LanyardError(error.kind, error.message, { ...error, retryable: true }) : error;
  }
  const from = status === 206 ? Number(received?.[1] ?? 0) : 0;
  const etag = headers.etag?.startsWith('"') ? headers.etag : undefined;
  return { from, size, etag, chunks: chunksOf(streamed), close };
}

async function* chunksOf(streamed: StreamedRequest): AsyncGenerator<Uint8Array> {
  try {
    yield* streamed.body();
  } catch (error) {
    throw streamed.failure(operation.name, error);
  }
}

async function* noChunks(): AsyncGenerator<Uint8Array> {}

import type { IncomingMessage } from 'node:http';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { LanyardError } from '../errors.ts';
import { failure } from './failures.ts';
import { describeNetworkError, networkErrorOf, retryReasonOf } from './network-error.ts';
import type { StreamedRequest } from './open-stream.ts';
import { tokenSecret } from './redaction.ts';
import { homeOf, tokenFor, tokenHeaders } from './request.ts';
import { type Call, rawResponse, unexpectedResponse } from './response.ts';
import type { TransferParts } from './send.ts';

/** An image, or the rest of one, as it comes. */
export interface Image {
  /** The byte that it begins with. */
  readonly from: number;
  /** Bytes of the whole; undefined: not told. */
  readonly size: number | undefined;
  /** The strong entity tag of the whole: with it a rest can be asked for. */
  readonly etag: string | undefined;
  readonly chunks: AsyncIterable<Uint8Array>;
  /** Ends it, read or not. */
  close(): void;
}

/** The bytes that are asked for: only those of the very image where its tag is given, else the whole. */
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
const maxRedirects = 5;
const maxErrorBytes = 64 * 1024;

/**
 * Asks for an image. Redirects are followed, five at most, and never from https to http; the token goes to the
 * endpoint's own origin only. A registry may know itself by another name than the one it is called by: what is not
 * found at another origin is looked for at the same path of the endpoint's own, where the token may go.
 *
 * @throws LanyardError by the status as every operation; `unreachable`, also later from `chunks`, `retryable` where
 * another attempt may help; `failure`: a web page, a redirect that is not followed.
 */
export async function openDownload(parts: TransferParts, address: string, part?: ByteRange): Promise<Image> {
  const { origin } = homeOf(parts.endpoint);
  const url = URL.parse(address, origin);
  if (!url)
    throw new LanyardError('failure', `cannot ${operation.name}: the box registry returned an invalid URL`, {
      service: parts.endpoint.service,
    });
  try {
    return await openFollowingRedirects(parts, url, part);
  } catch (error) {
    const isElsewhere = error instanceof LanyardError && error.kind === 'not_found' && url.origin !== origin;
    if (!isElsewhere) throw error;
    return openFollowingRedirects(parts, new URL(origin + url.pathname + url.search), part);
  }
}

async function openFollowingRedirects(
  parts: TransferParts,
  start: URL,
  part: ByteRange | undefined,
): Promise<Image> {
  const { endpoint, options, open } = parts;
  const home = homeOf(endpoint).origin;
  const token = await tokenFor(endpoint, operation);
  let url = start;
  for (let hops = 0; ; hops++) {
    const withToken = token !== undefined && url.origin === home;
    const call: Call = {
      operation,
      tokenSent: withToken,
      secrets: token === undefined ? [] : [tokenSecret(token)],
    };
    const streamed = await open('GET', url, {
      Accept: '*/*',
      ...(part === undefined ? {} : { Range: `bytes=${part.first}-${part.last ?? ''}` }),
      ...(part?.etag === undefined ? {} : { 'If-Range': part.etag }),
      ...(withToken ? tokenHeaders(endpoint, token) : {}),
    });
    streamed.request.end();
    options.detail(`> GET ${url.origin}${url.origin === home ? url.pathname : '/…'}`);
    const head = await streamed.responseHead.catch((error) => {
      throw unreachable(parts, streamed, error);
    });
    options.detail(`< ${head.statusCode}`);
    const next = redirectOf(call, url, head, hops);
    if (next === undefined) return imageOf(parts, call, streamed, head, part);
    streamed.request.destroy();
    url = next;
  }
}

function redirectOf(
  { operation: { name } }: Call,
  url: URL,
  head: IncomingMessage,
  hops: number,
): URL | undefined {
  const { statusCode = 0, headers } = head;
  if (![301, 302, 303, 307, 308].includes(statusCode) || headers.location === undefined) return undefined;
  const next = URL.parse(headers.location, url.href);
  const usageError = (cause: string) =>
    new LanyardError('failure', `cannot ${name}: ${url.origin} redirects ${cause}`, { status: statusCode });
  if (!next) throw usageError('to an invalid URL');
  if (hops >= maxRedirects) throw usageError(`more than ${maxRedirects} times`);
  if (url.protocol === 'https:' && next.protocol === 'http:')
    throw usageError(`to plain http at ${next.host}`);
  return next;
}

async function imageOf(
  parts: TransferParts,
  call: Call,
  streamed: StreamedRequest,
  head: IncomingMessage,
  part: ByteRange | undefined,
): Promise<Image> {
  const { statusCode: status = 0, headers } = head;
  const close = () => void streamed.request.destroy();
  const range = /^bytes (?:(\d+)-\d+|\*)\/(\d+)$/.exec(headers['content-range'] ?? '');
  const size = range?.[2] === undefined ? undefined : Number(range[2]);
  const etag = headers.etag?.startsWith('"') ? headers.etag : undefined;
  // Nothing after what is there: it was whole.
  if (status === 416 && part !== undefined && size === part.first)
    return { from: part.first, size, etag: part.etag, chunks: noChunks(), close };
  if (status === 416 && part?.etag !== undefined) {
    close();
    return openDownload(parts, streamed.url.href);
  }
  if (status !== 200 && status !== 206) {
    const error = failure(call, rawResponse(head, await textOf(head).catch(() => '')));
    close();
    throw status >= 500 ? new LanyardError(error.kind, error.message, { ...error, retryable: true }) : error;
  }
  if (/^text\/html\b/i.test(headers['content-type'] ?? '')) {
    const response = rawResponse(head, await textOf(head).catch(() => ''));
    close();
    throw unexpectedResponse(call, response, 'an HTML page instead of an image');
  }
  const length = headers['content-length'];
  const fullSize = status === 200 && length !== undefined ? Number(length) : undefined;
  return {
    from: status === 206 ? Number(range?.[1] ?? 0) : 0,
    size: size ?? fullSize,
    etag,
    chunks: chunksOf(parts, streamed, head),
    close,
  };
}

async function* chunksOf(parts: TransferParts, streamed: StreamedRequest, head: IncomingMessage) {
  let bytes = 0;
  try {
    for await (const chunk of head as AsyncIterable<Buffer>) {
      yield chunk;
      bytes += chunk.length;
      if (bytes < collectAfterBytes) continue;
      bytes = 0;
      collectYoungGeneration();
    }
  } catch (error) {
    throw unreachable(parts, streamed, error);
  }
}

/** Bytes after which the buffers that are used up are let go. */
const collectAfterBytes = 16 * 1024 * 1024;

// Each chunk comes in a buffer of its own, outside of the heap that the collector minds: left to itself it lets many
// megabytes of them pile up, the more the busier the machine. A collection of the young takes less than a millisecond.
let collector: ((options: { readonly type: 'minor' }) => void) | undefined;
function collectYoungGeneration(): void {
  if (collector === undefined) {
    setFlagsFromString('--expose-gc');
    collector = runInNewContext('gc') ?? (() => undefined);
  }
  collector?.({ type: 'minor' });
}

async function* noChunks(): AsyncGenerator<Uint8Array> {}

async function textOf(head: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of head) {
    text += chunk;
    if (text.length > maxErrorBytes) break;
  }
  return text;
}

function unreachable(
  { endpoint, options }: TransferParts,
  { url, isConnected: isOpen }: StreamedRequest,
  error: unknown,
): LanyardError {
  const { name } = operation;
  if (options.signal.aborted) return new LanyardError('interrupted', `${name}: interrupted`);
  const networkError = networkErrorOf(error, isOpen());
  return new LanyardError(
    'unreachable',
    `cannot ${name}: ${url.origin}: ${describeNetworkError(networkError, endpoint)}`,
    {
      service: endpoint.service,
      retryable: retryReasonOf(networkError, endpoint).kind !== 'lasting',
    },
  );
}

import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { LanyardError } from '../../errors.ts';
import type { ServiceName } from '../../wire/services.ts';
import type { Endpoint, TransportOptions } from '../endpoint.ts';
import { messagesOf } from '../error-messages.ts';
import { firstLine, isHtml, type RawResponse, readBody } from '../http/response.ts';
import { redact } from '../redaction.ts';
import { type OpenStream, type StreamedRequest, startOfResponse } from './stream.ts';

/** What uploads and downloads need of the service. */
export interface ImageRequests {
  readonly endpoint: Endpoint;
  readonly options: TransportOptions;
  readonly open: OpenStream;
}

const name = 'upload image';
/** How long to wait for "100 Continue"; without it the body is sent anyway. */
const continueTimeoutMs = 1000;
/** A store may need longer after the last byte of a large image: this many timeouts. */
const lastByteTimeouts = 10;

/**
 * Uploads a body once. `Expect` asks the server first whether it wants the body, so that an expired address or a redirect
 * costs no gigabytes. The address is a credential: messages contain only its origin.
 *
 * @param length bytes.
 * @throws LanyardError `retryable` where a new address or another attempt may help: `unknown` if all was sent and the
 * response was lost, `unreachable` if the connection ended before; else `failure`: a redirect, a rejection, a web page.
 */
export async function uploadOnce(
  { endpoint, options, open }: ImageRequests,
  url: URL,
  length: number,
  chunks: AsyncIterable<Uint8Array>,
): Promise<void> {
  const streamed = await open('PUT', url, { 'Content-Length': String(length), Expect: '100-continue' });
  const { request, head } = streamed;
  options.detail(`> PUT ${url.origin}/…, ${length} bytes`);
  let isComplete = false;
  try {
    isComplete = await writeBody(streamed, chunks);
    if (isComplete) request.setTimeout(options.timeout * lastByteTimeouts);
    const response = await startOfResponse(await head);
    options.detail(`< ${response.status}`);
    checkUpload(endpoint, url, response, isComplete);
  } catch (error) {
    throw streamed.failure(name, error, isComplete);
  } finally {
    request.destroy();
  }
}

/** Waits until the server wants the body; false: it has responded without it. */
async function isBodyWanted({ request, head }: StreamedRequest): Promise<boolean> {
  const waiting = new AbortController();
  const { signal } = waiting;
  return Promise.race([
    once(request, 'continue', { signal }).then(() => true),
    delay(continueTimeoutMs, true, { signal }),
    head.then(() => false),
  ]).finally(() => waiting.abort());
}

/**
 * Writes chunk by chunk, each when the one before has left, after the server has asked for the body.
 *
 * @returns false: a response came before the end.
 */
export async function writeBody(
  streamed: StreamedRequest,
  chunks: AsyncIterable<Uint8Array>,
): Promise<boolean> {
  if (!(await isBodyWanted(streamed))) return false;
  const { request, head } = streamed;
  let hasResponded = false;
  const responded = head.then(() => {
    hasResponded = true;
  });
  responded.catch(() => undefined);
  for await (const chunk of chunks) {
    const written = new Promise<void>((resolve, reject) => {
      request.write(chunk, (error) => (error ? reject(error) : resolve()));
    });
    await Promise.race([written, responded]);
    if (hasResponded) return false;
  }
  request.end();
  return true;
}

/** An address that expired or was used, and temporary errors of a store. */
const isTransient = (status: number): boolean =>
  [401, 403, 404, 408, 410, 425, 429].includes(status) || status >= 500;

/** @throws LanyardError failure: the response is not from a store with the complete body. */
function checkUpload({ service }: Endpoint, url: URL, response: RawResponse, isComplete: boolean): void {
  const { status, headers, text } = response;
  const rejected = (what: string, facts: { readonly hint?: string; readonly retryable?: boolean } = {}) =>
    new LanyardError('failure', `cannot ${name}: the upload address at ${url.origin} ${what}`, {
      service,
      status,
      details: uploadMessages(service, url, response),
      ...facts,
    });
  if (status >= 300 && status < 400) {
    const target = URL.parse(headers.location ?? '', url.href)?.origin ?? 'an invalid URL';
    throw rejected(`redirects to ${target}; uploads are not redirected (${status})`);
  }
  if (status >= 400) throw rejected(`responded with status ${status}`, { retryable: isTransient(status) });
  if (isHtml(headers['content-type'], text)) {
    throw rejected(`responded with status ${status} and an HTML page`, {
      hint: 'A proxy or a login page may be responding instead.',
    });
  }
  if (!isComplete)
    throw rejected(`responded with status ${status} before the upload was complete`, { retryable: true });
}

/** The messages of the service, or the first line of another server. */
function uploadMessages(service: ServiceName, url: URL, response: RawResponse): readonly string[] {
  const secrets = [url.href, url.pathname.slice(1), ...url.searchParams.values()];
  let messages: readonly string[] = [];
  try {
    messages = messagesOf(service, readBody(response), secrets).map(firstLine);
  } catch {
    // Not a body of the service.
  }
  return messages.length > 0
    ? messages
    : [firstLine(redact(response.text, secrets))].filter((line) => line !== '');
}

import { once } from 'node:events';
import type { ClientRequest, IncomingMessage } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { LanyardError } from '../errors.ts';
import { messagesOf } from './failures.ts';
import { describeNetworkError, networkErrorOf, retryReasonOf } from './network-error.ts';
import type { OpenStream, StreamedRequest } from './open-stream.ts';
import { redact } from './redaction.ts';
import { firstLine, type RawResponse, rawResponse, readBody } from './response.ts';
import type { Endpoint, TransportOptions } from './transport.ts';

export interface TransferParts {
  readonly endpoint: Endpoint;
  readonly options: Pick<TransportOptions, 'timeout' | 'signal' | 'detail'>;
  readonly open: OpenStream;
}

interface Body {
  readonly address: string;
  readonly length: number;
  readonly chunks: AsyncIterable<Uint8Array>;
}

const name = 'upload image';
/** Milliseconds in which a server says that it wants the body; one that never says so gets it all the same. */
const leave = 1000;
/** A store may take its time over the last byte of a large image: so many timeouts. */
const patience = 10;
const longestAnswer = 64 * 1024;

/**
 * Puts a body at an address, once. The server is asked first whether it wants the body (`Expect`), so that an expired
 * address or a redirect costs no gigabytes. The address is as good as a password: messages name its origin only.
 *
 * @throws LanyardError `retryable` where a new address or another attempt may help: `unknown` when all was sent and
 * the response was lost, `unreachable` when it broke before; else `failure`: a redirect, a rejection, a web page.
 */
export async function send(parts: TransferParts, { address, length, chunks }: Body): Promise<void> {
  const { options, open } = parts;
  const url = new URL(address);
  const headers = { 'Content-Length': String(length), Expect: '100-continue' };
  const streamed = await open('PUT', url, headers);
  const { request, responseHead: answered } = streamed;
  options.detail(`> PUT ${url.origin}/…, ${length} bytes`);
  let whole = false;
  try {
    const early = await wanted(streamed);
    if (!early) {
      whole = await write(streamed, chunks);
      if (whole) streamed.setIdleTimeout(options.timeout * patience);
    }
    const response = await read(await answered);
    options.detail(`< ${response.status}`);
    judge(parts, url, response, whole);
  } catch (error) {
    throw error instanceof LanyardError ? error : lost(parts, streamed, error, whole);
  } finally {
    request.destroy();
  }
}

/** Waits until the server wants the body, or responds without it: then true. */
async function wanted({ request, responseHead: answered }: StreamedRequest): Promise<boolean> {
  const patient = new AbortController();
  const said = await Promise.race([
    once(request, 'continue', { signal: patient.signal }).then(() => false),
    delay(leave, false, { signal: patient.signal }),
    answered.then(() => true),
  ]).finally(() => patient.abort());
  return said;
}

/** Writes chunk by chunk, each when the one before has left; false: a response came before the end. */
async function write(
  { request, responseHead: answered }: StreamedRequest,
  chunks: Body['chunks'],
): Promise<boolean> {
  let response = false;
  const ended = answered.then(() => {
    response = true;
  });
  ended.catch(() => undefined);
  for await (const chunk of chunks) {
    await Promise.race([flushed(request, chunk), ended]);
    if (response) return false;
  }
  request.end();
  return true;
}

function flushed(request: ClientRequest, chunk: Uint8Array): Promise<void> {
  return new Promise((done, fail) => {
    request.write(chunk, (error) => (error ? fail(error) : done()));
  });
}

async function read(head: IncomingMessage): Promise<RawResponse> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of head) {
    parts.push(part);
    size += part.length;
    if (size > longestAnswer) break;
  }
  return rawResponse(head, Buffer.concat(parts).toString());
}

// What a store says of an address that expired or was used, and of troubles of its own.
const passing = (status: number): boolean =>
  [401, 403, 404, 408, 410, 425, 429].includes(status) || status >= 500;

function judge({ endpoint }: TransferParts, url: URL, response: RawResponse, whole: boolean): void {
  const { status } = response;
  const parsed = `the upload address at ${url.origin}`;
  const failed = (what: string, facts: { readonly hint?: string; readonly retryable?: boolean } = {}) =>
    new LanyardError('failure', `cannot ${name}: ${parsed} ${what}`, {
      service: endpoint.service,
      status,
      details: wordsOf(endpoint, url, response),
      ...facts,
    });
  if (status >= 300 && status < 400) {
    const target = URL.parse(response.headers.location ?? '', url.href);
    throw failed(
      `redirects to ${target?.origin ?? 'an invalid URL'}; uploads are not redirected (${status})`,
    );
  }
  if (status >= 400) throw failed(`responded with status ${status}`, { retryable: passing(status) });
  if (isPage(response)) {
    throw failed(`responded with status ${status} and an HTML page`, {
      hint: 'A proxy or a login page may be responding instead.',
    });
  }
  if (!whole)
    throw failed(`responded with status ${status} before the upload was complete`, { retryable: true });
}

function isPage({ headers, text }: RawResponse): boolean {
  return /^text\/html\b/i.test(headers['content-type'] ?? '') || /^\s*<(!doctype|html)\b/i.test(text);
}

function wordsOf(endpoint: Endpoint, url: URL, response: RawResponse): readonly string[] {
  const secrets = [url.href, url.pathname.slice(1), ...url.searchParams.values()];
  try {
    const said = messagesOf(endpoint.service, readBody(response), secrets).map(firstLine);
    if (said.length > 0) return said;
  } catch {
    // Not what the service itself would send; its first line says the most.
  }
  return [firstLine(redact(response.text, secrets))].filter((line) => line !== '');
}

function lost(
  { endpoint, options }: TransferParts,
  streamed: StreamedRequest,
  error: unknown,
  whole: boolean,
) {
  if (options.signal.aborted) return new LanyardError('interrupted', `${name}: interrupted`);
  const { url, isConnected: isOpen } = streamed;
  const networkError = networkErrorOf(error, isOpen());
  options.detail(`< ${networkError.code}`);
  return new LanyardError(
    whole ? 'unknown' : 'unreachable',
    whole
      ? `${name}: outcome unknown: ${url.origin}: ${describeNetworkError(networkError, endpoint)}`
      : `cannot ${name}: ${url.origin}: ${describeNetworkError(networkError, endpoint)}`,
    {
      service: endpoint.service,
      retryable: retryReasonOf(networkError, endpoint).kind !== 'lasting',
    },
  );
}

import type { ClientRequest, IncomingMessage } from 'node:http';
import { LanyardError } from '../../errors.ts';
import { getOrCreate } from '../../wire/maps.ts';
import { CallTrace } from '../debug-log.ts';
import type { Endpoint, TransportOptions } from '../endpoint.ts';
import { type Connection, connect, isPlainHttpRefused } from '../http/connection.ts';
import { type RawResponse, rawResponse } from '../http/response.ts';
import { isProtocolError, networkErrorOf, reasonOf } from '../network-errors.ts';
import { plainHttpHint, services } from '../services.ts';
import { BodyReceiver } from './body-receiver.ts';

/** A request whose body, or whose response's body, may have any length. */
export interface StreamedRequest {
  readonly url: URL;
  readonly request: ClientRequest;
  /** Rejects when the connection ends first. */
  readonly head: Promise<IncomingMessage>;
  /** The bytes of a received body; a chunk is valid until the second one after it is requested. */
  readonly body: () => AsyncIterable<Uint8Array>;
  /**
   * The error of a request that ended early.
   *
   * @param name in messages: "upload image".
   * @param isSent all of its body was sent: the outcome is `unknown`.
   */
  failure(name: string, error: unknown, isSent?: boolean): LanyardError;
}

/**
 * Opens a request; the caller writes its body and ends it.
 *
 * @param receives whether the body of a response is for `body`; another one can be read from the head.
 */
export type OpenStream = (
  method: 'GET' | 'PUT',
  url: URL,
  headers: Readonly<Record<string, string>>,
  receives?: (head: IncomingMessage) => boolean,
) => Promise<StreamedRequest>;

/**
 * Makes the function that opens requests for bodies of any length, with `node:http` (ADR 11), at the endpoint or at an
 * origin that it names (storage). The timeout is an idle timeout: a body may take any time as long as it keeps moving.
 *
 * @throws LanyardError failure: plain http to another host, a URL that is not http or https; usage: TLS files.
 */
export function openStreams(endpoint: Endpoint, options: TransportOptions): OpenStream {
  const { timeout, signal, userAgent, warn, detail } = options;
  const connections = new Map<string, Promise<Connection>>();
  return async (method, url, headers, receives = () => false) => {
    checkUrl(endpoint, url);
    const connection = await getOrCreate(connections, url.origin, () => connect(endpoint, url, options));
    if (!connection.isVerified)
      warn(`the certificate of ${url.host} is not verified: connections can be intercepted`);
    let isOpen = false;
    const native = { method, headers: { 'User-Agent': userAgent, ...headers }, signal, timeout };
    const receiver = new BodyReceiver();
    // Passed on to the socket; a proxy's connection does not get it.
    const socketOptions = method === 'GET' && url.protocol === 'http:' ? { onread: receiver.onread } : {};
    const request = connection.open(url, { ...native, ...socketOptions }, () => {
      isOpen = true;
    });
    receiver.attach(request);
    const trace = options.trace && new CallTrace(options.trace, {}, []);
    trace?.requestAt(method, url, native.headers);
    request.on('timeout', () => {
      request.destroy(Object.assign(new Error('idle timeout'), { code: 'ETIMEDOUT' }));
    });
    const head = new Promise<IncomingMessage>((resolve, reject) => {
      request.once('response', (response) => {
        trace?.response(rawResponse(response));
        if (receives(response)) receiver.begin(response);
        resolve(response);
      });
      request.on('error', reject);
    });
    // An error is reported where the head is awaited; a later one is of no interest.
    head.catch(() => undefined);
    request.setTimeout(timeout);
    const failure = (name: string, error: unknown, isSent = false): LanyardError => {
      if (error instanceof LanyardError) return error;
      if (signal.aborted) return new LanyardError('interrupted', `${name}: interrupted`);
      const networkError = networkErrorOf(error, isOpen);
      detail(`< ${networkError.code}`);
      trace?.networkError(networkError.code);
      const { what, isLasting } = reasonOf(networkError, endpoint);
      const cause = `${url.origin}: ${what}`;
      return new LanyardError(
        isSent ? 'unknown' : isProtocolError(networkError) ? 'failure' : 'unreachable',
        isSent ? `${name}: outcome unknown: ${cause}` : `cannot ${name}: ${cause}`,
        { service: endpoint.service, retryable: !isLasting },
      );
    };
    return { url, request, head, body: () => receiver.chunks(), failure };
  };
}

function checkUrl(endpoint: Endpoint, url: URL): void {
  const { service } = endpoint;
  const rejected = (cause: string, hint: string) =>
    new LanyardError(
      'failure',
      `cannot use the URL of the ${services[service].title} at ${url.protocol}//${url.host}: ${cause}`,
      { service, hint },
    );
  if (!['http:', 'https:'].includes(url.protocol))
    throw rejected('expected http or https', 'Nothing was sent there. Contact the operator of the service.');
  if (isPlainHttpRefused(endpoint, url))
    throw rejected(
      'plain http to another host is not allowed: the data could be modified on the way',
      `To allow it, ${plainHttpHint(service)}`,
    );
}

const maxErrorBytes = 64 * 1024;

/** A response with the start of its body. */
export async function startOfResponse(head: IncomingMessage): Promise<RawResponse> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of head as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > maxErrorBytes) break;
  }
  return rawResponse(head, Buffer.concat(chunks));
}

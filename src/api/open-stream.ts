import { type ClientRequest, type IncomingMessage, request as plainRequest } from 'node:http';
import { request as secureRequest } from 'node:https';
import { getCACertificates } from 'node:tls';
import { LanyardError } from '../errors.ts';
import { type Connection, connect } from './connection.ts';
import { onConnected, onUpgrade } from './network-error.ts';
import { homeOf, isPlainHttpRefused } from './request.ts';
import { services } from './services.ts';
import type { Endpoint, TransportOptions } from './transport.ts';

/** A request whose body, or whose response's body, may be of any length. */
export interface StreamedRequest {
  readonly url: URL;
  readonly request: ClientRequest;
  /** Settles with the head of the response; rejects when the connection ends first. */
  readonly responseHead: Promise<IncomingMessage>;
  /** May bytes have reached the other side? */
  isConnected(): boolean;
  /** From now on so many milliseconds may pass without a byte. */
  setIdleTimeout(milliseconds: number): void;
}

export type OpenStream = (
  method: 'GET' | 'PUT',
  url: URL,
  headers: Readonly<Record<string, string>>,
) => Promise<StreamedRequest>;

/**
 * Makes the function that opens requests for large bodies, at the endpoint or at an origin that it names (storage).
 * The timeout is one of idleness: a body may take as long as it keeps moving. Another origin than the endpoint's is
 * shown neither client certificate nor server name, and the usual authorities are good for it next to the one of the
 * settings.
 *
 * @throws LanyardError failure: plain http to another host, an address that is not http or https; usage: TLS files.
 */
export function openStreams(
  endpoint: Endpoint,
  options: Pick<TransportOptions, 'timeout' | 'signal' | 'userAgent' | 'warn'>,
): OpenStream {
  const home = homeOf(endpoint).origin;
  const connections = new Map<string, Promise<Connection>>();
  return async (method, url, headers) => {
    checkUrl(endpoint, url);
    const isHome = url.origin === home;
    const connection =
      connections.get(url.origin) ??
      connect(isHome ? endpoint : withoutClientIdentity(endpoint), url, options);
    connections.set(url.origin, connection);
    const { tls, oneRequest: single } = await connection;
    if (tls?.rejectUnauthorized === false)
      options.warn(`the certificate of ${url.host} is not verified: connections can be intercepted`);
    const secure = url.protocol === 'https:';
    const request = (secure ? secureRequest : plainRequest)(url, {
      method,
      headers: { 'User-Agent': options.userAgent, ...headers },
      signal: options.signal,
      timeout: options.timeout,
      agent: secure ? single.https : single.http,
      ...(tls === undefined ? {} : tlsOptions(tls, isHome)),
    });
    return streamed(url, request, options.timeout);
  };
}

function streamed(url: URL, request: ClientRequest, timeout: number): StreamedRequest {
  let open = false;
  request.once('socket', (socket) => onConnected(socket, () => (open = true)));
  request.on('timeout', () => {
    request.destroy(Object.assign(new Error('idle timeout'), { code: 'ETIMEDOUT' }));
  });
  const answered = new Promise<IncomingMessage>((response, fail) => {
    request.once('response', response);
    request.on('error', fail);
    onUpgrade(request, (error) => request.emit('error', error));
  });
  // Whatever waits for it hears of it; a failure after that has nothing left to say.
  answered.catch(() => undefined);
  request.setTimeout(timeout);
  return {
    url,
    request,
    responseHead: answered,
    isConnected: () => open,
    setIdleTimeout: (time) => request.setTimeout(time),
  };
}

// The file of the client certificate is not read where it is not shown.
function withoutClientIdentity({
  clientCert: _cert,
  clientKey: _key,
  serverName: _name,
  ...rest
}: Endpoint): Endpoint {
  return rest;
}

function tlsOptions(tls: NonNullable<Connection['tls']>, isHome: boolean) {
  const { certificateAuthority: ca, certificate: cert, key, serverName: servername } = tls;
  return {
    rejectUnauthorized: tls.rejectUnauthorized,
    ...(ca === undefined ? {} : { ca: isHome ? ca : [...getCACertificates('default'), ca] }),
    ...(cert === undefined ? {} : { cert }),
    ...(key === undefined ? {} : { key }),
    ...(servername === undefined ? {} : { servername }),
  };
}

function checkUrl(endpoint: Endpoint, url: URL): void {
  const { title } = services[endpoint.service];
  const usageError = (cause: string, hint: string) =>
    new LanyardError(
      'failure',
      `cannot use the URL of the ${title} at ${url.protocol}//${url.host}: ${cause}`,
      {
        service: endpoint.service,
        hint,
      },
    );
  if (!['http:', 'https:'].includes(url.protocol))
    throw usageError(
      'expected http or https',
      'Nothing was sent there. Contact the operator of the service.',
    );
  if (isPlainHttpRefused(endpoint, url))
    throw usageError(
      'plain http to another host is not allowed: the data could be modified on the way',
      'To allow it, set allow-plain-http for this service in the profile.',
    );
}

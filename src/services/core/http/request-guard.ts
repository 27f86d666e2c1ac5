import type { IncomingHttpHeaders } from 'node:http';
import { isCrossSite, isLoopbackHost } from './host-check.ts';
import { HttpError } from './http-service.ts';

/** Rejects a request that a web page of another site made a browser send. @throws HttpError 403 */
export function checkSource(headers: IncomingHttpHeaders): void {
  if (!isLoopbackHost(headers.host))
    throw new HttpError(403, 'this service only accepts requests to localhost');
  if (isCrossSite(headers))
    throw new HttpError(403, 'permission denied: requests from web pages of other sites are not allowed');
}

/** The error for bytes that Node's HTTP parser rejected. */
export function rejectionOf({ code }: NodeJS.ErrnoException): HttpError {
  if (code === 'HPE_HEADER_OVERFLOW') return new HttpError(431, 'request header fields too large');
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return new HttpError(408, 'request timeout');
  return new HttpError(400, 'malformed HTTP request');
}

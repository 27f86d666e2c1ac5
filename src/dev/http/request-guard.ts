import type { IncomingHttpHeaders } from 'node:http';
import { isCrossSite, isForThisMachine } from './local.ts';
import { HttpRefusal } from './service.ts';

/**
 * Rejects a request that a web page of another site made a browser send, before reading any of it.
 * @throws HttpRefusal 403
 */
export function checkSource(headers: IncomingHttpHeaders): void {
  if (!isForThisMachine(headers.host))
    throw new HttpRefusal(403, 'this service only accepts requests to localhost');
  if (isCrossSite(headers))
    throw new HttpRefusal(403, 'permission denied: requests from web pages of other sites are not allowed');
}

/** The error for bytes that Node's HTTP parser rejected. */
export function rejectionOf({ code }: NodeJS.ErrnoException): HttpRefusal {
  if (code === 'HPE_HEADER_OVERFLOW') return new HttpRefusal(431, 'request header fields too large');
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return new HttpRefusal(408, 'request timeout');
  return new HttpRefusal(400, 'malformed HTTP request');
}

import type { ClientRequest, IncomingMessage } from 'node:http';

/** The request that is being sent; a redirect or a retry begins another one. */
export interface Attempt {
  readonly startedAt: number;
  readonly url?: URL;
  readonly sent?: ClientRequest;
  head?: IncomingMessage;
  /** Whether bytes of the request may have been sent. */
  isOpen?: true;
  isTooLarge?: true;
}

/** Milliseconds of a clock that is never set. `performance` would load Node's performance measurement. */
export function monotonicMs(): number {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1000 + nanoseconds / 1e6;
}

import type { ServiceName } from '../wire/services.ts';
import type { Retry } from './operation.ts';

/** What went wrong with one attempt, as far as sending again depends on it. Times are milliseconds. */
export type RetryReason =
  /** The connection was refused: nothing was sent. */
  | { readonly kind: 'refused' }
  /** Another trouble of the network that may pass. */
  | { readonly kind: 'network' }
  /** It will be the same next time: a certificate, a name that does not exist. */
  | { readonly kind: 'lasting' }
  /** The service responded; `after` is what its Retry-After asks for. */
  | {
      readonly kind: 'response';
      readonly service: ServiceName;
      readonly status: number;
      readonly sealed: boolean;
      readonly after: number | undefined;
    };

/** How often a request is sent, first attempt included, where nothing else is set. */
export const defaultAttempts = 3;
const maxDelayMs = 20_000;
const baseDelayMs = 500;
// A service that is not there should be reported in well under a second.
const refusedDelayMs = 150;

/**
 * How long to wait before sending again, with full jitter; undefined: do not. A response that asks for a longer
 * wait than 20 s is not waited for: coming back sooner would not obey it.
 *
 * @param attempt the number of attempts made, from 1.
 * @param random full jitter, in [0, 1).
 * @param maxAttempts the number of attempts that there are at most.
 */
export function retryDelayMs(
  retryReason: RetryReason,
  retry: Retry,
  attempt: number,
  random: number,
  maxAttempts: number = defaultAttempts,
): number | undefined {
  if (attempt >= maxAttempts) return undefined;
  const growth = 2 ** (attempt - 1);
  if (retryReason.kind === 'refused') return random * refusedDelayMs * growth;
  if (!isRepeatable(retry)) return undefined;
  const delayMs = Math.min(maxDelayMs, random * baseDelayMs * growth);
  if (retryReason.kind === 'network') return delayMs;
  if (retryReason.kind !== 'response' || !isTransient(retryReason)) return undefined;
  if (retryReason.after === undefined) return delayMs;
  return retryReason.after <= maxDelayMs ? retryReason.after : undefined;
}

/** May an operation be sent twice? Then a lost response needs no word about its effect. */
export function isRepeatable(retry: Retry): boolean {
  return retry === 'read' || retry === 'repeat';
}

function isTransient({ service, status, sealed }: RetryReason & { kind: 'response' }): boolean {
  if (status === 503) return !sealed;
  return [429, 502, 504].includes(status) || (status === 412 && service === 'secrets');
}

/**
 * Reads a Retry-After header: seconds, or an HTTP date (compared with the response's own Date where it has one).
 *
 * @returns milliseconds, not negative; undefined when the header is absent or means nothing.
 */
export function retryAfter(
  headers: Readonly<Record<string, string | undefined>>,
  now: number,
): number | undefined {
  const value = headers['retry-after'] ?? '';
  if (/^\d+$/.test(value)) return Number(value) * 1000;
  // Date.parse takes other texts for dates of long ago: "1.5", "-5".
  if (!/\d\d:\d\d:\d\d/.test(value)) return undefined;
  const then = Date.parse(value);
  const date = Date.parse(headers.date ?? '');
  return Number.isNaN(then) ? undefined : Math.max(0, then - (Number.isNaN(date) ? now : date));
}

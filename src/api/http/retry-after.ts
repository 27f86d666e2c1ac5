/**
 * Reads a Retry-After header: seconds, or an HTTP date (compared with the response's own Date where it has one).
 *
 * @returns milliseconds, not negative; undefined: absent or invalid.
 */
export function retryAfter(
  headers: Readonly<Record<string, string | undefined>>,
  now: number,
): number | undefined {
  const value = headers['retry-after'] ?? '';
  if (/^\d+$/.test(value)) return Number(value) * 1000;
  // Date.parse reads other texts as dates of long ago: "1.5", "-5".
  if (!/\d\d:\d\d:\d\d/.test(value)) return undefined;
  const then = Date.parse(value);
  const date = Date.parse(headers.date ?? '');
  return Number.isNaN(then) ? undefined : Math.max(0, then - (Number.isNaN(date) ? now : date));
}

/** When a request is sent again: `retrying in 0.4 s`. */
export const retryText = (delayMs: number): string =>
  delayMs < 50 ? 'retrying' : `retrying in ${(delayMs / 1000).toFixed(1)} s`;

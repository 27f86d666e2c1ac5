// When a certificate is due for renewal, and when a failed renewal is tried again: spread, so that many hosts never send
// their requests together (docs/adr/0025-renewals-spread-out.md). Loaded before every login: it imports nothing.

/** When a certificate is valid, in unix seconds. */
export interface Validity {
  readonly after: bigint;
  readonly before: bigint;
}

/** The end of a certificate that never expires. */
export const noExpiry = 2n ** 64n - 1n;

/** Seconds; shorter validity periods have a fixed renewal time, at two thirds. */
const minSpreadPeriod = 60n;

/**
 * When a certificate is due, in unix seconds: a point between a quarter and two thirds of its validity period. It
 * depends on the certificate alone, so that every call decides alike without any state.
 *
 * @param signed the bytes that its signature covers; they contain a random nonce.
 * @returns undefined: it never expires.
 */
export function renewalTime({ after, before }: Validity, signed: Uint8Array): bigint | undefined {
  if (before === noExpiry) return undefined;
  const period = before - after;
  if (period < minSpreadPeriod) return after + (period * 2n + 2n) / 3n;
  return after + (period * BigInt(Math.floor(renewalPoint(hash(signed) / 2 ** 32) * 2 ** 32))) / 2n ** 32n;
}

/**
 * The share of the validity period after which a certificate is due: three quarters of all between 1/4 and 1/2, the
 * others between 1/2 and 2/3, fewer towards the end. With certificates issued together, the rate of renewals is then at
 * most 1.27 times its mean.
 *
 * @param random at least 0, less than 1.
 */
export const renewalPoint = (random: number): number =>
  random < 3 / 4 ? 1 / 4 + random / 3 : 2 / 3 - Math.sqrt(1 - random) / 3;

/** Spreads bytes evenly over 32 bits: FNV-1a, and the final mix of MurmurHash3. Not for security. */
function hash(bytes: Uint8Array): number {
  let value = 0x811c9dc5;
  for (const byte of bytes) value = Math.imul(value ^ byte, 0x01000193);
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35);
  return (value ^ (value >>> 16)) >>> 0;
}

/** A failed renewal, as stored next to the certificate. Times are unix seconds. */
export interface RenewalRetry {
  /** Consecutive failures. */
  readonly failures: number;
  readonly failedAt: number;
  /** No request is sent before. */
  readonly retryAt: number;
}

/** The first delay is about this share of the validity period; each further one is twice as long. */
const firstDelay = 1 / 16;
/** A delay is at most about this share of the remaining validity. */
const maxDelay = 1 / 4;
/** Delays differ by this share in both directions. */
const delaySpread = 1 / 2;
/** With less than this share of the validity period left, or these seconds, a renewal is never postponed. */
const minRemaining = 1 / 10;
const minRemainingSeconds = 60;

/**
 * What follows a failed renewal of a certificate that is still valid.
 *
 * @param previous what followed the failure before, if the certificate is the same.
 * @param now unix seconds.
 * @param random at least 0, less than 1.
 */
export function afterFailure(
  previous: Pick<RenewalRetry, 'failures'> | undefined,
  { after, before }: Validity,
  now: number,
  random: number,
): RenewalRetry {
  const failures = Math.min((previous?.failures ?? 0) + 1, 32);
  const delay = Math.min(
    Number(before - after) * firstDelay * 2 ** (failures - 1),
    Math.max(Number(before) - now, 0) * maxDelay,
  );
  const failedAt = Math.floor(now);
  return {
    failures,
    failedAt,
    retryAt: failedAt + Math.ceil(delay * (1 - delaySpread + 2 * delaySpread * random)),
  };
}

/**
 * Whether the next attempt is still to come. A failure in the future, or a delay that is longer than any, is not
 * believed: the clock was changed.
 *
 * @param now unix seconds.
 */
export function isPostponed(
  { failedAt, retryAt }: RenewalRetry,
  { after, before }: Validity,
  now: number,
): boolean {
  const longest = (Number(before) - failedAt) * maxDelay * (1 + delaySpread) + 1;
  return (
    failedAt <= now &&
    now < retryAt &&
    retryAt - failedAt <= longest &&
    now <= lastPostponement({ after, before })
  );
}

/** From when a renewal is no longer postponed, in unix seconds. */
const lastPostponement = ({ after, before }: Validity): number =>
  Number(before) - Math.max(Number(before - after) * minRemaining, minRemainingSeconds);

/** When the attempt after a failed renewal is made, in unix seconds; in the past: the next call tries again. */
export const nextAttempt = ({ retryAt }: Pick<RenewalRetry, 'retryAt'>, validity: Validity): number =>
  Math.min(retryAt, Math.floor(lastPostponement(validity)));

/** The text of the file of a failed renewal. */
export const formatRetry = ({ failures, failedAt, retryAt }: RenewalRetry, signed: Uint8Array): string =>
  `${JSON.stringify({
    version: 1,
    certificate: hash(signed),
    failures,
    failed_at: failedAt,
    retry_at: retryAt,
  })}\n`;

/** Parses it; undefined: damaged, or about another certificate. */
export function parseRetry(text: string, signed: Uint8Array): RenewalRetry | undefined {
  try {
    const { version, certificate, failures, failed_at: failedAt, retry_at: retryAt } = JSON.parse(text);
    const isValid = [failures, failedAt, retryAt].every((value) => Number.isSafeInteger(value) && value >= 0);
    return version === 1 && certificate === hash(signed) && isValid
      ? { failures, failedAt, retryAt }
      : undefined;
  } catch {
    return undefined;
  }
}

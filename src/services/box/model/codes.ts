import { createHash, timingSafeEqual } from 'node:crypto';

/** Milliseconds that a code can be used for, and how often a wrong one may be given meanwhile. */
const lifetimeMs = 5 * 60_000;
const maxAttempts = 5;

interface PendingCode {
  readonly digest: Buffer;
  /** Milliseconds of the epoch. */
  readonly expires: number;
  attempts: number;
}

/**
 * Codes of two-factor authentication, at most one for a user: six digits that let in once and for a short while.
 * They are in memory only; after a restart another one is asked for.
 */
export class TwoFactorCodes {
  readonly #clock: () => Date;
  readonly #random: (length: number) => Uint8Array;
  readonly #pending = new Map<string, PendingCode>();

  constructor(parts: { readonly clock: () => Date; readonly random: (length: number) => Uint8Array }) {
    this.#clock = parts.clock;
    this.#random = parts.random;
  }

  /** A new code of a user; the one before it is void. */
  issue(user: string): string {
    const code = sixDigits(this.#random);
    const expires = this.#clock().getTime() + lifetimeMs;
    this.#pending.set(user, { digest: digestOf(code), expires, attempts: 0 });
    return code;
  }

  /** Is it the user's code? It is used up by that, by time, and by too many wrong ones. */
  use(user: string, code: string): boolean {
    const pending = this.#pending.get(user);
    if (!pending) return false;
    const isCorrect = timingSafeEqual(pending.digest, digestOf(code));
    const isExpired = this.#clock().getTime() >= pending.expires;
    pending.attempts++;
    if (isCorrect || isExpired || pending.attempts >= maxAttempts) this.#pending.delete(user);
    return isCorrect && !isExpired;
  }
}

const digestOf = (code: string): Buffer => createHash('sha256').update(code).digest();

/** Numbers from here on would favour some codes. */
const unbiasedLimit = 2 ** 32 - (2 ** 32 % 1_000_000);

function sixDigits(random: (length: number) => Uint8Array): string {
  for (;;) {
    const number = Buffer.from(random(4)).readUInt32BE();
    if (number < unbiasedLimit) return String(number % 1_000_000).padStart(6, '0');
  }
}

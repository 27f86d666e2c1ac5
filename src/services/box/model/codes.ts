import { createHash, timingSafeEqual } from 'node:crypto';

/** Milliseconds for which a code is valid, and the number of wrong attempts it allows. */
const lifetimeMs = 5 * 60_000;
const maxAttempts = 5;

interface PendingCode {
  readonly digest: Buffer;
  /** Milliseconds of the epoch. */
  readonly expires: number;
  attempts: number;
}

/** Two-factor codes in memory, at most one per user: six digits, valid once and for a short time. */
export class TwoFactorCodes {
  readonly #clock: () => Date;
  readonly #random: (length: number) => Uint8Array;
  readonly #pending = new Map<string, PendingCode>();

  constructor(parts: { readonly clock: () => Date; readonly random: (length: number) => Uint8Array }) {
    this.#clock = parts.clock;
    this.#random = parts.random;
  }

  /** Issues a new code for a user; the previous one is invalid. */
  issue(user: string): string {
    const code = sixDigits(this.#random);
    const expires = this.#clock().getTime() + lifetimeMs;
    this.#pending.set(user, { digest: digestOf(code), expires, attempts: 0 });
    return code;
  }

  /** Whether the code is valid. It is consumed by that, by time, and by too many wrong attempts. */
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

/** Larger random numbers would be biased. */
const unbiasedLimit = 2 ** 32 - (2 ** 32 % 1_000_000);

function sixDigits(random: (length: number) => Uint8Array): string {
  for (;;) {
    const number = Buffer.from(random(4)).readUInt32BE();
    if (number < unbiasedLimit) return String(number % 1_000_000).padStart(6, '0');
  }
}

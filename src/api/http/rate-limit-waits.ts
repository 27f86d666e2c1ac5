import type { ServiceName } from '../../wire/services.ts';
import { isRateLimited } from '../conditions/any.ts';
import { services } from '../services.ts';

/** A longer Retry-After is not waited for. */
const maxRetryAfterMs = 120_000;
/** How long one request waits altogether. */
const maxWaitMs = 600_000;
/** Without a Retry-After, or with one of 0: about a minute on average. */
const maxBackoffs = 24;
const firstBackoffMs = 500;
const maxBackoffMs = 5000;
const noteEveryMs = 20_000;

/** The waits of a command with many requests for services that limit their rate (ADR 30). */
export class RateLimitWaits {
  readonly #note: (message: string) => void;
  readonly #notedUntil = new Map<ServiceName, number>();

  constructor(note: (message: string) => void) {
    this.#note = note;
  }

  /** One note for all requests that wait at the same time. */
  note(service: ServiceName, status: number, afterMs: number): void {
    const now = performance.now();
    if (now < (this.#notedUntil.get(service) ?? 0)) return;
    this.#notedUntil.set(service, now + Math.max(afterMs, noteEveryMs));
    const time = afterMs === 0 ? '' : ` ${Math.ceil(afterMs / 1000)} s`;
    this.#note(`${services[service].title}: rate limit reached (${status}); waiting${time}`);
  }
}

/** The waits of one request. */
export class RequestWaits {
  readonly #all: RateLimitWaits | undefined;
  #backoffs = 0;
  #waitedMs = 0;

  /** @param all undefined: rate limits are not waited for. */
  constructor(all: RateLimitWaits | undefined) {
    this.#all = all;
  }

  /**
   * The milliseconds before the request is sent again. Writes too: what was rejected had no effect.
   *
   * @param response undefined: a network error.
   * @param random jitter, in [0, 1).
   * @returns undefined: the response is no rate limit, or the wait would be too long.
   */
  delayMs(
    service: ServiceName,
    response:
      | { readonly status: number; readonly text: string; readonly after: number | undefined }
      | undefined,
    random: number,
  ): number | undefined {
    if (!this.#all || !response || !isRateLimited(service, response)) return undefined;
    const { status, after = 0 } = response;
    if (after > maxRetryAfterMs || this.#waitedMs + after > maxWaitMs) return undefined;
    let delayMs = after;
    if (after === 0) {
      if (this.#backoffs >= maxBackoffs) return undefined;
      delayMs = random * Math.min(maxBackoffMs, firstBackoffMs * 2 ** this.#backoffs);
      this.#backoffs += 1;
    }
    this.#all.note(service, status, after);
    this.#waitedMs += delayMs;
    return delayMs;
  }
}

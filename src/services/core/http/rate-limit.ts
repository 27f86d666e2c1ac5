import type { HttpRequest, HttpResponse, HttpService } from './http-service.ts';

/** What a rate limit does with a request. */
export interface RateLimitResult {
  /** Headers of the response, whether the request is served or rejected. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The response to a request above the limit; undefined: the request is served. */
  readonly rejection?: HttpResponse | undefined;
}

/** Counts a request; undefined: it is not limited. */
export type RateLimiter = (request: HttpRequest) => RateLimitResult | undefined;

/** A service whose requests are counted before anything else. */
export function withRateLimit<Service extends HttpService>(service: Service, limiter: RateLimiter): Service {
  return {
    ...service,
    async handle(request) {
      const { headers, rejection } = limiter(request) ?? {};
      const response = rejection ?? (await service.handle(request));
      return headers ? { ...response, headers: { ...response.headers, ...headers } } : response;
    },
  };
}

export interface Limit {
  readonly requests: number;
  readonly periodMs: number;
  /** Periods end at multiples of their length; default: a period starts with its first request. */
  readonly isAligned?: true;
}

export interface Quota {
  readonly limit: Limit;
  /** Milliseconds of the clock. */
  readonly endsAt: number;
  used: number;
}

export const remaining = ({ limit, used }: Quota): number => Math.max(0, limit.requests - used);

/** More than this many are looked through for those that ended. */
const maxQuotas = 1000;

export class Quotas {
  readonly #quotas = new Map<string, Quota>();

  get(key: string, limit: Limit, now: number): Quota {
    const found = this.#quotas.get(key);
    if (found && now < found.endsAt) return found;
    const { periodMs, isAligned } = limit;
    const startsAt = isAligned ? Math.floor(now / periodMs) * periodMs : now;
    const quota = { limit, endsAt: startsAt + periodMs, used: 0 };
    if (this.#quotas.size >= maxQuotas) this.#removeEnded(now);
    this.#quotas.set(key, quota);
    return quota;
  }

  #removeEnded(now: number): void {
    for (const [key, { endsAt }] of this.#quotas) if (endsAt <= now) this.#quotas.delete(key);
  }
}

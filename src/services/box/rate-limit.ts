import { HttpError, type HttpService } from '../core/http/http-service.ts';

const windowMs = 60_000;

/**
 * Limits the requests to a service per minute of the clock; every response has the remaining number
 * (docs/protocol/box.md#errors). All callers are on this machine, so they share one count.
 */
export function withRateLimit(service: HttpService, limit: number, clock: () => Date): HttpService {
  let currentWindow = 0;
  let used = 0;
  return {
    ...service,
    async handle(request) {
      const now = clock().getTime();
      const window = Math.floor(now / windowMs);
      if (window !== currentWindow) {
        currentWindow = window;
        used = 0;
      }
      const end = (window + 1) * windowMs;
      const isExceeded = used >= limit;
      if (!isExceeded) used++;
      const headers = {
        'X-RateLimit-Limit': String(limit),
        'X-RateLimit-Remaining': String(limit - used),
        'X-RateLimit-Reset': String(end / 1000),
        ...(isExceeded && { 'Retry-After': String(Math.ceil((end - now) / 1000)) }),
      };
      const response = isExceeded
        ? service.errorResponse(new HttpError(429, 'Too many requests; wait for the next minute'))
        : await service.handle(request);
      return { ...response, headers: { ...response.headers, ...headers } };
    },
  };
}

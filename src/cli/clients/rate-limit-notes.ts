import type { TransportOptions } from '../../api/endpoint.ts';
import { services } from '../../api/services.ts';
import type { ServiceName } from '../../wire/services.ts';

const noteEveryMs = 20_000;

/** Notes about waits for rate limits (ADR 30): one for all requests that wait at the same time. */
export function rateLimitNotes(
  note: (message: string) => void,
): NonNullable<TransportOptions['noteRateLimit']> {
  const notedUntil = new Map<ServiceName, number>();
  return (service, status, afterMs) => {
    const now = performance.now();
    if (now < (notedUntil.get(service) ?? 0)) return;
    notedUntil.set(service, now + Math.max(afterMs, noteEveryMs));
    const time = afterMs === 0 ? '' : ` ${Math.ceil(afterMs / 1000)} s`;
    note(`${services[service].title}: rate limit reached (${status}); waiting${time}`);
  };
}

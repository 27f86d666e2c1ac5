import type { ServiceName } from '../wire/services.ts';
import { HttpError, type HttpRequest, type HttpService } from './core/http/http-service.ts';
import {
  type Limit,
  type Quota,
  Quotas,
  type RateLimiter,
  remaining,
  withRateLimit,
} from './core/http/rate-limit.ts';
import { TokenBucket } from './registry/replication/token-bucket.ts';

/** The rate limit of a service; `boundary`: the default limits of Boundary, for the account service. */
export type RateLimits = Partial<Readonly<Record<ServiceName, number | 'boundary'>>>;

type Services = Readonly<Record<ServiceName, HttpService>>;

interface LimiterParts {
  readonly clock: () => Date;
  readonly errorResponse: HttpService['errorResponse'];
}

/**
 * Adds rate limits to services. Counting, status, headers and body are as in the product
 * (docs/guides/embedded-services.md#rate-limits).
 */
export function withRateLimits<Limited extends Services>(
  services: Limited,
  limits: RateLimits = {},
  clock: () => Date,
): Limited {
  const limited = (Object.entries(limits) as [ServiceName, number | 'boundary'][]).map(([name, limit]) => {
    const service = services[name];
    const parts = { clock, errorResponse: service.errorResponse };
    return [name, withRateLimit(service, limiters[name](limit, parts))] as const;
  });
  return { ...services, ...Object.fromEntries(limited) };
}

const limiters: Readonly<
  Record<ServiceName, (limit: number | 'boundary', parts: LimiterParts) => RateLimiter>
> = {
  secrets: secretsLimiter,
  registry: registryLimiter,
  box: boxLimiter,
  scheduler: schedulerLimiter,
  accounts: accountsLimiter,
};

const seconds = (milliseconds: number): number => milliseconds / 1000;

/** Requests per second and client: a quota of OpenBao, with its response headers enabled. */
function secretsLimiter(limit: number | 'boundary', { clock, errorResponse }: LimiterParts): RateLimiter {
  const quotas = new Quotas();
  const rate = { requests: Number(limit), periodMs: 1000 };
  return ({ path: { segments, hasTrailingSlash }, remoteAddress }) => {
    const path = segments.slice(1).join('/');
    if (segments[0] !== 'v1' || exemptSecretsPaths.includes(path)) return undefined;
    const now = clock().getTime();
    const quota = quotas.get(remoteAddress, rate, now);
    const isOver = remaining(quota) === 0;
    if (!isOver) quota.used += 1;
    const reset = String(Math.trunc(seconds(quota.endsAt - now)));
    return {
      headers: {
        'X-Ratelimit-Limit': String(limit),
        'X-Ratelimit-Remaining': String(remaining(quota)),
        'X-Ratelimit-Reset': reset,
        ...(isOver && { 'Retry-After': reset }),
      },
      rejection: isOver
        ? errorResponse(
            new HttpError(
              429,
              `request path "${path}${hasTrailingSlash ? '/' : ''}": rate limit quota exceeded`,
            ),
          )
        : undefined,
    };
  };
}

const exemptSecretsPaths = [
  'sys/generate-root/attempt',
  'sys/generate-root/update',
  'sys/health',
  'sys/seal-status',
  'sys/unseal',
];

/** Reads and writes per second, each with bursts of ten seconds: `limits.request_limits` of a Consul server. */
function registryLimiter(limit: number | 'boundary', { clock, errorResponse }: LimiterParts): RateLimiter {
  const rate = Number(limit);
  const bucket = () => new TokenBucket(rate * 10, 1000 / rate, clock().getTime());
  const [reads, writes] = [bucket(), bucket()];
  return ({ method, path: { segments } }) => {
    if (['agent', 'operator', 'status'].includes(segments[1] ?? '')) return undefined;
    const isRead = method === 'GET';
    if ((isRead ? reads : writes).tryTake(clock().getTime())) return undefined;
    return {
      rejection: errorResponse(
        isRead
          ? new HttpError(429, 'rate limit exceeded, try again later or against a different server')
          : new HttpError(
              503,
              'rate limit exceeded for operation that can only be performed by the leader, try again later',
            ),
      ),
    };
  };
}

/** Requests per minute of the clock; every response has the remaining number (docs/protocol/box.md#errors). */
function boxLimiter(limit: number | 'boundary', { clock, errorResponse }: LimiterParts): RateLimiter {
  const quotas = new Quotas();
  const rate: Limit = { requests: Number(limit), periodMs: 60_000, isAligned: true };
  return () => {
    const now = clock().getTime();
    // All callers are on this machine, so they share one count.
    const quota = quotas.get('', rate, now);
    const isOver = remaining(quota) === 0;
    if (!isOver) quota.used += 1;
    return {
      headers: {
        'X-RateLimit-Limit': String(limit),
        'X-RateLimit-Remaining': String(remaining(quota)),
        'X-RateLimit-Reset': String(seconds(quota.endsAt)),
        ...(isOver && { 'Retry-After': String(Math.ceil(seconds(quota.endsAt - now))) }),
      },
      rejection: isOver
        ? errorResponse(new HttpError(429, 'Too many requests; wait for the next minute'))
        : undefined,
    };
  };
}

/** Requests per second and client, with the response of Nomad to a client with too many connections. */
function schedulerLimiter(limit: number | 'boundary', { clock, errorResponse }: LimiterParts): RateLimiter {
  const quotas = new Quotas();
  const rate = { requests: Number(limit), periodMs: 1000 };
  return ({ remoteAddress }) => {
    const quota = quotas.get(remoteAddress, rate, clock().getTime());
    quota.used += 1;
    if (quota.used <= quota.limit.requests) return undefined;
    const text = 'Your IP is issuing too many concurrent connections, please rate limit your calls\n';
    return { headers: { Connection: 'close' }, rejection: errorResponse(new HttpError(429, text)) };
  };
}

/** The defaults of Boundary, in 30 seconds, in the order in which they are checked. */
const boundaryLimits = {
  list: { total: 1500, 'ip-address': 1500, 'auth-token': 150 },
  other: { total: 30_000, 'ip-address': 30_000, 'auth-token': 3000 },
};

const boundaryPeriodMs = 30_000;

/**
 * Requests in 30 seconds for each resource and action of the path: of all callers, of an address and of a token, as in
 * Boundary. A number is the limit of a token, the others are the defaults.
 */
function accountsLimiter(limit: number | 'boundary', { clock }: LimiterParts): RateLimiter {
  const quotas = new Quotas();
  return (request) => {
    const action = accountsAction(request);
    if (action === undefined) return undefined;
    const defaults = action.endsWith(':list') ? boundaryLimits.list : boundaryLimits.other;
    const limits = { ...defaults, ...(limit === 'boundary' ? {} : { 'auth-token': limit }) };
    const callers = {
      total: '',
      'ip-address': request.remoteAddress,
      'auth-token': /^Bearer +(at_[0-9A-Za-z]+)_/i.exec(request.headers.authorization ?? '')?.[1] ?? '',
    };
    const now = clock().getTime();
    const all = (Object.entries(limits) as [keyof typeof limits, number][]).map(([per, requests]) =>
      quotas.get(`${action} ${per} ${callers[per]}`, { requests, periodMs: boundaryPeriodMs }, now),
    );
    const exceeded = all.find((quota) => remaining(quota) === 0);
    if (!exceeded) for (const quota of all) quota.used += 1;
    const shown =
      exceeded ?? all.reduce((least, quota) => (remaining(quota) < remaining(least) ? quota : least));
    return {
      headers: {
        RateLimit: usageOf(shown, now),
        'RateLimit-Policy': Object.entries(limits)
          .map(([per, requests]) => `${requests};w=${seconds(boundaryPeriodMs)};comment="${per}"`)
          .join(', '),
        ...(exceeded && { 'Retry-After': String(resetOf(exceeded, now)) }),
      },
      rejection: exceeded && { status: 429 },
    };
  };
}

const resetOf = ({ endsAt }: Quota, now: number): number => Math.ceil(seconds(endsAt - now));

const usageOf = (quota: Quota, now: number): string =>
  `limit=${quota.limit.requests}, remaining=${remaining(quota)}, reset=${resetOf(quota, now)}`;

const actionsByMethod: Readonly<
  Record<string, readonly [collection: string | undefined, item: string | undefined]>
> = {
  GET: ['list', 'read'],
  POST: ['create', undefined],
  PATCH: [undefined, 'update'],
  DELETE: [undefined, 'delete'],
};

/** `accounts:list`; undefined: no resource, or not an action of a resource. */
function accountsAction({ method, path: { segments } }: HttpRequest): string | undefined {
  const [version, resource = '', id = ''] = segments;
  if (version !== 'v1' || resource === '') return undefined;
  const [collection = '', collectionAction] = resource.split(':');
  // The rest may contain colons.
  const [, itemAction] = /:(.*)/.exec(id) ?? [];
  const [forCollection, forItem] = actionsByMethod[method] ?? [];
  const action = collectionAction ?? itemAction ?? (id === '' ? forCollection : forItem);
  return action === undefined ? undefined : `${collection}:${action}`;
}

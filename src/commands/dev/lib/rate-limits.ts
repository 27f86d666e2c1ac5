import { flag } from '../../../command/command.ts';
import { usage } from '../../../errors.ts';
import { type ServiceName, serviceNames } from '../../../wire/services.ts';

export type RateLimits = Partial<Readonly<Record<ServiceName, number | 'boundary'>>>;

export const rateLimitFlags = {
  rateLimit: flag.list(
    'SERVICE=N',
    'limit requests as the product does; accounts=boundary: defaults of Boundary; repeatable (default unlimited)',
  ),
};

/** The limits of `SERVICE=N`, `accounts=boundary` and `N` (box). @throws LanyardError usage. */
export function readRateLimits(texts: readonly string[] | undefined): RateLimits | undefined {
  if (!texts) return undefined;
  const limits: Partial<Record<ServiceName, number | 'boundary'>> = {};
  for (const text of texts) {
    const [, name = 'box', value = ''] = /^(?:([^=]*)=)?(.*)$/s.exec(text) ?? [];
    const service = serviceNames.find((each) => each === name);
    const isPreset = service === 'accounts' && value === 'boundary';
    const limit = /^[1-9]\d{0,8}$/.test(value) ? Number(value) : undefined;
    if (!service || (!isPreset && limit === undefined))
      throw usage(
        `invalid --rate-limit "${text}": expected SERVICE=LIMIT with a limit of at least 1, or accounts=boundary`,
      );
    if (limits[service] !== undefined)
      throw usage(`invalid --rate-limit "${text}": ${service} has a limit already`);
    limits[service] = limit ?? 'boundary';
  }
  return limits;
}

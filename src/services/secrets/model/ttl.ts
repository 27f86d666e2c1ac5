import { formatDuration, parseDuration } from '../../../wire/duration.ts';
import type { Json } from '../../../wire/json.ts';
import { badRequest } from '../errors.ts';

/** The service's default and maximum lifetime of tokens and leases: 768 hours, in seconds. */
export const systemTtl = 2_764_800;

/** Lifetimes of what a mount issues, in seconds. */
export interface TtlLimits {
  /** If the caller and the role request none. */
  readonly default: number;
  readonly max: number;
}

/** The lifetimes of a mount without its own. */
export const systemTtlLimits: TtlLimits = { default: systemTtl, max: systemTtl };

/** A lifetime as requested, in seconds; 0 or missing: none. */
interface TtlRequest {
  readonly ttl?: number;
  /** Replaces the lifetime; only `explicitMax` limits its renewals. */
  readonly period?: number | undefined;
  /** The limit of a role. */
  readonly max?: number | undefined;
  /** The limit that also applies to a period. */
  readonly explicitMax?: number | undefined;
  /** Time since the creation, for a renewal. */
  readonly age?: number;
}

/**
 * The lifetime from now, in seconds, that a request gets, and warnings about a shortened one.
 * @throws SecretsError 400: the maximum has passed
 */
export function effectiveTtl(
  limits: TtlLimits,
  { ttl = 0, period = 0, max = 0, explicitMax = 0, age = 0 }: TtlRequest,
): { readonly ttl: number; readonly warnings: readonly string[] } {
  const limit = Math.min(limits.max, max || limits.max, explicitMax || limits.max);
  const warnings: string[] = [];
  const capped = (noun: string, wanted: number, most: number): number => {
    if (wanted <= most) return wanted;
    const [from, to] = [formatShortDuration(wanted), formatShortDuration(most)];
    warnings.push(
      `${noun} of "${from}" exceeded the effective max_ttl of "${to}"; ${noun} value is capped accordingly`,
    );
    return most;
  };
  const wanted = period > 0 ? capped('period', period, limit) : ttl || limits.default;
  const remaining = period > 0 ? (explicitMax || Number.POSITIVE_INFINITY) - age : limit - age;
  if (remaining <= 0) throw badRequest('past the max TTL, cannot renew');
  return { ttl: capped('TTL', wanted, remaining), warnings };
}

/** The seconds of a renewal without an increment: of the login, or of a created token's last renewal. */
export function renewedTtl(token: {
  readonly path: string;
  readonly ttl: number;
  readonly renewed: number | null;
  readonly expires: number | null;
}): number {
  const { path, ttl, renewed, expires } = token;
  const isCreated = path.startsWith('auth/token/');
  return isCreated && renewed !== null && expires !== null ? expires - renewed : ttl;
}

/** Writes whole seconds without zero units: `768h`, `1h30m`. */
function formatShortDuration(seconds: number): string {
  return formatDuration(seconds).replace(/m0s$/, 'm').replace('h0m', 'h');
}

/** Whole seconds, a duration with units, or days (`1d`); may be negative. @returns undefined: not a duration */
export function secondsOf(value: Json | undefined): number | undefined {
  if (typeof value === 'number') return Number.isInteger(value) ? value : undefined;
  if (typeof value !== 'string') return undefined;
  const days = /^(-?\d+)d$/.exec(value)?.[1];
  if (days !== undefined) return Number(days) * 86_400;
  return /\s|^[-+]?\d*\.\d*$/.test(value) ? undefined : parseDuration(value);
}

/** A lifetime in seconds, may be negative. @throws SecretsError 400: not a duration */
export function parseLifetime(text: string): number {
  const seconds = secondsOf(text);
  if (seconds === undefined) throw badRequest(`time: invalid duration ${JSON.stringify(text)}`);
  return Math.trunc(seconds);
}

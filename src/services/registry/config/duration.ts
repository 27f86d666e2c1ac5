import { parseDuration } from '../../../wire/duration.ts';
import type { Json } from '../../../wire/json.ts';

const perSecond = 1e9;
const perHour = 3600 * perSecond;
const perMinute = 60 * perSecond;

/**
 * Reads a duration of a config entry: Go style (`30s`, `1h30m`, `250ms`), or a number of nanoseconds.
 *
 * @returns nanoseconds, or undefined when the value is not a duration.
 */
export function readNanoseconds(value: Json): number | undefined {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? value : undefined;
  if (typeof value !== 'string') return undefined;
  const text = value.trim();
  // Without a unit only zero is valid.
  if (/^[-\d.]+$/.test(text) && Number(text) !== 0) return undefined;
  const seconds = parseDuration(text);
  if (seconds === undefined) return undefined;
  const nanoseconds = Math.round(seconds * perSecond);
  return Number.isSafeInteger(nanoseconds) ? nanoseconds : undefined;
}

/** Writes nanoseconds as Go does: `5s`, `1m30s`, `1.5s`, `250ms`, `0s`. */
export function formatNanoseconds(nanoseconds: number): string {
  const sign = nanoseconds < 0 ? '-' : '';
  const absolute = Math.abs(nanoseconds);
  if (absolute === 0) return '0s';
  if (absolute < 1e3) return `${sign}${absolute}ns`;
  if (absolute < 1e6) return `${sign}${absolute / 1e3}µs`;
  if (absolute < perSecond) return `${sign}${absolute / 1e6}ms`;
  const hours = Math.floor(absolute / perHour);
  const minutes = Math.floor((absolute % perHour) / perMinute);
  const seconds = `${(absolute % perMinute) / perSecond}s`;
  if (hours > 0) return `${sign}${hours}h${minutes}m${seconds}`;
  return minutes > 0 ? `${sign}${minutes}m${seconds}` : `${sign}${seconds}`;
}

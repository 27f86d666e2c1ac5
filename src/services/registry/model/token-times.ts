import { parseDuration } from '../../../wire/duration.ts';
import type { Json } from '../../../wire/json.ts';
import { FieldError } from '../../core/http/decode-body.ts';

/** Seconds, which may be negative. @throws FieldError */
export function toExpirationTtl(value: Json): number {
  if (typeof value === 'number') return value / 1e9;
  const seconds =
    typeof value === 'string' && (value === '0' || /[a-zµ]$/.test(value)) ? parseDuration(value) : undefined;
  if (seconds === undefined) throw new FieldError(`time: invalid duration ${JSON.stringify(value)}`);
  return seconds;
}

const timePattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/;
const zeroTime = Date.parse('0001-01-01T00:00:00Z');

/** The text of a time; empty for the zero time of Go. @throws FieldError */
export function toExpirationTime(value: Json): string {
  if (typeof value !== 'string') throw new Error('a string');
  const time = timePattern.test(value) ? Date.parse(value) : Number.NaN;
  const quoted = JSON.stringify(value);
  if (Number.isNaN(time)) {
    throw new FieldError(
      `parsing time ${quoted} as "2006-01-02T15:04:05Z07:00": cannot parse ${quoted} as "2006"`,
    );
  }
  return time === zeroTime ? '' : value;
}

import type { Json } from '../../../wire/json.ts';
import type { ReadingRules } from '../../core/schema/read.ts';
import { secondsOf } from '../model/ttl.ts';
import { readingRules } from '../reading-rules.ts';

/** How requests of this engine are read: its names end up in certificates, and its durations limit them. */
export const sshRules: ReadingRules = {
  ...readingRules,
  convert: {
    ...readingRules.convert,
    string(value) {
      const text = readingRules.convert.string(value);
      // OpenSSH rejects certificates with such a name or value.
      if (typeof text === 'string' && text.includes('\0')) throw new Error('it contains a NUL character');
      return text;
    },
    duration: toSeconds,
  },
};

/** Splits a comma-separated list: trimmed, without empty items and duplicates, in order. */
export function splitList(list: string): string[] {
  const items = list.split(',').map((item) => item.trim());
  return [...new Set(items.filter((item) => item !== ''))];
}

// 292 years, the maximum of a 64-bit count of nanoseconds.
const maxDurationSeconds = 9_223_372_036;

/** Whole seconds. @throws Error that says what was expected */
function toSeconds(value: Json): number {
  // The largest unit of this engine is the hour.
  const isInDays = typeof value === 'string' && value.trim().endsWith('d');
  const seconds = isInDays ? undefined : secondsOf(value);
  if (seconds === undefined) throw new Error('expected a duration such as 90, "30s" or "1h30m"');
  if (seconds < 0) throw new Error('a duration cannot be negative');
  // Truncated to seconds it would be 0, which means no limit.
  if (seconds > 0 && seconds < 1) throw new Error('a duration cannot be shorter than a second');
  if (seconds > maxDurationSeconds) throw new Error(`a duration cannot exceed ${maxDurationSeconds} seconds`);
  return Math.trunc(seconds);
}

import { expect, test } from 'vitest';
import { formatSize, formatTimestamp, relativeTime } from '../../../src/output/humanize.ts';

test.each([
  [0, 'now'],
  [0.9, 'now'],
  [1, 'in 1 second'],
  [45, 'in 45 seconds'],
  [60, 'in 1 minute'],
  [150, 'in 2 min 30 s'],
  [1799, 'in 29 minutes'],
  [3600, 'in 1 hour'],
  [3605, 'in 1 hour'],
  [5400, 'in 1 h 30 min'],
  [86_399, 'in 23 hours'],
  [90_000, 'in 1 d 1 h'],
  [86_400 * 45 + 7200, 'in 45 days'],
  [-1, '1 second ago'],
  [-86_400 * 4, '4 days ago'],
  [-5400, '1 h 30 min ago'],
])('%d seconds from now is "%s"', (seconds, words) => {
  expect(relativeTime(seconds)).toBe(words);
});

test('a moment is written to the second, in UTC', () => {
  expect(formatTimestamp(new Date('2026-11-20T16:04:35.999Z'))).toBe('2026-11-20 16:04:35 UTC');
  expect(formatTimestamp(new Date('2026-11-20T17:04:35+01:00'))).toBe('2026-11-20 16:04:35 UTC');
});

test.each([
  [0, '0 B'],
  [1023, '1023 B'],
  [1024, '1 KiB'],
  [1536, '1.5 KiB'],
  [10_200, '10 KiB'],
  [1_048_575, '1 MiB'],
  [681_574_400, '650 MiB'],
  [3.2 * 2 ** 30, '3.2 GiB'],
  [2 ** 60, '1024 PiB'],
])('%d bytes are "%s"', (bytes, words) => {
  expect(formatSize(bytes)).toBe(words);
});

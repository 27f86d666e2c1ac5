import { describe, expect, test } from 'vitest';
import { retryAfter, retryDelayMs } from '../../../src/api/http/retry.ts';

describe('Retry-After', () => {
  const parsed = (value: string, date?: string) =>
    retryAfter({ 'retry-after': value, ...(date === undefined ? {} : { date }) }, 0);

  test.each([
    ['0', 0],
    ['7', 7000],
    ['12', 12_000],
    ['120', 120_000],
  ])('is a number of seconds: %s', (value, milliseconds) => {
    expect(parsed(value)).toBe(milliseconds);
  });

  test.each([
    'Thu, 01 Jan 1970 00:00:05 GMT',
    'Thursday, 01-Jan-70 00:00:05 GMT',
    'Thu Jan  1 00:00:05 1970 GMT',
  ])('is a date: %s', (value) => expect(parsed(value)).toBe(5000));

  test('is compared with a valid Date of the same response', () => {
    const value = 'Thu, 01 Jan 1970 00:00:05 GMT';
    expect(parsed(value, 'Thu, 01 Jan 1970 00:00:03 GMT')).toBe(2000);
    expect(parsed(value, 'yesterday')).toBe(5000);
  });

  // Date.parse takes most of these for dates of long ago.
  test.each(['', 'soon', 'soon 5', '-5', '1.5', '5x', 'x5', '12 s', '99:99:99', '2001-05-01'])(
    'is ignored if it is neither: %j',
    (value) => expect(parsed(value)).toBeUndefined(),
  );
});

test('the pauses after "connection refused" grow from at most 150 ms', () => {
  const pauses = [1, 2, 3].map((attempt) => retryDelayMs({ kind: 'refused' }, 'write', attempt, 1, 4));
  expect(pauses).toEqual([150, 300, 600]);
});

test('no pause is longer than 20 s', () => {
  expect(retryDelayMs({ kind: 'network' }, 'read', 20, 1, 30)).toBe(20_000);
});

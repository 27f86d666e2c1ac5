import { describe, expect, test } from 'vitest';
import { type RetryReason, retryAfter, retryDelayMs } from '../../../src/api/http/retry.ts';

const response = (status: number, more: object = {}): RetryReason => ({
  kind: 'response',
  service: 'secrets',
  status,
  sealed: false,
  after: undefined,
  ...more,
});
const almostOne = 0.999_999;

describe('the pause before the next attempt', () => {
  test('makes three attempts and no more', () => {
    expect(retryDelayMs({ kind: 'network' }, 'read', 1, 0)).toBe(0);
    expect(retryDelayMs({ kind: 'network' }, 'read', 2, 0)).toBe(0);
    expect(retryDelayMs({ kind: 'network' }, 'read', 3, 0)).toBeUndefined();
  });

  test('waits between nothing and a time that doubles', () => {
    expect(retryDelayMs({ kind: 'network' }, 'read', 1, almostOne)).toBeCloseTo(500, 0);
    expect(retryDelayMs({ kind: 'network' }, 'repeat', 2, almostOne)).toBeCloseTo(1000, 0);
    expect(retryDelayMs({ kind: 'network' }, 'read', 2, 0.5)).toBe(500);
  });

  test('retries "connection refused" for every class, in less than a second in total', () => {
    for (const retry of ['read', 'repeat', 'write', 'once'] as const) {
      const waits = [1, 2].map(
        (attempt) => retryDelayMs({ kind: 'refused' }, retry, attempt, almostOne) ?? Number.NaN,
      );
      expect(waits.reduce((sum, wait) => sum + wait, 0)).toBeLessThan(1000);
    }
  });

  test('never sends a write again when bytes may have left', () => {
    for (const retry of ['write', 'once'] as const) {
      expect(retryDelayMs({ kind: 'network' }, retry, 1, 0)).toBeUndefined();
      for (const status of [412, 429, 502, 503, 504]) {
        expect(retryDelayMs(response(status), retry, 1, 0)).toBeUndefined();
      }
    }
  });

  test.each([412, 429, 502, 503, 504])('sends a read again after %i', (status) => {
    expect(retryDelayMs(response(status), 'read', 1, 0)).toBe(0);
  });

  test.each([400, 401, 403, 404, 409, 472, 473, 500, 501])(
    'does not send a read again after %i',
    (status) => {
      expect(retryDelayMs(response(status), 'read', 1, 0)).toBeUndefined();
    },
  );

  test('takes 412 for a passing state of the secrets service only', () => {
    expect(retryDelayMs(response(412, { service: 'registry' }), 'read', 1, 0)).toBeUndefined();
  });

  test('does not wait for a sealed service to unseal', () => {
    expect(retryDelayMs(response(503, { sealed: true }), 'read', 1, 0)).toBeUndefined();
  });

  test('does not try again what will be the same', () => {
    expect(retryDelayMs({ kind: 'lasting' }, 'read', 1, 0)).toBeUndefined();
  });

  test('waits as long as Retry-After, and not shorter', () => {
    expect(retryDelayMs(response(429, { after: 3000 }), 'read', 1, 0)).toBe(3000);
    expect(retryDelayMs(response(503, { after: 20_000 }), 'read', 1, 0)).toBe(20_000);
    expect(retryDelayMs(response(429, { after: 20_001 }), 'read', 1, 0)).toBeUndefined();
  });
});

describe('Retry-After', () => {
  const parsed = (value: string, date?: string) =>
    retryAfter({ 'retry-after': value, ...(date === undefined ? {} : { date }) }, 1000);

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
  ])('is a date: %s', (value) => expect(parsed(value)).toBe(4000));

  test('is compared with a valid Date of the same response', () => {
    const value = 'Thu, 01 Jan 1970 00:00:05 GMT';
    expect(parsed(value, 'Thu, 01 Jan 1970 00:00:03 GMT')).toBe(2000);
    expect(parsed(value, 'Fri, 02 Jan 1970 00:00:00 GMT')).toBe(0);
    expect(parsed(value, 'yesterday')).toBe(4000);
  });

  // Date.parse takes most of these for dates of long ago.
  test.each(['', 'soon', 'soon 5', '-5', '1.5', '5x', 'x5', '12 s', '99:99:99', '2001-05-01'])(
    'is ignored if it is neither: %j',
    (value) => expect(parsed(value)).toBeUndefined(),
  );

  test('is undefined without the header', () => expect(retryAfter({}, 0)).toBeUndefined());
});

test('the pauses after "connection refused" grow from at most 150 ms', () => {
  const pauses = [1, 2, 3].map((attempt) => retryDelayMs({ kind: 'refused' }, 'write', attempt, 1, 4));
  expect(pauses).toEqual([150, 300, 600]);
});

test('no pause is longer than 20 s', () => {
  expect(retryDelayMs({ kind: 'network' }, 'read', 20, 1, 30)).toBe(20_000);
});

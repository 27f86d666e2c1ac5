import { describe, expect, test } from 'vitest';
import {
  afterFailure,
  formatRetry,
  isPostponed,
  nextAttempt,
  noExpiry,
  parseRetry,
  renewalPoint,
  renewalTime,
} from '../../../src/ssh/renewal-schedule.ts';

const hour = 3600;
const begin = Date.UTC(2030, 0, 1) / 1000;
const validity = (seconds: number) => ({ after: BigInt(begin), before: BigInt(begin + seconds) });
const signed = (text: string): Buffer => Buffer.from(text);

describe('renewalPoint', () => {
  test('is between a quarter and two thirds, and grows with its random number', () => {
    const points = Array.from({ length: 1001 }, (_each, index) =>
      renewalPoint((index / 1000) * (1 - 2 ** -32)),
    );
    expect(points.at(0)).toBeCloseTo(1 / 4);
    expect(points.at(750)).toBeCloseTo(1 / 2);
    expect(points.at(-1)).toBeLessThanOrEqual(2 / 3);
    expect(points.at(-1)).toBeCloseTo(2 / 3, 3);
    expect(points).toEqual(points.toSorted((one, other) => one - other));
  });

  /** The rate of renewals of certificates issued together, as the sum over all generations, in steps of a life. */
  test('has a rate of at most 1.3 times the mean for certificates that were issued together', () => {
    const steps = 240;
    const draws = 20_000;
    const share = new Array<number>(steps).fill(0);
    let mean = 0;
    for (let draw = 0; draw < draws; draw++) {
      const point = renewalPoint((draw + 0.5) / draws);
      mean += point / draws;
      const step = Math.floor(point * steps);
      share[step] = (share[step] ?? 0) + 1 / draws;
    }
    const rate: number[] = [];
    for (let step = 0; step < 4 * steps; step++) {
      let sum = share[step] ?? 0;
      for (let back = 1; back <= Math.min(step, steps); back++)
        sum += (rate[step - back] ?? 0) * (share[back] ?? 0);
      rate.push(sum);
    }
    expect(mean).toBeCloseTo(0.419, 2);
    expect(Math.max(...rate) * steps * mean).toBeLessThan(1.3);
    // Afterwards the rate remains near its mean.
    expect(Math.max(...rate.slice(2 * steps)) * steps * mean).toBeLessThan(1.02);
  });
});

describe('renewalTime', () => {
  test('depends on every byte that the signature covers, and on nothing else', () => {
    const times = new Set(
      Array.from({ length: 200 }, (_each, index) =>
        renewalTime(validity(24 * hour), signed(`nonce ${index}`)),
      ),
    );
    expect(times.size).toBeGreaterThan(190);
    expect(renewalTime(validity(hour), signed('a'))).toBe(renewalTime(validity(hour), signed('a')));
  });

  test('follows the distribution for bytes that differ in a counter only', () => {
    const points = Array.from(
      { length: 4000 },
      (_each, index) =>
        (Number(renewalTime(validity(1000 * hour), signed(`serial ${index}`))) - begin) / (1000 * hour),
    );
    const share = (below: number) => points.filter((point) => point < below).length / points.length;
    expect(Math.min(...points)).toBeGreaterThanOrEqual(1 / 4);
    expect(Math.max(...points)).toBeLessThanOrEqual(2 / 3);
    expect(Math.abs(share(1 / 3) - 1 / 4)).toBeLessThan(0.03);
    expect(Math.abs(share(1 / 2) - 3 / 4)).toBeLessThan(0.03);
  });

  test('is never for a certificate without end, and at two thirds of a validity period below a minute', () => {
    expect(renewalTime({ after: 0n, before: noExpiry }, signed('a'))).toBeUndefined();
    expect(renewalTime(validity(30), signed('a'))).toBe(BigInt(begin + 20));
    expect(renewalTime(validity(31), signed('a'))).toBe(BigInt(begin + 21));
    expect(renewalTime(validity(0), signed('a'))).toBe(BigInt(begin));
    expect(Number(renewalTime({ after: 10n, before: 5n }, signed('a')))).toBeLessThanOrEqual(10);
    expect(renewalTime({ after: 0n, before: noExpiry - 1n }, signed('a'))).toBeGreaterThan(2n ** 61n);
  });
});

describe('a failed renewal', () => {
  const day = validity(24 * hour);
  const halfway = begin + 12 * hour;

  test('is tried again after about a 16th of the validity period, and later and later', () => {
    const delays = (random: number) => {
      let [now, failure] = [halfway, afterFailure(undefined, day, halfway, random)];
      const seen = [failure.retryAt - now];
      for (let round = 0; round < 2; round++) {
        now = failure.retryAt;
        failure = afterFailure(failure, day, now, random);
        seen.push(failure.retryAt - now);
      }
      return seen;
    };
    // Each but the first is a quarter of what remains, with the least random number half of it.
    expect(delays(0)).toEqual([2700, 5063, 4430]);
    expect(delays(0.5)).toEqual([5400, 9450, 7088]);
  });

  test('waits at most three eighths of the remaining validity, and not at all in its last tenth', () => {
    for (const remaining of [12 * hour, 8 * hour, 3 * hour, 60, 0, -60]) {
      const now = begin + 24 * hour - remaining;
      const { retryAt } = afterFailure({ failures: 20 }, day, now, 1 - 2 ** -32);
      expect(retryAt - now).toBeLessThanOrEqual(Math.max(remaining, 0) * (3 / 8) + 1);
    }
    const late = { failures: 1, failedAt: begin + 21 * hour, retryAt: begin + 22 * hour };
    expect(isPostponed(late, day, begin + 21.5 * hour)).toBe(true);
    expect(isPostponed(late, day, begin + 21.7 * hour)).toBe(false);
  });

  test('is not postponed in the last minute of a short certificate', () => {
    const short = validity(300);
    const failure = { failures: 1, failedAt: begin + 230, retryAt: begin + 250 };
    expect(isPostponed(failure, short, begin + 239)).toBe(true);
    expect(isPostponed(failure, short, begin + 241)).toBe(false);
  });

  test('is postponed until then, unless the clock was changed', () => {
    const failure = afterFailure(undefined, day, halfway, 0.5);
    expect(isPostponed(failure, day, halfway)).toBe(true);
    expect(isPostponed(failure, day, failure.retryAt - 1)).toBe(true);
    expect(isPostponed(failure, day, failure.retryAt)).toBe(false);
    expect(isPostponed(failure, day, halfway - 1)).toBe(false);
    expect(isPostponed({ ...failure, retryAt: begin + 23 * hour }, day, halfway)).toBe(false);
  });

  test('is tried again after the delay, at the latest in the last tenth or minute', () => {
    expect(nextAttempt({ retryAt: begin + 20 * hour }, day)).toBe(begin + 20 * hour);
    expect(nextAttempt({ retryAt: begin + 22 * hour }, day)).toBe(begin + 21.6 * hour);
    expect(nextAttempt({ retryAt: begin + 250 }, validity(300))).toBe(begin + 240);
  });

  test('is read as it was stored, for the same certificate only', () => {
    const failure = afterFailure({ failures: 3 }, day, halfway, 0.25);
    const text = formatRetry(failure, signed('a'));
    expect(parseRetry(text, signed('a'))).toEqual(failure);
    expect(parseRetry(text, signed('b'))).toBeUndefined();
  });

  test.each(['', '{', 'null', '[]', '1', '{}', 'x'.repeat(4000), '\0', '{"version":2}'])(
    'is ignored when its text is damaged: %j',
    (text) => expect(parseRetry(text, signed('a'))).toBeUndefined(),
  );

  test('is ignored when a number is missing or impossible', () => {
    const stored = JSON.parse(formatRetry(afterFailure(undefined, day, halfway, 0), signed('a')));
    for (const name of ['failures', 'failed_at', 'retry_at'])
      for (const value of [undefined, null, -1, 0.5, '1', 1e300])
        expect(parseRetry(JSON.stringify({ ...stored, [name]: value }), signed('a'))).toBeUndefined();
  });
});

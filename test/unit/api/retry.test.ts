import { describe, expect, it } from 'vitest';
import { type RetryReason, retryAfter, retryDelayMs } from '../../../src/api/http/retry.ts';

const answer = (status: number, more: object = {}): RetryReason => ({
  kind: 'response',
  service: 'secrets',
  status,
  sealed: false,
  after: undefined,
  ...more,
});
const almostOne = 0.999_999;

describe('pause', () => {
  it('makes three attempts and no more', () => {
    expect(retryDelayMs({ kind: 'network' }, 'read', 1, 0)).toBe(0);
    expect(retryDelayMs({ kind: 'network' }, 'read', 2, 0)).toBe(0);
    expect(retryDelayMs({ kind: 'network' }, 'read', 3, 0)).toBeUndefined();
  });

  it('waits between nothing and a time that doubles', () => {
    expect(retryDelayMs({ kind: 'network' }, 'read', 1, almostOne)).toBeCloseTo(500, 0);
    expect(retryDelayMs({ kind: 'network' }, 'repeat', 2, almostOne)).toBeCloseTo(1000, 0);
    expect(retryDelayMs({ kind: 'network' }, 'read', 2, 0.5)).toBe(500);
  });

  it('retries "connection refused" for every class, in less than a second in total', () => {
    for (const retry of ['read', 'repeat', 'write', 'once'] as const) {
      const waits = [1, 2].map(
        (attempt) => retryDelayMs({ kind: 'refused' }, retry, attempt, almostOne) ?? Number.NaN,
      );
      expect(waits.reduce((sum, wait) => sum + wait, 0)).toBeLessThan(1000);
    }
  });

  it('never sends a write again when bytes may have left', () => {
    for (const retry of ['write', 'once'] as const) {
      expect(retryDelayMs({ kind: 'network' }, retry, 1, 0)).toBeUndefined();
      for (const status of [412, 429, 502, 503, 504]) {
        expect(retryDelayMs(answer(status), retry, 1, 0)).toBeUndefined();
      }
    }
  });

  it.each([412, 429, 502, 503, 504])('sends a read again after %i', (status) => {
    expect(retryDelayMs(answer(status), 'read', 1, 0)).toBe(0);
  });

  it.each([400, 401, 403, 404, 409, 472, 473, 500, 501])('does not send a read again after %i', (status) => {
    expect(retryDelayMs(answer(status), 'read', 1, 0)).toBeUndefined();
  });

  it('takes 412 for a passing state of the secrets service only', () => {
    expect(retryDelayMs(answer(412, { service: 'registry' }), 'read', 1, 0)).toBeUndefined();
  });

  it('does not wait for a sealed service to unseal', () => {
    expect(retryDelayMs(answer(503, { sealed: true }), 'read', 1, 0)).toBeUndefined();
  });

  it('does not try again what will be the same', () => {
    expect(retryDelayMs({ kind: 'lasting' }, 'read', 1, 0)).toBeUndefined();
  });

  it('waits as long as Retry-After, and not shorter', () => {
    expect(retryDelayMs(answer(429, { after: 3000 }), 'read', 1, 0)).toBe(3000);
    expect(retryDelayMs(answer(503, { after: 20_000 }), 'read', 1, 0)).toBe(20_000);
    expect(retryDelayMs(answer(429, { after: 20_001 }), 'read', 1, 0)).toBeUndefined();
  });
});

describe('retryAfter', () => {
  it('reads seconds', () => {
    expect(retryAfter({ 'retry-after': '7' }, 0)).toBe(7000);
  });

  it("reads a date against the answer's own clock, else against the given one", () => {
    const headers = { 'retry-after': 'Wed, 21 Oct 2026 07:28:05 GMT' };
    expect(retryAfter({ ...headers, date: 'Wed, 21 Oct 2026 07:28:00 GMT' }, 0)).toBe(5000);
    expect(retryAfter(headers, Date.parse('Wed, 21 Oct 2026 07:28:03 GMT'))).toBe(2000);
    expect(retryAfter(headers, Date.parse('Thu, 22 Oct 2026 00:00:00 GMT'))).toBe(0);
  });

  it('ignores other values', () => {
    expect(retryAfter({ 'retry-after': 'soon' }, 0)).toBeUndefined();
    expect(retryAfter({}, 0)).toBeUndefined();
  });
});

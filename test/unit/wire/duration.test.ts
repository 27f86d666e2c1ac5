import { describe, expect, test } from 'vitest';
import { parseDuration, withoutDays } from '../../../src/wire/duration.ts';

describe('withoutDays', () => {
  test.each([
    ['1d', '24h'],
    ['7d', '168h'],
    ['1d12h', '36h'],
    ['1d30m', '24h30m'],
    ['1d12h30m15s', '36h30m15s'],
    ['0.5d', '12h'],
    ['1d5s', '24h0m5s'],
    [' 2d ', '48h'],
    ['0d', '0s'],
    ['1d500ms', '86400.5s'],
  ])('writes %s as %s', (text, written) => {
    expect(withoutDays(text)).toBe(written);
    expect(parseDuration(written)).toBeDefined();
  });

  test.each(['30m', '1h30m', '90', '', 'd', '-1d', '1d-1h', '1d1', '1dd', '1d soon', '1h1d', '1w'])(
    'leaves %j unchanged',
    (text) => {
      expect(withoutDays(text)).toBe(text);
    },
  );
});

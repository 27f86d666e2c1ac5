import { expect, test } from 'vitest';
import { Exchange } from '../../../../../src/services/core/http/exchange.ts';

test('a signal that is asked for before the exchange ends is aborted by its end', () => {
  const exchange = new Exchange();
  const { signal } = exchange;
  expect(signal.aborted).toBe(false);
  exchange.end();
  expect([signal.aborted, exchange.signal]).toEqual([true, signal]);
});

test('a signal that is asked for later is aborted already', () => {
  const exchange = new Exchange();
  exchange.end();
  expect(exchange.signal.aborted).toBe(true);
});
